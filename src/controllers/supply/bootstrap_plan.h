// What to do next for the data that an instance starts with, and for the token in it.
#pragma once

#include <cstdint>

namespace millwright::controllers::supply {

struct BootstrapView {
  bool deleting = false;
  bool paused = false;
  bool has_machine = false;   // a Machine owns it, and its Cluster is there
  bool connected = false;     // to the cluster that it joins
  bool cluster_ends = false;  // that is deleted, or gone: nobody will be asked for tokens
  bool wants_token = false;
  bool has_token = false;  // our finalizer is there: there may be a token
  bool expired = false;    // a token, if there ever was one
  bool has_data = false;
  bool joined = false;  // its machine has a node
};

enum class BootstrapStep : std::uint8_t {
  kRest,
  kNoteToken,  // add the finalizer before there is a token
  kFill,
  kDropToken,    // and take the finalizer away
  kForgetToken,  // only the finalizer
};

// A token is there from when it is needed until its machine has joined or goes; one that nobody
// could take back ends by itself.
BootstrapStep PlanBootstrap(const BootstrapView& view);

}  // namespace millwright::controllers::supply
