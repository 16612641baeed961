#include "apiserver/rest/dispatch.h"

#include "apiserver/rest/failures.h"
#include "apiserver/rest/options.h"
#include "apiserver/rest/read.h"
#include "apiserver/rest/remove.h"
#include "apiserver/rest/scale.h"
#include "apiserver/rest/watch.h"
#include "apiserver/rest/write.h"

namespace millwright::apiserver {

namespace {

Task<Result<Answer>> DispatchMain(const Services& services, const Call& call,
                                  std::string_view verb) {
  const Resource& resource = *call.resource;
  if (!resource.Allows(verb)) co_return MethodNotAllowed();
  const bool in_one_place = !resource.namespaced || !call.place.namespace_.empty();
  const bool needs_place = verb != "list" && verb != "watch" && verb != "deletecollection";
  if (needs_place && !in_one_place) co_return MethodNotAllowed();
  const bool needs_name = verb == "update" || verb == "patch";
  if (needs_name && call.place.name.empty()) co_return MethodNotAllowed();
  if (verb == "get") co_return co_await ReadObject(services, call);
  if (verb == "list" || verb == "watch") {
    CO_TRY(const auto options, ReadListOptions(call.target));
    if (options.watch) co_return WatchObjects(services, call, options);
    co_return co_await ReadList(services, call, options);
  }
  if (verb == "create") {
    if (!call.place.name.empty()) co_return MethodNotAllowed();
    co_return co_await CreateObject(services, call);
  }
  if (verb == "update") co_return co_await UpdateObject(services, call, Part::kMain);
  if (verb == "patch") co_return co_await PatchObject(services, call, Part::kMain);
  if (verb == "delete") co_return co_await RemoveObject(services, call);
  if (verb == "deletecollection") co_return co_await RemoveCollection(services, call);
  co_return MethodNotAllowed();
}

Task<Result<Answer>> DispatchStatus(const Services& services, const Call& call,
                                    std::string_view verb) {
  if (verb == "get") co_return co_await ReadObject(services, call);
  if (verb == "update") co_return co_await UpdateObject(services, call, Part::kStatus);
  if (verb == "patch") co_return co_await PatchObject(services, call, Part::kStatus);
  co_return MethodNotAllowed();
}

Task<Result<Answer>> DispatchScale(const Services& services, const Call& call,
                                   std::string_view verb) {
  if (verb == "get") co_return co_await ReadScale(services, call);
  if (verb == "update") co_return co_await UpdateScale(services, call);
  if (verb == "patch") co_return co_await PatchScale(services, call);
  co_return MethodNotAllowed();
}

}  // namespace

std::string EndpointName(std::string_view verb, const Place& place) {
  std::string name(verb);
  name += " " + place.group + "/" + place.resource;
  if (!place.subresource.empty()) name += "/" + place.subresource;
  return name;
}

Task<Result<Answer>> Dispatch(const Services& services, const SpecialEndpoints& special,
                              const Call& call) {
  const std::string_view verb = VerbOf(call.method, call.place, IsWatch(call.target));
  const auto found = special.find(EndpointName(verb, call.place));
  if (found != special.end()) co_return co_await found->second(services, call);
  const std::string& endpoint = call.place.subresource;
  if (endpoint.empty()) co_return co_await DispatchMain(services, call, verb);
  if (endpoint == "status" && call.resource->has_status) {
    co_return co_await DispatchStatus(services, call, verb);
  }
  if (endpoint == "scale" && call.resource->scale) {
    co_return co_await DispatchScale(services, call, verb);
  }
  co_return NoSuchPath();
}

}  // namespace millwright::apiserver
