#include "apiserver/auth/pki/private_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "apiserver/store/private_file.h"

namespace millwright::apiserver {

namespace {

// Keys and kubeconfigs are a few kilobytes: anything larger is not one of ours.
constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Failure Failed(std::string_view doing, const std::filesystem::path& path, int error) {
  return Fail(ErrorKind::kPermission, std::string(doing) + " " + path.string() + ": " +
                                          std::generic_category().message(error));
}

Result<void> Fill(const std::filesystem::path& path, std::string_view text) {
  const int fd =
      open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (fd < 0) return Failed("writing", path, errno);
  // A file left behind by a crash keeps its mode; make sure.
  const bool is_private = fchmod(fd, S_IRUSR | S_IWUSR) == 0;
  while (is_private && !text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  const int error = errno;
  const bool closed = close(fd) == 0;
  if (!is_private || !text.empty()) return Failed("writing", path, error);
  if (!closed) return Failed("writing", path, errno);
  return Ok();
}

}  // namespace

Result<void> WritePrivateText(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path draft = path.string() + ".new";
  CHECK_OK(Fill(draft, text));
  return SyncAndRename(draft.string(), path.string());
}

Result<std::optional<SecretText>> ReadPrivateText(const std::filesystem::path& path) {
  const File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) {
    if (errno == ENOENT) return std::nullopt;
    return Failed("reading", path, errno);
  }
  std::string text(kMaxBytes, '\0');
  const std::size_t size = std::fread(text.data(), 1, text.size(), file.get());
  if (std::ferror(file.get()) != 0) return Failed("reading", path, errno);
  if (size == kMaxBytes) return Failed("reading", path, EFBIG);
  return SecretText(text.substr(0, size));
}

}  // namespace millwright::apiserver
