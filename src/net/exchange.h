// One request and its answer, as those who wait for it see them, whatever carries it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "net/http.h"

namespace millwright::net {

class Exchange {
 public:
  enum class Body { kWhole, kPieces };

  explicit Exchange(Body mode) : mode_(mode) {}
  virtual ~Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Ends it now; whoever waits finds it cancelled.
  virtual void Stop() = 0;

  // Ends it because its time is over, and says what that means.
  virtual Error GiveUp() = 0;

  // How far the answer is. Only one that is taken in pieces shows its head before the end.
  bool has_head() const { return mode_ == Body::kPieces && head_complete_; }
  bool has_piece() const { return mode_ == Body::kPieces && !body_.empty(); }
  bool ended() const { return ended_; }
  bool ready() const { return has_head() || ended_; }

  // Waits until more of what the above tell has come. One caller at a time, who keeps the exchange
  // alive.
  Task<Wake> News(Clock& clock, SteadyTime deadline);

  // Status and headers, and the body if it was to be whole. Once ready.
  HttpResponse TakeAnswer();

  // The bytes that came since the last call; makes room for more.
  virtual std::string TakePiece() = 0;

  // None if the answer is whole. Once ended, and after the last piece.
  virtual std::optional<Error> failure() const = 0;

 protected:
  Body mode() const { return mode_; }

  // Wakes whoever waits.
  void Notify();
  void End();

  // The answer as far as it came.
  int status_ = 0;
  Headers headers_;
  std::string body_;
  bool head_complete_ = false;

 private:
  const Body mode_;
  bool ended_ = false;
  WaitTable* table_ = nullptr;
  WaitId waiter_ = 0;
};

// Waits for the whole answer, or for the head of one that is taken in pieces. When it cannot wait
// longer, the exchange is stopped.
Task<Result<void>> AwaitAnswer(std::shared_ptr<Exchange> exchange, Clock& clock,
                               SteadyTime deadline);

// The rest of an answer whose head has come; stops the exchange when it goes.
std::unique_ptr<BodyReader> ReaderOf(std::shared_ptr<Exchange> exchange, Clock& clock);

// Without the fields that speak of the coded body, for an answer whose coding we have undone.
Headers OfPlainBody(const Headers& headers);

}  // namespace millwright::net
