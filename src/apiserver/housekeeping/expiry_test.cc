#include "apiserver/housekeeping/expiry.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "base/base64.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

std::string Expires(std::string_view key, const json::value& object) {
  const auto time = ExpiryOf(key, object);
  return time ? FormatTime(*time) : "stays";
}

TEST(ExpiryTest, EventsGoAnHourAfterTheirLastWrite) {
  const auto event = json::parse(R"({"lastTimestamp":"2020-01-01T00:00:00Z",
    "metadata":{"creationTimestamp":"2026-01-01T10:00:00Z",
                "managedFields":[{"time":"2026-01-01T10:20:00Z"},{"manager":"x"}]}})");
  EXPECT_EQ(Expires("/core/events/ns/a", event), "2026-01-01T11:20:00Z");
}

TEST(ExpiryTest, TokensSayThemselves) {
  const auto secret = [](std::string_view type, std::string_view expiration) {
    return json::value{{"type", type}, {"data", {{"expiration", EncodeBase64(expiration)}}}};
  };
  constexpr std::string_view kKey = "/core/secrets/kube-system/bootstrap-token-abcdef";
  constexpr std::string_view kType = "bootstrap.kubernetes.io/token";
  EXPECT_EQ(Expires(kKey, secret(kType, "2026-01-01T12:00:00+02:00")), "2026-01-01T10:00:00Z");
  EXPECT_EQ(Expires(kKey, secret("Opaque", "2026-01-01T10:00:00Z")), "stays");
  EXPECT_EQ(Expires(kKey, secret(kType, "")), "stays");
  EXPECT_EQ(Expires(kKey, secret(kType, "soon")), "stays");
  EXPECT_EQ(Expires("/core/secrets/other/a", secret(kType, "2026-01-01T10:00:00Z")), "stays");
}

TEST(ExpiryTest, RequestsWaitADayAndAreKeptAnHourOnceDecided) {
  constexpr std::string_view kKey = "/certificates.k8s.io/certificatesigningrequests/a";
  EXPECT_EQ(
      Expires(kKey, json::parse(R"({"metadata":{"creationTimestamp":"2026-01-01T10:00:00Z"}})")),
      "2026-01-02T10:00:00Z");
  EXPECT_EQ(Expires(kKey, json::parse(R"({"metadata":{"creationTimestamp":"2026-01-01T10:00:00Z"},
              "status":{"conditions":[{"type":"Approved","lastUpdateTime":"2026-01-01T10:30:00Z"}]}})")),
            "2026-01-01T11:30:00Z");
}

TEST(ExpiryTest, TheRestStays) {
  EXPECT_EQ(Expires("/core/configmaps/ns/a", json::parse(R"({"metadata":{}})")), "stays");
}

}  // namespace
}  // namespace millwright::apiserver
