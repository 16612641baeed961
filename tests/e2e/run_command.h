// Programs that a test runs.
#pragma once

#include <string>
#include <vector>

namespace millwright::e2e {

struct CommandResult {
  int exit_code = -1;
  std::string output;  // standard output and error
};

// Runs a program to its end.
CommandResult RunCommand(const std::vector<std::string>& arguments);

// A program beside the test, killed with it.
class BesideTest {
 public:
  BesideTest() = default;
  BesideTest(const BesideTest&) = delete;
  BesideTest& operator=(const BesideTest&) = delete;
  ~BesideTest() { Kill(); }

  // Starts it and gives the first line it prints; empty if it ended before.
  std::string Start(const std::vector<std::string>& arguments);
  void Kill();

 private:
  int shell_ = 0;
  int life_ = -1;
  int output_ = -1;
};

}  // namespace millwright::e2e
