// Laws that hold for every object.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/json.hpp>

#include "kube/api/apply_testing.h"
#include "kube/api/schema_default.h"
#include "kube/api/schema_parse.h"
#include "kube/api/schema_prune.h"
#include "kube/api/schema_validate.h"
#include "kube/api/typed_compare.h"
#include "kube/api/typed_fields.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;
using testing_kind::History;
using testing_kind::Object;
using testing_kind::Thing;

bool Flip() { return *rc::gen::arbitrary<bool>(); }
std::string Letter() { return *rc::gen::element<std::string>("p", "q", "r"); }

// At least one: nobody owns an empty merged list, so that whether it is there can depend on the
// past.
json::array Letters() {
  json::array out;
  for (const auto& letter : *rc::gen::unique<std::vector<std::string>>(
           *rc::gen::inRange<std::size_t>(1, 4), rc::gen::element<std::string>("p", "q", "r"))) {
    out.push_back(json::value(letter));
  }
  return out;
}

json::array Items() {
  json::array out;
  for (const auto& name : Letters()) {
    json::object item({{"name", name}});
    if (Flip()) item["size"] = *rc::gen::inRange(0, 3);
    if (Flip()) item["tags"] = Letters();
    out.push_back(std::move(item));
  }
  return out;
}

// A specification that fits the kind.
json::object Spec() {
  json::object spec;
  if (Flip()) spec["replicas"] = *rc::gen::inRange(0, 3);
  if (Flip()) spec["paused"] = Flip();
  if (Flip()) spec["labels"] = json::object({{Letter(), Letter()}});
  if (Flip()) spec["set"] = Letters();
  if (Flip()) spec["items"] = Items();
  if (Flip()) spec["list"].emplace_array().push_back(*rc::gen::inRange(0, 3));
  if (Flip()) spec["whole"] = json::object({{Letter(), Letter()}});
  if (Flip()) spec["template"] = Flip() ? json::object() : json::object({{"a", Letter()}});
  if (Flip()) spec["free"] = json::object({{Letter(), Flip() ? json::value(1) : Letters()}});
  return spec;
}

json::value RandomThing() {
  json::value object = Object("{}");
  object.as_object()["spec"] = Spec();
  return object;
}

// Some writers have been at it before.
History RandomHistory(int least = 0) {
  History thing;
  for (int i = *rc::gen::inRange(least, 4); i > 0; --i) {
    const std::string manager = *rc::gen::element<std::string>("a", "b");
    const auto done = Flip() ? thing.ApplyObject(manager, RandomThing(), Force::kYes)
                             : thing.UpdateObject(manager, RandomThing());
    RC_ASSERT(done);
  }
  return thing;
}

RC_GTEST_PROP(ApplyLaws, TwiceIsOnce, ()) {
  History thing = RandomHistory();
  const json::value wanted = RandomThing();
  RC_ASSERT(thing.ApplyObject("a", wanted, Force::kYes));
  const std::string once = JsonText(*thing.live());
  RC_ASSERT(thing.ApplyObject("a", wanted));
  RC_ASSERT(JsonText(*thing.live()) == once);
}

RC_GTEST_PROP(ApplyLaws, ForcingAlwaysGetsWhatIsWanted, ()) {
  History thing = RandomHistory();
  const json::value wanted = RandomThing();
  RC_ASSERT(thing.ApplyObject("a", wanted, Force::kYes));
  const Shape shape = Shape::OfResource(&Thing());
  const FieldSet missing = FieldsOf(shape, wanted).Difference(FieldsOf(shape, *thing.live()));
  // Only a claimed empty object may have got something inside that others own.
  missing.ForEach([](const FieldPath& path) {
    RC_ASSERT(ToString(path) == ".spec" || ToString(path) == ".spec.template");
  });
}

RC_GTEST_PROP(ApplyLaws, GivingEverythingUpLeavesWhatWasThereBefore, ()) {
  const json::value wanted = RandomThing();
  History thing;
  RC_ASSERT(thing.Update("other", R"({"replicas":9,"labels":{"z":"1"},"items":[{"name":"z"}]})"));
  RC_ASSERT(thing.ApplyObject("a", wanted, Force::kYes));
  // What both owned came back to the applier alone, so it may go; what the other kept must stay.
  const FieldSet kept = thing.Managed()[ManagerId::Updater("other", "v1", "")].fields;
  RC_ASSERT(thing.ApplyObject("a", Object("{}"), Force::kYes));
  const FieldSet left = FieldsOf(Shape::OfResource(&Thing()), *thing.live());
  RC_ASSERT(kept.Leaves().Difference(left).empty());
  const FieldSet own = FieldsOf(Shape::OfResource(&Thing()), wanted);
  own.Leaves().Difference(kept).ForEach([&](const FieldPath& path) {
    if (path[0] == PathElement::Field("spec") && path.size() > 1) RC_ASSERT(!left.Contains(path));
  });
}

