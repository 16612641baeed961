// A watch from anybody, in any pieces: the same lines however they arrive, and of each line the
// event that its tree shows, or a refusal.
#include <boost/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "kube/api/json_text.h"
#include "kube/api/status.h"
#include "kube/watch/event.h"
#include "kube/watch/line_buffer.h"
#include "tests/fuzz/token_text.h"

using namespace millwright;
using namespace millwright::kube;
namespace json = boost::json;

namespace {

constexpr std::string_view kTokens[] = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "null",
    "7",
    "\"\"",
    "\"type\"",
    "\"object\"",
    "\"ADDED\"",
    "\"DELETED\"",
    "\"BOOKMARK\"",
    "\"ERROR\"",
    "{\"type\":\"ADDED\",\"object\":{",
    "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{",
    "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\"",
    "\"code\":410",
    "\"reason\":\"Expired\"",
    "\"resourceVersion\":\"5\"",
    "\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}",
    "}}}\n",
    "}}\n"};

constexpr std::string_view kTypes[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};

// The plain way to say it: what stands between line ends, but nothing empty.
std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

void CheckBookmark(JsonObject object, const json::value& tree) {
  const auto bookmark = ReadBookmark(object);
  const std::string_view version = GetString(tree, "metadata.resourceVersion");
  if (bookmark && bookmark->resource_version.str() != version) std::abort();
  const json::object* annotations = GetObject(tree, "metadata.annotations");
  const json::value* end =
      annotations == nullptr ? nullptr : annotations->if_contains("k8s.io/initial-events-end");
  const bool ends = end != nullptr && end->is_string() && end->get_string() == "true";
  if (bookmark && bookmark->ends_initial_events != ends) std::abort();
}

void CheckError(JsonObject object, const json::value& tree) {
  const Error error = ReadErrorEvent(object);
  const auto* detail = error.detail<StatusDetail>();
  if (detail == nullptr || error.message().empty()) std::abort();
  const auto status = DecodeStatus(tree);
  if (status && status->reason != detail->status().reason) std::abort();
}

void CheckLine(EventParser& parser, simdjson::padded_string_view line) {
  const auto tree = ParseJson(line, {.refuse_duplicate_keys = true});
  const json::value* object = tree ? Find(*tree, "object") : nullptr;
  const std::string_view type = tree ? GetString(*tree, "type") : "";
  const bool is_event = object != nullptr && object->is_object() &&
                        std::ranges::find(kTypes, type) != std::end(kTypes);
  int visits = 0;
  const auto parsed = parser.Parse(line, [&](EventType seen, JsonObject body) {
    ++visits;
    if (!tree) return Ok();  // what nobody looks at is not checked
    if (!is_event || kTypes[static_cast<int>(seen)] != type) std::abort();
    if (seen == EventType::kBookmark) CheckBookmark(body, *object);
    if (seen == EventType::kError) CheckError(body, *object);
    return Ok();
  });
  if (visits != (parsed ? 1 : 0)) std::abort();
  if (is_event && !parsed) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t piece = 1 + data[0];
  const std::string text = fuzz::TokenText(data + 1, size - 1, kTokens);
  LineBuffer buffer;
  EventParser parser;
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!buffer.Append(std::string_view(text).substr(at, piece))) std::abort();
    while (const auto line = buffer.Next()) {
      lines.emplace_back(line->data(), line->size());
      CheckLine(parser, *line);
    }
  }
  if (lines != LinesOf(text)) std::abort();
  if (buffer.HasTail() != (!text.empty() && text.back() != '\n')) std::abort();
  return 0;
}
