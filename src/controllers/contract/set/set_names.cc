#include "controllers/contract/set/set_names.h"

#include "core/replicas/names.h"
#include "dialects/capi/naming.h"

namespace millwright::controllers::contract {

namespace capi = dialects::capi;

namespace {

// Names that were passed over when the machines that are there were named.
constexpr std::size_t kPassedOver = 16;

// The names of a set, one for each serial.
class Names {
 public:
  explicit Names(const capi::SetRecord& set) : set_(set), sequence_(set.meta.uid) {}

  Result<std::string> Of(std::uint32_t serial) const {
    const std::string random = sequence_.Suffix(serial);
    return capi::MachineName(
        set_.spec.naming,
        {.cluster = set_.spec.cluster, .set = set_.meta.key.name, .random = random});
  }

 private:
  const capi::SetRecord& set_;
  const core::NameSequence sequence_;
};

}  // namespace

Result<std::vector<std::string>> NewMachineNames(const capi::SetRecord& set, std::uint32_t floor,
                                                 const std::set<std::string_view>& taken,
                                                 int count) {
  const Names names(set);
  std::vector<std::string> fresh;
  std::uint32_t serial = floor;
  while (static_cast<int>(fresh.size()) < count) {
    TRY(std::string name, names.Of(serial++));
    if (!taken.contains(name)) fresh.push_back(std::move(name));
  }
  return fresh;
}

std::uint32_t FloorAbove(const capi::SetRecord& set, const std::set<std::string_view>& going,
                         std::size_t machines) {
  const Names names(set);
  const std::uint32_t noted = capi::NameFloorOf(set);
  std::uint32_t floor = noted;
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < machines + kPassedOver && found < going.size(); ++i) {
    const auto name = names.Of(noted + i);
    if (!name) return noted;
    if (!going.contains(*name)) continue;
    ++found;
    floor = noted + i + 1;
  }
  return floor;
}

}  // namespace millwright::controllers::contract
