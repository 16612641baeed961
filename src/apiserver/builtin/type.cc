#include "apiserver/builtin/type.h"

namespace millwright::apiserver::builtin {

const Field* Type::Find(std::string_view json_name) const {
  for (const auto& field : fields) {
    if (!field.inlined && field.name == json_name) return &field;
  }
  for (const auto& field : fields) {
    const Field* within = field.inlined ? field.type->Find(json_name) : nullptr;
    if (within != nullptr) return within;
  }
  return nullptr;
}

}  // namespace millwright::apiserver::builtin
