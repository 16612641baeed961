// YAML from anybody: reading must neither crash nor hang, and what was read must survive being
// written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "kube/yaml/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millwright::kube;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto documents = ParseYamlDocuments(text, "fuzz");
  if (!documents) return 0;
  for (const boost::json::value& document : *documents) {
    // Compared as text, because 1e20 may be read as a double and as an integer.
    const std::string written = ToYaml(document);
    const auto again = ParseYaml(written, "written");
    if (!again || ToYaml(*again) != written) std::abort();
  }
  return 0;
}
