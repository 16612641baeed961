// Every definition of the four systems, as far as their sources are at hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>

#include "apiserver/crd/lifecycle.h"
#include "apiserver/crd/resources_of.h"
#include "apiserver/crd/validate.h"
#include "kube/api/json_text.h"
#include "kube/yaml/yaml.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

std::vector<json::value> DefinitionsIn(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  std::vector<json::value> definitions;
  if (!text.str().contains("kind: CustomResourceDefinition")) return definitions;
  auto documents = kube::ParseYamlDocuments(text.str(), file.filename().string());
  // Templates are no YAML; nobody installs them as they are.
  if (!documents) return definitions;
  for (json::value& document : *documents) {
    const bool v1 = kube::GetString(document, "apiVersion") == "apiextensions.k8s.io/v1";
    if (v1 && kube::GetString(document, "kind") == "CustomResourceDefinition") {
      definitions.push_back(std::move(document));
    }
  }
  return definitions;
}

TEST(UpstreamTest, EveryDefinitionOfTheFourSystemsInstalls) {
  const fs::path root = fs::path(MILLWRIGHT_SOURCE_DIR) / "../shared/upstream";
  if (!fs::exists(root)) GTEST_SKIP() << "the sources of the four systems are not here";
  int installed = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".yaml") continue;
    for (json::value crd : DefinitionsIn(entry.path())) {
      SCOPED_TRACE(entry.path().filename().string());
      SetCrdDefaults(crd);
      PrepareCrd(crd, nullptr);
      for (const auto& error : ValidateCrd(crd, nullptr)) ADD_FAILURE() << kube::ToString(error);
      const auto resources = ResourcesOf(crd);
      ASSERT_TRUE(resources) << resources.error().message();
      EXPECT_FALSE(resources->empty());
      ++installed;
    }
  }
  EXPECT_GE(installed, 20);
}

}  // namespace
}  // namespace millwright::apiserver
