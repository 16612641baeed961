#include "agent/state_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "agent/keys.h"

namespace millwright::agent {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kKey = "key.pem";
constexpr std::string_view kIdentity = "identity.pem";

Failure Failed(const fs::path& path, int error) {
  return Fail(error == ENOENT ? ErrorKind::kNotFound : ErrorKind::kPermission,
              path.string() + ": " + std::generic_category().message(error));
}

}  // namespace

Result<std::string> ReadWholeFile(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  if (!file) return Failed(path, errno);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Result<SecretText> StateFolder::LoadOrMakeKey() const {
  auto text = ReadWholeFile(path_ / kKey);
  if (text) return SecretText(*std::move(text));
  if (text.error().kind() != ErrorKind::kNotFound) return Failure(std::move(text).error());
  SecretText key = MakePrivateKey();
  CHECK_OK(Write(kKey, key.Reveal()));
  return key;
}

void StateFolder::ForgetKey() const {
  std::error_code ignored;
  fs::remove(path_ / kKey, ignored);
}

fs::path StateFolder::identity() const { return path_ / kIdentity; }

std::optional<SecretText> StateFolder::LoadIdentity() const {
  auto text = ReadWholeFile(identity());
  if (!text) return std::nullopt;
  return SecretText(*std::move(text));
}

Result<void> StateFolder::SaveIdentity(std::string_view certificate, const SecretText& key) const {
  const SecretText both(std::string(certificate) + "\n" + key.Reveal());
  CHECK_OK(Write(kIdentity, both.Reveal()));
  ForgetKey();
  return Ok();
}

void StateFolder::ForgetIdentity() const {
  std::error_code ignored;
  fs::remove(identity(), ignored);
}

Result<void> StateFolder::Write(std::string_view name, std::string_view text) const {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) return Failed(path_, error.value());
  const fs::path path = path_ / name;
  const fs::path draft = path.string() + ".new";
  fs::remove(draft, error);  // of a crash, perhaps with another mode
  const int fd = ::open(draft.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (fd < 0) return Failed(draft, errno);
  int failure = 0;
  while (failure == 0 && !text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      failure = errno;
    }
  }
  if (::fsync(fd) != 0 && failure == 0) failure = errno;
  ::close(fd);
  if (failure == 0 && ::rename(draft.c_str(), path.c_str()) != 0) failure = errno;
  if (failure != 0) return Failed(path, failure);
  return Ok();
}

}  // namespace millwright::agent
