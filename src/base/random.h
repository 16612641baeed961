// The Random port: every draw in the product comes from here, so that a seed can replay a run.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "base/time.h"

namespace millwright {

class Random {
 public:
  virtual ~Random() = default;

  virtual std::uint64_t Next() = 0;

  // Uniform in [0, bound); bound > 0.
  std::uint64_t Below(std::uint64_t bound);

  // Uniform in [duration, duration * (1 + factor)), as client-go's jitter.
  Duration Jitter(Duration duration, double factor);

  // Uniform in [0, 1).
  double Unit();

  // RFC 4122 version 4.
  std::string Uuid();
};

// The kernel's generator: for a real process, also where guessing must be impossible (tokens).
class SystemRandom final : public Random {
 public:
  std::uint64_t Next() override;
};

// Repeatable; for simulation and tests.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t Next() override { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace millwright