RC_GTEST_PROP(ApplyLaws, OwnersOnlyOwnWhatExists, ()) {
  History thing = RandomHistory();
  RC_ASSERT(thing.ApplyObject("c", RandomThing(), Force::kYes));
  const Shape shape = Shape::OfResource(&Thing());
  const Comparison all = Compare(shape, json::object(), WithoutManagedFields(*thing.live()));
  for (const auto& [id, entry] : thing.Managed()) {
    RC_ASSERT(entry.fields.Leaves().Difference(all.added).empty());
  }
}

RC_GTEST_PROP(ApplyLaws, AnUpdateThatChangesNothingIsNotNoticed, ()) {
  History thing = RandomHistory(1);
  const json::value before = *thing.live();
  RC_ASSERT(thing.UpdateObject("c", before));
  RC_ASSERT(JsonText(*thing.live()) == JsonText(before));
}

// Unknown fields, nulls and missing defaults.
json::value RandomMess(int depth);

json::object RandomFields(int depth) {
  json::object out;
  for (const char* name : {"a", "b", "p", "spec", "metadata"}) {
    if (*rc::gen::inRange(0, 3) == 0) out[name] = RandomMess(depth - 1);
  }
  return out;
}

json::value RandomMess(int depth) {
  switch (*rc::gen::inRange(0, depth == 0 ? 4 : 8)) {
    case 0: return nullptr;
    case 1: return *rc::gen::inRange(0, 3);
    case 2: return json::value(Letter());
    case 3: return Flip();
    case 4: return json::array({RandomMess(depth - 1), RandomMess(depth - 1)});
    default: return RandomFields(depth);
  }
}

json::value RandomResource() {
  json::object out({{"spec", RandomFields(4)}});
  if (Flip()) out["other"] = RandomMess(2);
  return out;
}

const Schema& Messy() {
  static const Schema kSchema = *ParseSchema(json::parse(R"({"type":"object","properties":{
    "spec":{"type":"object","default":{},"properties":{
      "a":{"type":"string","default":"d"},
      "b":{"type":"array","items":{"type":"object","nullable":true,"properties":{"a":{"type":"integer","default":1}}}},
      "p":{"type":"object","additionalProperties":{"type":"object","properties":{"b":{"type":"string","default":"x"}}}},
      "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{"type":"object","properties":{}}}},
      "metadata":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}}}}})"));
  return kSchema;
}

RC_GTEST_PROP(SchemaLaws, PruningTwiceIsPruningOnce, ()) {
  json::value object = RandomResource();
  RC_ASSERT(Prune(Messy(), object));
  const std::string once = JsonText(object);
  RC_ASSERT(Prune(Messy(), object)->empty());
  RC_ASSERT(JsonText(object) == once);
}

RC_GTEST_PROP(SchemaLaws, DefaultingTwiceIsDefaultingOnce, ()) {
  json::value object = RandomResource();
  RC_ASSERT(ApplyDefaults(Messy(), object));
  const std::string once = JsonText(object);
  RC_ASSERT(ApplyDefaults(Messy(), object));
  RC_ASSERT(JsonText(object) == once);
}

RC_GTEST_PROP(SchemaLaws, DefaultsAreNeverPruned, ()) {
  json::value object = RandomResource();
  RC_ASSERT(Prune(Messy(), object));
  RC_ASSERT(ApplyDefaults(Messy(), object));
  RC_ASSERT(Prune(Messy(), object)->empty());
}

RC_GTEST_PROP(SchemaLaws, NothingIsWrongWithAnUnchangedObject, ()) {
  const json::value object = RandomResource();
  for (const auto& error : ValidateUpdate(Messy(), object, object)) {
    // Embedded resources are the exception: they are always looked at.
    RC_ASSERT(error.field.starts_with("spec.metadata"));
  }
}

}  // namespace
}  // namespace millwright::kube
