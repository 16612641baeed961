#include "providers/grpc/grpc_cloud.h"

#include <fmt/format.h>

#include <algorithm>

#include "providers/grpc/status.h"

namespace millwright::providers::grpc {

using core::CloudCode;

namespace {

// Instances in a page, some hundreds of bytes each: far below the limit of a message.
constexpr std::uint32_t kPageSize = 1000;

// A list that does not end is none.
constexpr int kMostPages = 10'000;

constexpr Duration kFirstPause = std::chrono::seconds(1);
constexpr Duration kLongestPause = std::chrono::seconds(30);

// What a damaged answer means for a call: it may have had its effect, and says nothing.
Failure Unreadable(std::string_view method, const Error& why) {
  return FailCloud(CloudCode::kInternal,
                   fmt::format("the provider's answer to {} is wrong: {}", method, why.message()));
}

// Some servers hang up on a stranger without saying why.
std::string_view Hint(std::string_view method, std::string_view address, const Error& error) {
  const bool hung_up = error.kind() == ErrorKind::kInDoubt && method == "Identity/GetInfo";
  return hung_up && address.starts_with("https:") ? "; perhaps it does not accept our certificate"
                                                  : "";
}

bool Serves(const ProviderInfo& info, const std::string& provider) {
  return info.providers.empty() ||
         std::ranges::find(info.providers, provider) != info.providers.end();
}

// Required methods without which it is no provider: not a word about any machine.
Failure NotAProvider(std::string_view method) {
  return FailCloud(CloudCode::kInternal,
                   fmt::format("no provider answers there, but a server without {}", method));
}

}  // namespace

GrpcCloud::GrpcCloud(const Executor& executor, net::Http& http, Clock& clock, Logger log,
                     Options options)
    : http_(http),
      clock_(clock),
      log_(log.With({{"provider", options.provider}})),
      options_(std::move(options)),
      greeted_(Ok()),
      greeting_over_(executor) {}

Capabilities GrpcCloud::capabilities() const {
  return {.list = abilities_.list,
          .initialize = abilities_.initialize,
          .volume_ids = abilities_.volume_ids};
}

Result<void> GrpcCloud::Validate(const InstanceClass&) const { return Ok(); }

// One call, as it is.
Task<Result<std::string>> GrpcCloud::Send(Asked asked) {
  std::string body = Frame(asked.message);
  if (body.size() > kMaxMessage) {
    co_return FailCloud(CloudCode::kInvalidArgument,
                        fmt::format("the request to {} has {} bytes, more than the {} that can be "
                                    "sent: class, secrets and user data are too large",
                                    asked.method, body.size(), kMaxMessage));
  }
  const SteadyTime begun = clock_.Elapsed();
  const auto answer =
      co_await http_.Send({.method = "POST",
                           .target = fmt::format("/millwright.provider.v1.{}", asked.method),
                           .headers = {{"Content-Type", "application/grpc+proto"},
                                       {"TE", "trailers"},
                                       {"Accept-Encoding", "identity"},
                                       {"grpc-accept-encoding", "identity"},
                                       {"grpc-timeout", TimeoutText(asked.limit)}},
                           .body = std::move(body),
                           .timeout = asked.limit});
  if (!answer) {
    known_ = false;
    const Error& error = answer.error();
    const Error shown(error.kind(),
                      fmt::format("provider {} at {}: {}{}", options_.provider, options_.address,
                                  error.message(), Hint(asked.method, options_.address, error)));
    co_return Unreachable(shown, clock_.Elapsed() - begun >= asked.limit);
  }
  auto read = ReadAnswer(*answer);
  // It may be another process that says so now.
  if (!read && CodeOf(read.error()) == CloudCode::kUnavailable) known_ = false;
  co_return read;
}

Task<Result<void>> GrpcCloud::Introduce() {
  if (options_.before_greeting) options_.before_greeting();
  const Duration limit = options_.deadlines.identity;
  const auto described =
      co_await Send({.method = "Identity/GetInfo", .message = "", .limit = limit});
  if (!described) {
    const bool foreign = CodeOf(described.error()) == CloudCode::kUnimplemented;
    if (foreign) co_return NotAProvider("Identity");
    co_return Failure(described.error());
  }
  const auto info = DecodeInfo(*described);
  if (!info) co_return Unreadable("GetInfo", info.error());
  if (!Serves(*info, options_.provider)) {
    co_return FailCloud(CloudCode::kFailedPrecondition,
                        fmt::format("{} answers there, which serves {} and not {}", info->name,
                                    fmt::join(info->providers, ", "), options_.provider));
  }
  CO_TRY(const auto listed,
         co_await Send({.method = "Identity/GetCapabilities", .message = "", .limit = limit}));
  const auto abilities = DecodeAbilities(listed);
  if (!abilities) co_return Unreadable("GetCapabilities", abilities.error());
  const auto ready = co_await Send({.method = "Identity/Probe", .message = "", .limit = limit});
  if (!ready && CodeOf(ready.error()) != CloudCode::kUnimplemented) {
    co_return Failure(Error(ready.error()).Wrap("the provider is not ready"));
  }
  abilities_ = *abilities;
  known_ = true;
  log_.Info("provider answers", {{"name", info->name}, {"version", info->version}});
  co_return Ok();
}

// The log hears of trouble once, and not again with each machine.
void GrpcCloud::Note(const Result<void>& introduced) {
  const std::string trouble = introduced ? "" : introduced.error().message();
  const bool cancelled = !introduced && introduced.error().kind() == ErrorKind::kCancelled;
  if (trouble == told_ || cancelled) return;
  told_ = trouble;
  if (!introduced) log_.Warning("provider cannot be used", {{"error", trouble}});
}

// Many may want to know at once; one asks.
Task<Result<void>> GrpcCloud::Known() {
  if (known_) co_return Ok();
  if (greeting_) {
    while (greeting_) {
      if (co_await greeting_over_.Wait() == Wake::kCancelled) {
        co_return FailCloud(CloudCode::kCanceled, "ended by us");
      }
    }
    // The one who asked was told to stop: that says nothing to us, who ask when we come again.
    const bool stopped = !greeted_ && CodeOf(greeted_.error()) == CloudCode::kCanceled;
    if (stopped) co_return FailCloud(CloudCode::kUnavailable, "the provider is not known yet");
    co_return greeted_;
  }
  greeting_ = true;
  greeted_ = co_await Introduce();
  greeting_ = false;
  Note(greeted_);
  greeting_over_.NotifyAll();
  co_return greeted_;
}

Task<void> GrpcCloud::Greet() {
  for (Duration pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    const auto known = co_await Known();
    if (known || co_await SleepFor(clock_, pause) == Wake::kCancelled) co_return;
  }
}

// A call about machines. Its failure tells nobody's secrets.
Task<Result<std::string>> GrpcCloud::Call(Asked asked, ClassPtr instance_class,
                                          SecretText user_data) {
  auto known = co_await Known();
  if (!known) co_return Failure(std::move(known).error());
  auto answer = co_await Send(std::move(asked));
  if (answer) co_return answer;
  const Error& error = answer.error();
  const auto* failure = error.detail<CloudFailure>();
  co_return Failure(
      Error(error.kind(), WithoutSecrets(error.message(), instance_class->secrets, user_data))
          .WithDetail(std::make_shared<CloudFailure>(*failure)));
}

Task<Result<Instance>> GrpcCloud::Create(ClassPtr instance_class, CreateRequest request) {
  auto answer = co_await Call({.method = "Machines/Create",
                               .message = EncodeCreate(Of(instance_class), request),
                               .limit = options_.deadlines.create},
                              instance_class, request.user_data);
  if (!answer) {
    if (CodeOf(answer.error()) == CloudCode::kUnimplemented) co_return NotAProvider("Create");
    co_return Failure(std::move(answer).error());
  }
  auto created = DecodeCreated(*answer, request.machine.name);
  if (!created) co_return Unreadable("Create", created.error());
  co_return created;
}

Task<Result<Instance>> GrpcCloud::Get(ClassPtr instance_class, MachineIdentity machine) {
  CO_CHECK(co_await Known());
  if (!abilities_.status) {
    co_return FailCloud(CloudCode::kUnimplemented, "this provider tells no status");
  }
  CO_TRY(const std::string answer,
         co_await Call({.method = "Machines/GetStatus",
                        .message = EncodeDelete(Of(instance_class), machine),
                        .limit = options_.deadlines.status},
                       instance_class, {}));
  auto found = DecodeInstance(answer, machine.name);
  if (!found) co_return Unreadable("GetStatus", found.error());
  co_return found;
}

Task<Result<Instance>> GrpcCloud::Initialize(ClassPtr instance_class, CreateRequest request) {
  CO_CHECK(co_await Known());
  if (!abilities_.initialize) {
    co_return FailCloud(CloudCode::kUnimplemented, "this provider initializes nothing");
  }
  CO_TRY(const std::string answer,
         co_await Call({.method = "Machines/Initialize",
                        .message = EncodeCreate(Of(instance_class), request),
                        .limit = options_.deadlines.initialize},
                       instance_class, request.user_data));
  auto initialized = DecodeInstance(answer, request.machine.name);
  if (!initialized) co_return Unreadable("Initialize", initialized.error());
  co_return initialized;
}

Task<Result<void>> GrpcCloud::Remove(ClassPtr instance_class, MachineIdentity machine) {
  const SteadyTime deadline = clock_.Elapsed() + options_.deadlines.remove;
  for (;;) {
    auto answer = co_await Call({.method = "Machines/Delete",
                                 .message = EncodeDelete(Of(instance_class), machine),
                                 .limit = deadline - clock_.Elapsed()},
                                instance_class, {});
    if (!answer) {
      if (CodeOf(answer.error()) == CloudCode::kUnimplemented) co_return NotAProvider("Delete");
      co_return Failure(std::move(answer).error());
    }
    const auto again = DecodeDeleted(*answer);
    if (!again) co_return Unreadable("Delete", again.error());
    if (!*again) co_return Ok();
    if (clock_.Elapsed() + **again >= deadline) {
      co_return FailCloud(CloudCode::kDeadlineExceeded, "the provider is still removing it");
    }
    if (co_await SleepFor(clock_, **again) == Wake::kCancelled) {
      co_return FailCloud(CloudCode::kCanceled, "ended by us");
    }
  }
}

Task<Result<std::vector<Instance>>> GrpcCloud::List(ClassPtr instance_class) {
  CO_CHECK(co_await Known());
  if (!abilities_.list)
    co_return FailCloud(CloudCode::kUnimplemented, "this provider lists nothing");
  std::vector<Instance> all;
  std::string token;
  for (int pages = 0; pages < kMostPages; ++pages) {
    CO_TRY(const std::string answer,
           co_await Call({.method = "Machines/List",
                          .message = EncodeList(Of(instance_class), kPageSize, token),
                          .limit = options_.deadlines.list},
                         instance_class, {}));
    auto page = DecodePage(answer);
    if (!page) co_return Unreadable("List", page.error());
    std::ranges::move(page->instances, std::back_inserter(all));
    if (page->next.empty()) co_return all;
    token = std::move(page->next);
  }
  co_return FailCloud(CloudCode::kInternal, "the provider's list does not end");
}

Task<Result<std::vector<std::string>>> GrpcCloud::VolumeIds(ClassPtr instance_class,
                                                            std::vector<std::string> volumes) {
  CO_CHECK(co_await Known());
  if (!abilities_.volume_ids) {
    co_return FailCloud(CloudCode::kUnimplemented, "this provider knows no volumes");
  }
  CO_TRY(const std::string answer,
         co_await Call({.method = "Machines/GetVolumeIDs",
                        .message = EncodeGetVolumeIds(Of(instance_class), volumes),
                        .limit = options_.deadlines.volume_ids},
                       instance_class, {}));
  auto ids = DecodeVolumeIds(answer);
  if (!ids) co_return Unreadable("GetVolumeIDs", ids.error());
  if (ids->size() != volumes.size()) {
    co_return Unreadable("GetVolumeIDs", Error(ErrorKind::kInternal, "one id for each is missing"));
  }
  co_return ids;
}

}  // namespace millwright::providers::grpc
