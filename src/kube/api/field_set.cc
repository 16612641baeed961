#include "kube/api/field_set.h"

#include <utility>

namespace millwright::kube {

namespace {

const FieldSet& Empty() {
  static const FieldSet kEmpty;
  return kEmpty;
}

// The node for the same element in the other set, or an empty one that is no member.
const FieldSet& Counterpart(const FieldSet& other, const PathElement& element) {
  const FieldSet* node = other.Find(element);
  return node != nullptr ? *node : Empty();
}

}  // namespace

FieldSet FieldSet::Of(std::initializer_list<FieldPath> paths) {
  FieldSet set;
  for (const auto& path : paths) set.Insert(path);
  return set;
}

std::size_t FieldSet::size() const {
  std::size_t count = 0;
  for (const auto& [element, node] : children_) count += (node.member_ ? 1 : 0) + node.size();
  return count;
}

void FieldSet::Insert(std::span<const PathElement> path) {
  if (path.empty()) return;
  FieldSet* node = this;
  for (const auto& element : path) node = &node->children_[element];
  node->member_ = true;
}

bool FieldSet::Contains(std::span<const PathElement> path) const {
  const FieldSet* node = this;
  for (const auto& element : path) {
    node = node->Find(element);
    if (node == nullptr) return false;
  }
  return !path.empty() && node->member_;
}

const FieldSet* FieldSet::Find(const PathElement& element) const {
  const auto found = children_.find(element);
  return found == children_.end() ? nullptr : &found->second;
}

bool FieldSet::ContainsElement(const PathElement& element) const {
  const FieldSet* node = Find(element);
  return node != nullptr && node->member_;
}

void FieldSet::Put(const PathElement& element, bool member, FieldSet below) {
  if (!member && below.empty()) return;
  below.member_ = member;
  children_.insert_or_assign(element, std::move(below));
}

FieldSet FieldSet::Union(const FieldSet& other) const {
  FieldSet out = *this;
  for (const auto& [element, theirs] : other.children_) {
    const auto mine = out.children_.find(element);
    if (mine == out.children_.end()) {
      out.children_.emplace(element, theirs);
      continue;
    }
    const bool member = mine->second.member_ || theirs.member_;
    mine->second = mine->second.Union(theirs);
    mine->second.member_ = member;
  }
  return out;
}

FieldSet FieldSet::Intersection(const FieldSet& other) const {
  FieldSet out;
  for (const auto& [element, mine] : children_) {
    const FieldSet& theirs = Counterpart(other, element);
    out.Put(element, mine.member_ && theirs.member_, mine.Intersection(theirs));
  }
  return out;
}

FieldSet FieldSet::Difference(const FieldSet& other) const {
  FieldSet out;
  for (const auto& [element, mine] : children_) {
    const FieldSet& theirs = Counterpart(other, element);
    out.Put(element, mine.member_ && !theirs.member_, mine.Difference(theirs));
  }
  return out;
}

FieldSet FieldSet::RecursiveDifference(const FieldSet& other) const {
  FieldSet out;
  for (const auto& [element, mine] : children_) {
    const FieldSet& theirs = Counterpart(other, element);
    if (theirs.member_) continue;
    out.Put(element, mine.member_, mine.RecursiveDifference(theirs));
  }
  return out;
}

FieldSet FieldSet::Leaves() const {
  FieldSet out;
  for (const auto& [element, mine] : children_) {
    out.Put(element, mine.member_ && mine.empty(), mine.Leaves());
  }
  return out;
}

void FieldSet::ForEach(const std::function<void(const FieldPath&)>& visit) const {
  FieldPath path;
  Walk(path, visit);
}

void FieldSet::Walk(FieldPath& path, const std::function<void(const FieldPath&)>& visit) const {
  for (const auto& [element, node] : children_) {
    if (!node.member_) continue;
    path.push_back(element);
    visit(path);
    path.pop_back();
  }
  for (const auto& [element, node] : children_) {
    path.push_back(element);
    node.Walk(path, visit);
    path.pop_back();
  }
}

std::vector<std::string> FieldSet::Paths() const {
  std::vector<std::string> paths;
  ForEach([&paths](const FieldPath& path) { paths.push_back(ToString(path)); });
  return paths;
}

}  // namespace millwright::kube
