#include "base/metrics_process.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>

namespace millwright {

namespace {

// Takes the next word off the text.
std::string_view NextWord(std::string_view& text) {
  const auto start = std::min(text.find_first_not_of(" \n"), text.size());
  text.remove_prefix(start);
  const auto end = std::min(text.find_first_of(" \n"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

Result<std::uint64_t> ParseNumber(std::string_view word) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) {
    return Fail(ErrorKind::kInvalid, "not a number: \"" + std::string(word) + "\"");
  }
  return number;
}

Result<std::string> ReadFile(const char* path) {
  std::ifstream file(path);
  if (!file) return Fail(ErrorKind::kUnavailable, std::string("cannot read ") + path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::optional<double> CountOpenFiles() {
  std::error_code error;
  const std::filesystem::directory_iterator entries("/proc/self/fd", error);
  if (error) return std::nullopt;
  // One of them is the directory that we look through.
  return static_cast<double>(std::distance(begin(entries), end(entries)) - 1);
}

Result<ProcessStat> ReadProcessStat() {
  TRY(const std::string text, ReadFile("/proc/self/stat"));
  return ParseProcessStat(text);
}

Result<std::uint64_t> ReadBootTime() {
  TRY(const std::string text, ReadFile("/proc/stat"));
  return ParseBootTime(text);
}

prometheus::MetricFamily MakeFamily(const MetricInfo& info, double value) {
  prometheus::ClientMetric metric;
  const bool counter = info.kind == MetricKind::kCounter;
  metric.counter.value = counter ? value : 0;
  metric.gauge.value = counter ? 0 : value;
  return {.name = std::string(info.name),
          .help = std::string(info.help),
          .type = counter ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge,
          .metric = {metric}};
}

}  // namespace

Result<ProcessStat> ParseProcessStat(std::string_view text) {
  // The second field is the program's name in parentheses, which may hold anything, even ") R 1".
  const auto name_end = text.rfind(')');
  if (name_end == std::string_view::npos) {
    return Fail(ErrorKind::kInvalid, "process stat without a program name");
  }
  text.remove_prefix(name_end + 1);
  ProcessStat stat;
  // Numbered as in proc(5); the state is the third.
  for (int field = 3; field <= 24; ++field) {
    const std::string_view word = NextWord(text);
    std::uint64_t* wanted = nullptr;
    if (field == 14) wanted = &stat.user_ticks;
    if (field == 15) wanted = &stat.system_ticks;
    if (field == 22) wanted = &stat.start_ticks;
    if (field == 23) wanted = &stat.virtual_bytes;
    if (field == 24) wanted = &stat.resident_pages;
    if (wanted != nullptr) {
      TRY(*wanted, ParseNumber(word));
    }
  }
  return stat;
}

Result<std::uint64_t> ParseBootTime(std::string_view text) {
  constexpr std::string_view kLine = "btime ";
  const auto start = text.starts_with(kLine) ? 0 : text.find("\nbtime ");
  if (start == std::string_view::npos) return Fail(ErrorKind::kInvalid, "no boot time in stat");
  text.remove_prefix(start + (start == 0 ? 0 : 1) + kLine.size());
  return ParseNumber(NextWord(text));
}

std::vector<prometheus::MetricFamily> ProcessCollector::Collect() const {
  std::array<std::optional<double>, std::size(kProcessMetrics)> values;
  const double ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto stat = ReadProcessStat();
  const auto boot_time = ReadBootTime();
  if (stat) {
    values[0] = static_cast<double>(stat->user_ticks + stat->system_ticks) / ticks_per_second;
    values[1] =
        static_cast<double>(stat->resident_pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
    values[2] = static_cast<double>(stat->virtual_bytes);
  }
  values[3] = CountOpenFiles();
  if (stat && boot_time) {
    values[4] =
        static_cast<double>(*boot_time) + static_cast<double>(stat->start_ticks) / ticks_per_second;
  }

  std::vector<prometheus::MetricFamily> families;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values.at(i)) families.push_back(MakeFamily(kProcessMetrics[i], *values.at(i)));
  }
  return families;
}

}  // namespace millwright
