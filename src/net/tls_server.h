// The server's end of TLS: its certificate, and whom it lets vouch for clients.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "base/secret.h"

namespace boost::asio::ssl {
class context;
}

namespace millwright::net {

// PEM text. Without client authorities, clients are not asked for certificates. With them, a client
// may show one, and one that does not hold ends the handshake.
struct TlsPem {
  std::string certificate;  // leaf first, then what leads to a root
  SecretText key;
  std::string client_ca;
};

// The same in files, read again when they change.
struct TlsFiles {
  std::string certificate;
  std::string key;
  std::string client_ca;  // empty: none
};

using TlsSource = std::variant<TlsPem, TlsFiles>;

// TLS 1.2 or newer, "http/1.1" as the only protocol offered by ALPN, and no resumption: it would
// save little, and let a client in whose certificate has expired since.
Result<std::shared_ptr<boost::asio::ssl::context>> MakeServerContext(const TlsPem& pem);

// Where new connections get their context from; those that exist keep theirs.
class TlsServer {
 public:
  // kInvalid if what is there now cannot be used.
  static Result<std::unique_ptr<TlsServer>> Create(TlsSource source, const Clock& clock,
                                                   Logger log);

  // Looks at the files, at most once a second, and loads them if they are not those of last time.
  // Files that cannot be used change nothing but the log, once.
  std::shared_ptr<boost::asio::ssl::context> Current();

 private:
  // What tells one version of a file from the next. Names that lead nowhere are equal to each
  // other.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t modified_seconds = 0;
    std::int64_t modified_nanoseconds = 0;

    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  TlsServer(std::optional<TlsFiles> files, std::vector<Stamp> stamps, const Clock& clock,
            Logger log);

  static std::vector<Stamp> StampsOf(const TlsFiles& files);
  void Reload();

  // Fixed after construction.
  const std::optional<TlsFiles> files_;
  const Clock& clock_;
  const Logger log_;

  // State.
  std::vector<Stamp> stamps_;  // of the version loaded last, or tried
  SteadyTime looked_at_;
  std::shared_ptr<boost::asio::ssl::context> context_;
};

}  // namespace millwright::net
