#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "kube/yaml/events.h"
#include "kube/yaml/number.h"
#include "kube/yaml/scalar.h"
#include "kube/yaml/yaml.h"

namespace millwright::kube::yaml {

namespace json = boost::json;

namespace {

using Kind = Event::Kind;

// No real object comes near it, and what is read here is later walked recursively.
constexpr int kMaxDepth = 256;

// What all anchors and aliases of a stream together may copy, in bytes: a real document repeats a
// few blocks, an alias bomb grows exponentially.
constexpr std::size_t kMaxCopiedBytes = std::size_t{32} << 20;

// Roughly what a value costs in memory besides its text.
constexpr std::size_t kValueCost = 32;

// Beyond any manifest, and the tree takes several times as much.
constexpr std::size_t kMaxTextSize = std::size_t{256} << 20;

bool LooksLikeJson(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != text.npos && (text[start] == '{' || text[start] == '[');
}

// Reads one stream. Recursive, because kMaxDepth bounds it.
class Reader {
 public:
  Reader(std::string_view text, std::string_view source_name) : events_(text, source_name) {}

  Result<std::vector<json::value>> ReadDocuments();

 private:
  struct Anchor {
    json::value value;
    std::size_t cost = 0;
    int height = 0;
    bool complete = false;
  };
  struct Entry {
    bool merge = false;
    std::string key{};
    Mark mark;
  };

  // The next event; inside a document there always is one.
  Result<Event> Next();
  Result<json::value> ReadNode(const Event& event, int depth);
  Result<json::value> ReadAnchored(const Event& event, int depth);
  Result<json::value> ReadContent(const Event& event, int depth);
  Result<json::value> ReadMapping(Mark mark, int depth);
  Result<json::value> ReadSequence(int depth);
  Result<json::value> ReadAlias(const Event& event, int depth);
  Result<Entry> ReadEntry(const Event& event, int depth);
  Result<std::string> ReadKey(const Event& event, int depth);
  Result<void> Descend(Mark mark, int depth);
  Result<void> Copy(Mark mark, std::size_t cost);
  Result<void> AddMerged(json::value merged, Mark mark, std::vector<json::object>& merges);
  Failure FailAt(Mark mark, const Error& error) { return events_.FailAt(mark, error.message()); }

