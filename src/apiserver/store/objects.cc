#include "apiserver/store/objects.h"

#include <utility>

namespace millwright::apiserver {

RecordPtr Objects::Find(std::string_view key) const {
  const auto it = slots_.find(key);
  return it == slots_.end() ? nullptr : it->record;
}

void Objects::Apply(RecordPtr record) {
  const auto it = slots_.lower_bound(std::string_view(record->key));
  const bool present = it != slots_.end() && it->record->key == record->key;
  if (record->IsTombstone()) {
    if (present) slots_.erase(it);
  } else if (present) {
    it->record = std::move(record);
  } else {
    slots_.insert(it, Slot{std::move(record)});
  }
}

}  // namespace millwright::apiserver
