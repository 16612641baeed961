#include "kube/api/typed_merge.h"

#include <utility>

#include <boost/json.hpp>

#include "kube/api/typed_items.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

const json::object* FieldsIn(const json::value& value) {
  const auto* object = value.if_object();
  return object == nullptr || object->empty() ? nullptr : object;
}

const json::array* ItemsIn(const json::value& value) {
  const auto* list = value.if_array();
  return list == nullptr || list->empty() ? nullptr : list;
}

json::value MergeMaps(const Shape& shape, const json::value& live, const json::value& applied) {
  const json::object* old_fields = FieldsIn(live);
  const json::object* new_fields = FieldsIn(applied);
  if (new_fields == nullptr) return old_fields == nullptr ? applied : live;
  if (old_fields == nullptr) return applied;
  json::object out = *old_fields;
  for (const auto& field : *new_fields) {
    json::value* present = out.if_contains(field.key());
    if (present == nullptr) {
      out[field.key()] = field.value();
    } else {
      const Shape below = shape.Field(field.key()).value_or(Shape::Untyped());
      *present = Merge(below, *present, field.value());
    }
  }
  return out;
}

class ListMerger {
 public:
  ListMerger(const Shape& shape, const json::array& live, const json::array& applied)
      : shape_(shape), live_(IndexItems(shape, &live)), applied_(IndexItems(shape, &applied)) {
    for (const auto& item : applied_.order) {
      if (live_.Has(item.element)) shared_.push_back(&item.element);
    }
  }

  json::array Run();

 private:
  // Lets live items pass until one comes that has to wait for the applied list.
  void PassLive();
  void TakeApplied();
  bool IsNextShared(const PathElement& element) const {
    return next_shared_ < shared_.size() && *shared_[next_shared_] == element;
  }

  const Shape& shape_;
  const ItemIndex live_;
  const ItemIndex applied_;
  std::vector<const PathElement*> shared_;  // in both, in the applied order

  std::size_t at_live_ = 0;
  std::size_t at_applied_ = 0;
  std::size_t next_shared_ = 0;
  json::array out_;
};

void ListMerger::PassLive() {
  while (at_live_ < live_.order.size()) {
    const auto& [element, item] = live_.order[at_live_];
    const bool shared = applied_.Has(element);
    if (!shared) {
      out_.push_back(*item);
    } else if (IsNextShared(element)) {
      return;
    }
    // A shared item out of turn is skipped: it has been taken, or the applied list will bring it.
    ++at_live_;
    // Only a duplicate can be left over when all shared items are taken.
    if (shared && next_shared_ == shared_.size()) return;
  }
}

void ListMerger::TakeApplied() {
  const auto& [element, item] = applied_.order[at_applied_++];
  // Live duplicates are replaced by the applied item and not merged with it.
  const json::value* present = live_.Single(element);
  out_.push_back(present == nullptr ? *item : Merge(shape_.Item(), *present, *item));
  if (IsNextShared(element)) ++next_shared_;
  const bool both = at_live_ < live_.order.size() && live_.order[at_live_].element == element;
  if (both) ++at_live_;
}

json::array ListMerger::Run() {
  while (at_live_ < live_.order.size() || at_applied_ < applied_.order.size()) {
    PassLive();
    if (at_applied_ < applied_.order.size()) TakeApplied();
  }
  return std::move(out_);
}

json::value MergeLists(const Shape& shape, const json::value& live, const json::value& applied) {
  const json::array* old_items = ItemsIn(live);
  const json::array* new_items = ItemsIn(applied);
  if (new_items == nullptr) return old_items == nullptr ? applied : live;
  if (old_items == nullptr) return applied;
  return ListMerger(shape, *old_items, *new_items).Run();
}

}  // namespace

json::value Merge(const Shape& shape, const json::value& live, const json::value& applied) {
  switch (shape.FormOf(applied)) {
    case Form::kScalar:
    case Form::kAtomic: return applied;
    case Form::kMap: return MergeMaps(shape, live, applied);
    case Form::kList: return MergeLists(shape, live, applied);
  }
  return applied;
}

}  // namespace millwright::kube
