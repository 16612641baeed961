#include "apiserver/crd/webhook_converter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/crd/testing.h"
#include "base/virtual/world.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

// A webhook in the test's hands: what it makes of a review.
class FakeWebhook final : public net::Http {
 public:
  using Make = std::function<net::HttpResponse(const json::value& review)>;

  explicit FakeWebhook(Make make) : make_(std::move(make)) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    targets.push_back(request.method + " " + request.target);
    co_return make_(json::parse(request.body));
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest) override {
    co_return Fail(ErrorKind::kInternal, "not asked for");
  }

  std::vector<std::string> targets;

 private:
  Make make_;
};

net::HttpResponse Answer(const json::value& review, json::array objects) {
  json::object answer{{"kind", "ConversionReview"},
                      {"apiVersion", "apiextensions.k8s.io/v1"},
                      {"response",
                       {{"uid", review.at_pointer("/request/uid")},
                        {"result", {{"status", "Success"}}},
                        {"convertedObjects", std::move(objects)}}}};
  return {.status = 200, .headers = {}, .body = json::serialize(answer)};
}

// Says "colour" in v2, and meddles with what is not its own.
net::HttpResponse Recolour(const json::value& review) {
  json::array objects;
  for (json::value object : review.at_pointer("/request/objects").get_array()) {
    object.get_object()["apiVersion"] = review.at_pointer("/request/desiredAPIVersion");
    object.get_object()["spec"] = {{"colour", object.at_pointer("/spec/color")}};
    object.at("metadata").get_object()["labels"] = {{"new", "label"}};
    object.at("metadata").get_object()["finalizers"] = json::array{"mine"};
    objects.push_back(std::move(object));
  }
  return Answer(review, std::move(objects));
}

json::value Lathe(const char* name, const char* version = "example.org/v1") {
  return {{"apiVersion", version},
          {"kind", "Lathe"},
          {"metadata", {{"name", name}, {"namespace", "ns"}, {"uid", "u"}}},
          {"spec", {{"color", "red"}}}};
}

class WebhookConverterTest : public testing::Test {
 protected:
  Result<std::vector<json::value>> Convert(FakeWebhook::Make make,
                                           std::vector<json::value> objects) {
    webhook_ = std::make_shared<FakeWebhook>(std::move(make));
    json::value crd = MakeCrd();
    crd.at("spec").get_object()["conversion"] = json::parse(R"({"strategy":"Webhook","webhook":{
        "conversionReviewVersions":["v9","v1"],
        "clientConfig":{"caBundle":"Q0E=","service":
            {"name":"hook","namespace":"sys","port":8443,"path":"/convert"}}}})");
    const auto converter =
        ConverterOf(crd, {.dial =
                              [this](const WebhookAddress& address) {
                                address_ = address;
                                return Result<std::shared_ptr<net::Http>>(webhook_);
                              },
                          .random = &random_});
    return *RunTask(process_, converter->Convert(std::move(objects), "example.org/v2"));
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  SeededRandom random_{1};
  std::shared_ptr<FakeWebhook> webhook_;
  WebhookAddress address_;
};

TEST_F(WebhookConverterTest, NoneNeedsNoConverter) {
  EXPECT_EQ(ConverterOf(MakeCrd(), {}), nullptr);
}

TEST_F(WebhookConverterTest, AsksForWhatIsOfAnotherVersionAndKeepsTheOrder) {
  const auto converted = Convert(Recolour, {Lathe("a"), Lathe("b", "example.org/v2"), Lathe("c")});
  ASSERT_TRUE(converted) << converted.error().message();
  ASSERT_EQ(converted->size(), 3u);
  EXPECT_EQ(kube::GetString((*converted)[0], "metadata.name"), "a");
  EXPECT_EQ(kube::GetString((*converted)[0], "spec.colour"), "red");
  EXPECT_EQ((*converted)[1], Lathe("b", "example.org/v2"));
  EXPECT_EQ(kube::GetString((*converted)[2], "apiVersion"), "example.org/v2");
  EXPECT_EQ(address_, (WebhookAddress{.url = "https://hook.sys.svc:8443/convert",
                                      .server_name = "hook.sys.svc",
                                      .ca_certificates = "CA",
                                      .service = WebhookService{
                                          .namespace_ = "sys", .name = "hook", .port = 8443}}));
  EXPECT_THAT(webhook_->targets, testing::ElementsAre("POST /convert?timeout=30s"));
}

TEST_F(WebhookConverterTest, AWebhookHasNoBusinessInMetadataButLabelsAndAnnotations) {
  const auto converted = Convert(Recolour, {Lathe("a")});
  ASSERT_TRUE(converted);
  EXPECT_EQ(json::serialize((*converted)[0].at("metadata")),
            R"({"name":"a","namespace":"ns","uid":"u","labels":{"new":"label"}})");
}

TEST_F(WebhookConverterTest, RefusesAnswersThatAreNotToTheQuestion) {
  struct Case {
    FakeWebhook::Make make;
    std::string_view message;
  };
  const auto spoiled = [](std::function<void(json::value&)> spoil) -> FakeWebhook::Make {
    return [spoil = std::move(spoil)](const json::value& review) {
      net::HttpResponse response = Recolour(review);
      json::value answer = json::parse(response.body);
      spoil(answer);
      response.body = json::serialize(answer);
      return response;
    };
  };
  const Case cases[] = {
      {[](const json::value&) {
         return net::HttpResponse{.status = 500, .headers = {}, .body = ""};
       },
       "an error on the server (\"HTTP 500\") has prevented the request from succeeding"},
      {spoiled([](json::value& a) { a.at("response").get_object()["uid"] = "x"; }),
       "expected response.uid="},
      {spoiled([](json::value& a) {
         a.at("response").get_object()["result"] = {{"status", "Failed"}, {"message", "no"}};
       }),
       "no"},
      {spoiled([](json::value& a) {
         a.at("response").get_object()["convertedObjects"] = json::array();
       }),
       "returned 0 objects, expected 1"},
      {spoiled([](json::value& a) {
         a.at_pointer("/response/convertedObjects/0").get_object()["apiVersion"] = "x/v1";
       }),
       "returned invalid converted object at index 0: invalid groupVersion (expected "
       "example.org/v2, received x/v1)"},
      {spoiled([](json::value& a) {
         a.at_pointer("/response/convertedObjects/0/metadata").get_object()["name"] = "z";
       }),
       "returned invalid converted object at index 0: must have the same name: a != z"},
      {spoiled([](json::value& a) {
         a.at_pointer("/response/convertedObjects/0/metadata/labels").get_object()["b"] = 1;
       }),
       "returned invalid converted object at index 0: metadata.labels[b] must be a string in "
       "converted object"},
      {spoiled([](json::value& a) { a.get_object().erase("kind"); }),
       "expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview"},
  };
  for (const Case& one : cases) {
    const auto converted = Convert(one.make, {Lathe("a")});
    ASSERT_FALSE(converted);
    EXPECT_THAT(converted.error().message(),
                testing::StartsWith("conversion webhook for example.org/v1, Kind=Lathe failed: " +
                                    std::string(one.message)));
  }
}

}  // namespace
}  // namespace millwright::apiserver
