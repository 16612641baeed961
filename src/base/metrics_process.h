// The process_* metrics that every Prometheus client has, read from /proc when asked.
#pragma once

#include <prometheus/collectable.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "base/result.h"

namespace millwright {

inline constexpr MetricInfo kProcessMetrics[] = {
    {"process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", {}},
    {"process_resident_memory_bytes", "Resident memory size in bytes.", {}, MetricKind::kGauge},
    {"process_virtual_memory_bytes", "Virtual memory size in bytes.", {}, MetricKind::kGauge},
    {"process_open_fds", "Number of open file descriptors.", {}, MetricKind::kGauge},
    {"process_start_time_seconds",
     "Start time of the process since unix epoch in seconds.",
     {},
     MetricKind::kGauge},
};

// The fields of /proc/<pid>/stat that we need, in the kernel's units.
struct ProcessStat {
  std::uint64_t user_ticks = 0;
  std::uint64_t system_ticks = 0;
  std::uint64_t start_ticks = 0;  // since boot
  std::uint64_t virtual_bytes = 0;
  std::uint64_t resident_pages = 0;

  friend bool operator==(const ProcessStat&, const ProcessStat&) = default;
};

Result<ProcessStat> ParseProcessStat(std::string_view text);

// When the machine booted, in seconds since 1970, from /proc/stat.
Result<std::uint64_t> ParseBootTime(std::string_view text);

// What cannot be read is left out of that scrape.
class ProcessCollector final : public prometheus::Collectable {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): the library's name
  std::vector<prometheus::MetricFamily> Collect() const override;
};

}  // namespace millwright
