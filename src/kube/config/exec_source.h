// Credentials from an exec plugin: run when needed, shared by all who wait, kept while they are
// good.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/signal.h"
#include "kube/config/child_process.h"
#include "kube/config/client_config.h"
#include "kube/config/exec_credential.h"

namespace millwright::kube {

class ExecSource {
 public:
  // Runs a command; RunChild, or a test's own.
  using Run = std::function<Task<Result<ChildResult>>(ChildCommand)>;
  using Credential = std::shared_ptr<const ExecCredential>;

  ExecSource(const Executor& executor, Clock& clock, ExecPlugin plugin, ChildCommand command,
             Run run)
      : clock_(clock),
        plugin_(std::move(plugin)),
        command_(std::move(command)),
        run_(std::move(run)),
        changed_(executor) {}

  // The credential, from the plugin if there is none or it is about to expire. Callers that come
  // while the plugin runs get what comes of it, be it an error. kInvalid if the plugin is missing
  // or prints nonsense, kUnavailable if it fails or takes too long, kCancelled.
  Task<Result<Credential>> Get();

  // The server does not accept this one: the next Get asks the plugin, unless it has another
  // already.
  void Refuse(const Credential& credential);

 private:
  // One execution, and who waits for it.
  struct Attempt {
    bool done = false;
    std::optional<Error> failure;
  };

  bool IsFresh() const;
  Task<Result<Credential>> RunPlugin();
  Task<Result<Credential>> Execute();
  Error Explain(Error error) const;
  Error Failed(const ChildResult& result) const;

  Clock& clock_;
  const ExecPlugin plugin_;
  const ChildCommand command_;
  const Run run_;

  Credential credential_;
  std::shared_ptr<Attempt> attempt_;  // the one under way
  Signal changed_;
};

}  // namespace millwright::kube
