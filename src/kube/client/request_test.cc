#include "kube/client/request.h"

#include <gtest/gtest.h>

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;

const GroupVersionResource kNodes{"", "v1", "nodes"};
const GroupVersionResource kPods{"", "v1", "pods"};
const GroupVersionResource kMachines{"cluster.x-k8s.io", "v1beta2", "machines"};

struct RequestCase {
  const char* name;
  net::HttpRequest request;
  std::string line;  // method and target
  std::string accept = "application/json";
  std::string content_type{};
  std::string body{};
};

class RequestTest : public testing::TestWithParam<RequestCase> {};

TEST_P(RequestTest, IsExactlyThis) {
  const RequestCase& test = GetParam();
  EXPECT_EQ(test.request.method + " " + test.request.target, test.line);
  net::Headers headers{{"Accept", test.accept}};
  if (!test.content_type.empty()) headers.Add("Content-Type", test.content_type);
  EXPECT_EQ(test.request.headers, headers);
  EXPECT_EQ(test.request.body, test.body);
}

auto Named = [](const auto& test) { return std::string(test.param.name); };

constexpr const char* kJson = "application/json";

INSTANTIATE_TEST_SUITE_P(
    Get, RequestTest,
    testing::Values(
        RequestCase{"OfTheCluster", GetRequest(kNodes, {"", "a"}), "GET /api/v1/nodes/a"},
        RequestCase{"InANamespace", GetRequest(kMachines, {"ns", "m"}),
                    "GET /apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machines/m"},
        RequestCase{"Subresource", GetRequest(kMachines, {"ns", "m"}, "scale"),
                    "GET /apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machines/m/scale"},
        // No name leads anywhere else.
        RequestCase{"NameWithASlash", GetRequest(kNodes, {"", "../secrets?x#y"}),
                    "GET /api/v1/nodes/..%2Fsecrets%3Fx%23y"}),
    Named);

INSTANTIATE_TEST_SUITE_P(
    List, RequestTest,
    testing::Values(RequestCase{"Everything", ListRequest(kPods, {}), "GET /api/v1/pods"},
                    RequestCase{"InANamespace", ListRequest(kPods, {.namespace_ = "ns"}),
                                "GET /api/v1/namespaces/ns/pods"},
                    RequestCase{"WithAllOptions",
                                ListRequest(kPods, {.label_selector = "a=b,c!=d",
                                                    .field_selector = "spec.nodeName=n",
                                                    .limit = 500,
                                                    .continue_token = "abc==",
                                                    .resource_version = "7",
                                                    .resource_version_match = "Exact"}),
                                "GET /api/v1/pods?labelSelector=a%3Db%2Cc%21%3Dd"
                                "&fieldSelector=spec.nodeName%3Dn&limit=500&continue=abc%3D%3D"
                                "&resourceVersion=7&resourceVersionMatch=Exact"},
                    RequestCase{"OnlyMetadata", ListRequest(kPods, {.metadata_only = true}),
                                "GET /api/v1/pods",
                                "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,"
                                "application/json"}),
    Named);

