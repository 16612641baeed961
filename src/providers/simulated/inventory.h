// All VMs that the simulated cloud remembers, gone ones included, and the ways to find them.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "providers/cloud.h"
#include "providers/simulated/vm.h"

namespace millwright::providers {

// The instances of one cluster and one class: what a list shows.
struct Pool {
  std::string cluster;
  std::string class_name;

  friend auto operator<=>(const Pool&, const Pool&) = default;
};

class Inventory {
 public:
  // The references stay good until the record is forgotten.
  Vm& Add(Vm vm);

  // To be told when the last part of a record went.
  void Leave(Vm& vm);

  // As if it had never been: its token may make another. Only for what left.
  void Forget(Vm& vm);

  Vm* FindByNumber(std::uint64_t number);
  Vm* FindById(std::string_view id);
  Vm* FindByToken(std::string_view token);

  // The records that are this machine's, gone ones included. By UID; those without one by recorded
  // id or by exact name. Without a UID to go by: the one of that id, or those of that name that
  // carry no UID either.
  std::vector<Vm*> Select(const std::string& cluster, const MachineIdentity& machine);

  // What was there at that time, in the order of making.
  std::vector<const Vm*> List(const Pool& pool, SteadyTime at) const;

  // Everything that is there now, in the order of making.
  std::vector<const Vm*> Present() const;

  std::size_t remembered() const { return vms_.size(); }

 private:
  struct Members {
    std::map<std::uint64_t, Vm*> present;
    std::deque<Vm*> left;  // in the order of going
  };

  std::map<Pool, Members> pools_;
  std::uint64_t last_number_ = 0;
  // Only looked into, never walked: their order is none.
  std::unordered_map<std::uint64_t, Vm> vms_;
  std::unordered_map<std::string, Vm*> by_id_;
  std::unordered_map<std::string, Vm*> by_token_;
  std::unordered_map<Uid, std::vector<Vm*>> by_uid_;
  std::unordered_map<std::string, std::vector<Vm*>> untagged_by_name_;
};

}  // namespace millwright::providers
