#include "controllers/supply/instance_plan.h"

#include <gtest/gtest.h>

namespace millwright::controllers::supply {
namespace {

using enum InstanceStep;

struct Case {
  const char* name;
  InstanceView view;
  InstanceStep step;
};

constexpr InstanceView kReady{.is_protected = true,
                              .has_machine = true,
                              .cluster_provisioned = true,
                              .has_data = true,
                              .in_doubt = true};

InstanceView With(InstanceView view, bool InstanceView::* field, bool value = true) {
  view.*field = value;
  return view;
}

TEST(InstancePlan, Table) {
  const Case cases[] = {
      {"all is there", kReady, kMake},
      {"nothing was begun", With(kReady, &InstanceView::in_doubt, false), kMake},
      {"nobody owns it yet",
       With(With(kReady, &InstanceView::has_machine, false), &InstanceView::in_doubt, false),
       kRest},
      {"nobody owns it any more", With(kReady, &InstanceView::has_machine, false), kFindOut},
      {"its machine goes", With(kReady, &InstanceView::machine_deleting), kFindOut},
      {"its machine goes, and nothing was begun",
       With(With(kReady, &InstanceView::machine_deleting), &InstanceView::in_doubt, false), kRest},
      {"its machine goes, and the instance is known",
       With(With(kReady, &InstanceView::machine_deleting), &InstanceView::has_instance), kRest},
      {"the cluster is not ready", With(kReady, &InstanceView::cluster_provisioned, false), kRest},
      {"no data", With(kReady, &InstanceView::has_data, false), kRest},
      {"paused", With(kReady, &InstanceView::paused), kRest},
      {"recorded, not shown", With(kReady, &InstanceView::has_instance), kShowAgain},
      {"recorded by somebody else",
       With(With(kReady, &InstanceView::has_instance), &InstanceView::is_protected, false),
       kProtect},
      {"done", With(kReady, &InstanceView::provisioned), kRest},
      {"going", With(kReady, &InstanceView::deleting), kRemove},
      {"going, and paused", With(With(kReady, &InstanceView::deleting), &InstanceView::paused),
       kRest},
      {"going, and not ours to hold",
       With(With(kReady, &InstanceView::deleting), &InstanceView::is_protected, false), kRest},
  };
  for (const Case& one : cases) EXPECT_EQ(PlanInstance(one.view), one.step) << one.name;
}

TEST(InstanceEnd, Table) {
  struct EndCase {
    const char* name;
    EndView view;
    EndStep step;
  };
  const EndCase cases[] = {
      {"the cloud says whether there is anything", {}, EndStep::kAskCloud},
      {"it is there", {.may_exist = true}, EndStep::kAskCloud},
      {"nobody can be asked, and nothing was begun",
       {.lack = ErrorKind::kInvalid},
       EndStep::kLetGo},
      {"nobody can be asked, and it may be there",
       {.may_exist = true, .lack = ErrorKind::kInvalid},
       EndStep::kWait},
      {"the secret cannot be read now", {.lack = ErrorKind::kUnavailable}, EndStep::kWait},
      {"we may not read it", {.lack = ErrorKind::kPermission}, EndStep::kWait},
  };
  for (const EndCase& one : cases) EXPECT_EQ(PlanEnd(one.view), one.step) << one.name;
}

}  // namespace
}  // namespace millwright::controllers::supply
