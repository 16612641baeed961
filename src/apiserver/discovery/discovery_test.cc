#include "apiserver/discovery/discovery.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/discovery/fixture.h"

namespace millwright::apiserver {
namespace {

constexpr const char* kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

class DiscoveryTest : public testing::Test {
 protected:
  std::optional<net::HttpResponse> Try(const std::string& path, net::Headers headers = {},
                                       const std::string& method = "GET") {
    return discovery_.Answer({.method = method,
                              .target = path,
                              .headers = std::move(headers),
                              .body = {},
                              .timeout = {}},
                             net::ParseTarget(path).value());
  }
  net::HttpResponse Get(const std::string& path, net::Headers headers = {}) {
    auto answer = Try(path, std::move(headers));
    EXPECT_TRUE(answer) << path;
    return answer ? *std::move(answer) : net::HttpResponse{};
  }

  Registry registry_ = WorkshopRegistry();
  Discovery discovery_{registry_};
};

TEST_F(DiscoveryTest, AnswersItsPathsAndNoOthers) {
  struct Case {
    std::string path;
    int status;  // 0: not ours
    std::string type;
  };
  const std::string json = "application/json";
  const std::string text = "text/plain; charset=utf-8";
  const std::vector<Case> cases = {
      {"/", 200, json},
      {"/version", 200, json},
      {"/version/", 200, json},
      {"/version/x", 0, ""},
      {"/api", 200, json},
      {"/api/v1", 200, json},
      {"/api/v1/", 200, json},
      {"/api/v2", 404, json},
      {"/api/v1/pods", 0, ""},
      {"/apis", 200, json},
      {"/apis/", 200, json},
      {"/apis/apps", 200, json},
      {"/apis/apps/v1", 200, json},
      {"/apis/apps/v9", 404, json},
      {"/apis/apps/v1/deployments", 0, ""},
      {"/apis/nope", 404, text},
      {"/apis/nope/v1", 404, text},
      {"/apis/example.org/v1beta1", 200, json},
      {"/apis/example.org/v3", 404, text},
      {"/healthz", 200, text},
      {"/livez/ping", 200, text},
      {"/readyz/nope", 404, text},
      {"/nope", 0, ""},
      {"/metrics", 0, ""},
  };
  for (const Case& one : cases) {
    const auto answer = Try(one.path);
    ASSERT_EQ(answer.has_value(), one.status != 0) << one.path;
    if (!answer) continue;
    EXPECT_EQ(answer->status, one.status) << one.path;
    EXPECT_EQ(answer->headers.Find("Content-Type"), one.type) << one.path;
  }
}

TEST_F(DiscoveryTest, RefusesMethodsThatChange) {
  EXPECT_EQ(Try("/apis/apps/v1", {}, "POST")->status, 405);
  EXPECT_EQ(Try("/version", {}, "DELETE")->status, 405);
  EXPECT_FALSE(Try("/nope", {}, "POST"));
  EXPECT_EQ(Try("/apis", {}, "HEAD")->status, 200);
}

TEST_F(DiscoveryTest, OneRequestForAllGroupsWhereTheClientKnowsHow) {
  const auto answer = Get("/apis", {{"Accept", kAggregated}});
  EXPECT_EQ(answer.headers.Find("Content-Type"),
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  EXPECT_EQ(answer.headers.Find("Cache-Control"), "public");
  EXPECT_EQ(boost::json::parse(answer.body).at("kind"), "APIGroupDiscoveryList");
  EXPECT_EQ(
      boost::json::parse(Get("/api", {{"Accept", kAggregated}}).body).at("items").as_array().size(),
      1u);
  EXPECT_EQ(Get("/apis", {{"Accept", "text/html"}}).status, 406);
}

TEST_F(DiscoveryTest, AnAggregatedDocumentIsSentAgainOnlyAfterAChange) {
  const auto first = Get("/apis", {{"Accept", kAggregated}});
  const std::string tag(*first.headers.Find("Etag"));
  const net::Headers again = {{"Accept", kAggregated}, {"If-None-Match", tag}};
  EXPECT_EQ(Get("/apis", again).status, 304);
  registry_.Remove("example.org", "saws");
  const auto changed = Get("/apis", again);
  EXPECT_EQ(changed.status, 200);
  EXPECT_NE(changed.headers.Find("Etag"), tag);
  // The same kinds again are the same document, whoever made it.
  registry_.Add(SawResource());
  EXPECT_EQ(Get("/apis", again).status, 304);
}

TEST_F(DiscoveryTest, SpeaksYamlAndToPeople) {
  EXPECT_TRUE(
      Get("/apis/apps", {{"Accept", "application/yaml"}}).body.starts_with("apiVersion: v1\n"));
  EXPECT_TRUE(Get("/apis/apps?pretty=true").body.starts_with("{\n  \"kind\""));
  EXPECT_TRUE(Get("/apis/apps", {{"User-Agent", "curl/8"}}).body.starts_with("{\n  \"kind\""));
  EXPECT_TRUE(
      Get("/apis/apps?pretty=false", {{"User-Agent", "curl/8"}}).body.starts_with("{\"kind\""));
}

TEST_F(DiscoveryTest, TheRootListsThePaths) {
  const auto document = boost::json::parse(Get("/").body);
  std::vector<std::string> paths;
  for (const auto& path : document.at("paths").as_array()) paths.emplace_back(path.as_string());
  EXPECT_TRUE(std::ranges::is_sorted(paths));
  for (const std::string path :
       {"/api/v1", "/apis/example.org/v1beta1", "/readyz/ping", "/version"}) {
    EXPECT_TRUE(std::ranges::find(paths, path) != paths.end()) << path;
  }
}

}  // namespace
}  // namespace millwright::apiserver
