// The items of a list that is merged item by item.
#pragma once

#include <vector>

#include <boost/container/map.hpp>
#include <boost/json/array.hpp>

#include "base/result.h"
#include "kube/api/field_set_element.h"
#include "kube/api/typed_shape.h"

namespace millwright::kube {

// What identifies an item: its key fields, or itself in a set. `list` is the shape of the list.
// Fails with kInvalid when the item has no identity, in the words of a kube-apiserver.
Result<PathElement> ItemElement(const Shape& list, const boost::json::value& item);

// The items of a list by identity. Lists in stored objects can hold duplicates, written before the
// schema forbade them or by an update; they are kept together.
struct ItemIndex {
  struct Item {
    PathElement element;
    const boost::json::value* value;
  };

  std::vector<Item> order;  // as in the list
  boost::container::map<PathElement, std::vector<const boost::json::value*>> items;

  bool Has(const PathElement& element) const { return items.contains(element); }
  // The one item of that identity; null if there is none or there are several.
  const boost::json::value* Single(const PathElement& element) const;
};

// Items without an identity are left out: who needs to know has checked the list before.
ItemIndex IndexItems(const Shape& list, const boost::json::array* items);

}  // namespace millwright::kube
