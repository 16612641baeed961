// The FieldsV1 form of a field set.
#include <boost/json.hpp>

#include "kube/api/field_set.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

struct Node {
  FieldSet below;
  bool member = false;
};

// A node without known children is a member even without a "." of its own.
Result<Node> ReadNode(const json::value& value) {
  const auto* object = value.if_object();
  if (object == nullptr) return Fail(ErrorKind::kInvalid, "a field set must be a JSON object");
  Node node;
  for (const auto& field : *object) {
    if (field.key() == ".") {
      node.member = true;
      continue;
    }
    TRY(const auto element, PathElement::Decode(field.key()));
    if (!element) continue;
    TRY(Node child, ReadNode(field.value()));
    // One element can be spelled in two ways: {"a":1,"b":2} and {"b":2,"a":1}.
    if (const FieldSet* seen = node.below.Find(*element)) {
      child.member = child.member || seen->is_member();
      child.below = seen->Union(child.below);
    }
    node.below.Put(*element, child.member, std::move(child.below));
  }
  node.member = node.member || node.below.empty();
  return node;
}

json::object WriteNode(const FieldSet& set, bool mark) {
  json::object out;
  if (mark && !set.empty()) out["."] = json::object();
  for (const auto& [element, node] : set.children()) {
    out[element.Encode()] = WriteNode(node, node.is_member());
  }
  return out;
}

}  // namespace

Result<FieldSet> FieldSet::FromJson(const json::value& fields) {
  if (IsNestedTooDeep(fields)) return Fail(ErrorKind::kInvalid, "the field set is nested too deep");
  TRY(Node root, ReadNode(fields));
  return std::move(root.below);
}

json::object FieldSet::ToJson() const { return WriteNode(*this, false); }

}  // namespace millwright::kube
