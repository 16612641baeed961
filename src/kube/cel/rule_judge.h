// Objects judged by the rules of their schema.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "kube/api/schema.h"
#include "kube/api/schema_error.h"
#include "kube/cel/rule_tree.h"

namespace millwright::kube::cel {

struct Judgement {
  std::vector<FieldError> errors;
  // Broken rules about what has not changed since it was last accepted: for a warning only.
  std::vector<FieldError> forgiven;
  // Rules that were not run because we cannot run them.
  std::vector<FieldError> skipped;
};

// What rules say against a default, which stands at `path`: as a value that comes new, and as one
// that was there before.
std::vector<FieldError> JudgeDefault(const RuleNode& node, const boost::json::value& value,
                                     const std::string& path);

class RuleJudge {
 public:
  // Null if the schema has no rules.
  static std::shared_ptr<const RuleJudge> Make(const Schema& schema);

  // `old` is null for a create. The object has to fit its schema as far as types go.
  Judgement Judge(const boost::json::value& object, const boost::json::value* old) const;

 private:
  explicit RuleJudge(RuleTree tree) : tree_(std::move(tree)) {}

  RuleTree tree_;
};

}  // namespace millwright::kube::cel
