#include "apiserver/discovery/document.h"

#include <gtest/gtest.h>

#include "apiserver/discovery/digest.h"
#include "apiserver/discovery/fixture.h"
#include "apiserver/discovery/indented.h"
#include "apiserver/discovery/pack.h"

namespace millwright::apiserver {
namespace {

std::string Long() {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + ", ";
  return text;
}

TEST(DocumentTest, ALargeOneIsKeptPackedAndSentAsTheClientTakesIt) {
  const Document document = MakeDocument("application/json", Long());
  ASSERT_TRUE(document.packed);
  EXPECT_LT(document.text.size(), Long().size() / 2);
  EXPECT_EQ(Unpack(document), Long());
  EXPECT_EQ(Respond(document, {}).body, Long());
  const auto packed = Respond(document, {.headers = {{"Accept-Encoding", "deflate, gzip;q=0.8"}}});
  EXPECT_EQ(packed.headers.Find("Content-Encoding"), "gzip");
  EXPECT_EQ(GunzipWhole(packed.body), Long());
  const auto plain = Respond(document, {.headers = {{"Accept-Encoding", "gzip;q=0"}}});
  EXPECT_EQ(plain.body, Long());
}

TEST(DocumentTest, WhatTheClientHasIsNotSentAgain) {
  const Document document = MakeDocument("application/json", "{}");
  const std::string tag = "\"" + Digest("{}") + "\"";
  for (const std::string& known : {tag, "W/" + tag, "\"x\", " + tag, std::string("*")}) {
    const auto answer = Respond(document, {.headers = {{"If-None-Match", known}}});
    EXPECT_EQ(answer.status, 304) << known;
    EXPECT_EQ(answer.body, "");
    EXPECT_EQ(answer.headers.Find("Etag"), tag);
  }
  EXPECT_EQ(Respond(document, {.headers = {{"If-None-Match", "\"x\""}}}).status, 200);
}

TEST(DocumentCacheTest, KeepsADocumentWhileItsResourcesAreTheSame) {
  DocumentCache cache;
  const ResourcePtr one = SawResource();
  const ResourcePtr other = SawResource();
  int made = 0;
  const auto make = [&] { return MakeDocument("text/plain", std::to_string(++made)); };
  EXPECT_EQ(cache.Get("a", {one}, make).text, "1");
  EXPECT_EQ(cache.Get("a", {one}, make).text, "1");
  EXPECT_EQ(cache.Get("b", {one}, make).text, "2");
  EXPECT_EQ(cache.Get("a", {other}, make).text, "3");
  cache.KeepOnly([](const std::string& key) { return key == "b"; });
  EXPECT_EQ(cache.Get("b", {one}, make).text, "2");
  EXPECT_EQ(cache.Get("a", {other}, make).text, "4");
}

TEST(DigestTest, StorageVersionsHashAsInKubernetes) {
  EXPECT_EQ(StorageVersionHash({"", "v1", "ConfigMap"}), "qFsyl6wFWjQ=");
  EXPECT_EQ(StorageVersionHash({"example.org", "v1", "Lathe"}), "SstgQGBsxYI=");
}

TEST(IndentedTest, WritesAsGoDoes) {
  EXPECT_EQ(Indented(boost::json::parse(R"({"a":[1,{"b\n":null}],"c":{},"d":[]})")),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\\n\": null\n    }\n  ],\n  \"c\": {},\n"
            "  \"d\": []\n}");
}

}  // namespace
}  // namespace millwright::apiserver
