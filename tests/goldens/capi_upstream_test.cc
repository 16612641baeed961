// Our definitions against those that upstream publishes. Their files are read from beside the
// repository, never copied; without them this test is skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "dialects/capi/schema.h"
#include "kube/api/json_text.h"
#include "kube/yaml/yaml.h"

namespace millwright::dialects::capi {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

fs::path Upstream() {
  if (const char* path = std::getenv("MILLWRIGHT_CAPI_UPSTREAM")) return path;
  return fs::path(MILLWRIGHT_SOURCE_DIR) / "../shared/upstream/cluster-api";
}

std::string TextOf(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// What is ours to word, and what says the same in two ways: a list without a type is atomic, and no
// subresources are none.
bool IsIgnored(std::string_view key, const json::value& value) {
  if (key == "description") return value.is_string();
  if (key == "x-kubernetes-validations") return true;
  if (key == "subresources") return value == json::object();
  return key == "x-kubernetes-list-type" && value == "atomic";
}

json::value Normal(const json::value& value) {
  if (value.is_array()) {
    json::array items;
    for (const json::value& item : value.get_array()) items.push_back(Normal(item));
    return items;
  }
  if (!value.is_object()) return value;
  json::object kept;
  for (const auto& [key, member] : value.get_object()) {
    if (!IsIgnored(key, member)) kept.emplace(key, Normal(member));
    if (key != "required" || !member.is_array()) continue;
    std::vector<std::string> names;
    for (const json::value& name : member.get_array()) {
      if (name != "metadata") names.emplace_back(name.get_string());  // every object has it
    }
    std::ranges::sort(names);
    kept["required"] = json::value_from(names);
  }
  return kept;
}

// We check these less strictly: the limits of texts in lists, that an entry of a drain rule has any
// field, and everything about a topology, which is not ours.
bool IsLooser(const std::string& path) {
  return path.ends_with("items.minLength") || path.ends_with("items.maxLength") ||
         path.ends_with("items.minProperties") || path.contains(".spec.properties.topology.");
}

void Compare(const std::string& path, const json::value* theirs, const json::value* ours,
             std::string& differences) {
  if (IsLooser(path)) return;
  if (theirs == nullptr || ours == nullptr) {
    differences += path + (ours == nullptr ? " is missing\n" : " is not theirs\n");
    return;
  }
  if (!theirs->is_object() || !ours->is_object()) {
    if (*theirs != *ours) {
      differences +=
          path + ": " + json::serialize(*ours) + ", theirs " + json::serialize(*theirs) + "\n";
    }
    return;
  }
  for (const auto& [key, value] : theirs->get_object()) {
    Compare(path + "." + std::string(key), &value, ours->get_object().if_contains(key),
            differences);
  }
  for (const auto& [key, value] : ours->get_object()) {
    if (!theirs->get_object().contains(key)) {
      Compare(path + "." + std::string(key), nullptr, &value, differences);
    }
  }
}

TEST(CapiUpstream, DefinitionsAreTheSameButForTheWords) {
  if (!fs::exists(Upstream())) GTEST_SKIP() << "upstream's files are not at " << Upstream();
  for (const json::object& crd : Crds()) {
    const std::string plural(kube::GetString(json::value(crd), "spec.names.plural"));
    const fs::path file = Upstream() / "crds" / ("cluster.x-k8s.io_" + plural + ".yaml");
    auto parsed = kube::ParseYaml(TextOf(file), file.string());
    ASSERT_TRUE(parsed) << parsed.error().message();
    const json::value theirs = Normal(parsed->at("spec"));
    const json::value ours = Normal(json::value(crd).at("spec"));
    std::string differences;
    for (const char* part : {"group", "names", "scope"}) {
      Compare(part, theirs.get_object().if_contains(part), ours.get_object().if_contains(part),
              differences);
    }
    ASSERT_EQ(theirs.at("versions").get_array().size(), 2u);
    for (const size_t version : {0u, 1u}) {
      Compare(version == 0 ? "old" : "new", &theirs.at("versions").at(version),
              &ours.at("versions").at(version), differences);
    }
    EXPECT_EQ(differences, "") << plural;
    EXPECT_EQ(crd.at("metadata").at("name"), parsed->at("metadata").at("name"));
  }
}

}  // namespace
}  // namespace millwright::dialects::capi
