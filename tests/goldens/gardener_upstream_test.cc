// Our CRDs against those that upstream publishes, and its examples through our readers. Their files
// are read from beside the repository, never copied; without them these tests are skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "dialects/gardener/gardener.h"
#include "dialects/gardener/schema.h"
#include "dialects/gardener/testing.h"
#include "kube/api/json_text.h"
#include "kube/yaml/yaml.h"

namespace millwright::dialects::gardener {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

fs::path Upstream() {
  if (const char* path = std::getenv("MILLWRIGHT_GARDENER_UPSTREAM")) return path;
  return fs::path(MILLWRIGHT_SOURCE_DIR) / "../shared/upstream/gardener";
}

std::string TextOf(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string JoinPath(const std::string& path, std::string_view name) {
  return path + "." + std::string(name);
}

// Everything but words: a schema without descriptions, so that two can be compared.
json::value WithoutWords(const json::value& value) {
  if (value.is_array()) {
    json::array items;
    for (const json::value& item : value.get_array()) items.push_back(WithoutWords(item));
    return items;
  }
  if (!value.is_object()) return value;
  json::object kept;
  for (const auto& [key, member] : value.get_object()) {
    const bool words = key == "description" && member.is_string();
    if (!words) kept.emplace(key, WithoutWords(member));
  }
  return kept;
}

// Where the two differ, a line for each place.
void Compare(const std::string& path, const json::value* theirs, const json::value* ours,
             std::string& differences) {
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
    Compare(JoinPath(path, key), &value, ours->get_object().if_contains(key), differences);
  }
  for (const auto& [key, value] : ours->get_object()) {
    if (!theirs->get_object().contains(key)) {
      Compare(JoinPath(path, key), nullptr, &value, differences);
    }
  }
}

// Requirements have no order.
void SortRequired(json::value& value) {
  if (value.is_array()) {
    for (json::value& item : value.get_array()) SortRequired(item);
  }
  if (!value.is_object()) return;
  for (auto& member : value.get_object()) {
    if (member.key() == "required" && member.value().is_array()) {
      json::array& names = member.value().get_array();
      std::ranges::sort(names, {}, [](const json::value& name) {
        return std::string(name.is_string() ? std::string_view(name.get_string()) : "");
      });
    }
    SortRequired(member.value());
  }
}

class UpstreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(Upstream())) GTEST_SKIP() << "upstream's files are not at " << Upstream();
  }

  static json::value Example(const std::string& file) {
    std::string text = TextOf(Upstream() / "examples" / file);
    // Their examples have <placeholders>; any name will do.
    std::string filled;
    bool inside = false;
    for (const char c : text) {
      if (c == '<') {
        inside = true;
        filled += "filled";
      }
      if (!inside) filled += c;
      if (c == '>' || c == '\n') inside = false;
      if (c == '\n' && !filled.ends_with('\n')) filled += c;
    }
    auto parsed = kube::ParseYaml(filled, file);
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message());
    return parsed ? *parsed : json::value(nullptr);
  }
};

TEST_F(UpstreamTest, CrdsAreTheSameButForTheWords) {
  for (const json::object& crd : Crds()) {
    const std::string plural(kube::GetString(json::value(crd), "spec.names.plural"));
    const fs::path file = Upstream() / "crds" / ("machine.sapcloud.io_" + plural + ".yaml");
    auto theirs = kube::ParseYaml(TextOf(file), file.string());
    ASSERT_TRUE(theirs) << theirs.error().message();
    json::value wanted = WithoutWords(theirs->at("spec"));
    json::value written = WithoutWords(json::value(crd).at("spec"));
    SortRequired(wanted);
    SortRequired(written);
    std::string differences;
    for (const char* part : {"group", "names", "scope"}) {
      Compare(part, wanted.get_object().if_contains(part), written.get_object().if_contains(part),
              differences);
    }
    Compare("version", &wanted.at("versions").at(0), &written.at("versions").at(0), differences);
    EXPECT_EQ(differences, "") << plural;
    EXPECT_EQ(crd.at("metadata").at("name"), theirs->at("metadata").at("name"));
    EXPECT_EQ(wanted.at("versions").get_array().size(), 1u);
  }
}

TEST_F(UpstreamTest, ExamplesAreRead) {
  const MachineRecord machine = testing::Machine(json::serialize(Example("machine.yaml")));
  EXPECT_EQ(machine.problem, "");
  EXPECT_EQ(machine.class_kind, "MachineClass");

  const SetRecord set = testing::Set(json::serialize(Example("machine-set.yaml")));
  EXPECT_EQ(set.problem, "");
  EXPECT_EQ(set.core.replicas, 3);
  EXPECT_EQ(set.min_ready_seconds, 200);

  const DeploymentRecord deployment =
      testing::Deployment(json::serialize(Example("machine-deployment.yaml")));
  EXPECT_EQ(deployment.problem, "");
  EXPECT_EQ(deployment.core.strategy, core::Strategy::kRollingUpdate);
  EXPECT_EQ(deployment.core.max_surge, core::Amount::Of(1));
  EXPECT_FALSE(deployment.core.rollback_to);

  const ClassRecord record = testing::Class(json::serialize(Example("machine-class.yaml")));
  EXPECT_EQ(record.problem, "");
  EXPECT_EQ(record.provider, "Azure");
  EXPECT_EQ(record.secrets.size(), 2u);
}

}  // namespace
}  // namespace millwright::dialects::gardener
