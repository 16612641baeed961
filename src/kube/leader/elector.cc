#include "kube/leader/elector.h"

#include <boost/json/serialize.hpp>

#include "base/signal.h"
#include "base/task_group.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

const GroupVersionResource kLeases{"coordination.k8s.io", "v1", "leases"};

// client-go's factor: contenders that lost a race come back at different times.
constexpr double kJitter = 1.2;

Task<void> LeadAndTell(std::function<Task<void>()> lead, bool& ended, Signal& changed) {
  co_await lead();
  ended = true;
  changed.NotifyAll();
}

}  // namespace

Elector::Elector(Client& client, Clock& clock, Random& random, Logger log, ElectorOptions options)
    : client_(client),
      clock_(clock),
      random_(random),
      log_(std::move(log)),
      options_(std::move(options)) {}

Task<LeaderOutcome> Elector::Run(std::function<Task<void>()> lead) {
  if (!co_await Acquire()) co_return LeaderOutcome::kStopped;
  leading_ = true;
  log_.Info("leading", {{"lease", options_.lease.ToString()}, {"identity", options_.identity}});

  const Executor executor = co_await boost::asio::this_coro::executor;
  bool ended = false;
  Signal changed(executor);
  TaskGroup work(executor);
  TaskGroup renewal(executor);
  work.Spawn([&] { return LeadAndTell(lead, ended, changed); });
  renewal.Spawn([&] { return KeepRenewing(changed); });
  while (!IsLost() && !ended) {
    const Wake why = co_await changed.WaitUntil(clock_, renewed_ + options_.timing.renew_deadline);
    if (why == Wake::kCancelled) break;
  }
  const bool lost = IsLost();
  // The lease is kept until the work has stopped: nobody else should start before.
  work.Cancel();
  co_await work.Join();
  renewal.Cancel();
  co_await renewal.Join();
  leading_ = false;
  if (lost) {
    log_.Warning("lost the lease", {{"lease", options_.lease.ToString()}});
    co_return LeaderOutcome::kLost;
  }
  co_await Release();
  co_return LeaderOutcome::kStopped;
}

Task<bool> Elector::Acquire() {
  while (!co_await IsCancelled()) {
    const SteadyTime began = clock_.Elapsed();
    if (co_await TryOnce()) {
      // Others count from when the write reached the server, which may be long before its answer.
      renewed_ = began;
      co_return true;
    }
    co_await SleepFor(clock_, random_.Jitter(options_.timing.retry_period, kJitter));
  }
  co_return false;
}

// One look and, if the rules allow it, one write. True if the lease is ours afterwards.
Task<bool> Elector::TryOnce() {
  Result<void> read = co_await Read();
  if (!read) {
    log_.Warning("cannot read the lease",
                 {{"lease", options_.lease.ToString()}, {"error", read.error().message()}});
    co_return false;
  }
  const LeaseStep step = PlanLease(seen_, options_.identity, clock_.Elapsed());
  if (step == LeaseStep::kWait) co_return false;
  const Result<void> written = co_await Write(step);
  if (written) co_return true;
  log_.Info("did not get the lease",
            {{"lease", options_.lease.ToString()}, {"error", written.error().message()}});
  co_return false;
}

Task<Result<void>> Elector::Read() {
  CO_TRY(const std::optional<Document> found, co_await client_.Find(kLeases, options_.lease));
  if (!found) {
    seen_.reset();
    co_return Ok();
  }
  CO_TRY(json::value tree, found->Tree());
  Observe(std::move(tree));
  co_return Ok();
}

void Elector::Observe(json::value lease) {
  LeaseRecord record = RecordOf(lease);
  object_ = std::move(lease);
  if (record.holder != told_leader_) {
    told_leader_ = record.holder;
    if (on_leader_ && !told_leader_.empty()) on_leader_(told_leader_);
  }
  if (!seen_ || seen_->record != record) {
    seen_ = Observation{.record = std::move(record), .since = clock_.Elapsed()};
  }
}

Task<Result<void>> Elector::Write(LeaseStep step) {
  const LeaseRecord record =
      NextRecord(step, seen_, options_.identity, options_.timing, clock_.Now());
  json::object body;
  if (step == LeaseStep::kCreate) {
    body = {
        {"apiVersion", "coordination.k8s.io/v1"},
        {"kind", "Lease"},
        {"metadata", {{"name", options_.lease.name}, {"namespace", options_.lease.namespace_}}}};
  } else {
    // With its resourceVersion: if anybody else wrote in between, we lose.
    body = object_.as_object();
  }
  body["spec"] = SpecOf(record);
  std::string text = json::serialize(body);
  CO_TRY(const Document written,
         step == LeaseStep::kCreate
             ? co_await client_.Create(kLeases, options_.lease, std::move(text))
             : co_await client_.Update(kLeases, options_.lease, std::move(text)));
  CO_TRY(json::value tree, written.Tree());
  Observe(std::move(tree));
  co_return Ok();
}

bool Elector::IsLost() const {
  const bool taken = seen_ && seen_->record.holder != options_.identity;
  return taken || clock_.Elapsed() >= renewed_ + options_.timing.renew_deadline;
}

// A request that hangs does not matter here: Run keeps the deadline and cancels us.
Task<void> Elector::KeepRenewing(Signal& changed) {
  while (co_await SleepFor(clock_, options_.timing.retry_period) == Wake::kTimeout) {
    const SteadyTime began = clock_.Elapsed();
    // The fast way is to write on what we know; only if that fails do we look.
    bool ours = (co_await Write(LeaseStep::kRenew)).has_value();
    if (!ours) ours = co_await TryOnce();
    if (ours) renewed_ = began;
    changed.NotifyAll();
  }
}

Task<void> Elector::Release() {
  co_await IgnoreCancellation();
  if (!IsOurs()) co_return;
  Result<void> released = co_await WriteReleased();
  if (!released && released.error().kind() == ErrorKind::kConflict) {
    // Most likely a renewal of our own that was under way when we were stopped: without a second
    // look the next leader would wait for the whole lease.
    released = co_await Read();
    if (released && !IsOurs()) co_return;
    if (released) released = co_await WriteReleased();
  }
  if (released) {
    log_.Info("released the lease", {{"lease", options_.lease.ToString()}});
  } else {
    log_.Warning("could not release the lease, it will expire",
                 {{"lease", options_.lease.ToString()}, {"error", released.error().message()}});
  }
}

Task<Result<void>> Elector::WriteReleased() {
  json::object body = object_.as_object();
  body["spec"] = SpecOf(ReleasedRecord(seen_->record, clock_.Now()));
  CO_CHECK(co_await client_.Update(kLeases, options_.lease, json::serialize(body)));
  co_return Ok();
}

}  // namespace millwright::kube
