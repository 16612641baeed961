#include "apiserver/rest/table.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/rest/json_path.h"
#include "kube/api/json_text.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// A column and where its cells come from.
struct Column {
  const PrinterColumn* says;
  JsonPath path;
};

const std::vector<PrinterColumn>& ColumnsOf(const Resource& resource) {
  static const std::vector<PrinterColumn> kPlain = {
      {.name = "Age", .type = "date", .json_path = ".metadata.creationTimestamp"}};
  return resource.columns.empty() ? kPlain : resource.columns;
}

// Up to the first one whose path cannot be read: so does a real server.
std::vector<Column> ReadColumns(const Resource& resource) {
  std::vector<Column> columns;
  for (const PrinterColumn& column : ColumnsOf(resource)) {
    auto path = JsonPath::Parse(column.json_path);
    if (!path) break;
    columns.push_back({.says = &column, .path = *std::move(path)});
  }
  return columns;
}

json::object Header(const PrinterColumn& column) {
  return {{"name", column.name},
          {"type", column.type},
          {"format", column.format},
          {"description", column.description},
          {"priority", column.priority}};
}

json::array Headers(const Resource& resource, const std::vector<Column>& columns) {
  json::array headers;
  if (resource.cells) {
    for (const PrinterColumn& column : resource.columns) headers.push_back(Header(column));
    return headers;
  }
  headers.push_back(Header({.name = "Name",
                            .type = "string",
                            .json_path = {},
                            .format = "name",
                            .description = "Name must be unique within a namespace."}));
  for (const Column& column : columns) headers.push_back(Header(*column.says));
  return headers;
}

// Any value in a column of texts.
std::string TextOf(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return "<no value>";
    case json::kind::string: return std::string(value.get_string());
    case json::kind::double_: return kube::FloatText(value.get_double());
    case json::kind::bool_:
    case json::kind::int64:
    case json::kind::uint64: return json::serialize(value);
    case json::kind::object:
    case json::kind::array: return kube::JsonText(value);
  }
  return {};
}

json::value AgeOf(std::string_view text, WallTime now) {
  if (text.empty() || text == "null") return "<unknown>";
  const auto time = ParseTime(text);
  return time ? json::value(AgeText(now - *time)) : json::value("<invalid>");
}

// A value that is not of its column's type is no cell.
json::value CellOf(const json::value& value, std::string_view type, WallTime now) {
  if (type == "string") return json::value(TextOf(value));
  if (type == "date") {
    return value.is_string() ? AgeOf(value.get_string(), now) : json::value();
  }
  if (type == "boolean") return value.is_bool() ? value : json::value();
  if (type == "integer" && value.is_double()) {
    const double number = value.get_double();
    const bool fits = number > -9.2e18 && number < 9.2e18;
    return fits ? json::value(static_cast<std::int64_t>(number)) : json::value();
  }
  return value.is_number() ? value : json::value();
}

json::value CellAt(const json::value& object, const Column& column, WallTime now) {
  const auto found = column.path.Find(object);
  if (!found || found->empty()) return nullptr;
  return CellOf(*found->front(), column.says->type, now);
}

// What all rows of one table are made with.
struct Printer {
  const Resource& resource;
  std::vector<Column> columns;
  TableWishes::Include include;
  std::string_view version;
  WallTime now;

  json::array Cells(const json::value& object) const {
    if (resource.cells) return resource.cells(object, now);
    json::array cells;
    cells.emplace_back(kube::GetString(object, "metadata.name"));
    for (const Column& column : columns) cells.push_back(CellAt(object, column, now));
    return cells;
  }

  json::object Row(const json::value& object) const {
    json::object row{{"cells", Cells(object)}};
    if (include == TableWishes::Include::kObject) row["object"] = object;
    if (include == TableWishes::Include::kMetadata) row["object"] = OnlyMetadata(object, version);
    return row;
  }
};

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
  const Printer printer{.resource = resource,
                        .columns = ReadColumns(resource),
                        .include = wishes.include,
                        .version = version,
                        .now = now};
  const json::array* items = kube::GetArray(value, "items");
  json::array rows;
  json::value metadata{{"resourceVersion", kube::GetString(value, "metadata.resourceVersion")}};
  if (items != nullptr && kube::GetString(value, "kind") == resource.list_kind) {
    metadata = value.at("metadata");
    for (const json::value& item : *items) {
      rows.push_back(printer.Row(item));
    }
  } else {
    rows.push_back(printer.Row(value));
  }
  return json::object{
      {"kind", "Table"},
      {"apiVersion", fmt::format("meta.k8s.io/{}", version)},
      {"metadata", std::move(metadata)},
      {"columnDefinitions",
       wishes.headers ? json::value(Headers(resource, printer.columns)) : json::value()},
      {"rows", std::move(rows)}};
}

}  // namespace millwright::apiserver
