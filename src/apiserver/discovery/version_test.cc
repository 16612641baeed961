#include "apiserver/discovery/version.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include <boost/json.hpp>

namespace millwright::apiserver {
namespace {

TEST(VersionTest, IsTheOneWeAreComparedWith) {
  std::ifstream file(MILLWRIGHT_SOURCE_DIR "/tools/kubernetes/kubernetes/go.mod");
  std::stringstream pins;
  pins << file.rdbuf();
  EXPECT_NE(pins.str().find("k8s.io/kubernetes v" + std::string(kKubernetesVersion)),
            std::string::npos);
}

TEST(VersionTest, IsTakenApartForClients) {
  const auto document = VersionDocument();
  const std::string version(kKubernetesVersion);
  EXPECT_EQ(std::string(document.at("gitVersion").as_string()), "v" + version + "+millwright");
  EXPECT_EQ(std::string(document.at("major").as_string()) + "." +
                std::string(document.at("minor").as_string()),
            kKubernetesMinorVersion);
  EXPECT_TRUE(version.starts_with(std::string(kKubernetesMinorVersion) + "."));
}

}  // namespace
}  // namespace millwright::apiserver
