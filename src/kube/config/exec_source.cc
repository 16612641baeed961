#include "kube/config/exec_source.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "kube/config/unusable_config.h"

namespace millwright::kube {

namespace {

// So that a request that is just being sent does not arrive with an expired token.
constexpr Duration kSkew = std::chrono::seconds(10);

// Error output and hints are shown on one line of a terminal or a log.
std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool printable = static_cast<unsigned char>(c) >= 0x20 && c != 0x7F;
    if (printable) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

bool ExecSource::IsFresh() const {
  return credential_ != nullptr &&
         (!credential_->expires || clock_.Now() + kSkew < *credential_->expires);
}

void ExecSource::Refuse(const Credential& credential) {
  if (credential_ == credential) credential_ = nullptr;
}

Task<Result<ExecSource::Credential>> ExecSource::Get() {
  while (!IsFresh()) {
    if (attempt_ == nullptr) co_return co_await RunPlugin();
    const std::shared_ptr<Attempt> attempt = attempt_;
    Wake why = Wake::kDone;
    while (!attempt->done && why == Wake::kDone) why = co_await changed_.Wait();
    if (!attempt->done)
      co_return Fail(ErrorKind::kCancelled, "stopped while waiting for credentials");
    // Even if it is good for seconds only: that is all the plugin has.
    if (!attempt->failure && credential_ != nullptr) co_return credential_;
    // If whoever ran the plugin was cancelled, the next one in line runs it again.
    const bool given_up = attempt->failure && attempt->failure->kind() == ErrorKind::kCancelled;
    if (attempt->failure && !given_up) co_return Failure(*attempt->failure);
  }
  co_return credential_;
}

Task<Result<ExecSource::Credential>> ExecSource::RunPlugin() {
  const auto attempt = std::make_shared<Attempt>();
  attempt_ = attempt;
  auto credential = co_await Execute();
  attempt_ = nullptr;
  attempt->done = true;
  if (credential) {
    credential_ = *credential;
  } else {
    attempt->failure = credential.error();
  }
  changed_.NotifyAll();
  co_return credential;
}

Task<Result<ExecSource::Credential>> ExecSource::Execute() {
  ChildCommand command = command_;
  const auto result = co_await run_(std::move(command));
  if (!result) co_return Failure(Explain(result.error()));
  if (result->exit_code != 0) co_return Failure(Explain(Failed(*result)));
  auto credential = ParseExecCredential(result->out.Reveal(), plugin_.api_version);
  if (!credential) co_return Failure(Explain(credential.error()));
  co_return std::make_shared<const ExecCredential>(*std::move(credential));
}

Error ExecSource::Failed(const ChildResult& result) const {
  std::string message = fmt::format("it failed with exit code {}", result.exit_code);
  if (const std::string said = OneLine(result.err); !said.empty()) message += ": " + said;
  return Error(ErrorKind::kUnavailable, std::move(message));
}

Error ExecSource::Explain(Error error) const {
  std::string doing = fmt::format("getting credentials from the exec plugin {}", plugin_.command);
  if (error.kind() != ErrorKind::kNotFound) return Unusable(std::move(error).Wrap(doing));
  const std::string hint = OneLine(plugin_.install_hint);
  return Unusable(
      Error(ErrorKind::kInvalid,
            fmt::format("{}: it is not installed{}{}", doing,
                        hint.empty() ? "; install it or add its folder to PATH" : ": ", hint)));
}

}  // namespace millwright::kube
