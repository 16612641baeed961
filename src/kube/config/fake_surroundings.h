// A file system and an environment in the test's hands.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "kube/config/surroundings.h"

namespace millwright::kube {

class FakeFiles {
 public:
  // Also replaces: each write is another file to whoever looks at its stamp.
  void Write(const std::string& path, std::string text) {
    state_->files[path] = {.text = std::move(text), .version = ++state_->writes};
  }
  void Remove(const std::string& path) { state_->files.erase(path); }

  // It is there, but not for us.
  void Forbid(const std::string& path) { state_->files[path] = {.forbidden = true}; }

  int reads() const { return state_->reads; }
  int looks() const { return state_->looks; }

  // May outlive this object.
  Surroundings With(std::map<std::string, std::string> env = {}) const {
    const auto read = [state = state_](const std::string& path) -> Result<std::string> {
      ++state->reads;
      const auto it = state->files.find(path);
      if (it == state->files.end()) return Fail(ErrorKind::kNotFound, "No such file or directory");
      if (it->second.forbidden) return Fail(ErrorKind::kInvalid, "Permission denied");
      return it->second.text;
    };
    const auto stamp = [state = state_](const std::string& path) -> std::optional<FileStamp> {
      ++state->looks;
      const auto it = state->files.find(path);
      if (it == state->files.end()) return std::nullopt;
      return FileStamp{.inode = it->second.version};
    };
    return {.env = std::move(env), .read_file = read, .stamp_file = stamp};
  }

 private:
  struct File {
    std::string text{};
    std::uint64_t version = 0;
    bool forbidden = false;
  };
  struct State {
    std::map<std::string, File> files;
    std::uint64_t writes = 0;
    int reads = 0;
    int looks = 0;
  };

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace millwright::kube
