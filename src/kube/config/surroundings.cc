#include "kube/config/surroundings.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace millwright::kube {

namespace {

// Kubeconfigs, tokens and certificates are a few kilobytes; this is for somebody who names a wrong
// file.
constexpr std::size_t kMaxFileSize = std::size_t{16} << 20;

Failure SystemError(int error) {
  const ErrorKind kind =
      error == ENOENT || error == ENOTDIR ? ErrorKind::kNotFound : ErrorKind::kInvalid;
  return Fail(kind, std::generic_category().message(error));
}

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int fd() const { return fd_; }

 private:
  const int fd_;
};

Result<std::string> ReadFile(const std::string& path) {
  const OpenFile file(path);
  if (file.fd() < 0) return SystemError(errno);
  std::string text;
  std::array<char, 16384> buffer;
  while (text.size() <= kMaxFileSize) {
    const ssize_t size = ::read(file.fd(), buffer.data(), buffer.size());
    if (size == 0) return text;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return SystemError(errno);
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  return Fail(ErrorKind::kInvalid, "File is too large");
}

std::optional<FileStamp> StampFile(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  // The time of the inode and not that of the content, which a copy may carry over.
  return FileStamp{.device = info.st_dev,
                   .inode = info.st_ino,
                   .size = static_cast<std::uint64_t>(info.st_size),
                   .changed_ns = info.st_ctim.tv_sec * 1'000'000'000LL + info.st_ctim.tv_nsec};
}

}  // namespace

Surroundings SurroundingsOfThisProcess() {
  Surroundings surroundings{.read_file = ReadFile, .stamp_file = StampFile};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == text.npos) continue;
    surroundings.env.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return surroundings;
}

}  // namespace millwright::kube
