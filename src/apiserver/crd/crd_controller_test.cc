#include "apiserver/crd/crd_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "apiserver/crd/conditions.h"
#include "apiserver/crd/definition.h"
#include "apiserver/crd/lifecycle.h"
#include "apiserver/crd/testing.h"
#include "apiserver/rest/object_text.h"
#include "apiserver/store/virtual_store.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

class CrdControllerTest : public testing::Test {
 protected:
  CrdControllerTest() { Start(); }
  ~CrdControllerTest() override { Stop(); }

  void Start() {
    store_ = std::make_unique<VirtualStore>(world_, platter_);
    registry_ = Registry();
    store_->tasks().Spawn([this] { return Control(*this); });
    world_.Settle();
    ASSERT_TRUE(loaded_);
  }

  // The controller lives in a frame of its process, so that a crash takes it along.
  static Task<void> Control(CrdControllerTest& self) {
    CrdController controller(self.store_->process().executor(), **self.store_, self.registry_,
                             self.store_->clock());
    self.loaded_ = controller.Load().has_value();
    co_await controller.Run();
  }

  // A crash.
  void Stop() { store_.reset(); }

  std::string Key(const std::string& name) { return std::string(kCrdScope) + name; }

  void Create(json::value crd) {
    PrepareCrd(crd, nullptr);
    const std::string name(kube::GetString(crd, "metadata.name"));
    crd.at("metadata").get_object()["uid"] = "uid-" + name;
    crd.at("metadata").get_object()["generation"] = 1;
    ASSERT_TRUE(store_->Create(Key(name), json::serialize(crd)));
    world_.Settle();
  }

  json::value Get(const std::string& name) {
    const RecordPtr record = (*store_)->Get(Key(name));
    return record ? json::parse(record->value) : json::value();
  }

  void Change(const std::string& name, const std::function<void(json::value&)>& change) {
    json::value crd = Get(name);
    change(crd);
    crd.at("metadata").get_object()["generation"] = kube::GetInt(crd, "metadata.generation") + 1;
    ASSERT_TRUE(store_->Update(Key(name), {}, json::serialize(crd)));
    world_.Settle();
  }

  void Delete(const std::string& name) {
    json::value crd = Get(name);
    const json::value old = crd;
    crd.at("metadata").get_object()["deletionTimestamp"] = FormatTime(world_.Now());
    MarkCrdForRemoval(crd, old, world_.Now());
    ASSERT_TRUE(store_->Update(Key(name), {}, json::serialize(crd)));
    world_.Settle();
  }

