"""Server-side apply."""

from case import DEPLOYMENTS, MAPS, apply, case, config_map, deployment, get, merge, post

A = MAPS + "/a"

case("apply", "creates", apply(A + "?fieldManager=one", config_map("a")))
case("apply", "without-manager", apply(A, config_map("a")))
case("apply", "again", apply(A + "?fieldManager=one", config_map("a")), apply(A + "?fieldManager=one", config_map("a")))
case("apply", "removes", apply(A + "?fieldManager=one", config_map("a", {"a": "1", "b": "2"})),
     apply(A + "?fieldManager=one", config_map("a", {"b": "2"})))
case("apply", "conflict", apply(A + "?fieldManager=one", config_map("a")),
     apply(A + "?fieldManager=two", config_map("a", {"a": "2"})),
     apply(A + "?fieldManager=two&force=true", config_map("a", {"a": "2"})))
case("apply", "conflict-with-update", post(MAPS, config_map("a")),
     apply(A + "?fieldManager=two", config_map("a", {"a": "2"})))
case("apply", "shared", apply(A + "?fieldManager=one", config_map("a")), apply(A + "?fieldManager=two", config_map("a")))
case("apply", "other-name", apply(A + "?fieldManager=one", config_map("b")))
case("apply", "deployment", apply(DEPLOYMENTS + "/a?fieldManager=one", deployment("a", paused=True, replicas=0)),
     merge(DEPLOYMENTS + "/a?fieldManager=scaler", {"spec": {"minReadySeconds": 3}}),
     apply(DEPLOYMENTS + "/a?fieldManager=one", deployment("a", paused=True, replicas=0, minReadySeconds=4)))
case("apply", "dry-run", apply(A + "?fieldManager=one&dryRun=All", config_map("a")), get(A))
case("apply", "managed-fields-in-wish", apply(A + "?fieldManager=one", config_map("a", managedFields=[{"manager": "x"}])))
