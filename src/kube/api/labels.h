// Labels and the selectors that choose objects by them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/flat_map.hpp>
#include <boost/json/fwd.hpp>

#include "base/result.h"

namespace millwright::kube {

// Labels or annotations. A flat map, because a fleet holds very many of them and each is small.
using Labels = boost::container::flat_map<std::string, std::string, std::less<>>;

// One condition on one label.
struct LabelRequirement {
  enum class Operator {
    kEquals,
    kDoubleEquals,  // the same meaning; kept apart only to be written as it was read
    kNotEquals,
    kIn,
    kNotIn,
    kExists,
    kDoesNotExist,
    kGreaterThan,
    kLessThan,
  };

  std::string key;
  Operator op = Operator::kExists;
  std::vector<std::string> values;  // sorted, each once; exactly one unless kIn or kNotIn

  // A label that is absent is not equal to, nor in, anything: kNotEquals and kNotIn hold for it.
  // Numbers compare only with labels that are whole numbers.
  bool Matches(const Labels& labels) const;

  std::string ToString() const;

  friend bool operator==(const LabelRequirement&, const LabelRequirement&) = default;
};

// Checks the key, the values and their number, and sorts the values.
Result<LabelRequirement> MakeLabelRequirement(std::string key, LabelRequirement::Operator op,
                                              std::vector<std::string> values);

// Requirements that must all hold. By default there are none, and everything matches.
class LabelSelector {
 public:
  LabelSelector() = default;
  explicit LabelSelector(std::vector<LabelRequirement> requirements);

  static LabelSelector Everything() { return {}; }
  static LabelSelector Nothing();

  bool Matches(const Labels& labels) const;

  bool IsEverything() const { return !nothing_ && requirements_.empty(); }
  bool IsNothing() const { return nothing_; }

  // Sorted by key.
  const std::vector<LabelRequirement>& requirements() const { return requirements_; }

  // The text for a labelSelector query parameter, the same for the same requirements in any order
  // of keys. Everything and Nothing are both written as "": ask IsNothing() before sending it.
  std::string ToString() const;

  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;

 private:
  bool nothing_ = false;
  std::vector<LabelRequirement> requirements_;
};

// The query form: "a=b,c!=d,e in (x,y),f notin (z),g,!h,i>5". Fails with kInvalid.
Result<LabelSelector> ParseLabelSelector(std::string_view text);

// The object form: matchLabels and matchExpressions. Null selects nothing; an empty one everything.
Result<LabelSelector> DecodeLabelSelector(const boost::json::value& selector);

}  // namespace millwright::kube
