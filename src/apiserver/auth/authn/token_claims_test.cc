#include "apiserver/auth/authn/token_claims.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

constexpr WallTime kNow = WallTime(std::chrono::seconds(1767225600));

TokenClaims Sample() {
  return {.issuer = "me",
          .audiences = {"a", "b"},
          .id = "1",
          .issued = kNow,
          .begins = kNow,
          .ends = kNow + std::chrono::hours(1),
          .namespace_ = "n",
          .account = {"robot", "u1"},
          .pod = ObjectReference{"p", "u2"},
          .node = ObjectReference{"w", "u3"}};
}

TEST(TokenClaimsTest, AreReadAsTheyAreWritten) {
  TokenClaims claims = Sample();
  EXPECT_EQ(ReadClaims(WriteClaims(claims)).value(), claims);
  claims.pod.reset();
  claims.node.reset();
  claims.secret = {"s", "u4"};
  claims.warn_after = kNow + std::chrono::minutes(1);
  EXPECT_EQ(ReadClaims(WriteClaims(claims)).value(), claims);
}

TEST(TokenClaimsTest, LookLikeThoseOfKubernetes) {
  EXPECT_EQ(json::serialize(WriteClaims(Sample())),
            R"({"aud":["a","b"],"exp":1767229200,"iat":1767225600,"iss":"me","jti":"1",)"
            R"("kubernetes.io":{"namespace":"n","node":{"name":"w","uid":"u3"},)"
            R"("pod":{"name":"p","uid":"u2"},"serviceaccount":{"name":"robot","uid":"u1"}},)"
            R"("nbf":1767225600,"sub":"system:serviceaccount:n:robot"})");
}

TEST(TokenClaimsTest, NeedAnAccountAndAnEnd) {
  const struct {
    const char* path;
    json::value value;
  } cases[] = {{"exp", nullptr},
               {"exp", "soon"},
               {"exp", -1},
               {"exp", 1e300},
               {"kubernetes.io", nullptr},
               {"kubernetes.io", json::object()},
               {"sub", "somebody"},
               {"sub", nullptr}};
  for (const auto& [path, value] : cases) {
    json::object claims = WriteClaims(Sample());
    claims[path] = value;
    EXPECT_FALSE(ReadClaims(claims)) << path << json::serialize(value);
  }
  EXPECT_FALSE(ReadClaims(json::array()));
  json::object one = WriteClaims(Sample());
  one["aud"] = "a";
  EXPECT_EQ(ReadClaims(one)->audiences, std::vector<std::string>{"a"});
}

TEST(TokenClaimsTest, HoldForTheirTimeAndAMinute) {
  const struct {
    std::chrono::seconds since;
    std::string problem;
  } cases[] = {{std::chrono::seconds(0), ""},
               {std::chrono::seconds(-60), ""},
               {std::chrono::seconds(-61), "service account token is not valid yet"},
               {std::chrono::seconds(3660), ""},
               {std::chrono::seconds(3661), "service account token has expired"}};
  for (const auto& [since, problem] : cases) {
    const auto checked = CheckTime(Sample(), kNow + since);
    EXPECT_EQ(checked ? "" : checked.error().message(), problem);
  }
  TokenClaims claims = Sample();
  claims.begins = {};
  EXPECT_EQ(CheckTime(claims, kNow - std::chrono::hours(1)).error().message(),
            "service account token is issued in the future");
}

}  // namespace
}  // namespace millwright::apiserver