INSTANTIATE_TEST_SUITE_P(
    Watch, RequestTest,
    testing::Values(
        RequestCase{"FromAVersion",
                    WatchRequest(kPods, {.namespace_ = "ns",
                                         .label_selector = "a",
                                         .field_selector = "b=c",
                                         .resource_version = "7",
                                         .timeout = 5min}),
                    "GET /api/v1/namespaces/ns/pods?watch=true&allowWatchBookmarks=true"
                    "&labelSelector=a&fieldSelector=b%3Dc&resourceVersion=7&timeoutSeconds=300"},
        RequestCase{"WithTheStateFirst", WatchRequest(kPods, {.send_initial_events = true}),
                    "GET /api/v1/pods?watch=true&allowWatchBookmarks=true"
                    "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"},
        // A watch sends objects one by one, so this is not the list's type.
        RequestCase{
            "OnlyMetadata", WatchRequest(kPods, {.metadata_only = true}),
            "GET /api/v1/pods?watch=true&allowWatchBookmarks=true",
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json"}),
    Named);

INSTANTIATE_TEST_SUITE_P(
    Write, RequestTest,
    testing::Values(
        RequestCase{"CreateGoesToTheCollection", CreateRequest(kPods, {"ns", "p"}, "BODY", {}),
                    "POST /api/v1/namespaces/ns/pods", kJson, kJson, "BODY"},
        RequestCase{"CreateOfASubresourceNamesItsObject",
                    CreateRequest(kPods, {"ns", "p"}, "BODY", {.subresource = "binding"}),
                    "POST /api/v1/namespaces/ns/pods/p/binding", kJson, kJson, "BODY"},
        RequestCase{"WithAllOptions",
                    CreateRequest(kPods, {"ns", "p"}, "BODY",
                                  {.field_manager = "me & you",
                                   .dry_run = true,
                                   .field_validation = "Strict"}),
                    "POST /api/v1/namespaces/ns/pods?fieldManager=me%20%26%20you"
                    "&fieldValidation=Strict&dryRun=All",
                    kJson, kJson, "BODY"},
        RequestCase{"Update", UpdateRequest(kNodes, {"", "a"}, "BODY", {}), "PUT /api/v1/nodes/a",
                    kJson, kJson, "BODY"},
        RequestCase{"UpdateOfStatus",
                    UpdateRequest(kNodes, {"", "a"}, "BODY",
                                  {.field_manager = "x", .subresource = "status"}),
                    "PUT /api/v1/nodes/a/status?fieldManager=x", kJson, kJson, "BODY"}),
    Named);

INSTANTIATE_TEST_SUITE_P(
    Patch, RequestTest,
    testing::Values(
        RequestCase{"Json", PatchRequest(kNodes, {"", "a"}, PatchKind::kJson, "[]", {}),
                    "PATCH /api/v1/nodes/a", kJson, "application/json-patch+json", "[]"},
        RequestCase{"Merge",
                    PatchRequest(kNodes, {"", "a"}, PatchKind::kMerge, "{}",
                                 {.write = {.subresource = "status"}}),
                    "PATCH /api/v1/nodes/a/status", kJson, "application/merge-patch+json", "{}"},
        RequestCase{"StrategicMerge",
                    PatchRequest(kNodes, {"", "a"}, PatchKind::kStrategicMerge, "{}", {}),
                    "PATCH /api/v1/nodes/a", kJson, "application/strategic-merge-patch+json", "{}"},
        RequestCase{"Apply",
                    PatchRequest(kNodes, {"", "a"}, PatchKind::kApply, "{}",
                                 {.write = {.field_manager = "x"}}),
                    "PATCH /api/v1/nodes/a?fieldManager=x", kJson, "application/apply-patch+yaml",
                    "{}"},
        RequestCase{"ForcedApply",
                    PatchRequest(kNodes, {"", "a"}, PatchKind::kApply, "{}",
                                 {.write = {.field_manager = "x"}, .force = true}),
                    "PATCH /api/v1/nodes/a?fieldManager=x&force=true", kJson,
                    "application/apply-patch+yaml", "{}"},
        // The server refuses force on any other patch.
        RequestCase{"ForceIsOnlyForApply",
                    PatchRequest(kNodes, {"", "a"}, PatchKind::kMerge, "{}", {.force = true}),
                    "PATCH /api/v1/nodes/a", kJson, "application/merge-patch+json", "{}"}),
    Named);

constexpr const char* kPlainDelete = R"({"kind":"DeleteOptions","apiVersion":"v1"})";

INSTANTIATE_TEST_SUITE_P(
    Delete, RequestTest,
    testing::Values(
        RequestCase{"Plain", DeleteRequest(kPods, {"ns", "p"}, {}),
                    "DELETE /api/v1/namespaces/ns/pods/p", kJson, kJson, kPlainDelete},
        RequestCase{"WithAllOptions",
                    DeleteRequest(kPods, {"ns", "p"},
                                  {.uid = Uid("u"),
                                   .resource_version = "7",
                                   .propagation = Propagation::kForeground,
                                   .grace_period_seconds = 0,
                                   .dry_run = true}),
                    "DELETE /api/v1/namespaces/ns/pods/p", kJson, kJson,
                    R"({"kind":"DeleteOptions","apiVersion":"v1",)"
                    R"("preconditions":{"uid":"u","resourceVersion":"7"},)"
                    R"("propagationPolicy":"Foreground","gracePeriodSeconds":0,"dryRun":["All"]})"},
        RequestCase{
            "InTheBackground",
            DeleteRequest(kNodes, {"", "a"}, {.propagation = Propagation::kBackground}),
            "DELETE /api/v1/nodes/a", kJson, kJson,
            R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"})"},
        RequestCase{"LeavingOrphans",
                    DeleteRequest(kNodes, {"", "a"}, {.propagation = Propagation::kOrphan}),
                    "DELETE /api/v1/nodes/a", kJson, kJson,
                    R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Orphan"})"},
        RequestCase{
            "Collection",
            DeleteCollectionRequest(
                kPods, {.namespace_ = "ns", .label_selector = "a=b", .field_selector = "c"}, {}),
            "DELETE /api/v1/namespaces/ns/pods?labelSelector=a%3Db&fieldSelector=c", kJson, kJson,
            kPlainDelete}),
    Named);

INSTANTIATE_TEST_SUITE_P(
    Evict, RequestTest,
    testing::Values(
        RequestCase{"Plain", EvictRequest({"ns", "p"}, {}),
                    "POST /api/v1/namespaces/ns/pods/p/eviction", kJson, kJson,
                    R"({"kind":"Eviction","apiVersion":"policy/v1",)"
                    R"("metadata":{"name":"p","namespace":"ns"},)"
                    R"("deleteOptions":{"kind":"DeleteOptions","apiVersion":"v1"}})"},
        RequestCase{"WithAllOptions",
                    EvictRequest({"ns", "p"},
                                 {.grace_period_seconds = 30, .uid = Uid("u"), .dry_run = true}),
                    "POST /api/v1/namespaces/ns/pods/p/eviction", kJson, kJson,
                    R"({"kind":"Eviction","apiVersion":"policy/v1",)"
                    R"("metadata":{"name":"p","namespace":"ns"},)"
                    R"("deleteOptions":{"kind":"DeleteOptions","apiVersion":"v1",)"
                    R"("preconditions":{"uid":"u"},"gracePeriodSeconds":30,"dryRun":["All"]}})"}),
    Named);

}  // namespace
}  // namespace millwright::kube
