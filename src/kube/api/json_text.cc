#include "kube/api/json_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <exception>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <boost/json/basic_parser_impl.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;
using boost::json::error_code;

// Where the parser is, to name a duplicate key by its path, and the keys met so far on each level.
class KeyWatcher {
 public:
  void EnterObject() { levels_.push_back({}); }
  void EnterArray() { levels_.push_back({.is_array = true}); }
  void Leave() { levels_.pop_back(); }

  // False if the innermost object has that key already.
  bool Add(std::string key) {
    Level& level = levels_.back();
    level.key = key;
    return level.keys.insert(std::move(key)).second;
  }

  void NextItem() {
    if (!levels_.empty() && levels_.back().is_array) ++levels_.back().items;
  }

  // "spec.containers[0].name".
  std::string Path() const {
    std::string path;
    for (const Level& level : levels_) {
      if (level.is_array) {
        path += fmt::format("[{}]", level.items - 1);
      } else {
        if (!path.empty()) path += '.';
        path += level.key;
      }
    }
    return path;
  }

 private:
  struct Level {
    bool is_array = false;
    size_t items = 0;
    std::string key{};
    std::unordered_set<std::string> keys{};
  };

  std::vector<Level> levels_;
};

// What basic_parser calls while it reads. Ours, because Boost 1.81's own neither sees duplicate
// keys nor reads doubles exactly. The names are Boost's. NOLINTBEGIN(readability-identifier-naming)
class TreeBuilder {
 public:
  static constexpr size_t max_object_size = json::object::max_size();
  static constexpr size_t max_array_size = json::array::max_size();
  static constexpr size_t max_key_size = json::string::max_size();
  static constexpr size_t max_string_size = json::string::max_size();

  explicit TreeBuilder(bool watch_keys) : watch_keys_(watch_keys) { stack_.reset(); }

  json::value Release() { return stack_.release(); }

  // What to say when a callback stopped the parser.
  const std::string& complaint() const { return complaint_; }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_comment_part(json::string_view, error_code&) { return true; }
  bool on_comment(json::string_view, error_code&) { return true; }

  bool on_object_begin(error_code&) {
    watcher_.NextItem();
    if (watch_keys_) watcher_.EnterObject();
    return true;
  }

  bool on_object_end(size_t size, error_code&) {
    stack_.push_object(size);
    if (watch_keys_) watcher_.Leave();
    return true;
  }

  bool on_array_begin(error_code&) {
    watcher_.NextItem();
    if (watch_keys_) watcher_.EnterArray();
    return true;
  }

  bool on_array_end(size_t size, error_code&) {
    stack_.push_array(size);
    if (watch_keys_) watcher_.Leave();
    return true;
  }

  bool on_key_part(json::string_view part, size_t, error_code&) {
    stack_.push_chars(part);
    if (watch_keys_) key_.append(part);
    return true;
  }

  bool on_key(json::string_view last_part, size_t, error_code& ec) {
    stack_.push_key(last_part);
    if (!watch_keys_) return true;
    key_.append(last_part);
    if (watcher_.Add(std::exchange(key_, {}))) return true;
    return Stop("duplicate field \"" + watcher_.Path() + "\"", ec);
  }

  bool on_string_part(json::string_view part, size_t, error_code&) {
    stack_.push_chars(part);
    return true;
  }

  bool on_string(json::string_view last_part, size_t, error_code&) {
    watcher_.NextItem();
    stack_.push_string(last_part);
    return true;
  }

  bool on_number_part(json::string_view, error_code&) { return true; }

  bool on_int64(int64_t number, json::string_view, error_code&) {
    watcher_.NextItem();
    stack_.push_int64(number);
    return true;
  }

  bool on_uint64(uint64_t number, json::string_view, error_code&) {
    watcher_.NextItem();
    stack_.push_uint64(number);
    return true;
  }

