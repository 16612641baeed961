// An HTTP/2 server that is not ours: nghttpd of Debian's nghttp2-server, as a child process.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "net/testing/test_certificates.h"

namespace millwright::net {

class Nghttpd {
 public:
  // Serves an empty folder over TLS on a free port of 127.0.0.1. Null if it is not installed.
  static std::unique_ptr<Nghttpd> Start(const TestIdentity& identity,
                                        const std::vector<std::string>& flags);
  ~Nghttpd();
  Nghttpd(const Nghttpd&) = delete;
  Nghttpd& operator=(const Nghttpd&) = delete;

  std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }

  // Makes a file that it serves.
  void Put(const std::string& name, const std::string& content) const;

 private:
  Nghttpd(std::filesystem::path folder, pid_t process, int output);

  std::filesystem::path folder_;
  pid_t process_;
  int port_ = 0;
  std::thread drain_;  // what it prints would otherwise fill the pipe and stop it
};

}  // namespace millwright::net
