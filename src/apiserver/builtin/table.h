// The table of the built-in kinds, parsed: kinds.txt, which tools/kubernetes/builtin-tables writes.
//
//   kind v1 Pod core.v1.Pod                 an API version (* for any), a kind, its type
//   alias core.v1.DNSPolicy string          a named type; "message" if protobuf wraps the list
//   special meta.v1.Time                    a type with its own JSON and protobuf forms
//   struct core.v1.PodSpec                  fields follow; "map=atomic" if it is applied whole
//     volumes 1 []core.v1.Volume omitempty list=map(name)
//     volumeSource 2 core.v1.VolumeSource inline
//
// A field has its JSON name, its protobuf number, its Go type, and words: omitempty, omitzero and
// inline as in Go; required, list=, map=, enum= (items= for those of a list), default= as in
// OpenAPI. In the values of an enum _ stands for a space.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/builtin/type.h"
#include "kube/api/group_version.h"

namespace millwright::apiserver::builtin {

class Table {
 public:
  // The text has to outlive the table. It is part of the program: mistakes in it are bugs.
  explicit Table(std::string_view text);

  // Null if there is no such kind. Options and Status are there for every group and version.
  const Type* Find(const kube::GroupVersionKind& kind) const;
  // "core.v1.PodSpec"; null if there is no such type.
  const Type* Find(std::string_view type_name) const;

  // Without those that belong to every group.
  const std::vector<kube::GroupVersionKind>& kinds() const { return kinds_; }

 private:
  void ReadLine(std::string_view line);
  void ReadKind(std::string_view api_version, std::string_view kind, std::string_view type_name);
  void ReadField(const std::vector<std::string_view>& words);
  // The type that a Go expression such as []core.v1.Volume names; made if it is new, and completed
  // when its own line comes.
  Type& Named(std::string_view expression);

  std::deque<Type> types_;  // addresses stay
  std::map<std::string_view, Type*> by_name_;
  std::map<kube::GroupVersionKind, const Type*> by_kind_;
  std::map<std::string_view, const Type*> of_every_group_;
  std::vector<kube::GroupVersionKind> kinds_;
  Type* struct_ = nullptr;  // whose fields are being read
};

// The one of this program, parsed when first asked for.
const Table& BuiltinTable();

}  // namespace millwright::apiserver::builtin
