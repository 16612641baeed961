#include "apiserver/store/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace millwright::apiserver {

namespace {

Failure Failed(std::string_view doing, const std::string& path, std::string_view advice) {
  return Fail(ErrorKind::kPermission, fmt::format("{} {}: {}: {}", doing, path,
                                                  std::generic_category().message(errno), advice));
}

Result<void> Sync(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC);
  if (fd < 0) return Failed("opening", path, "check its permissions");
  const int synced = fsync(fd);
  const int error = errno;
  close(fd);
  errno = error;
  if (synced != 0) return Failed("writing out", path, "check the disk");
  return Ok();
}

std::string DirectoryOf(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

Result<void> CreatePrivateFile(const std::string& path) {
  // Only ever a new file: closing a descriptor of an open database would drop SQLite's locks on it.
  const int fd = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) {
    if (errno == EEXIST) return Ok();
    return Failed("creating", path, "check that its directory exists and belongs to this user");
  }
  close(fd);
  return Sync(DirectoryOf(path), O_RDONLY | O_DIRECTORY);
}

Result<void> SyncAndRename(const std::string& from, const std::string& to) {
  CHECK_OK(Sync(from, O_RDONLY));
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    return Failed("writing", to, "check that its directory belongs to this user");
  }
  return Sync(DirectoryOf(to), O_RDONLY | O_DIRECTORY);
}

}  // namespace millwright::apiserver
