// Command line flags as data: what programs that a dialect stands in for accept, in Go's manner.
//
// "--name=value", "--name value", "--name" for a switch; one dash will do; "_" is as good as "-" in
// a name; the last of several counts.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace millwright::dialects {

enum class FlagType { kText, kWhole, kReal, kSwitch, kDuration };

std::string_view ToString(FlagType type);

struct Flag {
  std::string_view name;
  FlagType type = FlagType::kText;
  std::string_view fallback;  // the value if nobody gives one, as it would be written
  std::string_view meaning;
  bool ignored = false;  // accepted, and nothing follows from it
};

// The value of each flag of a table. Every value is of its flag's type; asking for a flag that the
// table does not have is a bug.
class FlagValues {
 public:
  const std::string& Text(std::string_view name) const;
  std::int64_t Whole(std::string_view name) const;
  double Real(std::string_view name) const;
  bool Switch(std::string_view name) const;
  Duration Time(std::string_view name) const;

  bool Has(std::string_view name) const { return values_.contains(name); }
  bool WasGiven(std::string_view name) const;

  // Of a flag that may be given several times: each value, in that order.
  const std::vector<std::string>& All(std::string_view name) const;

  // Flags that were given and have no effect, each once, in the order of the table.
  const std::vector<std::string>& ignored() const { return ignored_; }

 private:
  friend Result<FlagValues> ParseFlags(std::span<const Flag> flags,
                                       std::span<const std::string> words);

  struct Value {
    std::string text;
    bool given = false;
    std::vector<std::string> all{};
  };

  const Value& At(std::string_view name) const;

  std::map<std::string, Value, std::less<>> values_;
  std::vector<std::string> ignored_;
};

// kInvalid, naming the flag and what is wrong with it.
Result<FlagValues> ParseFlags(std::span<const Flag> flags, std::span<const std::string> words);

// A command line of two tables.
struct SplitWords {
  std::vector<std::string> known;  // flags of the table, with their values
  std::vector<std::string> others;
};

SplitWords Split(std::span<const Flag> flags, std::span<const std::string> words);

// "_" for "-" in a name.
std::string NormalFlagName(std::string_view name);

}  // namespace millwright::dialects
