"""Lists, selectors, pages, versions, forms."""

from case import MAPS, PODS, case, config_map, get, pod, post, watch, delete, merge

THREE = [post(MAPS, config_map(name, labels={"n": name, "odd": odd}), quiet=True)
         for name, odd in (("a", "yes"), ("b", "no"), ("c", "yes"))]
OURS = "&fieldSelector=metadata.name%21%3Dkube-root-ca.crt"
TABLE = {"Accept": "application/json;as=Table;g=meta.k8s.io;v=v1,application/json"}
METADATA = {"Accept": "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"}

case("list", "labels", *THREE, get(MAPS + "?labelSelector=odd%3Dyes"))
case("list", "labels-set", *THREE, get(MAPS + "?labelSelector=n+in+(a,b),odd%21%3Dyes"))
case("list", "bad-labels", get(MAPS + "?labelSelector=%21%21"))
case("list", "fields", *THREE, get(MAPS + "?fieldSelector=metadata.name%3Db"))
case("list", "bad-field", get(MAPS + "?fieldSelector=data.x%3D1"))
case("list", "empty", get(PODS))
case("list", "pages", *THREE, get(MAPS + "?limit=2&labelSelector=n", keep={"next": "metadata.continue"}),
     get(MAPS + "?limit=2&labelSelector=n&continue={next}"))
case("list", "bad-continue", get(MAPS + "?limit=2&continue=xxx"))
case("list", "future-version", get(MAPS + "?resourceVersion=99999999999"))
case("list", "bad-version", get(MAPS + "?resourceVersion=abc"))
case("list", "match-without-version", get(MAPS + "?resourceVersionMatch=Exact"))
case("list", "pod-by-node", post(PODS, pod("a", nodeName="n1"), quiet=True), post(PODS, pod("b"), quiet=True),
     get(PODS + "?fieldSelector=spec.nodeName%3Dn1"), delete(PODS + "/a?gracePeriodSeconds=0", quiet=True))
case("form", "table", *THREE, get(MAPS + "?labelSelector=n", headers=TABLE))
case("form", "table-of-one", *THREE, get(MAPS + "/a", headers=TABLE))
case("form", "metadata", *THREE, get(MAPS + "?labelSelector=n", headers=METADATA))
case("form", "not-acceptable", get(MAPS, headers={"Accept": "text/html"}))
case("watch", "changes",
     post(MAPS, config_map("a"), keep={"rv": "metadata.resourceVersion"}),
     merge(MAPS + "/a", {"data": {"b": "2"}}), delete(MAPS + "/a"),
     watch(MAPS + "?watch=1&resourceVersion={rv}&fieldSelector=metadata.name%3Da", 2))
case("watch", "from-now", *THREE, watch(MAPS + "?watch=1&labelSelector=n", 3))
case("watch", "selector-in-and-out",
     post(MAPS, config_map("a"), keep={"rv": "metadata.resourceVersion"}),
     merge(MAPS + "/a", {"metadata": {"labels": {"x": "1"}}}), merge(MAPS + "/a", {"data": {"y": "1"}}),
     merge(MAPS + "/a", {"metadata": {"labels": {"x": None}}}),
     watch(MAPS + "?watch=1&resourceVersion={rv}&labelSelector=x", 3))
case("watch", "initial-events", *THREE,
     watch(MAPS + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
           "&labelSelector=n", 4))
case("watch", "initial-events-without-match", get(MAPS + "?watch=1&sendInitialEvents=true"))
case("watch", "bad-version", get(MAPS + "?watch=1&resourceVersion=abc"))