  bool on_double(double approximately, json::string_view text, error_code& ec) {
    watcher_.NextItem();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range) {
      if (std::abs(approximately) > 1) return Stop("a number is out of range", ec);
      number = 0;  // too small to tell from nothing
    }
    constexpr double kLastExact =
        9007199254740992;  // 2^53: from there on, doubles skip whole numbers
    const bool whole = std::abs(number) <= kLastExact && std::trunc(number) == number;
    if (whole) {
      stack_.push_int64(static_cast<int64_t>(number));
    } else {
      stack_.push_double(number);
    }
    return true;
  }

  bool on_bool(bool truth, error_code&) {
    watcher_.NextItem();
    stack_.push_bool(truth);
    return true;
  }

  bool on_null(error_code&) {
    watcher_.NextItem();
    stack_.push_null();
    return true;
  }

 private:
  bool Stop(std::string complaint, error_code& ec) {
    complaint_ = std::move(complaint);
    ec = json::error::exception;  // any error stops the parser; ours is told by the complaint
    return false;
  }

  json::value_stack stack_;
  bool watch_keys_;
  KeyWatcher watcher_;
  std::string key_;
  std::string complaint_;
};
// NOLINTEND(readability-identifier-naming)

std::string Describe(error_code ec, const JsonLimits& limits) {
  if (ec == json::error::too_deep)
    return fmt::format("nested deeper than {} levels", limits.max_depth);
  if (ec == json::error::incomplete) return "the text ends too early";
  if (ec == json::error::extra_data) return "something follows the value";
  return ec.message();
}

Result<json::value> Parse(std::string_view text, const JsonLimits& limits) {
  json::parse_options options;
  options.max_depth = limits.max_depth;
  json::basic_parser<TreeBuilder> parser(options, limits.refuse_duplicate_keys);
  error_code ec;
  const size_t read = parser.write_some(false, text.data(), text.size(), ec);
  const std::string& complaint = parser.handler().complaint();
  if (!complaint.empty()) {
    return Fail(ErrorKind::kInvalid, fmt::format("JSON at offset {}: {}", read, complaint));
  }
  if (!ec && read < text.size()) ec = json::error::extra_data;
  if (ec)
    return Fail(ErrorKind::kInvalid,
                fmt::format("JSON at offset {}: {}", read, Describe(ec, limits)));
  return parser.handler().Release();
}

}  // namespace

Result<json::value> ParseJson(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("JSON of {} bytes is longer than {}", text.size(), limits.max_bytes));
  }
  try {
    return Parse(text, limits);
  } catch (const std::exception& e) {
    return Fail(ErrorKind::kInvalid, fmt::format("JSON: {}", e.what()));
  }
}

const json::value* Find(const json::value& root, std::string_view path) {
  const json::value* value = &root;
  while (value != nullptr && !path.empty()) {
    const json::object* object = value->if_object();
    const size_t dot = path.find('.');
    value = object == nullptr ? nullptr : object->if_contains(path.substr(0, dot));
    path.remove_prefix(dot == path.npos ? path.size() : dot + 1);
  }
  return value;
}

std::string_view GetString(const json::value& root, std::string_view path,
                           std::string_view fallback) {
  const json::value* value = Find(root, path);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : fallback;
}

int64_t GetInt(const json::value& root, std::string_view path, int64_t fallback) {
  const json::value* value = Find(root, path);
  return value != nullptr && value->is_int64() ? value->get_int64() : fallback;
}

bool GetBool(const json::value& root, std::string_view path, bool fallback) {
  const json::value* value = Find(root, path);
  return value != nullptr && value->is_bool() ? value->get_bool() : fallback;
}

const json::object* GetObject(const json::value& root, std::string_view path) {
  const json::value* value = Find(root, path);
  return value == nullptr ? nullptr : value->if_object();
}

const json::array* GetArray(const json::value& root, std::string_view path) {
  const json::value* value = Find(root, path);
  return value == nullptr ? nullptr : value->if_array();
}

}  // namespace millwright::kube
