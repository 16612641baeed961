#include "kube/cel/rule_judge.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "kube/api/typed_value.h"
#include "kube/cel/schema_value.h"

namespace millwright::kube::cel {

namespace json = boost::json;

namespace {

// What a kube-apiserver grants all rules of one object, and each of them.
constexpr std::uint64_t kWholeBudget = 10'000'000;
constexpr std::uint64_t kRuleBudget = 1'000'000;
constexpr std::size_t kMaxMessage = 5 * 1024;

constexpr std::string_view kNoBudget =
    "validation failed due to running out of cost budget, no further validation rules will be run";

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// A value, what was in its place before, and what it is in.
struct Place {
  std::string path;
  const json::value& now;
  const json::value* old = nullptr;  // null if nothing was, or nobody can tell
  const Place* around = nullptr;

  // Whether the value, or the nearest thing around it whose past is known, is what it was.
  bool IsUnchanged() const {
    if (old != nullptr) return SameValue(now, *old);
    return around != nullptr && around->IsUnchanged();
  }
};

// The text that names a rule in messages.
std::string_view NameOf(const ValidationRule& rule) {
  return Trimmed(rule.message.empty() ? rule.rule : rule.message);
}

// How messages begin that say what a rule failed with, and how they end.
std::string FailureText(const std::string& failure, const ValidationRule& rule) {
  if (failure.starts_with("no such overload")) {
    return fmt::format(
        "'{}': call arguments did not match a supported operator, function or macro signature for "
        "rule: {}",
        failure, NameOf(rule));
  }
  if (failure.starts_with("operation cancelled")) {
    return fmt::format(
        "'{}': no further validation rules will be run due to call cost exceeds limit for rule: {}",
        failure, NameOf(rule));
  }
  return fmt::format("{} evaluating rule: {}", failure, NameOf(rule));
}

const json::value* MemberOf(const json::value* object, std::string_view name) {
  const json::object* members = object == nullptr ? nullptr : object->if_object();
  return members == nullptr ? nullptr : members->if_contains(name);
}

bool HaveSameKeys(const Schema& list, const json::value& a, const json::value& b) {
  for (const std::string& key : list.list_map_keys) {
    const json::value* x = MemberOf(&a, key);
    const json::value* y = MemberOf(&b, key);
    if ((x == nullptr) != (y == nullptr)) return false;
    if (x != nullptr && !SameValue(*x, *y)) return false;
  }
  return true;
}

// The item of the same keys in the old list; lists of other types have no such thing.
const json::value* OldItem(const Schema& list, const json::value& item, const json::value* old) {
  const json::array* items = old == nullptr ? nullptr : old->if_array();
  if (items == nullptr || list.list_type != ListType::kMap) return nullptr;
  for (const json::value& other : *items) {
    if (HaveSameKeys(list, item, other)) return &other;
  }
  return nullptr;
}

class Walk {
 public:
  // `forgives`: broken rules about what has not changed.
  explicit Walk(bool forgives) : forgives_(forgives) {}

  Judgement Run(const RuleNode& root, const Place& place) {
    Visit(root, place);
    return std::move(out_);
  }

 private:
  void Visit(const RuleNode& node, const Place& place) {
    // Whether null may be is for the schema around to say.
    if (place.now.is_null() || over_) return;
    RunRules(node, place);
    if (const json::array* list = place.now.if_array()) VisitItems(node, *list, place);
    if (const json::object* object = place.now.if_object()) VisitFields(node, *object, place);
  }

  void VisitItems(const RuleNode& node, const json::array& list, const Place& place) {
    if (!node.items) return;
    for (std::size_t i = 0; i < list.size() && !over_; ++i) {
      Visit(*node.items, {.path = PathIndex(place.path, i),
                          .now = list[i],
                          .old = OldItem(*node.schema, list[i], place.old),
                          .around = &place});
    }
  }

  void VisitFields(const RuleNode& node, const json::object& object, const Place& place) {
    for (const auto& member : object) {
      const std::string_view name = member.key();
      const auto property = node.properties.find(name);
      const RuleNode* inner =
          property != node.properties.end() ? property->second.get() : node.additional.get();
      if (inner == nullptr || over_) continue;
      Visit(*inner, {.path = inner == node.additional.get() ? PathKey(place.path, name)
                                                            : PathChild(place.path, name),
                     .now = member.value(),
                     .old = MemberOf(place.old, name),
                     .around = &place});
    }
  }

  // About the value and no rule's verdict: the value itself is of no interest, its type is.
  void Complain(const RuleNode& node, const Place& place, std::string detail) {
    out_.errors.push_back(InvalidError(place.path, json::value(kube::ToString(node.schema->type)),
                                       std::move(detail)));
  }

