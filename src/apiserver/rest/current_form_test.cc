#include "apiserver/rest/current_form.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/rest/object_text.h"
#include "apiserver/rest/read.h"
#include "apiserver/rest/remove.h"
#include "apiserver/rest/write.h"
#include "apiserver/store/virtual_store.h"
#include "kube/api/json_text.h"
#include "kube/api/schema_build.h"
#include "kube/api/status.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

// Version v1 says "color", v2 says "colour".
class Translator final : public Converter {
 public:
  Task<Result<std::vector<json::value>>> Convert(std::vector<json::value> objects,
                                                 std::string api_version) override {
    if (broken) co_return Fail(ErrorKind::kInvalid, "conversion webhook failed: no");
    for (json::value& object : objects) {
      object.get_object()["apiVersion"] = api_version;
      json::object& spec = object.at("spec").get_object();
      const bool old = api_version.ends_with("v1");
      const char* from = old ? "colour" : "color";
      const char* to = old ? "color" : "colour";
      if (const json::value* color = spec.if_contains(from)) {
        const json::value value = *color;
        spec.erase(from);
        spec[to] = value;
      }
      ++count;
    }
    co_return objects;
  }

  bool broken = false;
  int count = 0;
};

class CurrentFormTest : public testing::Test {
 protected:
  Resource Lathes(const char* version, const char* field) {
    Resource resource{.kind = {"example.org", version, "Lathe"},
                      .plural = "lathes",
                      .singular = "lathe",
                      .list_kind = "LatheList",
                      .custom = true,
                      .storage_version = "v1",
                      .converter = translator_};
    const auto schema = std::make_shared<kube::Schema>(kube::ObjectSchema(
        {{"spec", kube::ObjectSchema({{field, kube::StringSchema()},
                                      {"size", kube::WithDefault(kube::IntegerSchema(), 7)}})}}));
    resource.schema = [schema] { return schema; };
    return resource;
  }

  Call CallOf(Resource resource, std::string method, std::string body = {}) {
    return {.resource = std::make_shared<const Resource>(std::move(resource)),
            .place = {.group = "example.org",
                      .version = "",
                      .resource = "lathes",
                      .namespace_ = "ns",
                      .name = "a",
                      .subresource = {}},
            .target = {},
            .method = std::move(method),
            .content_type = {},
            .user_agent = "test",
            .body = std::move(body),
            .output = {},
            .user = {.name = "tester"}};
  }

  template <class T>
  T Run(Task<T> task) {
    return *RunTask(store_.process(), std::move(task));
  }

  static Result<json::value> NoProtobuf(std::string_view) {
    return Fail(ErrorKind::kInvalid, "none here");
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  VirtualStore store_{world_, platter_};
  Registry registry_;
  SeededRandom random_{1};
  Admission admission_;
  Services services_{.store = *store_,
                     .registry = registry_,
                     .clock = store_.clock(),
                     .random = random_,
                     .admission = admission_,
                     .decode_protobuf = NoProtobuf};
  std::shared_ptr<Translator> translator_ = std::make_shared<Translator>();
};

constexpr const char* kNew =
    R"({"apiVersion":"example.org/v2","kind":"Lathe","metadata":{"name":"a"},)"
    R"("spec":{"colour":"red"}})";

TEST_F(CurrentFormTest, EveryClientSpeaksItsOwnVersion) {
  Call create = CallOf(Lathes("v2", "colour"), "POST", kNew);
  create.place.name.clear();
  const auto created = Run(CreateObject(services_, create));
  ASSERT_TRUE(created) << created.error().message();
  EXPECT_EQ(kube::GetString(json::parse(created->text), "spec.colour"), "red");

  const RecordPtr stored = (*store_).Get("/example.org/lathes/ns/a");
  ASSERT_NE(stored, nullptr);
  EXPECT_TRUE(stored->value.starts_with(R"({"apiVersion":"example.org/v1")"));
  EXPECT_EQ(kube::GetString(json::parse(stored->value), "spec.color"), "red");

  const int before = translator_->count;
  const auto old = Run(ReadObject(services_, CallOf(Lathes("v1", "color"), "GET")));
  EXPECT_EQ(kube::GetString(json::parse(old->text), "spec.color"), "red");
  EXPECT_EQ(translator_->count, before);  // as it is stored

  Call list = CallOf(Lathes("v2", "colour"), "GET");
  const auto all = Run(ReadList(services_, list, {}));
  EXPECT_EQ(json::parse(all->text).at_pointer("/items/0/spec/colour"), json::value("red"));

  json::value changed = json::parse(created->text);
  changed.at("spec").get_object()["colour"] = "blue";
  const auto updated = Run(UpdateObject(
      services_, CallOf(Lathes("v2", "colour"), "PUT", json::serialize(changed)), Part::kMain));
  ASSERT_TRUE(updated) << updated.error().message();
  EXPECT_EQ(kube::GetString(json::parse(updated->text), "spec.colour"), "blue");
  EXPECT_EQ(
      kube::GetString(json::parse((*store_).Get("/example.org/lathes/ns/a")->value), "spec.color"),
      "blue");
}

TEST_F(CurrentFormTest, AConversionThatFailsIsAnErrorOfTheServer) {
  Call create = CallOf(Lathes("v1", "color"), "POST",
                       R"({"apiVersion":"example.org/v1","kind":"Lathe","metadata":{"name":"a"},)"
                       R"("spec":{"color":"red"}})");
  create.place.name.clear();
  ASSERT_TRUE(Run(CreateObject(services_, create)));
  translator_->broken = true;
  const auto read = Run(ReadObject(services_, CallOf(Lathes("v2", "colour"), "GET")));
  ASSERT_FALSE(read);
  const auto* detail = read.error().detail<kube::StatusDetail>();
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->status().code, 500);
  EXPECT_EQ(detail->status().message, "conversion webhook failed: no");
}

TEST_F(CurrentFormTest, ANewSchemaShowsInOldObjects) {
  ASSERT_TRUE(store_.Create("/example.org/lathes/ns/a",
                            R"({"apiVersion":"example.org/v1","kind":"Lathe","metadata":)"
                            R"({"name":"a","namespace":"ns"},"spec":{"color":"red","gone":1}})"));
  Resource resource = Lathes("v1", "color");
  auto read = Run(ReadObject(services_, CallOf(resource, "GET")));
  EXPECT_EQ(json::parse(read->text).at("spec"), (json::value{{"color", "red"}, {"gone", 1}}));
  resource.schema_since = (*store_).revision() + 1;
  read = Run(ReadObject(services_, CallOf(resource, "GET")));
  EXPECT_EQ(json::parse(read->text).at("spec"), (json::value{{"color", "red"}, {"size", 7}}));
}

}  // namespace
}  // namespace millwright::apiserver
