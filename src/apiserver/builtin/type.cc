#include "apiserver/builtin/type.h"

#include <algorithm>

namespace millwright::apiserver::builtin {

namespace {

bool HasEmptiness(TypeShape shape) {
  return shape <= TypeShape::kBytes || shape == TypeShape::kPointer || shape == TypeShape::kList ||
         shape == TypeShape::kMap;
}

}  // namespace

bool OmitsEmpty(const Field& field) {
  return field.omit_zero || (field.omit_empty && HasEmptiness(field.type->shape));
}

void Type::Complete() {
  for (const auto& field : fields) {
    if (!field.inlined) {
      members.push_back({.name = field.name, .field = &field, .owner = this});
      continue;
    }
    for (const auto& inner : field.type->fields) {
      members.push_back(
          {.name = inner.name, .field = &inner, .owner = field.type, .through = field.type});
    }
  }
  std::ranges::sort(members, {}, &Member::name);
  for (const auto& member : members) {
    if (!OmitsEmpty(*member.field)) always_written.push_back(member.field);
  }
}

const Member* Type::FindMember(std::string_view json_name) const {
  const auto found = std::ranges::lower_bound(members, json_name, {}, &Member::name);
  return found == members.end() || found->name != json_name ? nullptr : &*found;
}

const Field* Type::Find(std::string_view json_name) const {
  const Member* member = FindMember(json_name);
  return member == nullptr ? nullptr : member->field;
}

}  // namespace millwright::apiserver::builtin
