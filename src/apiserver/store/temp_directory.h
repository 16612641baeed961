// For tests: a directory that goes with its owner.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace millwright::apiserver {

class TempDirectory {
 public:
  TempDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "store-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TempDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  std::string File(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace millwright::apiserver
