// Decides whether a webhook is to be asked about a write, and asks it.
#pragma once

#include <optional>

#include <boost/json/value.hpp>

#include "apiserver/resources/registry.h"
#include "apiserver/rest/admission.h"
#include "apiserver/store/store.h"
#include "apiserver/webhooks/calls.h"
#include "apiserver/webhooks/conditions.h"
#include "apiserver/webhooks/configuration.h"
#include "apiserver/webhooks/review.h"
#include "base/clock.h"

namespace millwright::apiserver {

// A webhook's view of a write.
struct View {
  ReviewedAs as;
  // In another version than that of the request; none: as they are.
  std::optional<boost::json::value> object = {};
  std::optional<boost::json::value> old = {};
};

class WebhookAsker {
 public:
  struct Parts {
    // All outlive it.
    const Store& store;
    const Registry& registry;
    Clock& clock;
    WebhookCalls calls;
    MatchConditions conditions = {};
  };

  explicit WebhookAsker(Parts parts) : parts_(std::move(parts)) {}

  // None if the webhook is not concerned. Fails if that cannot be told.
  Task<Result<std::optional<View>>> ViewOf(const Webhook& webhook, const Admittance& about,
                                           const boost::json::value* object);

  // What the webhook says. Failures are those to ask it: its policy decides what they mean.
  Task<Result<Verdict>> Ask(const Webhook& webhook, const Admittance& about, const View& view,
                            const boost::json::value* object, bool mutating);

  // All the time that webhooks may take for one request is over.
  bool IsLate(const Admittance& about) const { return parts_.clock.Elapsed() >= about.deadline; }

  // An object in that version of its kind.
  static Task<Result<boost::json::value>> InVersion(const Resource& resource,
                                                    boost::json::value object,
                                                    std::string api_version);

 private:
  Result<bool> NamespaceMatches(const Webhook& webhook, const Admittance& about,
                                const boost::json::value* object) const;
  std::optional<ReviewedAs> RulesMatch(const Webhook& webhook, const Admittance& about) const;
  Result<bool> ConditionsHold(const Webhook& webhook, const Admittance& about, const View& view,
                              const boost::json::value* object) const;

  const Parts parts_;
};

}  // namespace millwright::apiserver
