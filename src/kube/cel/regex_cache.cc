#include "kube/cel/regex_cache.h"

#include <fmt/format.h>

#include <unordered_map>

#include "kube/cel/value.h"

namespace millwright::kube::cel {

Result<std::shared_ptr<const re2::RE2>> CompileRegex(std::string_view text) {
  // One cache for each thread: nothing to lock, and rules run on one thread.
  constexpr std::size_t kMaxKept = 256;
  constexpr std::int64_t kMaxMemory = std::int64_t{4} << 20U;
  thread_local std::unordered_map<std::string, std::shared_ptr<const re2::RE2>> kept;
  const std::string key(text);
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  auto compiled = std::make_shared<const re2::RE2>(key, options);
  if (!compiled->ok()) {
    return Wrong(fmt::format("error parsing regexp: {}: `{}`", compiled->error(), text));
  }
  if (kept.size() >= kMaxKept) kept.clear();
  kept.emplace(key, compiled);
  return std::shared_ptr<const re2::RE2>(compiled);
}

}  // namespace millwright::kube::cel
