"""JSON patch, merge patch, strategic merge patch."""

from case import DEPLOYMENTS, MAPS, PODS, Step, case, config_map, deployment, get, json_patch, merge, pod, post, strategic

A = MAPS + "/a"

case("patch", "merge", post(MAPS, config_map("a")), merge(A, {"data": {"b": "2", "a": None}}))
case("patch", "merge-missing", merge(A, {"data": {"b": "2"}}))
case("patch", "merge-with-old-version", post(MAPS, config_map("a")),
     merge(A, {"metadata": {"resourceVersion": "1"}, "data": {"b": "2"}}))
case("patch", "merge-no-change", post(MAPS, config_map("a")), merge(A, {"data": {"a": "1"}}))
case("patch", "merge-not-object", post(MAPS, config_map("a")), merge(A, "[]"))
case("patch", "merge-wrong-type", post(MAPS, config_map("a")), merge(A, {"data": {"a": 5}}))
case("patch", "merge-rename", post(MAPS, config_map("a")), merge(A, {"metadata": {"name": "b"}}))
case("patch", "json", post(MAPS, config_map("a")),
     json_patch(A, [{"op": "replace", "path": "/data/a", "value": "2"}, {"op": "add", "path": "/data/b", "value": "3"}]))
case("patch", "json-test-fails", post(MAPS, config_map("a")),
     json_patch(A, [{"op": "test", "path": "/data/a", "value": "9"}]))
case("patch", "json-missing-path", post(MAPS, config_map("a")), json_patch(A, [{"op": "remove", "path": "/data/zz"}]))
case("patch", "json-not-a-list", post(MAPS, config_map("a")), json_patch(A, {"op": "remove"}))
case("patch", "strategic-containers", post(PODS, pod("a")),
     strategic(PODS + "/a", {"spec": {"containers": [{"name": "main", "image": "registry.example/main:2"}]}}))
case("patch", "strategic-env", post(DEPLOYMENTS, deployment("a", paused=True, replicas=0)),
     strategic(DEPLOYMENTS + "/a", {"spec": {"template": {"spec": {"containers": [
         {"name": "main", "env": [{"name": "x", "value": "1"}]}, {"name": "side", "image": "registry.example/side:1"}]}}}}),
     strategic(DEPLOYMENTS + "/a", {"spec": {"template": {"spec": {"containers": [
         {"name": "main", "$patch": "delete"}]}}}}))
case("patch", "unknown-type", post(MAPS, config_map("a")), Step("PATCH", A, {"data": {}}, content_type="application/json"))
case("patch", "force-without-apply", post(MAPS, config_map("a")), merge(A + "?force=true", {"data": {"b": "1"}}))
case("patch", "managed-fields-of-patch", post(MAPS, config_map("a")),
     merge(A + "?fieldManager=other", {"data": {"b": "2"}}), get(A))
