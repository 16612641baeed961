#include "net/exchange.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <utility>

namespace millwright::net {

namespace {

Task<Result<std::string>> ReadFrom(std::shared_ptr<Exchange> exchange, Clock* clock) {
  while (!exchange->has_piece() && !exchange->ended()) {
    const Wake why = co_await exchange->News(*clock, kNever);
    if (why == Wake::kCancelled) exchange->Stop();
  }
  if (exchange->has_piece()) co_return exchange->TakePiece();
  auto failure = exchange->failure();
  if (!failure) co_return std::string();
  // The head has come, so nothing is in doubt about the request; what is lost can be read again.
  const bool cut = failure->kind() == ErrorKind::kInDoubt;
  if (cut) failure = Error(ErrorKind::kUnavailable, failure->message());
  co_return Failure(*std::move(failure));
}

class ExchangeReader final : public BodyReader {
 public:
  ExchangeReader(std::shared_ptr<Exchange> exchange, Clock& clock)
      : exchange_(std::move(exchange)), clock_(clock) {}
  ~ExchangeReader() override { exchange_->Stop(); }
  ExchangeReader(const ExchangeReader&) = delete;
  ExchangeReader& operator=(const ExchangeReader&) = delete;

  // The coroutine keeps the exchange: the reader may go while it waits.
  Task<Result<std::string>> Read() override { return ReadFrom(exchange_, &clock_); }

 private:
  const std::shared_ptr<Exchange> exchange_;
  Clock& clock_;
};

bool IsName(std::string_view name, std::string_view lower) {
  return std::ranges::equal(name, lower,
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

}  // namespace

Task<Wake> Exchange::News(Clock& clock, SteadyTime deadline) {
  assert(waiter_ == 0);
  std::optional<TimerId> timer;
  const Wake why = co_await Suspend([&, this](WaitTable& table, WaitId wait) {
    table_ = &table;
    waiter_ = wait;
    if (deadline < kNever) timer = clock.Arm(deadline, table, wait);
  });
  waiter_ = 0;
  if (timer && why != Wake::kTimeout) clock.Disarm(*timer);
  co_return why;
}

void Exchange::Notify() {
  if (waiter_ == 0 || table_->shutting_down()) return;
  table_->Complete(std::exchange(waiter_, 0), Wake::kDone);
}

void Exchange::End() {
  ended_ = true;
  Notify();
}

HttpResponse Exchange::TakeAnswer() {
  HttpResponse answer{.status = status_, .headers = std::move(headers_), .body = {}};
  if (mode_ == Body::kWhole) answer.body = std::move(body_);
  return answer;
}

Task<Result<void>> AwaitAnswer(std::shared_ptr<Exchange> exchange, Clock& clock,
                               SteadyTime deadline) {
  while (!exchange->ready()) {
    const Wake why = co_await exchange->News(clock, deadline);
    if (exchange->ready()) break;
    if (why == Wake::kCancelled) exchange->Stop();
    if (why == Wake::kTimeout) co_return Failure(exchange->GiveUp());
  }
  // When the head is there, what goes wrong later is for the reader.
  if (exchange->has_head()) co_return Ok();
  auto failure = exchange->failure();
  if (failure) co_return Failure(*std::move(failure));
  co_return Ok();
}

std::unique_ptr<BodyReader> ReaderOf(std::shared_ptr<Exchange> exchange, Clock& clock) {
  return std::make_unique<ExchangeReader>(std::move(exchange), clock);
}

Headers OfPlainBody(const Headers& headers) {
  Headers plain;
  for (const auto& [name, value] : headers) {
    if (IsName(name, "content-encoding") || IsName(name, "content-length")) continue;
    plain.Add(name, value);
  }
  return plain;
}

}  // namespace millwright::net
