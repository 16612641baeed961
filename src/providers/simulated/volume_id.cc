#include "providers/simulated/volume_id.h"

#include <boost/json.hpp>

namespace millwright::providers {
namespace {

namespace json = boost::json;

std::string_view TextAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

}  // namespace

std::string SimulatedVolumeId(std::string_view volume_spec) {
  boost::system::error_code error;
  const json::value document = json::parse(volume_spec, error);
  const json::object* spec = error ? nullptr : document.if_object();
  const json::value* csi = spec == nullptr ? nullptr : spec->if_contains("csi");
  if (csi == nullptr || !csi->is_object()) return "";
  if (TextAt(csi->get_object(), "driver") != kSimulatedCsiDriver) return "";
  return std::string(TextAt(csi->get_object(), "volumeHandle"));
}

}  // namespace millwright::providers
