// What the promises are about, read from stored objects in whatever dialect
// they are written.
#pragma once

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace millwright::sim {

struct MachineFacts {
  std::string name;
  std::string uid;
  std::string phase;
  std::string owner_uid;
  std::string provider_id;
  std::string node;
  bool running = false;   // it is as it should be
  bool unwell = false;    // it was, and something is wrong with its node
  bool deleting = false;  // somebody told it to go
};

// What the cloud made a VM for, where that is not the machine itself.
struct InstanceFacts {
  std::string name;
  std::string uid;
  std::string machine_uid;  // whose it is; empty: nobody's yet
  bool deleting = false;
};

struct SetFacts {
  std::string name;
  std::string uid;
  std::string owner_uid;
};

struct DeploymentFacts {
  std::string name;
  std::string uid;
  bool deleting = false;
  bool rolling = false;  // its strategy has the bounds below
  int replicas = 0;
  int surge = 0;
  int unavailable = 0;
  // What it says of itself.
  int updated = 0;
  bool observed = false;  // its newest spec was seen
};

// The text, number or presence at a JSON pointer.
std::string TextAt(const boost::json::value& object, std::string_view pointer);
int NumberAt(const boost::json::value& object, std::string_view pointer);
bool Has(const boost::json::value& object, std::string_view pointer);
// Its status has that condition, and it is that.
bool IsTrue(const boost::json::value& object, std::string_view condition);
bool IsFalse(const boost::json::value& object, std::string_view condition);

}  // namespace millwright::sim
