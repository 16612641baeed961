// The embedded server in virtual time, asked as a client would ask it.

#include "apiserver/server/embedded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/server/embedded_fixture.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

using EmbeddedTest = EmbeddedFixture;

constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";

TEST_F(EmbeddedTest, KeepsWhatItIsGiven) {
  const auto created = Ask("POST", kMaps, R"({"metadata":{"name":"a"},"data":{"x":"1"}})");
  ASSERT_EQ(created.status, 201) << created.body;
  EXPECT_EQ(created.At("kind"), "ConfigMap");
  EXPECT_EQ(created.At("metadata.namespace"), "default");
  const auto read = Ask("GET", std::string(kMaps) + "/a");
  EXPECT_EQ(read.status, 200);
  EXPECT_EQ(read.body, created.body);

  const auto again = Ask("POST", kMaps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.At("reason"), "AlreadyExists");
  EXPECT_EQ(again.At("message"), R"(configmaps "a" already exists)");

  const auto patched = Ask("PATCH", std::string(kMaps) + "/a", R"({"data":{"x":null,"y":"2"}})",
                           "application/merge-patch+json");
  ASSERT_EQ(patched.status, 200) << patched.body;
  EXPECT_EQ(patched.body.at("data"), json::value({{"y", "2"}}));

  const auto list = Ask("GET", std::string(kMaps) + "?fieldSelector=metadata.name%3Da");
  EXPECT_EQ(list.At("kind"), "ConfigMapList");
  EXPECT_EQ(list.body.at("items").get_array().size(), 1u);

  EXPECT_EQ(Ask("DELETE", std::string(kMaps) + "/a").At("status"), "Success");
  EXPECT_EQ(Ask("GET", std::string(kMaps) + "/a").status, 404);
}

TEST_F(EmbeddedTest, KeepsTheBooksOfOwnership) {
  const std::string target = std::string(kMaps) + "/a?fieldManager=one";
  const auto wish =
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1"}})";
  const auto applied = Ask("PATCH", target, wish, "application/apply-patch+yaml");
  ASSERT_EQ(applied.status, 201) << applied.body;
  const auto same = Ask("PATCH", target, wish, "application/apply-patch+yaml");
  EXPECT_EQ(same.status, 200);
  EXPECT_EQ(same.body, applied.body);
  const auto other =
      Ask("PATCH", std::string(kMaps) + "/a?fieldManager=two",
          R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"2"}})",
          "application/apply-patch+yaml");
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(other.At("message"), R"(Apply failed with 1 conflict: conflict with "one": .data.x)");
}

TEST_F(EmbeddedTest, HoldsBackWhatHasFinalizers) {
  const std::string a = std::string(kMaps) + "/a";
  Ask("POST", kMaps, R"({"metadata":{"name":"a","finalizers":["example.org/x"]}})");
  const auto ending = Ask("DELETE", a);
  EXPECT_EQ(ending.status, 200);
  EXPECT_NE(ending.At("metadata.deletionTimestamp"), "");
  EXPECT_EQ(Ask("GET", a).status, 200);
  const auto gone =
      Ask("PATCH", a, R"({"metadata":{"finalizers":null}})", "application/merge-patch+json");
  EXPECT_EQ(gone.status, 200) << gone.body;
  EXPECT_EQ(Ask("GET", a).status, 404);
}

TEST_F(EmbeddedTest, RefusesWhatCannotBe) {
  EXPECT_EQ(Ask("POST", "/api/v1/namespaces/nowhere/configmaps", R"({"metadata":{"name":"a"}})")
                .At("message"),
            R"(namespaces "nowhere" not found)");
  const auto invalid = Ask("POST", kMaps, R"({"metadata":{"name":"A_"}})");
  EXPECT_EQ(invalid.status, 422);
  EXPECT_EQ(invalid.At("reason"), "Invalid");
  EXPECT_EQ(Ask("GET", "/api/v1/nonsense").status, 404);
  EXPECT_EQ(Ask("DELETE", "/api/v1/namespaces/default").status, 403);
  EXPECT_EQ(Ask("POST", kMaps, "{").status, 400);
}

}  // namespace
}  // namespace millwright::apiserver
