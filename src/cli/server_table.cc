#include "cli/server_table.h"

#include <boost/json/serialize.hpp>

#include <algorithm>

#include "cli/age.h"
#include "kube/api/json_text.h"

namespace millwright::cli {

namespace json = boost::json;

namespace {

struct Column {
  std::size_t index = 0;
  std::string title;
  bool is_date = false;
};

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

std::vector<Column> ColumnsOf(const json::array& definitions, bool wide) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    if (kube::GetInt(definitions[i], "priority") > 0 && !wide) continue;
    columns.push_back({.index = i,
                       .title = Upper(kube::GetString(definitions[i], "name")),
                       .is_date = kube::GetString(definitions[i], "type") == "date"});
  }
  return columns;
}

std::string CellText(const json::array* cells, const Column& column, WallTime now) {
  if (cells == nullptr || column.index >= cells->size()) return "";
  const json::value& cell = (*cells)[column.index];
  if (cell.is_null()) return column.is_date ? "<unknown>" : "";
  if (!cell.is_string()) return json::serialize(cell);
  const std::string text(cell.as_string());
  // Of custom kinds a date comes as it is written, of others as an age already.
  const auto date =
      column.is_date ? ParseTime(text) : Result<WallTime>(Fail(ErrorKind::kInvalid, ""));
  return date ? AgeSince(*date, now) : text;
}

}  // namespace

Result<std::vector<std::vector<Cell>>> ReadServerTable(std::string_view text,
                                                       const TableWishes& wishes, WallTime now) {
  TRY(const json::value table, kube::ParseJson(text));
  const json::array* definitions = kube::GetArray(table, "columnDefinitions");
  if (kube::GetString(table, "kind") != "Table" || definitions == nullptr) {
    return Fail(ErrorKind::kInvalid, "the server's answer is no table: use -o json");
  }
  const std::vector<Column> columns = ColumnsOf(*definitions, wishes.wide);
  std::vector<std::vector<Cell>> rows(1);
  if (wishes.namespaces) rows[0].push_back({"NAMESPACE"});
  for (const Column& column : columns) rows[0].push_back({column.title});
  const json::array* found = kube::GetArray(table, "rows");
  if (found == nullptr) return rows;
  for (const json::value& row : *found) {
    std::vector<Cell>& cells = rows.emplace_back();
    if (wishes.namespaces) {
      cells.push_back({std::string(kube::GetString(row, "object.metadata.namespace"))});
    }
    const json::array* values = kube::GetArray(row, "cells");
    for (const Column& column : columns) cells.push_back({CellText(values, column, now)});
  }
  return rows;
}

}  // namespace millwright::cli
