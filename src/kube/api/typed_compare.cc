#include "kube/api/typed_compare.h"

#include <algorithm>
#include <vector>

#include <boost/json.hpp>

#include "kube/api/typed_items.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

using Items = std::vector<const json::value*>;

class Comparer {
 public:
  // Either may be null: the place was not there, or is not any more. Not both.
  void Walk(const Shape& shape, const json::value* before, const json::value* after);

  Comparison out;

 private:
  void WalkAs(Form form, const Shape& shape, const json::value* before, const json::value* after);
  void WalkMap(const Shape& shape, const json::value* before, const json::value* after);
  void WalkList(const Shape& shape, const json::value* before, const json::value* after);
  void WalkItems(const Shape& shape, const Items& before, const Items& after);
  void Leaf(const json::value* before, const json::value* after);
  // The place came or went as a whole.
  void Whole(const json::value* before, const json::value* after);

  FieldPath path_;
};

const json::object* ObjectIn(const json::value* value) {
  const auto* object = value == nullptr ? nullptr : value->if_object();
  return object == nullptr || object->empty() ? nullptr : object;
}

const json::array* ListIn(const json::value* value) {
  const auto* list = value == nullptr ? nullptr : value->if_array();
  return list == nullptr || list->empty() ? nullptr : list;
}

bool SameItems(const Items& a, const Items& b) {
  return std::ranges::equal(a, b, [](const auto* x, const auto* y) { return SameValue(*x, *y); });
}

void Comparer::Whole(const json::value* before, const json::value* after) {
  if (before == nullptr) out.added.Insert(path_);
  if (after == nullptr) out.removed.Insert(path_);
}

void Comparer::Leaf(const json::value* before, const json::value* after) {
  Whole(before, after);
  const bool both = before != nullptr && after != nullptr;
  if (both && !SameValue(*before, *after)) out.modified.Insert(path_);
}

void Comparer::Walk(const Shape& shape, const json::value* before, const json::value* after) {
  if (before != nullptr && after != nullptr) {
    const Form old_form = shape.FormOf(*before);
    const Form new_form = shape.FormOf(*after);
    WalkAs(old_form, shape, before, after);
    // Where the schema leaves the type open it may change: what was in the old one went, what is in
    // the new one came.
    if (new_form != old_form) WalkAs(new_form, shape, before, after);
    return;
  }
  WalkAs(shape.FormOf(before != nullptr ? *before : *after), shape, before, after);
}

void Comparer::WalkAs(Form form, const Shape& shape, const json::value* before,
                      const json::value* after) {
  switch (form) {
    case Form::kScalar:
    case Form::kAtomic: return Leaf(before, after);
    case Form::kMap: return WalkMap(shape, before, after);
    case Form::kList: return WalkList(shape, before, after);
  }
}

void Comparer::WalkMap(const Shape& shape, const json::value* before, const json::value* after) {
  const json::object* old_fields = ObjectIn(before);
  const json::object* new_fields = ObjectIn(after);
  // With nothing in either, the difference between absent, null and empty is all there is.
  if (old_fields == nullptr && new_fields == nullptr) return Leaf(before, after);
  const auto visit = [&](std::string_view name, const json::value* was, const json::value* is) {
    path_.push_back(PathElement::Field(name));
    Walk(shape.Field(name).value_or(Shape::Untyped()), was, is);
    path_.pop_back();
  };
  if (old_fields != nullptr) {
    for (const auto& field : *old_fields) {
      const auto* is = new_fields == nullptr ? nullptr : new_fields->if_contains(field.key());
      visit(field.key(), &field.value(), is);
    }
  }
  if (new_fields != nullptr) {
    for (const auto& field : *new_fields) {
      const bool seen = old_fields != nullptr && old_fields->contains(field.key());
      if (!seen) visit(field.key(), nullptr, &field.value());
    }
  }
  Whole(before, after);
}

void Comparer::WalkList(const Shape& shape, const json::value* before, const json::value* after) {
  const json::array* old_items = ListIn(before);
  const json::array* new_items = ListIn(after);
  if (old_items == nullptr && new_items == nullptr) return Leaf(before, after);
  const ItemIndex old_index = IndexItems(shape, old_items);
  const ItemIndex new_index = IndexItems(shape, new_items);
  static const Items kNone;
  const auto visit = [&](const PathElement& element, const Items& was, const Items& is) {
    path_.push_back(element);
    WalkItems(shape.Item(), was, is);
    path_.pop_back();
  };
  for (const auto& [element, was] : old_index.items) {
    const auto found = new_index.items.find(element);
    visit(element, was, found == new_index.items.end() ? kNone : found->second);
  }
  for (const auto& [element, is] : new_index.items) {
    if (!old_index.Has(element)) visit(element, kNone, is);
  }
  Whole(before, after);
}

// Items of one identity. Several of them are like one thing that is replaced as a whole.
void Comparer::WalkItems(const Shape& shape, const Items& before, const Items& after) {
  const bool was_many = before.size() > 1;
  const bool is_many = after.size() > 1;
  if (!was_many && !is_many) {
    return Walk(shape, before.empty() ? nullptr : before[0], after.empty() ? nullptr : after[0]);
  }
  if (was_many && is_many) {
    if (!SameItems(before, after)) out.modified.Insert(path_);
  } else if (was_many) {
    if (!after.empty()) Walk(shape, nullptr, after[0]);
    out.removed.Insert(path_);
  } else {
    if (!before.empty()) Walk(shape, before[0], nullptr);
    out.added.Insert(path_);
  }
}

}  // namespace

Comparison Comparison::Without(const FieldSet& fields) const {
  return {added.RecursiveDifference(fields), modified.RecursiveDifference(fields),
          removed.RecursiveDifference(fields)};
}

Comparison Compare(const Shape& shape, const json::value& before, const json::value& after) {
  Comparer comparer;
  comparer.Walk(shape, &before, &after);
  return std::move(comparer.out);
}

}  // namespace millwright::kube
