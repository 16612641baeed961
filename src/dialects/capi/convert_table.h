// Which field of the one version is which of the other.
#pragma once

#include <span>
#include <string_view>

namespace millwright::dialects::capi {

enum class Form {
  kSame,
  kSeconds,         // a number of seconds; of old "1m30s"
  kReference,       // group, kind and name; of old with version and namespace
  kTemplateRef,     // with a version in both; of old with a namespace
  kNode,            // a name; of old a reference to a Node
  kTruth,           // true, false or none; of old true or not
  kCount,           // a number or none; of old a number
  kPhase,           // "Updating" is new
  kTimedList,       // items with timeoutSeconds; of old timeout
  kFailureDomains,  // a list; of old a map
  kNotZero,         // a zero of old is none
};

struct FieldPair {
  std::string_view now;
  std::string_view old;  // empty: there was none, and it is restored from the annotation
  Form form = Form::kSame;
};

struct KindPairs {
  std::string_view kind;
  std::span<const FieldPair> fields;
  std::span<const std::string_view> gone;        // of old, and dropped
  std::span<const std::string_view> containers;  // of old, of no use when they are empty
  bool restores = false;                         // what is new is kept in an annotation
};

// Null: not one of our kinds.
const KindPairs* PairsOf(std::string_view kind);

}  // namespace millwright::dialects::capi
