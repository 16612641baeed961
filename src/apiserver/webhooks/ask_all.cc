// Validating webhooks do not see each other's work, so they are asked together.
#include "apiserver/webhooks/webhook_step.h"
#include "base/signal.h"
#include "base/task_group.h"

namespace millwright::apiserver {

namespace {

Task<void> AskInto(WebhookAsker& asker, const Webhook& webhook, const View& view,
                   const Admittance& about, const boost::json::value* object,
                   std::optional<Result<Verdict>>& answer, Signal& answered) {
  answer = co_await asker.Ask(webhook, about, view, object, false);
  answered.NotifyAll();
}

}  // namespace

Task<void> WebhookStep::AskAll(std::vector<Question>& questions, const Admittance& about,
                               const boost::json::value* object) {
  if (questions.size() == 1) {
    Question& only = questions.front();
    only.answer = co_await asker_.Ask(*only.webhook, about, only.view, object, false);
    co_return;
  }
  Signal answered(executor_);
  TaskGroup asking(executor_);
  for (Question& question : questions) {
    asking.Spawn([this, &question, &about, object, &answered] {
      return AskInto(asker_, *question.webhook, question.view, about, object, question.answer,
                     answered);
    });
  }
  const auto all_answered = [&] {
    for (const Question& question : questions) {
      if (!question.answer) return false;
    }
    return true;
  };
  // A client that goes away does not wait for webhooks.
  while (!all_answered()) {
    if (co_await answered.Wait() == Wake::kCancelled) break;
  }
  if (!all_answered()) asking.Cancel();
  co_await asking.Join();
  for (Question& question : questions) {
    if (!question.answer) question.answer = Fail(ErrorKind::kCancelled, "ended by us");
  }
}

}  // namespace millwright::apiserver
