// Planted bugs of Cluster API's loops and our own provider's.
#include <fmt/format.h>
#include <boost/json.hpp>

#include <algorithm>

#include "tests/sim/mutants.h"

namespace millwright::sim {

namespace json = boost::json;

namespace {

// One that was planted in the others' loops too, and shows in these.
Mutant Same(std::string_view name) { return *std::ranges::find(Mutants(), name, &Mutant::name); }

bool IsPatchOf(const net::HttpRequest& request, std::string_view plural) {
  return request.method == "PATCH" && request.target.contains(plural);
}

void Edit(net::HttpRequest& request, void (*edit)(json::object& body)) {
  json::value body = json::parse(request.body);
  edit(body.as_object());
  request.body = json::serialize(body);
}

json::object& Member(json::object& object, std::string_view key) {
  json::value& member = object[key];
  if (!member.is_object()) member = json::object();
  return member.as_object();
}

// Machines that are to be drained say that they are not.
void ForgetDrains(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/machines/") || !request.target.contains("fieldManager=")) return;
  if (!request.body.contains(R"("infrastructureRef")")) return;
  Edit(request, [](json::object& body) {
    Member(Member(body, "metadata"),
           "annotations")["machine.cluster.x-k8s.io/exclude-node-draining"] = "";
  });
}

void OneMoreSurge(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/machinesets/") || request.target.contains("/status")) return;
  if (!request.body.contains(R"("replicas":)")) return;
  Edit(request, [](json::object& body) {
    json::value& replicas = Member(body, "spec")["replicas"];
    if (replicas.is_int64() && replicas.as_int64() > 0) replicas = replicas.as_int64() + 1;
  });
}

// The provider's object goes before what it stands for.
void NoFinalizerOnInstances(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/millwrightmachines/")) return;
  if (!request.body.contains(R"("finalizers":)")) return;
  Edit(request, [](json::object& body) { Member(body, "metadata").erase("finalizers"); });
}

void NeverRecordInstances(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/millwrightmachines/")) return;
  if (!request.body.contains(R"("providerID")")) return;
  Edit(request, [](json::object& body) { Member(body, "spec").erase("providerID"); });
}

// Looks, where it should write.
void NeverReportSets(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/machinesets/") || !request.target.contains("/status")) return;
  request.method = "GET";
  request.body.clear();
}

void SpareClones(net::HttpRequest& request) {
  if (request.method != "DELETE" || !request.target.contains("/millwrightbootstraps/")) return;
  request.method = "GET";
  request.body.clear();
}

// A number in quotes.
bool IsOdd(std::string_view version) { return (version.at(version.size() - 2) - '0') % 2 == 1; }

// Each write says something else than the one before it, which it names.
void WriteAgainAndAgain(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/machinedeployments/") || !request.target.contains("/status")) return;
  Edit(request, [](json::object& body) {
    const json::value* version = Member(body, "metadata").if_contains("resourceVersion");
    const bool odd = version != nullptr && IsOdd(json::serialize(*version));
    Member(body, "status")["phase"] = odd ? "ScalingDown" : "ScalingUp";
  });
}

// Takes away one too many.
void OneMoreUnavailable(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/machinesets/") || request.target.contains("/status")) return;
  if (!request.body.contains(R"("replicas":)")) return;
  Edit(request, [](json::object& body) {
    json::value& replicas = Member(body, "spec")["replicas"];
    if (replicas.is_int64() && replicas.as_int64() > 1) replicas = replicas.as_int64() - 1;
  });
}

// Nothing says that an instance may exist.
void NeverNoteDoubts(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/millwrightmachines/")) return;
  if (!request.body.contains("instance-in-doubt")) return;
  Edit(request, [](json::object& body) {
    Member(Member(body, "metadata"), "annotations").erase("millwright.dev/instance-in-doubt");
  });
}

// They go before what belongs to them.
void MachinesWithoutFinalizer(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/machines/") || !request.body.contains(R"("finalizers")")) return;
  Edit(request, [](json::object& body) { Member(body, "metadata").erase("finalizers"); });
}

void TellInStatus(net::HttpRequest& request) {
  if (!IsPatchOf(request, "/machines/") || !request.target.contains("/status")) return;
  Edit(request, [](json::object& body) {
    json::object& deprecated = Member(Member(Member(body, "status"), "deprecated"), "v1beta1");
    deprecated["failureMessage"] = "hunter2";
  });
}

}  // namespace

std::span<const Mutant> CapiMutants() {
  static const Mutant all[] = {
      {.name = "one more surge", .request = OneMoreSurge, .found_as = " machines, wished"},
      {.name = "one more unavailable", .request = OneMoreUnavailable},
      {.name = "doubts are never noted", .request = NeverNoteDoubts, .needs_chance = true},
      {.name = "no finalizer on machines", .request = MachinesWithoutFinalizer},
      {.name = "machines are not drained", .request = ForgetDrains},
      {.name = "no finalizer on instances", .request = NoFinalizerOnInstances},
      {.name = "instance never recorded", .request = NeverRecordInstances},
      {.name = "sets never report", .request = NeverReportSets},
      {.name = "bootstraps left behind", .request = SpareClones},
      {.name = "a write at every look", .request = WriteAgainAndAgain},
      {.name = "a secret in the status", .request = TellInStatus},
      Same("what is away taken for gone"),
      Same("each create is another attempt, and nothing is looked for"),
      Same("writes that overrule others"),
      Same("removal only pretended"),
      Same("removal without identity"),
      Same("create without idempotency"),
      Same("nodes left behind"),
      Same("tokens left behind"),
      Same("pods deleted and not evicted"),
      Same("a secret in events"),
  };
  return all;
}

}  // namespace millwright::sim