  EventReader events_;
  std::unordered_map<std::string, Anchor> anchors_;  // of the current document
  std::size_t cost_ = 0;                             // of everything read so far, aliases included
  std::size_t copied_cost_ = 0;
  int deepest_ = 0;  // level reached since the innermost open anchor began
};

Result<std::vector<json::value>> Reader::ReadDocuments() {
  std::vector<json::value> documents;
  while (true) {
    TRY(const auto start, events_.Next());
    if (!start) return documents;
    if (start->kind != Kind::kDocumentStart) continue;
    anchors_.clear();
    TRY(const Event root, Next());
    TRY(json::value document, ReadNode(root, 1));
    if (!document.is_null()) documents.push_back(std::move(document));
  }
}

Result<Event> Reader::Next() {
  TRY(const auto event, events_.Next());
  if (!event) return Fail(ErrorKind::kInternal, "the YAML parser stopped inside a document");
  return *event;
}

Result<void> Reader::Descend(Mark mark, int depth) {
  deepest_ = std::max(deepest_, depth);
  if (depth <= kMaxDepth) return {};
  return events_.FailAt(mark, fmt::format("nested deeper than {} levels", kMaxDepth));
}

Result<void> Reader::Copy(Mark mark, std::size_t cost) {
  copied_cost_ += cost;
  if (copied_cost_ <= kMaxCopiedBytes) return {};
  return events_.FailAt(mark, "the aliases in this text expand to too much data");
}

Result<json::value> Reader::ReadNode(const Event& event, int depth) {
  CHECK_OK(Descend(event.mark, depth));
  if (event.kind == Kind::kAlias) return ReadAlias(event, depth);
  return event.anchor.empty() ? ReadContent(event, depth) : ReadAnchored(event, depth);
}

Result<json::value> Reader::ReadAnchored(const Event& event, int depth) {
  const std::string name(event.anchor);
  anchors_[name] = {};
  const std::size_t cost_before = cost_;
  const int deepest_before = std::exchange(deepest_, depth);
  const Mark mark = event.mark;
  TRY(json::value value, ReadContent(event, depth));
  CHECK_OK(Copy(mark, cost_ - cost_before));
  anchors_[name] = {
      .value = value, .cost = cost_ - cost_before, .height = deepest_ - depth, .complete = true};
  deepest_ = std::max(deepest_, deepest_before);
  return value;
}

Result<json::value> Reader::ReadContent(const Event& event, int depth) {
  cost_ += kValueCost + event.text.size();
  if (event.kind == Kind::kMappingStart) return ReadMapping(event.mark, depth);
  if (event.kind == Kind::kSequenceStart) return ReadSequence(depth);
  auto value = ResolveScalar({.text = event.text, .tag = event.tag, .plain = event.plain});
  if (!value) return FailAt(event.mark, value.error());
  return value;
}

Result<json::value> Reader::ReadSequence(int depth) {
  json::array array;
  while (true) {
    TRY(const Event event, Next());
    if (event.kind == Kind::kSequenceEnd) return array;
    TRY(json::value item, ReadNode(event, depth + 1));
    array.push_back(std::move(item));
  }
}

Result<json::value> Reader::ReadMapping(Mark mark, int depth) {
  json::object object;
  std::vector<json::object> merges;
  while (true) {
    TRY(const Event key_event, Next());
    if (key_event.kind == Kind::kMappingEnd) break;
    TRY(const Entry entry, ReadEntry(key_event, depth + 1));
    TRY(const Event value_event, Next());
    const Mark value_mark = value_event.mark;
    TRY(json::value value, ReadNode(value_event, depth + 1));
    if (entry.merge) {
      CHECK_OK(AddMerged(std::move(value), value_mark, merges));
    } else if (!object.emplace(entry.key, std::move(value)).second) {
      return events_.FailAt(entry.mark,
                            fmt::format("the key \"{}\" stands twice in the mapping that "
                                        "begins at line {}; remove one of them",
                                        entry.key, mark.line));
    }
  }
  for (json::object& merged : merges) {
    for (auto& field : merged) object.emplace(field.key(), std::move(field.value()));
  }
  return object;
}

Result<Reader::Entry> Reader::ReadEntry(const Event& event, int depth) {
  const Mark mark = event.mark;
  const bool may_merge = event.tag.empty() ? event.plain : event.tag == "tag:yaml.org,2002:merge";
  if (event.kind == Kind::kScalar && event.text == "<<" && may_merge) {
    return Entry{.merge = true, .mark = mark};
  }
  TRY(std::string key, ReadKey(event, depth));
  return Entry{.key = std::move(key), .mark = mark};
}

Result<std::string> Reader::ReadKey(const Event& event, int depth) {
  if (event.kind == Kind::kScalar) {
    cost_ += event.text.size();
    if (!event.anchor.empty()) CHECK_OK(ReadNode(event, depth));
    auto key = ResolveKey({.text = event.text, .tag = event.tag, .plain = event.plain});
    if (!key) return FailAt(event.mark, key.error());
    return key;
  }
  if (event.kind == Kind::kAlias) {
    TRY(const json::value value, ReadNode(event, depth));
    if (const json::string* text = value.if_string()) return std::string(*text);
    if (const double* number = value.if_double()) return FloatText(static_cast<float>(*number));
    if (value.is_primitive() && !value.is_null()) return json::serialize(value);
  }
  return events_.FailAt(event.mark, "a key must be text: mappings, lists and null cannot be keys");
}

Result<void> Reader::AddMerged(json::value merged, Mark mark, std::vector<json::object>& merges) {
  if (json::object* object = merged.if_object()) {
    merges.push_back(std::move(*object));
    return {};
  }
  json::array* const list = merged.if_array();
  const bool good = list != nullptr && std::ranges::all_of(*list, &json::value::is_object);
  if (!good) return events_.FailAt(mark, "`<<` takes a mapping or a list of mappings");
  for (json::value& item : *list) merges.push_back(std::move(item.get_object()));
  return {};
}

Result<json::value> Reader::ReadAlias(const Event& event, int depth) {
  const std::string name(event.text);
  const auto anchor = anchors_.find(name);
  if (anchor == anchors_.end()) {
    return events_.FailAt(event.mark, fmt::format("no anchor &{} stands before this alias", name));
  }
  if (!anchor->second.complete) {
    return events_.FailAt(event.mark, fmt::format("the anchor &{} contains itself", name));
  }
  CHECK_OK(Descend(event.mark, depth + anchor->second.height));
  cost_ += anchor->second.cost;
  CHECK_OK(Copy(event.mark, anchor->second.cost));
  return anchor->second.value;
}

}  // namespace

}  // namespace millwright::kube::yaml

namespace millwright::kube {

namespace json = boost::json;

Result<std::vector<json::value>> ParseYamlDocuments(std::string_view text,
                                                    std::string_view source_name) {
  if (text.size() > yaml::kMaxTextSize) {
    return Fail(ErrorKind::kInvalid, fmt::format("{} has {} bytes, which is more than we read",
                                                 source_name, text.size()));
  }
  // YAML readers do not know all of JSON, such as characters escaped in two halves.
  if (yaml::LooksLikeJson(text)) {
    auto value = ParseJson(text, {.max_depth = yaml::kMaxDepth, .refuse_duplicate_keys = true});
    if (value) return std::vector{*std::move(value)};
  }
  return yaml::Reader(text, source_name).ReadDocuments();
}

Result<json::value> ParseYaml(std::string_view text, std::string_view source_name) {
  TRY(auto documents, ParseYamlDocuments(text, source_name));
  if (documents.empty()) return nullptr;
  if (documents.size() > 1) {
    return Fail(ErrorKind::kInvalid, fmt::format("{} holds {} documents where one is expected",
                                                 source_name, documents.size()));
  }
  return std::move(documents.front());
}

}  // namespace millwright::kube
