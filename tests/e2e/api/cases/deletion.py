"""Deleting: preconditions, finalizers, grace periods, collections."""

from case import MAPS, PODS, case, config_map, delete, get, merge, post, pod

HELD = {"finalizers": ["example.org/hold"]}

case("deletion", "missing", delete(MAPS + "/a"))
case("deletion", "wrong-uid", post(MAPS, config_map("a")), delete(MAPS + "/a", {"preconditions": {"uid": "other"}}))
case("deletion", "wrong-version", post(MAPS, config_map("a")),
     delete(MAPS + "/a", {"preconditions": {"resourceVersion": "1"}}))
case("deletion", "finalizer",
     post(MAPS, config_map("a", **HELD)), delete(MAPS + "/a"), get(MAPS + "/a"), delete(MAPS + "/a"),
     merge(MAPS + "/a", {"metadata": {"finalizers": None}}), get(MAPS + "/a"))
case("deletion", "no-new-finalizers",
     post(MAPS, config_map("a", **HELD)), delete(MAPS + "/a"),
     merge(MAPS + "/a", {"metadata": {"finalizers": ["example.org/hold", "example.org/more"]}}),
     merge(MAPS + "/a", {"metadata": {"finalizers": None}}))
case("deletion", "bad-finalizer", post(MAPS, config_map("a", finalizers=["hold"])))
case("deletion", "foreground", post(MAPS, config_map("a", **HELD)),
     delete(MAPS + "/a", {"propagationPolicy": "Foreground"}), merge(MAPS + "/a", {"metadata": {"finalizers": None}}))
case("deletion", "orphan", post(MAPS, config_map("a", **HELD)), delete(MAPS + "/a?propagationPolicy=Orphan"),
     merge(MAPS + "/a", {"metadata": {"finalizers": None}}))
case("deletion", "bad-propagation", post(MAPS, config_map("a")), delete(MAPS + "/a", {"propagationPolicy": "Never"}))
case("deletion", "dry-run", post(MAPS, config_map("a")), delete(MAPS + "/a?dryRun=All"), get(MAPS + "/a"))
case("deletion", "pod-without-node", post(PODS, pod("a")), delete(PODS + "/a"), get(PODS + "/a"))
case("deletion", "pod-with-node",
     post(PODS, pod("a", nodeName="n1")), delete(PODS + "/a"), get(PODS + "/a"),
     delete(PODS + "/a?gracePeriodSeconds=5"), delete(PODS + "/a", {"gracePeriodSeconds": 0}), get(PODS + "/a"))
case("deletion", "collection",
     post(MAPS, config_map("a", labels={"x": "1"})), post(MAPS, config_map("b", labels={"x": "2"})),
     delete(MAPS + "?labelSelector=x%3D1"), get(MAPS + "/a"), get(MAPS + "/b"))
case("deletion", "namespace-for-ever", delete("/api/v1/namespaces/kube-system"))
