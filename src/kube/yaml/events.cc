#include "kube/yaml/events.h"

#include <yaml.h>

#include <algorithm>

#include <fmt/format.h>

namespace millwright::kube::yaml {

namespace {

Mark MarkOf(const yaml_mark_t& mark) { return {.line = mark.line + 1, .column = mark.column + 1}; }

std::string_view View(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

Event ScalarEvent(const yaml_event_t& event) {
  const auto& scalar = event.data.scalar;
  return {.kind = Event::Kind::kScalar,
          .mark = MarkOf(event.start_mark),
          .text = {reinterpret_cast<const char*>(scalar.value), scalar.length},
          .tag = View(scalar.tag),
          .anchor = View(scalar.anchor),
          .plain = scalar.style == YAML_PLAIN_SCALAR_STYLE};
}

// None for the events that only frame the stream.
std::optional<Event> EventOf(const yaml_event_t& event) {
  Event out{.mark = MarkOf(event.start_mark)};
  switch (event.type) {
    case YAML_SCALAR_EVENT: return ScalarEvent(event);
    case YAML_ALIAS_EVENT:
      out.kind = Event::Kind::kAlias;
      out.text = View(event.data.alias.anchor);
      return out;
    case YAML_MAPPING_START_EVENT:
      out.kind = Event::Kind::kMappingStart;
      out.anchor = View(event.data.mapping_start.anchor);
      return out;
    case YAML_SEQUENCE_START_EVENT:
      out.kind = Event::Kind::kSequenceStart;
      out.anchor = View(event.data.sequence_start.anchor);
      return out;
    case YAML_MAPPING_END_EVENT: out.kind = Event::Kind::kMappingEnd; return out;
    case YAML_SEQUENCE_END_EVENT: out.kind = Event::Kind::kSequenceEnd; return out;
    case YAML_DOCUMENT_START_EVENT: out.kind = Event::Kind::kDocumentStart; return out;
    case YAML_DOCUMENT_END_EVENT: out.kind = Event::Kind::kDocumentEnd; return out;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT: return std::nullopt;
  }
  return std::nullopt;
}

Mark MarkAt(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is the start of the text
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .column = before.size() - line_start + 1};
}

}  // namespace

struct EventReader::Parser {
  explicit Parser(std::string_view input) : text(input) {
    ready = yaml_parser_initialize(&parser) != 0;
    if (!ready) return;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Parser() {
    yaml_event_delete(&event);
    if (ready) yaml_parser_delete(&parser);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  std::string_view text;
  yaml_parser_t parser{};
  yaml_event_t event{};  // the current one
  bool ready = false;
};

EventReader::EventReader(std::string_view text, std::string_view source_name)
    : source_name_(source_name), parser_(std::make_unique<Parser>(text)) {}

EventReader::~EventReader() = default;

Result<std::optional<Event>> EventReader::Next() {
  if (!parser_->ready) return Fail(ErrorKind::kInternal, "no memory for the YAML parser");
  while (true) {
    yaml_event_delete(&parser_->event);
    if (yaml_parser_parse(&parser_->parser, &parser_->event) == 0) return SyntaxError();
    // After the end of the stream libyaml goes on with events of no type.
    const yaml_event_type_t type = parser_->event.type;
    if (type == YAML_STREAM_END_EVENT || type == YAML_NO_EVENT) return std::optional<Event>();
    if (const auto event = EventOf(parser_->event)) return event;
  }
}

Failure EventReader::FailAt(Mark mark, std::string_view what) const {
  return Fail(ErrorKind::kInvalid,
              fmt::format("{}:{}:{}: {}", source_name_, mark.line, mark.column, what));
}

Failure EventReader::SyntaxError() const {
  const yaml_parser_t& parser = parser_->parser;
  const std::string problem = parser.problem == nullptr ? "this is not YAML" : parser.problem;
  // The reader of bytes knows an offset, the scanner and the parser know line and column.
  if (parser.error == YAML_READER_ERROR) {
    return FailAt(MarkAt(parser_->text, parser.problem_offset), problem);
  }
  if (parser.error == YAML_MEMORY_ERROR) return Fail(ErrorKind::kInternal, "no memory for YAML");
  const Mark mark = MarkOf(parser.problem_mark);
  if (parser.context == nullptr) return FailAt(mark, problem);
  return FailAt(mark, fmt::format("{} {} that begins at line {}", problem, parser.context,
                                  parser.context_mark.line + 1));
}

}  // namespace millwright::kube::yaml
