// Admission by webhooks: the last step of the chain, as configurations of both kinds ask for it.
#pragma once

#include "apiserver/webhooks/asker.h"
#include "base/log.h"

namespace millwright::apiserver {

// Mutating webhooks are asked one after the other, and some once more if others changed the object
// after them; validating ones all at once.
class WebhookStep final : public AdmissionStep {
 public:
  WebhookStep(const Executor& executor, WebhookAsker::Parts parts, Logger log = {});

  Task<Result<void>> Mutate(const Admittance& about, boost::json::value* object,
                            std::vector<std::string>& warnings) override;
  Task<Result<void>> Validate(const Admittance& about, const boost::json::value* object,
                              std::vector<std::string>& warnings) override;

 private:
  // A webhook that is to be asked, and what it said.
  struct Question {
    const Webhook* webhook;
    View view;
    std::optional<Result<Verdict>> answer = {};
  };

  // Asks one mutating webhook and does what it says. True if it changed the object.
  Task<Result<bool>> MutateBy(const Webhook& webhook, const View& view, const Admittance& about,
                              boost::json::value* object, std::vector<std::string>& warnings);
  Task<void> AskAll(std::vector<Question>& questions, const Admittance& about,
                    const boost::json::value* object);
  // None if the webhook could not be asked and need not be; fails if it had to be, or denies.
  Result<std::optional<Verdict>> Judge(const Webhook& webhook, Result<Verdict> answer,
                                       const Admittance& about,
                                       std::vector<std::string>& warnings) const;

  const Executor executor_;
  WebhookConfigurations mutating_;
  WebhookConfigurations validating_;
  WebhookAsker asker_;
  Logger log_;
};

}  // namespace millwright::apiserver
