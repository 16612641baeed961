// The port to whoever can update machines in place: an extension that somebody registered. The
// default says that nobody did.
#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/task.h"
#include "base/time.h"

namespace millwright::controllers::contract {

// A machine, or a MachineSet, with the objects of its providers, or their templates, as JSON
// objects: spec, name, namespace, labels and annotations, no status. What does not exist is null.
struct InPlaceObjects {
  boost::json::value machine;
  boost::json::value infrastructure;
  boost::json::value bootstrap;
};

// What an extension is shown of an object: what is wished, and what it is called. Null of what is
// no object.
boost::json::value ShownToExtensions(const boost::json::value& object);

// What an extension can change of an object.
struct InPlacePatch {
  std::string type;  // "JSONPatch" or "JSONMergePatch"; empty: nothing
  std::string text;
};

struct InPlaceAnswer {
  InPlacePatch set;
  InPlacePatch infrastructure;
  InPlacePatch bootstrap;
};

struct InPlaceUpdate {
  std::optional<Duration> look_again;  // none: it is done
  std::string message;
};

class InPlacePort {
 public:
  virtual ~InPlacePort() = default;

  // Exactly one can be used.
  virtual std::size_t registered() const { return 0; }

  // What the extension can do to make machines of one set machines of the other without replacing
  // them. The objects are a MachineSet and its templates.
  virtual Task<Result<InPlaceAnswer>> CanUpdate(InPlaceObjects current, InPlaceObjects desired) {
    (void)current;
    (void)desired;
    co_return InPlaceAnswer{};
  }

  // Begins the update of a machine, or asks how far it is.
  virtual Task<Result<InPlaceUpdate>> Update(InPlaceObjects desired) {
    (void)desired;
    co_return Fail(ErrorKind::kInvalid, "no extension for in-place updates is registered");
  }
};

}  // namespace millwright::controllers::contract
