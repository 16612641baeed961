// Any schema that a CustomResourceDefinition may bring becomes documents that can be read, and
// messages whose lengths are right; any header Accept is answered.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "apiserver/discovery/accept.h"
#include "apiserver/discovery/openapi/gnostic_schema.h"
#include "apiserver/discovery/openapi/v2.h"
#include "apiserver/discovery/openapi/v3.h"
#include "kube/api/json_text.h"
#include "kube/api/schema_parse.h"

using namespace millwright;
using namespace millwright::apiserver;

namespace {

std::uint64_t Varint(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (bytes.empty() || shift > 63) std::abort();
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return number;
  }
}

void CheckFields(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::uint64_t type = Varint(bytes) & 7U;
    const std::uint64_t length = type == 0 ? 0 : type == 1 ? 8 : Varint(bytes);
    if (type == 0) Varint(bytes);
    if (type > 2 || length > bytes.size()) std::abort();
    bytes.remove_prefix(length);
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)NegotiateDiscovery(text, true);

  const auto tree = kube::ParseJson(text, {.max_depth = 100});
  if (!tree) return 0;
  auto schema = kube::ParseSchema(*tree);
  if (!schema) return 0;
  Resource resource{.kind = {"example.org", "v1", "Saw"},
                    .plural = "saws",
                    .singular = "saw",
                    .list_kind = "SawList",
                    .custom = true,
                    .storage_version = "v1"};
  resource.schema = [shared = std::make_shared<kube::Schema>(*std::move(schema))] {
    return shared;
  };
  const std::vector<ResourcePtr> resources = {std::make_shared<Resource>(std::move(resource))};
  if (!kube::ParseJson(openapi::V3Document(resources))) std::abort();
  const auto v2 = kube::ParseJson(openapi::V2Document(resources));
  if (!v2) std::abort();
  const auto& saw = v2->at("definitions").at("org.example.v1.Saw").as_object();
  CheckFields(openapi::SchemaMessage(saw).text());
  CheckFields(openapi::V2ProtobufDocument(resources));
  return 0;
}