  std::vector<std::string> Conditions(const std::string& name) {
    std::vector<std::string> texts;
    const json::value crd = Get(name);
    const json::array* conditions = kube::GetArray(crd, "status.conditions");
    if (conditions == nullptr) return texts;
    for (const json::value& condition : *conditions) {
      texts.push_back(std::string(kube::GetString(condition, "type")) + " " +
                      std::string(kube::GetString(condition, "status")) + " " +
                      std::string(kube::GetString(condition, "reason")) + ": " +
                      std::string(kube::GetString(condition, "message")));
    }
    return texts;
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  Registry registry_;
  bool loaded_ = false;
  std::unique_ptr<VirtualStore> store_;
};

TEST_F(CrdControllerTest, EstablishesInTwoSteps) {
  auto watcher = (*store_)->Watch(std::string(kCrdScope), (*store_)->revision());
  Create(MakeCrd());
  EXPECT_THAT(Conditions("lathes.example.org"),
              ElementsAre("NamesAccepted True NoConflicts: no conflicts found",
                          "Established True InitialNamesAccepted: the initial names have been "
                          "accepted"));
  EXPECT_EQ(json::serialize(Get("lathes.example.org").at_pointer("/status/acceptedNames")),
            R"({"plural":"lathes","singular":"lathe","kind":"Lathe","listKind":"LatheList"})");
  EXPECT_NE(registry_.Find("example.org", "v1", "lathes"), nullptr);
  EXPECT_EQ(ReadAll(*watcher).size(), 3u);
}

TEST_F(CrdControllerTest, ServesBeforeTheCreateIsAnswered) {
  json::value crd = MakeCrd();
  PrepareCrd(crd, nullptr);
  const auto created =
      RunTask(store_->process(), (*store_)->Create(Key("lathes.example.org"), VersionedText(crd)));
  ASSERT_TRUE(created && *created);
  EXPECT_NE(registry_.Find("example.org", "v1", "lathes"), nullptr);
}

TEST_F(CrdControllerTest, RefusesNamesThatAreTaken) {
  Create(MakeCrd());
  json::value other = MakeCrd("drills", "Lathe");
  Create(other);
  EXPECT_THAT(Conditions("drills.example.org"),
              ElementsAre("NamesAccepted False ListKindConflict: \"LatheList\" is already in use",
                          "Established False NotAccepted: not all names are accepted"));
  EXPECT_EQ(registry_.Find("example.org", "v1", "drills"), nullptr);
  // Another group has names of its own.
  Create(MakeCrd("drills", "Lathe", "example.com"));
  EXPECT_NE(registry_.Find("example.com", "v1", "drills"), nullptr);
}

TEST_F(CrdControllerTest, GivesFreedNamesToWhoWaitsForThem) {
  Create(MakeCrd());
  Create(MakeCrd("drills", "Lathe"));
  Delete("lathes.example.org");
  EXPECT_TRUE(Get("lathes.example.org").is_null());
  EXPECT_NE(registry_.Find("example.org", "v1", "drills"), nullptr);
  EXPECT_TRUE(IsConditionTrue(Get("drills.example.org"), "Established"));
}

TEST_F(CrdControllerTest, FollowsChangesOfTheVersions) {
  Create(MakeCrd());
  Change("lathes.example.org", [](json::value& crd) {
    json::array& versions = crd.at_pointer("/spec/versions").get_array();
    json::value next = versions[0];
    next.get_object()["name"] = "v2";
    next.get_object()["storage"] = false;
    versions.push_back(next);
  });
  ASSERT_NE(registry_.Find("example.org", "v2", "lathes"), nullptr);
  EXPECT_EQ(registry_.Find("example.org", "v2", "lathes")->storage_version, "v1");
  Change("lathes.example.org", [](json::value& crd) {
    crd.at_pointer("/spec/versions/1").get_object()["served"] = false;
  });
  EXPECT_EQ(registry_.Find("example.org", "v2", "lathes"), nullptr);
  EXPECT_NE(registry_.Find("example.org", "v1", "lathes"), nullptr);
}

TEST_F(CrdControllerTest, RemovesTheObjectsBeforeTheDefinition) {
  Create(MakeCrd());
  ASSERT_TRUE(store_->Create("/example.org/lathes/ns/free", R"({"metadata":{"name":"free"}})"));
  ASSERT_TRUE(store_->Create("/example.org/lathes/ns/held",
                             R"({"metadata":{"name":"held","finalizers":["x/y"]}})"));
  Delete("lathes.example.org");
  EXPECT_EQ((*store_)->Get("/example.org/lathes/ns/free"), nullptr);
  const RecordPtr held = (*store_)->Get("/example.org/lathes/ns/held");
  ASSERT_NE(held, nullptr);
  EXPECT_TRUE(IsEnding(json::parse(held->value)));
  EXPECT_EQ(Conditions("lathes.example.org").back(),
            "Terminating True InstanceDeletionInProgress: CustomResource deletion is in progress");
  ASSERT_NE(registry_.Find("example.org", "v1", "lathes"), nullptr);
  EXPECT_TRUE(registry_.Find("example.org", "v1", "lathes")->ending);

  world_.Advance(std::chrono::minutes(2));
  EXPECT_EQ(Conditions("lathes.example.org").back(),
            "Terminating True InstanceDeletionCheck: could not confirm zero CustomResources "
            "remaining: context deadline exceeded");

  ASSERT_TRUE(store_->Delete("/example.org/lathes/ns/held"));
  world_.Settle();
  EXPECT_TRUE(Get("lathes.example.org").is_null());
  EXPECT_EQ(registry_.FindGroup("example.org"), nullptr);
}

TEST_F(CrdControllerTest, LeavesOtherFinalizersToTheirOwners) {
  json::value crd = MakeCrd();
  crd.at("metadata").get_object()["finalizers"] = json::array{"keep/it"};
  Create(crd);
  Delete("lathes.example.org");
  const json::value after = Get("lathes.example.org");
  EXPECT_EQ(json::serialize(after.at_pointer("/metadata/finalizers")), R"(["keep/it"])");
  EXPECT_EQ(Conditions("lathes.example.org").back(),
            "Terminating False InstanceDeletionCompleted: removed all instances");
}

TEST_F(CrdControllerTest, GoesOnAfterACrashAtAnyPoint) {
  Create(MakeCrd());
  ASSERT_TRUE(store_->Create("/example.org/lathes/ns/held",
                             R"({"metadata":{"name":"held","finalizers":["x/y"]}})"));
  Stop();
  Start();
  EXPECT_NE(registry_.Find("example.org", "v1", "lathes"), nullptr);
  Delete("lathes.example.org");
  Stop();
  Start();
  ASSERT_TRUE(store_->Delete("/example.org/lathes/ns/held"));
  world_.Settle();
  EXPECT_TRUE(Get("lathes.example.org").is_null());
}

TEST_F(CrdControllerTest, KeepsBooksInTheNameOfTheServer) {
  json::value made = MakeCrd();
  made.at("metadata").get_object()["managedFields"] = json::parse(R"([{"manager":"kubectl",
      "operation":"Update","apiVersion":"apiextensions.k8s.io/v1","fieldsType":"FieldsV1",
      "fieldsV1":{"f:spec":{"f:group":{}}},"time":"2026-01-01T00:00:00Z"}])");
  Create(made);
  const json::value crd = Get("lathes.example.org");
  const json::array* managers = kube::GetArray(crd, "metadata.managedFields");
  ASSERT_NE(managers, nullptr);
  ASSERT_EQ(managers->size(), 2u);
  EXPECT_EQ(kube::GetString(managers->front(), "manager"), "kube-apiserver");
  EXPECT_EQ(kube::GetString(managers->front(), "subresource"), "status");
}

TEST_F(CrdControllerTest, SaysWhoApprovedOfAKindOfKubernetesItself) {
  json::value crd = MakeCrd("machines", "Machine", "cluster.k8s.io");
  crd.at("metadata").get_object()["annotations"] = {
      {"api-approved.kubernetes.io", "unapproved, legacy API"}};
  Create(crd);
  EXPECT_EQ(Conditions("machines.cluster.k8s.io").back(),
            "KubernetesAPIApprovalPolicyConformant False UnapprovedAnnotation: not approved: "
            "\"unapproved, legacy API\"");
}

}  // namespace
}  // namespace millwright::apiserver
