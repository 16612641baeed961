// A Table as the API server makes it for kubectl: the columns are those of the kind's definition.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "cli/text_table.h"

namespace millwright::cli {

// What to ask for; a server that makes no tables answers with a list.
inline constexpr std::string_view kTableAccept =
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

struct TableWishes {
  bool wide = false;        // columns of less importance, too
  bool namespaces = false;  // a column of their own
};

// Rows with a header, for RenderTable. kInvalid for what is not a Table.
Result<std::vector<std::vector<Cell>>> ReadServerTable(std::string_view text,
                                                       const TableWishes& wishes, WallTime now);

}  // namespace millwright::cli
