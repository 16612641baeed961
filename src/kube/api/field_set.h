// A set of field paths: who owns what in an object (managedFields), and what a write changed.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <boost/container/map.hpp>
#include <boost/json/object.hpp>

#include "base/result.h"
#include "kube/api/field_set_element.h"

namespace millwright::kube {

// A tree of path elements; a path is in the set when its node is marked as a member. A member may
// have members below it: owning a list item and owning its fields are separate facts. No node
// exists that is neither a member nor leads to one, so equal sets are equal trees.
class FieldSet {
 public:
  using Children = boost::container::map<PathElement, FieldSet>;  // allows an incomplete type

  FieldSet() = default;
  static FieldSet Of(std::initializer_list<FieldPath> paths);

  // The FieldsV1 form: {"f:spec":{"f:replicas":{}}}, with "." marking a member that has others
  // below.
  static Result<FieldSet> FromJson(const boost::json::value& fields);
  boost::json::object ToJson() const;

  bool empty() const { return children_.empty(); }
  std::size_t size() const;
  const Children& children() const { return children_; }
  bool is_member() const { return member_; }

  // The empty path stands for the whole object, which nobody owns: inserting it does nothing.
  void Insert(std::span<const PathElement> path);
  bool Contains(std::span<const PathElement> path) const;

  // The node one step down, or null.
  const FieldSet* Find(const PathElement& element) const;
  bool ContainsElement(const PathElement& element) const;

  FieldSet Union(const FieldSet& other) const;
  FieldSet Intersection(const FieldSet& other) const;
  // Without the members of the other; members below a removed one stay.
  FieldSet Difference(const FieldSet& other) const;
  // Without the members of the other and everything below them.
  FieldSet RecursiveDifference(const FieldSet& other) const;
  // Only the members with nothing below them.
  FieldSet Leaves() const;

  // The order in which a kube-apiserver lists conflicts: the members of a level by element, then
  // those below each.
  void ForEach(const std::function<void(const FieldPath&)>& visit) const;
  std::vector<std::string> Paths() const;

  friend bool operator==(const FieldSet& a, const FieldSet& b) {
    return a.member_ == b.member_ && a.children_ == b.children_;
  }

  // For those who build a set level by level: puts a node in place of any that is there, unless it
  // would be neither a member nor lead to one.
  void Put(const PathElement& element, bool member, FieldSet below);

 private:
  void Walk(FieldPath& path, const std::function<void(const FieldPath&)>& visit) const;

  Children children_;
  bool member_ = false;  // of this node; meaningless at the root
};

}  // namespace millwright::kube
