#include "apiserver/crd/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "apiserver/crd/conditions.h"
#include "apiserver/crd/testing.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Texts(const std::vector<kube::FieldError>& errors) {
  std::vector<std::string> texts;
  for (const kube::FieldError& error : errors) texts.push_back(kube::ToString(error));
  return texts;
}

struct Case {
  const char* what;
  std::function<void(json::value& crd)> spoil;
  std::vector<std::string> errors;
};

json::object& Spec(json::value& crd) { return crd.at("spec").get_object(); }
json::object& Names(json::value& crd) { return crd.at_pointer("/spec/names").get_object(); }
json::object& Version(json::value& crd) { return crd.at_pointer("/spec/versions/0").get_object(); }

void AddVersion(json::value& crd, const char* name, bool storage) {
  json::value next = crd.at_pointer("/spec/versions/0");
  next.get_object()["name"] = name;
  next.get_object()["storage"] = storage;
  crd.at_pointer("/spec/versions").get_array().push_back(next);
}

const std::string kShownV1 =
    R"({"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,)"
    R"("Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null})";

TEST(ValidateCrdTest, AcceptsAnOrdinaryDefinition) {
  EXPECT_THAT(Texts(ValidateCrd(MakeCrd(), nullptr)), IsEmpty());
}

TEST(ValidateCrdTest, SaysWhatIsWrongWithANewDefinition) {
  const std::string label =
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
      "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "
      "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
  const Case cases[] = {
      {"name",
       [](json::value& crd) { crd.at("metadata").get_object()["name"] = "x.example.org"; },
       {R"(metadata.name: Invalid value: "x.example.org": must be spec.names.plural+"."+spec.group)"}},
      {"scope",
       [](json::value& crd) { Spec(crd)["scope"] = "Galaxy"; },
       {R"(spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced")"}},
      {"no scope",
       [](json::value& crd) { Spec(crd)["scope"] = ""; },
       {"spec.scope: Required value"}},
      {"group",
       [](json::value& crd) {
         Spec(crd)["group"] = "example";
         crd.at("metadata").get_object()["name"] = "lathes.example";
       },
       {R"(spec.group: Invalid value: "example": should be a domain with at least one dot)"}},
      {"short name",
       [](json::value& crd) { Names(crd)["shortNames"] = json::array{"OK"}; },
       {R"(spec.names.shortNames[0]: Invalid value: "OK": )" + label}},
      {"kind",
       [](json::value& crd) { Names(crd)["kind"] = "La the"; },
       {R"(spec.names.kind: Invalid value: "La the": may have mixed case, but should otherwise match: )" +
        label}},
      {"list kind",
       [](json::value& crd) { Names(crd)["listKind"] = "Lathe"; },
       {R"(spec.names.listKind: Invalid value: "Lathe": kind and listKind may not be the same)"}},
      {"no schema",
       [](json::value& crd) { Version(crd).erase("schema"); },
       {"spec.versions[0].schema.openAPIV3Schema: Required value"}},
      {"schema",
       [](json::value& crd) {
         crd.at_pointer("/spec/versions/0/schema/openAPIV3Schema/properties/spec")
             .get_object()
             .erase("type");
       },
       {"spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty "
        "for specified object fields"}},
      {"no storage",
       [](json::value& crd) { Version(crd)["storage"] = false; },
       {"spec.versions: Invalid value: [" +
        [] {
          std::string shown = kShownV1;
          shown.replace(shown.find("\"Storage\":true"), 14, "\"Storage\":false");
          return shown;
        }() +
        "]: must have exactly one version marked as storage version"}},
      {"same version twice",
       [](json::value& crd) { AddVersion(crd, "v1", false); },
       {"spec.versions: Invalid value: [" + kShownV1 + "," +
        [] {
          std::string shown = kShownV1;
          shown.replace(shown.find("\"Storage\":true"), 14, "\"Storage\":false");
          return shown;
        }() +
        "]: must contain unique version names"}},
      {"column",
       [](json::value& crd) {
         Version(crd)["additionalPrinterColumns"] =
             json::array{json::object{{"name", "A"}, {"type", "text"}, {"jsonPath", "spec.a"}}};
       },
       {R"(spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string)",
        R"(spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .)"}},
      {"scale",
       [](json::value& crd) {
         Version(crd)["subresources"].get_object()["scale"] =
             json::object{{"specReplicasPath", ".status.replicas"}, {"statusReplicasPath", ""}};
       },
       {R"(spec.subresources.scale.specReplicasPath: Invalid value: ".status.replicas": should be a json path under .spec)",
        "spec.subresources.scale.statusReplicasPath: Required value"}},
      {"selectable field",
       [](json::value& crd) {
         Version(crd)["selectableFields"] = json::array{json::object{{"jsonPath", ".spec"}},
                                                        json::object{{"jsonPath", ".spec.color"}}};
       },
       {R"(spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.)"}},
      {"webhook for none",
       [](json::value& crd) {
         Spec(crd)["conversion"] =
             json::parse(R"({"strategy":"None","webhook":{"conversionReviewVersions":["v1"]}})");
       },
       {"spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is "
        "not set to Webhook"}},
      {"webhook without address",
       [](json::value& crd) {
         Spec(crd)["conversion"] = json::parse(
             R"({"strategy":"Webhook","webhook":{"clientConfig":{},"conversionReviewVersions":["v9"]}})");
       },
       {"spec.conversion.webhookClientConfig: Required value: exactly one of url or service is "
        "required",
        R"(spec.conversion.conversionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1)"}},
      {"webhook address",
       [](json::value& crd) {
         Spec(crd)["conversion"] = json::parse(
             R"({"strategy":"Webhook","webhook":{"clientConfig":{"url":"http://a?b"},"conversionReviewVersions":["v1"]}})");
       },
       {R"(spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path])",
        R"(spec.conversion.webhookClientConfig.url: Invalid value: "b": query parameters are not permitted in the URL)"}},
      {"preserve",
       [](json::value& crd) { Spec(crd)["preserveUnknownFields"] = true; },
       {"spec.preserveUnknownFields: Invalid value: true: cannot set to true, set "
        "x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"}},
      {"approval",
       [](json::value& crd) {
         Spec(crd)["group"] = "x.k8s.io";
         crd.at("metadata").get_object()["name"] = "lathes.x.k8s.io";
       },
       {"metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must "
        "have approval annotation \"api-approved.kubernetes.io\", see "
        "https://github.com/kubernetes/enhancements/pull/1111"}},
      {"warning",
       [](json::value& crd) { Version(crd)["deprecationWarning"] = "old"; },
       {R"(spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions)"}},
      {"stored version",
       [](json::value& crd) {
         crd.at("status").get_object()["storedVersions"] = json::array{"v0", "v1"};
       },
       {R"(status.storedVersions[0]: Invalid value: "v0": missing from spec.versions; v0 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v0 and removes v0 from status.storedVersions)"}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    json::value crd = MakeCrd();
    one.spoil(crd);
    EXPECT_EQ(Texts(ValidateCrd(crd, nullptr)), one.errors);
  }
}

TEST(ValidateCrdTest, NamesThePathOfWhatVersionsSayDifferently) {
  json::value crd = MakeCrd();
  AddVersion(crd, "v2", false);
  crd.at_pointer("/spec/versions/1/schema/openAPIV3Schema/properties/spec")
      .get_object()
      .erase("type");
  EXPECT_THAT(Texts(ValidateCrd(crd, nullptr)),
              ElementsAre("spec.versions[1].schema.openAPIV3Schema.properties[spec].type: Required "
                          "value: must not be empty for specified object fields"));
}

TEST(ValidateCrdTest, WhatEverythingHangsOnCannotChange) {
  const json::value old = MakeCrd();
  json::value crd = old;
  Spec(crd)["group"] = "example.com";
  Spec(crd)["scope"] = "Cluster";
  EXPECT_THAT(Texts(ValidateCrd(crd, &old)),
              ElementsAre(R"(spec.group: Invalid value: "example.com": field is immutable)"));

  json::value established = old;
  SetCondition(established, {.type = "Established", .status = "True", .reason = "", .message = ""},
               WallTime());
  EXPECT_THAT(Texts(ValidateCrd(crd, &established)),
              ElementsAre(R"(spec.scope: Invalid value: "Cluster": field is immutable)",
                          R"(spec.group: Invalid value: "example.com": field is immutable)"));
}

TEST(ValidateCrdTest, AVersionWithStoredObjectsHasToStay) {
  json::value old = MakeCrd();
  json::value crd = old;
  Version(crd)["name"] = "v2";
  crd.at("status").get_object()["storedVersions"] = json::array{"v1", "v2"};
  EXPECT_THAT(Texts(ValidateCrd(crd, &old)),
              ElementsAre(testing::StartsWith("status.storedVersions[0]: Invalid value: \"v1\": "
                                              "missing from spec.versions")));
}

}  // namespace
}  // namespace millwright::apiserver
