#include "apiserver/discovery/openapi_answers.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/discovery/fixture.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

class OpenApiAnswersTest : public testing::Test {
 protected:
  net::HttpResponse Get(const std::string& path, net::Headers headers = {}) {
    auto answer = answers_.Answer({.target = path, .headers = std::move(headers)},
                                  net::ParseTarget(path).value());
    return answer ? *std::move(answer) : net::HttpResponse{.status = 0, .headers = {}, .body = {}};
  }
  std::string UrlOf(const std::string& path) {
    const json::value index = json::parse(Get("/openapi/v3").body);
    return std::string(index.at("paths").at(path).at("serverRelativeURL").as_string());
  }

  Registry registry_ = WorkshopRegistry();
  OpenApiAnswers answers_{registry_};
};

TEST_F(OpenApiAnswersTest, TheIndexLeadsToADocumentForEachVersion) {
  const json::value index = json::parse(Get("/openapi/v3").body);
  std::vector<std::string> paths;
  for (const auto& [path, entry] : index.at("paths").as_object()) paths.emplace_back(path);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"api/v1", "apis/apps/v1", "apis/authorization.k8s.io/v1",
                                      "apis/example.org/v1", "apis/example.org/v1beta1"}));
  const auto answer = Get(UrlOf("apis/example.org/v1"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.Find("Content-Type"), "application/json");
  EXPECT_EQ(answer.headers.Find("Cache-Control"), "public, immutable, max-age=31536000");
  EXPECT_TRUE(
      json::parse(answer.body).at("paths").as_object().contains("/apis/example.org/v1/saws"));
}

TEST_F(OpenApiAnswersTest, AnOldHashLeadsToTheNewDocument) {
  const std::string old = UrlOf("apis/example.org/v1");
  const std::string other = UrlOf("apis/apps/v1");
  registry_.Remove("example.org", "saws");
  const auto moved = Get(old);
  EXPECT_EQ(moved.status, 301);
  EXPECT_EQ(moved.headers.Find("Location"), UrlOf("apis/example.org/v1"));
  EXPECT_NE(UrlOf("apis/example.org/v1"), old);
  EXPECT_EQ(UrlOf("apis/apps/v1"), other);
}

TEST_F(OpenApiAnswersTest, DocumentsHaveTags) {
  const auto first = Get("/openapi/v3/api/v1");
  EXPECT_EQ(first.headers.Find("Cache-Control"), std::nullopt);
  const std::string tag(*first.headers.Find("Etag"));
  EXPECT_EQ(Get("/openapi/v3/api/v1", {{"If-None-Match", tag}}).status, 304);
  const std::string tag_v2(*Get("/openapi/v2").headers.Find("Etag"));
  EXPECT_EQ(Get("/openapi/v2", {{"If-None-Match", tag_v2}}).status, 304);
}

TEST_F(OpenApiAnswersTest, AnswersInTheFormThatIsAskedFor) {
  const std::string protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
  struct Case {
    std::string path;
    std::string accept;
    int status;
    std::string type;
  };
  const std::vector<Case> cases = {
      {"/openapi/v2", "", 200, "application/json"},
      {"/openapi/v2", "*/*", 200, "application/json"},
      {"/openapi/v2", "application/json", 200, "application/json"},
      {"/openapi/v2", protobuf, 200, protobuf},
      {"/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", 200, protobuf},
      {"/openapi/v2", "application/yaml", 406, ""},
      {"/openapi/v3", "application/yaml", 200, "text/plain; charset=utf-8"},
      {"/openapi/v3/api/v1", "application/json", 200, "application/json"},
      {"/openapi/v3/api/v1", protobuf, 406, ""},
      {"/openapi/v3/apis/nope/v1", "", 404, ""},
      {"/openapi/v3/nope", "", 404, ""},
      {"/openapi/v4", "", 0, ""},
      {"/openapi", "", 0, ""},
  };
  for (const Case& one : cases) {
    const auto answer = Get(one.path, {{"Accept", one.accept}});
    EXPECT_EQ(answer.status, one.status) << one.path << " " << one.accept;
    EXPECT_EQ(answer.headers.Find("Content-Type").value_or(""), one.type) << one.path;
  }
}

}  // namespace
}  // namespace millwright::apiserver
