// Certificates made on the spot, so that no test depends on files or on today's date.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/secret.h"
#include "base/time.h"

namespace millwright::net {

// A certificate with its key.
struct TestIdentity {
  std::string cert_pem;
  SecretText key_pem;
};

// An authority of its own: what one signs, another does not vouch for.
class TestAuthority {
 public:
  struct Request {
    std::string common_name{};
    std::vector<std::string> organizations{};
    std::vector<std::string> dns_names{};
    std::vector<std::string> addresses{};
    WallTime begins = WallTime(std::chrono::sys_days(std::chrono::year(2020) / 1 / 1));
    WallTime ends = WallTime(std::chrono::sys_days(std::chrono::year(2099) / 1 / 1));
  };

  explicit TestAuthority(const std::string& name = "test-authority");
  ~TestAuthority();
  TestAuthority(TestAuthority&&) noexcept;
  TestAuthority& operator=(TestAuthority&&) noexcept;

  const std::string& ca_pem() const { return ca_pem_; }

  TestIdentity Issue(const Request& request);

  // For a server at 127.0.0.1 and localhost.
  TestIdentity IssueServer();
  TestIdentity IssueClient(const std::string& name);

 private:
  struct Keys;

  std::unique_ptr<Keys> keys_;
  std::string ca_pem_;
  long next_serial_ = 2;
};

}  // namespace millwright::net