  void RunRules(const RuleNode& node, const Place& place) {
    if (node.rules.empty()) return;
    const auto self = ValueOfData(*node.schema, place.now);
    if (!self) {
      Complain(node, place, self.error().message());
      return;
    }
    // What was stored under another schema may not fit this one; then it tells nothing.
    const bool had = place.old != nullptr && !place.old->is_null();
    const auto old = had ? ValueOfData(*node.schema, *place.old) : Result<Value>(Value(Null{}));
    for (const CompiledRule& rule : node.rules) {
      if (over_) return;
      RunRule(node, place, rule, *self, had && old ? &*old : nullptr);
    }
  }

  void RunRule(const RuleNode& node, const Place& place, const CompiledRule& rule,
               const Value& self, const Value* old) {
    if (!rule.program) {
      Complain(node, place, "rule compile error: " + rule.error);
      return;
    }
    if (!rule.program->unsupported().empty()) {
      out_.skipped.push_back(
          InvalidError(place.path, json::value(NameOf(rule.said)), rule.program->unsupported()));
      return;
    }
    if (rule.UsesOldSelf() && old == nullptr && !rule.HasOptionalOldSelf()) return;
    if (remaining_ == 0) {
      over_ = true;
      Complain(node, place, std::string(kNoBudget));
      return;
    }
    Activation variables = {{"self", self}};
    if (old != nullptr) variables.emplace("oldSelf", *old);
    Activation optional = {{"self", self},
                           {"oldSelf", old == nullptr ? NoValue() : MakeOptional(*old)}};
    Budget budget(kRuleBudget);
    const auto verdict =
        rule.program->Run(rule.HasOptionalOldSelf() ? optional : variables, budget);
    if (!Pay(budget.spent())) {
      Complain(node, place, std::string(kNoBudget));
      return;
    }
    if (!verdict) {
      over_ = budget.exhausted();
      Complain(node, place, FailureText(verdict.error().message(), rule.said));
      return;
    }
    if (verdict->kind() == Kind::kBool && verdict->As<bool>()) return;
    Refuse(node, place, rule, MessageOf(rule, variables));
  }

  bool Pay(std::uint64_t cost) {
    over_ = cost > remaining_;
    remaining_ -= over_ ? remaining_ : cost;
    return !over_;
  }

  std::string MessageOf(const CompiledRule& rule, const Activation& variables) {
    if (rule.message_program) {
      Budget budget(kRuleBudget);
      const auto text = rule.message_program->Run(variables, budget);
      Pay(budget.spent());
      if (text && text->kind() == Kind::kString) {
        const std::string_view message = Trimmed(text->text());
        const bool fits =
            !message.empty() && message.size() <= kMaxMessage && !message.contains('\n');
        if (fits) return std::string(message);
      }
    }
    if (rule.said.message.empty()) return fmt::format("failed rule: {}", NameOf(rule.said));
    return std::string(NameOf(rule.said));
  }

  void Refuse(const RuleNode& node, const Place& place, const CompiledRule& rule,
              std::string message) {
    FieldError error = InvalidError(place.path, place.now, std::move(message));
    if (!rule.field_path.empty()) error.field = PathChild(place.path, rule.field_path);
    const ValueType type = node.schema->type;
    if (type == ValueType::kObject || type == ValueType::kArray) error.bad_value.clear();
    if (rule.said.reason == "FieldValueForbidden") error.type = FieldErrorType::kForbidden;
    if (rule.said.reason == "FieldValueRequired") error.type = FieldErrorType::kRequired;
    if (rule.said.reason == "FieldValueDuplicate") {
      error.type = FieldErrorType::kDuplicate;
      error.detail.clear();
    }
    const bool forgiven = forgives_ && !rule.UsesOldSelf() && place.IsUnchanged();
    (forgiven ? out_.forgiven : out_.errors).push_back(std::move(error));
  }

  bool forgives_;
  Judgement out_;
  std::uint64_t remaining_ = kWholeBudget;
  bool over_ = false;
};

}  // namespace

std::shared_ptr<const RuleJudge> RuleJudge::Make(const Schema& schema) {
  RuleTree tree = CompileRules(schema);
  if (!tree.root) return nullptr;
  return std::shared_ptr<const RuleJudge>(new RuleJudge(std::move(tree)));
}

Judgement RuleJudge::Judge(const json::value& object, const json::value* old) const {
  return Walk(true).Run(*tree_.root, {.path = "", .now = object, .old = old});
}

std::vector<FieldError> JudgeDefault(const RuleNode& node, const json::value& value,
                                     const std::string& path) {
  Judgement judgement = Walk(false).Run(node, {.path = path, .now = value, .old = &value});
  if (judgement.errors.empty()) judgement = Walk(false).Run(node, {.path = path, .now = value});
  return std::move(judgement.errors);
}

}  // namespace millwright::kube::cel
