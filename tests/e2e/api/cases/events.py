"""Events of both groups are the same objects, in two forms."""

from case import case, delete, get, merge, post, watch

OLD = "/api/v1/namespaces/{ns}/events"
NEW = "/apis/events.k8s.io/v1/namespaces/{ns}/events"
TABLE = {"Accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}

OLD_EVENT = {
    "apiVersion": "v1", "kind": "Event", "metadata": {"name": "a"}, "reason": "Seen", "message": "it was seen", "type": "Normal",
    "involvedObject": {"apiVersion": "v1", "kind": "Pod", "name": "p", "namespace": "{ns}", "uid": "1", "fieldPath": "spec"},
    "source": {"component": "kubelet", "host": "n"}, "count": 3,
    "firstTimestamp": "2026-01-01T00:00:00Z", "lastTimestamp": "2026-01-01T00:01:00Z",
}
NEW_EVENT = {
    "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "a"}, "reason": "Seen", "note": "it was seen",
    "type": "Warning", "action": "Look", "eventTime": "2026-01-01T00:00:00.000000Z", "reportingController": "example.org/eye",
    "reportingInstance": "eye-1", "regarding": {"kind": "Pod", "name": "p", "namespace": "{ns}"},
    "related": {"kind": "Node", "name": "n"},
}
MAKE_OLD = post(OLD, OLD_EVENT, quiet=True)
MAKE_NEW = post(NEW, NEW_EVENT, quiet=True)

case("events", "old-read-as-new", post(OLD, OLD_EVENT), get(NEW + "/a"), get(OLD + "/a"))
case("events", "new-read-as-old", post(NEW, NEW_EVENT), get(OLD + "/a"), get(NEW + "/a"))
case("events", "list-as-new", MAKE_OLD, get(NEW))
case("events", "list-as-old", MAKE_NEW, get(OLD))
case("events", "select-new-by-regarding", MAKE_OLD, get(NEW + "?fieldSelector=regarding.name%3Dp,type%3DNormal"),
     get(NEW + "?fieldSelector=regarding.name%3Dother"))
case("events", "select-old-by-involved", MAKE_NEW, get(OLD + "?fieldSelector=involvedObject.kind%3DPod,reportingComponent%3Dexample.org/eye"))
case("events", "select-by-source", MAKE_OLD, post(NEW, {**NEW_EVENT, "metadata": {"name": "b"}}, quiet=True),
     get(OLD + "?fieldSelector=source%3Dkubelet"), get(OLD + "?fieldSelector=source%3Dexample.org/eye"))
case("events", "select-by-other-name", get(NEW + "?fieldSelector=involvedObject.name%3Dp"))
case("events", "watch-as-new", MAKE_OLD, watch(NEW + "?watch=true", 1))
case("events", "table-of-new", MAKE_OLD, get(NEW, headers=TABLE))
case("events", "table-of-old", MAKE_NEW, get(OLD, headers=TABLE))
case("events", "series-by-new", MAKE_NEW,
     merge(NEW + "/a", {"series": {"count": 2, "lastObservedTime": "2026-01-01T00:05:00.000000Z"}}), get(OLD + "/a"))
case("events", "count-by-old", MAKE_OLD, merge(OLD + "/a", {"count": 4, "lastTimestamp": "2026-01-01T00:07:00Z"}), get(NEW + "/a"))
case("events", "old-changed-by-new", MAKE_OLD, merge(NEW + "/a", {"note": "otherwise"}))
case("events", "delete-by-other", MAKE_OLD, delete(NEW + "/a"), get(OLD + "/a"))
case("events", "new-needs-its-time", post(NEW, {**NEW_EVENT, "eventTime": None}))
case("events", "new-has-no-old-fields", post(NEW, {**NEW_EVENT, "deprecatedCount": 2}))
case("events", "unknown-field", post(NEW + "?fieldValidation=Strict", {**NEW_EVENT, "message": "x"}))
