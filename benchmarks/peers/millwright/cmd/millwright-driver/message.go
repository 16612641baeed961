package main

import "google.golang.org/protobuf/reflect/protoreflect"

// message reads and writes fields by their names.
type message struct{ protoreflect.Message }

func (m message) field(name string) protoreflect.FieldDescriptor {
	return m.Descriptor().Fields().ByName(protoreflect.Name(name))
}

func (m message) text(name string) string { return m.Get(m.field(name)).String() }

func (m message) setText(name, value string) { m.Set(m.field(name), protoreflect.ValueOfString(value)) }

// within returns the message in a field, to read or to fill.
func (m message) within(name string) message { return message{m.Mutable(m.field(name)).Message()} }

// add returns a new last element of a list of messages.
func (m message) add(name string) message {
	return message{m.Mutable(m.field(name)).List().AppendMutable().Message()}
}

func (m message) addNumber(name string, value int32) {
	m.Mutable(m.field(name)).List().Append(protoreflect.ValueOfEnum(protoreflect.EnumNumber(value)))
}
