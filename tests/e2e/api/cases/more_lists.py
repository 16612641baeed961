"""More of lists, selectors, pages, dry runs and names."""

from case import DEPLOYMENTS, MAPS, SECRETS, apply, case, config_map, delete, deployment, get, merge, post, put, watch

FOUR = [post(MAPS, config_map(name, labels={"set": "four", "n": str(i)}), quiet=True) for i, name in enumerate("abcd")]
ONLY = "labelSelector=set"
TABLE = {"Accept": "application/json;as=Table;g=meta.k8s.io;v=v1,application/json"}

for name, selector in {
    "equals": "n%3D1", "double-equals": "n%3D%3D1", "not-equals": "set,n%21%3D1", "in": "n+in+(1,2)", "notin": "set,n+notin+(1,2)",
    "exists": "set", "not-exists": "%21set,app", "greater": "n%3E1", "less": "n%3C1,set", "empty-value": "n%3D",
}.items():
    case("selector", name, *FOUR, get(MAPS + "?labelSelector=" + selector))
for name, selector in {
    "bad-operator": "n+is+1", "bad-key": "-%3D1", "bad-value": "n%3D-", "unclosed": "n+in+(1", "greater-than-text": "n%3Ex",
}.items():
    case("selector", name, get(MAPS + "?labelSelector=" + selector))
case("selector", "field-not-equal", *FOUR, get(MAPS + "?" + ONLY + "&fieldSelector=metadata.name%21%3Da"))
case("selector", "field-namespace", *FOUR, get(MAPS + "?" + ONLY + "&fieldSelector=metadata.namespace%3D{ns}"))
case("selector", "field-bad-syntax", get(MAPS + "?fieldSelector=metadata.name"))
case("selector", "secret-type", post(SECRETS, {"metadata": {"name": "a"}, "type": "x/y", "data": {}}, quiet=True),
     post(SECRETS, {"metadata": {"name": "b"}}, quiet=True), get(SECRETS + "?fieldSelector=type%3Dx/y"))

# Of secrets: a ConfigMap that the namespace gets at some moment would change what is behind a page.
HIDDEN = [post(SECRETS, {"metadata": {"name": name, "labels": {"set": "four"}}}, quiet=True) for name in "abcd"]
case("pages", "one-by-one", *HIDDEN, get(SECRETS + "?limit=1&" + ONLY, keep={"c": "metadata.continue"}),
     get(SECRETS + "?limit=1&" + ONLY + "&continue={c}", keep={"c": "metadata.continue"}),
     get(SECRETS + "?limit=2&" + ONLY + "&continue={c}"))
case("pages", "exact-size", *HIDDEN, get(SECRETS + "?limit=4&" + ONLY))
case("pages", "larger-than-all", *FOUR, get(MAPS + "?limit=100&" + ONLY))
case("pages", "same-moment", *FOUR, get(MAPS + "?limit=2&" + ONLY, keep={"c": "metadata.continue"}, quiet=True),
     delete(MAPS + "/c", quiet=True), post(MAPS, config_map("e", labels={"set": "four"}), quiet=True),
     get(MAPS + "?limit=5&" + ONLY + "&continue={c}"))
case("pages", "with-version", *FOUR, get(MAPS + "?limit=2&" + ONLY, keep={"c": "metadata.continue"}, quiet=True),
     get(MAPS + "?limit=2&resourceVersion=5&continue={c}"))
case("pages", "negative", get(MAPS + "?limit=x"))
case("pages", "table", *FOUR, get(MAPS + "?limit=2&" + ONLY, headers=TABLE))

case("version", "exact", *FOUR, post(MAPS, config_map("e", labels={"set": "four"}), keep={"rv": "metadata.resourceVersion"}, quiet=True),
     delete(MAPS + "/a", quiet=True), get(MAPS + "?resourceVersionMatch=Exact&resourceVersion={rv}&" + ONLY))
case("version", "not-older", *FOUR, get(MAPS + "/a", keep={"rv": "metadata.resourceVersion"}, quiet=True),
     get(MAPS + "?resourceVersionMatch=NotOlderThan&resourceVersion={rv}&" + ONLY))
