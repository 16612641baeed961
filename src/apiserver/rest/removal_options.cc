#include <fmt/format.h>

#include <charconv>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "apiserver/rest/options.h"
#include "apiserver/rest/remove.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

using Propagation = RemovalOptions::Propagation;

Result<Propagation> ReadPropagation(std::string_view text) {
  if (text.empty()) return Propagation::kUnset;
  if (text == "Orphan") return Propagation::kOrphan;
  if (text == "Background") return Propagation::kBackground;
  if (text == "Foreground") return Propagation::kForeground;
  return InvalidOptions("DeleteOptions",
                        {kube::NotSupportedError("propagationPolicy", json::value(text),
                                                 {"Foreground", "Background", "Orphan", "nil"})});
}

Result<void> ReadQuery(const net::Target& target, RemovalOptions& options) {
  TRY(const auto write, ReadWriteOptions(target, "DeleteOptions"));
  options.dry_run |= write.dry_run;
  if (const auto text = target.Find("gracePeriodSeconds")) {
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
    if (error != std::errc()) return BadRequest("gracePeriodSeconds: not a number");
    options.grace_seconds = seconds;
  }
  if (const auto text = target.Find("propagationPolicy")) {
    TRY(options.propagation, ReadPropagation(*text));
  }
  if (const auto text = target.Find("orphanDependents")) {
    options.propagation = *text == "true" ? Propagation::kOrphan : Propagation::kBackground;
  }
  return Ok();
}

std::string_view ToString(Propagation propagation) {
  switch (propagation) {
    case Propagation::kUnset: return "";
    case Propagation::kOrphan: return "Orphan";
    case Propagation::kBackground: return "Background";
    case Propagation::kForeground: return "Foreground";
  }
  return "";
}

}  // namespace

json::value OptionsObject(const RemovalOptions& options) {
  json::object object{{"kind", "DeleteOptions"}, {"apiVersion", "meta.k8s.io/v1"}};
  if (options.grace_seconds) object["gracePeriodSeconds"] = *options.grace_seconds;
  json::object preconditions;
  if (!options.uid.empty()) preconditions["uid"] = options.uid;
  if (!options.resource_version.empty()) {
    preconditions["resourceVersion"] = options.resource_version;
  }
  if (!preconditions.empty()) object["preconditions"] = std::move(preconditions);
  if (options.propagation != Propagation::kUnset) {
    object["propagationPolicy"] = ToString(options.propagation);
  }
  if (options.dry_run) object["dryRun"] = json::array{"All"};
  return object;
}

Result<RemovalOptions> ReadRemovalOptions(const json::value& body, const net::Target& target) {
  RemovalOptions options;
  CHECK_OK(ReadQuery(target, options));
  if (!body.is_object()) return options;
  const json::value* grace = kube::Find(body, "gracePeriodSeconds");
  if (grace != nullptr && grace->is_int64()) options.grace_seconds = grace->get_int64();
  options.uid = kube::GetString(body, "preconditions.uid");
  options.resource_version = kube::GetString(body, "preconditions.resourceVersion");
  const std::string_view policy = kube::GetString(body, "propagationPolicy");
  const json::value* orphan = kube::Find(body, "orphanDependents");
  const bool orphan_said = orphan != nullptr && orphan->is_bool();
  if (!policy.empty() && orphan_said) {
    return InvalidOptions(
        "DeleteOptions",
        {kube::InvalidError("propagationPolicy", json::value(policy),
                            "orphanDependents and deletionPropagation cannot be both set")});
  }
  if (!policy.empty()) {
    TRY(options.propagation, ReadPropagation(policy));
  }
  if (orphan_said) {
    options.propagation = orphan->get_bool() ? Propagation::kOrphan : Propagation::kBackground;
  }
  if (const json::array* dry_run = kube::GetArray(body, "dryRun")) {
    options.dry_run |= !dry_run->empty();
  }
  return options;
}

}  // namespace millwright::apiserver
