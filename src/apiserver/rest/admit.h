// Asks admission about a write, in the form in which the endpoint shows objects.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/rest/call.h"
#include "apiserver/rest/options.h"
#include "apiserver/rest/prepare.h"

namespace millwright::apiserver {

// How an endpoint shows an object that is not the object itself, as /scale does.
struct EndpointForm {
  kube::GroupVersionKind kind;
  std::function<boost::json::value(const boost::json::value& object)> show;
  // Brings what was changed in the shown form into the object.
  std::function<void(const boost::json::value& shown, boost::json::value& object)> take;
};

// What admission is told of one write, and its two questions.
class Admitting {
 public:
  // All but the options outlive it; `old` is null for a create, `form` for the object itself.
  Admitting(const Services& services, const Call& call, Admittance::Operation operation,
            bool dry_run, boost::json::value options);
  Admitting(const Admitting&) = delete;
  Admitting& operator=(const Admitting&) = delete;

  void SetName(std::string name) { about_.name = std::move(name); }
  // The kind of what is posted to an endpoint below an object: Eviction.
  void SetForm(const kube::GroupVersionKind& kind) { about_.form = &kind; }
  void SetOld(const boost::json::value& old, const EndpointForm* form = nullptr);
  // What follows a change by admission.
  void SetRefit(std::function<Result<void>(boost::json::value& object)> refit);

  // The object is null for a delete. A refusal takes the warnings along.
  Task<Result<void>> Mutate(boost::json::value* object, std::vector<std::string>& warnings);
  Task<Result<void>> Validate(const boost::json::value* object, std::vector<std::string>& warnings);

  // For a refusal by somebody else.
  void KeepWarnings(const std::vector<std::string>& warnings) const;

 private:
  Result<void> Told(Result<void> answer, const std::vector<std::string>& warnings) const;

  const Services& services_;
  const Call& call_;
  const boost::json::value options_;
  const EndpointForm* form_ = nullptr;
  boost::json::value old_shown_;
  Admittance about_;
};

// The options of a create or an update as an object of that kind, for whoever is shown them.
boost::json::value OptionsObject(std::string_view kind, const net::Target& target,
                                 const WriteOptions& options);

}  // namespace millwright::apiserver