case("version", "any", *FOUR, get(MAPS + "?resourceVersion=0&" + ONLY))
case("version", "exact-of-zero", get(MAPS + "?resourceVersionMatch=Exact&resourceVersion=0"))
case("version", "bad-match", get(MAPS + "?resourceVersionMatch=Nearly&resourceVersion=5"))
case("version", "match-with-continue", get(MAPS + "?resourceVersionMatch=Exact&resourceVersion=5&continue=abc"))
case("version", "initial-events-for-list", get(MAPS + "?sendInitialEvents=true"))
case("version", "match-for-watch", get(MAPS + "?watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=5"))
case("version", "get-at-version", *FOUR, get(MAPS + "/a?resourceVersion=0"))

case("names", "generated", post(MAPS, {"metadata": {"name": "fixed", "generateName": "x-"}}))
case("names", "too-long", post(MAPS, config_map("a" * 254)))
case("names", "longest", post(MAPS, config_map("a" * 253)))
case("names", "dots", post(MAPS, config_map("a.b.c")))
case("names", "slash", post(MAPS, config_map("a/b")))
case("names", "upper", post(MAPS, config_map("A")))
case("names", "namespace-with-dot", post("/api/v1/namespaces", {"metadata": {"name": "a.b"}}))
case("names", "role-with-colon", post("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
                                      {"metadata": {"name": "a:b"},
                                       "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}))
case("names", "label-key-too-long", post(MAPS, config_map("a", labels={"k" * 64: "v"})))
case("names", "label-value-too-long", post(MAPS, config_map("a", labels={"k": "v" * 64})))
case("names", "annotation-key", post(MAPS, config_map("a", annotations={"not good": "x"})))
case("names", "owner-without-uid", post(MAPS, config_map("a", ownerReferences=[
    {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": ""}])))

case("dry-run", "update", post(MAPS, config_map("a"), quiet=True), put(MAPS + "/a?dryRun=All", config_map("a", {"z": "1"})),
     get(MAPS + "/a"))
case("dry-run", "patch", post(MAPS, config_map("a"), quiet=True), merge(MAPS + "/a?dryRun=All", {"data": {"z": "1"}}), get(MAPS + "/a"))
case("dry-run", "apply-to-existing", apply(MAPS + "/a?fieldManager=x", config_map("a"), quiet=True),
     apply(MAPS + "/a?fieldManager=x&dryRun=All", config_map("a", {"z": "1"})), get(MAPS + "/a"))
case("dry-run", "bad-value", post(MAPS + "?dryRun=Some", config_map("a")))
case("dry-run", "create-invalid", post(MAPS + "?dryRun=All", config_map("A")))
case("dry-run", "create-existing", post(MAPS, config_map("a"), quiet=True), post(MAPS + "?dryRun=All", config_map("a")))
case("dry-run", "delete-missing", delete(MAPS + "/a?dryRun=All"))
case("dry-run", "deployment", post(DEPLOYMENTS + "?dryRun=All", deployment("a")), get(DEPLOYMENTS + "/a"))
case("dry-run", "collection", *FOUR, delete(MAPS + "?dryRun=All&" + ONLY), get(MAPS + "?" + ONLY))

case("watch", "table", *FOUR, watch(MAPS + "?watch=1&" + ONLY, 2, headers=TABLE))
case("watch", "one-object", *FOUR, watch(MAPS + "?watch=1&fieldSelector=metadata.name%3Db", 1))
case("watch", "from-version", post(MAPS, config_map("a"), keep={"rv": "metadata.resourceVersion"}, quiet=True),
     post(MAPS, config_map("b", labels={"x": "y"}), quiet=True), delete(MAPS + "/b", quiet=True),
     watch(MAPS + "?watch=1&resourceVersion={rv}&labelSelector=x", 2))
case("watch", "bookmark-at-the-end", *FOUR,
     watch(MAPS + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0"
           "&allowWatchBookmarks=true&" + ONLY, 5))
case("watch", "no-initial-events", *FOUR, get(MAPS, keep={"rv": "metadata.resourceVersion"}, quiet=True),
     merge(MAPS + "/a", {"data": {"q": "1"}}, quiet=True),
     watch(MAPS + "?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={rv}&" + ONLY, 1))
case("watch", "finalizer-then-gone",
     post(MAPS, config_map("a", finalizers=["example.org/x"], labels={"x": "y"}), keep={"rv": "metadata.resourceVersion"}, quiet=True),
     delete(MAPS + "/a", quiet=True), merge(MAPS + "/a", {"metadata": {"finalizers": None}}, quiet=True),
     watch(MAPS + "?watch=1&resourceVersion={rv}&labelSelector=x", 2))
