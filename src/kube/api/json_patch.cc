#include "kube/api/json_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/json_pointer.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

enum class Verb { kAdd, kRemove, kReplace, kMove, kCopy, kTest };

struct VerbName {
  std::string_view name;
  Verb verb;
  bool needs_value;
  bool needs_from;
};

constexpr std::array<VerbName, 6> kVerbs = {{
    {"add", Verb::kAdd, true, false},
    {"remove", Verb::kRemove, false, false},
    {"replace", Verb::kReplace, true, false},
    {"move", Verb::kMove, false, true},
    {"copy", Verb::kCopy, false, true},
    {"test", Verb::kTest, true, false},
}};

struct Operation {
  Verb verb = Verb::kTest;
  JsonPointer path{};
  JsonPointer from{};
  const json::value* value = nullptr;
};

Failure Invalid(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

Result<JsonPointer> ReadPointer(const json::object& operation, std::string_view name) {
  const json::value* text = operation.if_contains(name);
  if (text == nullptr || !text->is_string())
    return Invalid(fmt::format("'{}' must be a string", name));
  return ParseJsonPointer(text->get_string());
}

Result<Operation> ReadOperation(const json::value& value) {
  if (!value.is_object()) return Invalid("it must be an object");
  const json::object& object = value.get_object();
  const json::value* op = object.if_contains("op");
  if (op == nullptr || !op->is_string()) return Invalid("'op' must be a string");
  const auto verb = std::ranges::find(kVerbs, std::string_view(op->get_string()), &VerbName::name);
  if (verb == kVerbs.end()) {
    return Invalid("'op' must be one of add, remove, replace, move, copy, test");
  }
  Operation operation{.verb = verb->verb};
  TRY(operation.path, ReadPointer(object, "path"));
  if (verb->needs_from) {
    TRY(operation.from, ReadPointer(object, "from"));
  }
  operation.value = object.if_contains("value");
  if (verb->needs_value && operation.value == nullptr) return Invalid("'value' is missing");
  return operation;
}

// About the length of the value as JSON.
size_t Weight(const json::value& value) {
  size_t weight = 2;
  if (const json::string* text = value.if_string()) weight += text->size();
  if (const json::array* list = value.if_array()) {
    for (const json::value& item : *list) weight += Weight(item);
  }
  if (const json::object* object = value.if_object()) {
    for (const auto& member : *object) weight += member.key().size() + 3 + Weight(member.value());
  }
  return weight;
}

bool IsPrefix(const JsonPointer& prefix, const JsonPointer& pointer) {
  return prefix.size() <= pointer.size() &&
         std::ranges::equal(prefix.begin(), prefix.end(), pointer.begin(),
                            pointer.begin() + std::ssize(prefix));
}

class Patcher {
 public:
  Patcher(json::value document, const JsonPatchOptions& options)
      : document_(std::move(document)), options_(options) {}

  Result<void> Apply(const Operation& operation) {
    switch (operation.verb) {
      case Verb::kAdd: return Add(operation.path, *operation.value);
      case Verb::kRemove: return Remove(operation.path);
      case Verb::kReplace: return Replace(operation.path, *operation.value);
      case Verb::kMove: return Move(operation.from, operation.path);
      case Verb::kCopy: return Copy(operation.from, operation.path);
      case Verb::kTest: return Test(operation.path, *operation.value);
    }
    return Invalid("unknown operation");
  }

  json::value Release() { return std::move(document_); }

 private:
  json::value* Find(const JsonPointer& pointer) {
    return FindPointer(document_, pointer, pointer.size());
  }

  // For what leniency allows at a path where there is nothing.
  bool CouldBeMember(const JsonPointer& path) {
    if (!options_.lenient || path.empty()) return false;
    const json::value* parent = FindPointer(document_, path, path.size() - 1);
    return parent != nullptr && parent->is_object();
  }

  Result<void> Spend(size_t bytes) {
    if (bytes > options_.max_carried_bytes - carried_)
      return Invalid("the patch copies or moves too much");
    carried_ += bytes;
    return Ok();
  }

  // Shifting the tail of a list is cheap for each item, but lists can be long and operations many.
  Result<void> SpendOnShift(size_t items) { return Spend(items / 8); }

  Result<void> CheckDepth(const JsonPointer& path, const json::value& value) const {
    const bool too_deep =
        path.size() >= options_.max_depth ||
        IsNestedTooDeep(value, static_cast<int>(options_.max_depth - path.size()));
    return too_deep ? Invalid("the result would be nested too deep") : Ok();
  }

  Result<void> Add(const JsonPointer& path, json::value value) {
    CHECK_OK(CheckDepth(path, value));
    if (path.empty()) {
      document_ = std::move(value);
      return Ok();
    }
    json::value* parent = FindPointer(document_, path, path.size() - 1);
    if (parent == nullptr) return Invalid("there is nothing to add it to");
    if (json::object* object = parent->if_object()) {
      object->insert_or_assign(path.back(), std::move(value));
      return Ok();
    }
    json::array* list = parent->if_array();
    if (list == nullptr) return Invalid("it can only be added to an object or a list");
    const auto index = path.back() == "-" ? list->size() : ListIndex(path.back(), list->size() + 1);
    if (!index) return Invalid(fmt::format("the list of {} has no such index", list->size()));
    CHECK_OK(SpendOnShift(list->size() - *index));
    list->insert(list->begin() + *index, std::move(value));
    return Ok();
  }

  Result<void> Remove(const JsonPointer& path) {
    if (path.empty()) return Invalid("the whole document cannot be removed");
    if (Find(path) == nullptr) return Invalid("there is nothing at that path");
    json::value* parent = FindPointer(document_, path, path.size() - 1);
    if (json::object* object = parent->if_object()) {
      object->erase(path.back());
      return Ok();
    }
    json::array& list = parent->get_array();
    const size_t index = *ListIndex(path.back(), list.size());
    CHECK_OK(SpendOnShift(list.size() - index));
    list.erase(list.begin() + index);
    return Ok();
  }

  Result<void> Replace(const JsonPointer& path, const json::value& value) {
    CHECK_OK(CheckDepth(path, value));
    json::value* target = Find(path);
    if (target == nullptr && CouldBeMember(path)) return Add(path, value);
    if (target == nullptr) return Invalid("there is nothing at that path");
    *target = value;
    return Ok();
  }

  Result<void> Move(const JsonPointer& from, const JsonPointer& path) {
    json::value* source = Find(from);
    if (source == nullptr) return Invalid("there is nothing at the path to move from");
    if (from == path) return Ok();
    if (IsPrefix(from, path)) return Invalid("a value cannot be moved into itself");
    CHECK_OK(Spend(Weight(*source)));
    json::value value = std::move(*source);
    CHECK_OK(Remove(from));
    return Add(path, std::move(value));
  }

  Result<void> Copy(const JsonPointer& from, const JsonPointer& path) {
    const json::value* source = Find(from);
    if (source == nullptr) return Invalid("there is nothing at the path to copy from");
    CHECK_OK(Spend(Weight(*source)));
    return Add(path, *source);
  }

  Result<void> Test(const JsonPointer& path, const json::value& value) {
    const json::value* target = Find(path);
    if (target == nullptr && value.is_null() && CouldBeMember(path)) return Ok();
    if (target == nullptr) return Invalid("the test failed: there is nothing at that path");
    if (!SameValue(*target, value)) return Invalid("the test failed: the value is another");
    return Ok();
  }

  json::value document_;
  const JsonPatchOptions& options_;
  size_t carried_ = 0;
};

Failure Wrap(Error error, size_t index, const json::value& operation) {
  const json::object* object = operation.if_object();
  const auto text = [object](std::string_view name) -> std::string_view {
    const json::value* value = object == nullptr ? nullptr : object->if_contains(name);
    return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : "?";
  };
  return Failure(std::move(error).Wrap(
      fmt::format("JSON patch operation {} ({} '{}')", index, text("op"), text("path"))));
}

Result<json::value> Apply(json::value document, const json::array& operations,
                          const JsonPatchOptions& options) {
  Patcher patcher(std::move(document), options);
  for (size_t i = 0; i < operations.size(); ++i) {
    auto operation = ReadOperation(operations[i]);
    if (!operation) return Wrap(std::move(operation).error(), i, operations[i]);
    auto done = patcher.Apply(*operation);
    if (!done) return Wrap(std::move(done).error(), i, operations[i]);
  }
  return patcher.Release();
}

}  // namespace

Result<json::value> ApplyJsonPatch(json::value document, const json::value& patch,
                                   const JsonPatchOptions& options) {
  const json::array* operations = patch.if_array();
  if (operations == nullptr) return Invalid("a JSON patch must be a list of operations");
  if (operations->size() > options.max_operations) {
    return Invalid(fmt::format("a JSON patch may have {} operations, not {}",
                               options.max_operations, operations->size()));
  }
  const auto depth = static_cast<int>(options.max_depth);
  if (IsNestedTooDeep(document, depth) || IsNestedTooDeep(patch, depth)) {
    return Invalid("the document or its JSON patch is nested too deep");
  }
  try {
    return Apply(std::move(document), *operations, options);
  } catch (const std::exception& e) {
    return Invalid(fmt::format("JSON patch: {}", e.what()));
  }
}

}  // namespace millwright::kube
