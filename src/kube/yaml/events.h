// libyaml's parser as values: what stands where in a YAML text, before anybody says what it means.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::kube::yaml {

// A place in a text, counted from one.
struct Mark {
  std::size_t line = 1;
  std::size_t column = 1;
};

struct Event {
  enum class Kind {
    kDocumentStart,
    kDocumentEnd,
    kMappingStart,
    kMappingEnd,
    kSequenceStart,
    kSequenceEnd,
    kScalar,
    kAlias,
  };

  Kind kind = Kind::kScalar;
  Mark mark{};
  std::string_view text{};    // of a scalar, or the name an alias refers to
  std::string_view tag{};     // in its long form; empty if there is none
  std::string_view anchor{};  // empty if there is none
  bool plain = true;          // a scalar without quotes that is not a block
};

class EventReader {
 public:
  // Both texts must outlive this object.
  EventReader(std::string_view text, std::string_view source_name);
  ~EventReader();
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;

  // The next event, none at the end. Its views live until the next call.
  Result<std::optional<Event>> Next();

  // "source:line:column: what", kInvalid.
  Failure FailAt(Mark mark, std::string_view what) const;

 private:
  struct Parser;

  Failure SyntaxError() const;

  const std::string_view source_name_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace millwright::kube::yaml
