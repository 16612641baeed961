#include "apiserver/kinds/event_form.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

const json::value kCore = json::parse(R"({
  "apiVersion": "v1", "kind": "Event", "metadata": {"name": "a", "namespace": "ns"},
  "involvedObject": {"kind": "Node", "name": "n"}, "reason": "Seen", "message": "it was seen",
  "source": {"component": "kubelet", "host": "n"}, "firstTimestamp": "2026-01-01T00:00:00Z",
  "lastTimestamp": "2026-01-01T00:01:00Z", "count": 3, "type": "Normal", "eventTime": null,
  "reportingComponent": "kubelet", "reportingInstance": "n"})");

TEST(EventFormTest, FieldsGetTheNamesOfTheOtherGroup) {
  const json::value event = EventIn("events.k8s.io/v1", kCore);
  EXPECT_EQ(kube::GetString(event, "apiVersion"), "events.k8s.io/v1");
  EXPECT_EQ(kube::GetString(event, "regarding.name"), "n");
  EXPECT_EQ(kube::GetString(event, "note"), "it was seen");
  EXPECT_EQ(kube::GetString(event, "deprecatedSource.component"), "kubelet");
  EXPECT_EQ(kube::GetString(event, "deprecatedFirstTimestamp"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(kube::GetString(event, "deprecatedLastTimestamp"), "2026-01-01T00:01:00Z");
  EXPECT_EQ(kube::GetInt(event, "deprecatedCount"), 3);
  EXPECT_EQ(kube::GetString(event, "reportingController"), "kubelet");
  EXPECT_EQ(kube::GetString(event, "reason"), "Seen");
  for (const char* old : {"involvedObject", "message", "source", "count", "reportingComponent"}) {
    EXPECT_FALSE(event.get_object().contains(old)) << old;
  }
}

TEST(EventFormTest, ThereAndBackChangesNothing) {
  EXPECT_EQ(EventIn("v1", EventIn("events.k8s.io/v1", kCore)), kCore);
}

TEST(EventFormTest, EmptyFieldsAreWrittenAsTheGroupWritesThem) {
  const json::value modern = json::parse(R"({
    "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "a"},
    "eventTime": "2026-01-01T00:00:00.000000Z", "regarding": {}})");
  const json::value event = EventIn("v1", modern);
  EXPECT_TRUE(event.at("firstTimestamp").is_null());
  EXPECT_EQ(event.at("source"), json::value(json::object()));
  EXPECT_EQ(event.at("reportingComponent"), json::value(""));
}

TEST(EventFormTest, AnEventInItsFormStaysAsItIs) {
  json::value odd = kCore;
  odd.get_object()["note"] = "not ours to judge";
  EXPECT_EQ(EventIn("v1", odd), odd);
}

}  // namespace
}  // namespace millwright::apiserver
