// What the configuration needs from the process around it, as a value: tests bring their own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"

namespace millwright::kube {

// Changes whenever a file is written or another is put in its place.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t changed_ns = 0;

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

struct Surroundings {
  std::map<std::string, std::string> env{};

  // kNotFound, or kInvalid with the reason ("Permission denied"), without the path.
  std::function<Result<std::string>(const std::string& path)> read_file{};

  // None if it cannot be looked at.
  std::function<std::optional<FileStamp>(const std::string& path)> stamp_file{};

  // Empty if it is not set.
  std::string Env(const std::string& name) const {
    const auto it = env.find(name);
    return it == env.end() ? std::string() : it->second;
  }
};

// The environment as it is now, and the real file system.
Surroundings SurroundingsOfThisProcess();

}  // namespace millwright::kube
