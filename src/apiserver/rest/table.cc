#include "apiserver/rest/table.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

const std::vector<PrinterColumn>& ColumnsOf(const Resource& resource) {
  static const std::vector<PrinterColumn> kPlain = {
      {.name = "Age", .type = "date", .json_path = ".metadata.creationTimestamp"}};
  return resource.columns.empty() ? kPlain : resource.columns;
}

json::array Headers(const Resource& resource) {
  json::array headers;
  const auto add = [&](const PrinterColumn& column) {
    headers.push_back(json::object{{"name", column.name},
                                   {"type", column.type},
                                   {"format", column.format},
                                   {"description", column.description},
                                   {"priority", column.priority}});
  };
  add({.name = "Name",
       .type = "string",
       .json_path = {},
       .format = "name",
       .description = "Name must be unique within a namespace."});
  for (const PrinterColumn& column : ColumnsOf(resource)) add(column);
  return headers;
}

json::value CellAt(const json::value& object, const PrinterColumn& column, WallTime now) {
  std::string_view path = column.json_path;
  if (path.starts_with('.')) path.remove_prefix(1);
  const json::value* found = kube::Find(object, path);
  if (found == nullptr) return nullptr;
  if (column.type == "date" && found->is_string()) {
    const auto time = ParseTime(found->get_string());
    return time ? json::value(AgeText(now - *time)) : json::value("<invalid>");
  }
  if (found->is_object() || found->is_array()) return json::value(json::serialize(*found));
  return *found;
}

json::array Cells(const Resource& resource, const json::value& object, WallTime now) {
  json::array cells;
  cells.emplace_back(kube::GetString(object, "metadata.name"));
  if (resource.cells) {
    for (json::value& cell : resource.cells(object, now)) cells.push_back(std::move(cell));
    return cells;
  }
  for (const PrinterColumn& column : ColumnsOf(resource)) {
    cells.push_back(CellAt(object, column, now));
  }
  return cells;
}

json::object Row(const Resource& resource, const json::value& object, const TableWishes& wishes,
                 std::string_view version, WallTime now) {
  json::object row{{"cells", Cells(resource, object, now)}};
  if (wishes.include == TableWishes::Include::kObject) row["object"] = object;
  if (wishes.include == TableWishes::Include::kMetadata) {
    row["object"] = OnlyMetadata(object, version);
  }
  return row;
}

}  // namespace

std::string AgeText(Duration age) {
  using std::chrono::duration_cast;
  const auto total = duration_cast<std::chrono::seconds>(age).count();
  if (total < -1) return "<invalid>";
  if (total < 0) return "0s";
  const auto minutes = total / 60;
  const auto hours = minutes / 60;
  const auto days = hours / 24;
  const auto both = [](long long a, char x, long long b, char y) {
    return b == 0 ? fmt::format("{}{}", a, x) : fmt::format("{}{}{}{}", a, x, b, y);
  };
  if (total < 120) return fmt::format("{}s", total);
  if (minutes < 10) return both(minutes, 'm', total % 60, 's');
  if (hours < 3) return fmt::format("{}m", minutes);
  if (hours < 8) return both(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  if (days < 8) return both(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return fmt::format("{}d", days);
  if (days < 365 * 8) return both(days / 365, 'y', days % 365, 'd');
  return fmt::format("{}y", days / 365);
}

json::value OnlyMetadata(const json::value& object, std::string_view version) {
  const json::value* metadata = kube::Find(object, "metadata");
  return json::object{{"kind", "PartialObjectMetadata"},
                      {"apiVersion", fmt::format("meta.k8s.io/{}", version)},
                      {"metadata", metadata == nullptr ? json::value(json::object()) : *metadata}};
}

json::value MakeTable(const Resource& resource, const json::value& value, const TableWishes& wishes,
                      std::string_view version, WallTime now) {
  const json::array* items = kube::GetArray(value, "items");
  json::array rows;
  json::value metadata{{"resourceVersion", kube::GetString(value, "metadata.resourceVersion")}};
  if (items != nullptr && kube::GetString(value, "kind") == resource.list_kind) {
    metadata = value.at("metadata");
    for (const json::value& item : *items) {
      rows.push_back(Row(resource, item, wishes, version, now));
    }
  } else {
    rows.push_back(Row(resource, value, wishes, version, now));
  }
  return json::object{{"kind", "Table"},
                      {"apiVersion", fmt::format("meta.k8s.io/{}", version)},
                      {"metadata", std::move(metadata)},
                      {"columnDefinitions", wishes.headers ? json::value(Headers(resource))
                                                           : json::value(json::array())},
                      {"rows", std::move(rows)}};
}

}  // namespace millwright::apiserver
