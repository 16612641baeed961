// Lists of records as commands show them.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

namespace millwright::cli {

// By namespace and name.
template <class Record>
void SortByKey(std::vector<Record>& records) {
  std::ranges::sort(records, {}, [](const Record& record) {
    return std::tie(record.meta.key.namespace_, record.meta.key.name);
  });
}

// Those of which it is true, in the same order.
template <class Record, class Predicate>
std::vector<const Record*> Select(const std::vector<Record>& records, Predicate is_wanted) {
  std::vector<const Record*> selected;
  for (const Record& record : records) {
    if (is_wanted(record)) selected.push_back(&record);
  }
  return selected;
}

}  // namespace millwright::cli
