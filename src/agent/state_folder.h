// What the agent keeps on its machine's disk, for its owner's eyes only:
//
//   key.pem        a key that a certificate is being asked for
//   identity.pem   the certificate in force and its key, in one file, so that both are replaced at
//                  once
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/secret.h"

namespace millwright::agent {

class StateFolder {
 public:
  explicit StateFolder(std::filesystem::path path) : path_(std::move(path)) {}

  // The key that is there, or a new one that is there from now on.
  Result<SecretText> LoadOrMakeKey() const;
  // Its request was refused: the next one is made with another.
  void ForgetKey() const;

  std::optional<SecretText> LoadIdentity() const;
  // The key is not waiting for its certificate any more.
  Result<void> SaveIdentity(std::string_view certificate, const SecretText& key) const;
  void ForgetIdentity() const;
  std::filesystem::path identity() const;

 private:
  Result<void> Write(std::string_view name, std::string_view text) const;

  std::filesystem::path path_;
};

// kNotFound, or kPermission with the reason.
Result<std::string> ReadWholeFile(const std::string& path);

}  // namespace millwright::agent
