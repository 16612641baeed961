// Any text is read into a projection, or refused, as the tree of the same text says; and half a
// list is never a whole one.
#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/api/json_text.h"
#include "kube/projection/list.h"
#include "kube/projection/meta.h"
#include "tests/fuzz/token_text.h"

using namespace millwright;
using namespace millwright::kube;
namespace json = boost::json;

namespace {

constexpr std::string_view kTokens[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "null",
                                        "true",
                                        "1",
                                        "-2",
                                        "3.5",
                                        "\"\"",
                                        "\"a\"",
                                        "\"\\u00e4\"",
                                        "\"metadata\"",
                                        "\"name\"",
                                        "\"namespace\"",
                                        "\"uid\"",
                                        "\"resourceVersion\"",
                                        "\"generation\"",
                                        "\"deletionTimestamp\"",
                                        "\"2026-01-01T00:00:00Z\"",
                                        "\"items\"",
                                        "\"continue\"",
                                        " ",
                                        "{\"metadata\":{",
                                        "\"name\":\"a\"",
                                        "\"items\":[",
                                        "\"resourceVersion\":\"7\"",
                                        "}}"};

// A value that a projection takes as it is: absent, null, or of the type.
bool IsText(const json::value* value) {
  return value == nullptr || value->is_null() || value->is_string();
}

std::string TextOf(const json::value* value) {
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

// What the tree says the metadata is. None: it must be refused. Numbers like 3.0 are whole to the
// tree and not to the projection, so they are left out.
struct Expected {
  bool known = true;
  std::optional<Meta> meta;
};

Expected ExpectedMeta(const json::object& object) {
  const json::value* metadata = object.if_contains("metadata");
  if (metadata == nullptr || metadata->is_null()) return {.meta = Meta()};
  const json::object* fields = metadata->if_object();
  if (fields == nullptr) return {};
  for (const char* name : {"name", "namespace", "uid", "resourceVersion", "deletionTimestamp"}) {
    if (!IsText(fields->if_contains(name))) return {};
  }
  Meta meta;
  meta.key = {TextOf(fields->if_contains("namespace")), TextOf(fields->if_contains("name"))};
  meta.uid = Uid(TextOf(fields->if_contains("uid")));
  meta.resource_version = ResourceVersion(TextOf(fields->if_contains("resourceVersion")));
  const json::value* deleted = fields->if_contains("deletionTimestamp");
  if (deleted != nullptr && deleted->is_string()) {
    const auto time = ParseTime(TextOf(deleted));
    if (!time) return {};
    meta.deleting_since = *time;
  }
  const json::value* generation = fields->if_contains("generation");
  if (generation == nullptr || generation->is_null()) return {.meta = meta};
  if (!generation->is_number()) return {};
  if (!generation->is_int64()) return {.known = false};
  meta.generation = generation->get_int64();
  return {.meta = meta};
}

void CheckMeta(std::string_view text, const json::object& object) {
  const auto read = ReadObjectMeta(text);
  const Expected expected = ExpectedMeta(object);
  if (!expected.known) return;
  if (read && (!expected.meta || *read != *expected.meta)) std::abort();
  // A refusal must have a reason; the only one that the tree does not show is a number like 3.0.
  const json::value* metadata = object.if_contains("metadata");
  const bool has_generation =
      metadata != nullptr && metadata->is_object() && metadata->get_object().contains("generation");
  if (!read && expected.meta && !has_generation) std::abort();
}

struct Walk {
  Result<ListMeta> meta;
  std::size_t items;
};

Walk WalkList(std::string text) {
  std::size_t items = 0;
  auto meta = ForEachListItem(std::move(text), [&](JsonObject) {
    ++items;
    return Ok();
  });
  return {std::move(meta), items};
}

void CheckList(const std::string& text, const json::object& object, std::size_t cut) {
  const Walk walk = WalkList(text);
  if (!walk.meta) return;
  const json::value* items = object.if_contains("items");
  const bool is_list = items != nullptr && items->is_array();
  if (walk.items != (is_list ? items->get_array().size() : 0)) std::abort();
  if (is_list) {
    for (const json::value& item : items->get_array()) {
      if (!item.is_object()) std::abort();
    }
  }
  const std::size_t end = text.find_last_of('}');
  if (WalkList(text.substr(0, cut % (end + 1))).meta) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::TokenText(data, size, kTokens);
  // Text that is no JSON need only be survived: what nobody looks at is not checked.
  const auto tree = ParseJson(text, {.refuse_duplicate_keys = true});
  if (!tree || !tree->is_object()) {
    (void)ReadObjectMeta(text);
    (void)WalkList(text);
    return 0;
  }
  CheckMeta(text, tree->get_object());
  CheckList(text, tree->get_object(), size * 7919);
  return 0;
}
