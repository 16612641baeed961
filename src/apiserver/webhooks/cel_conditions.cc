#include "apiserver/webhooks/cel_conditions.h"

#include <fmt/format.h>

#include <map>
#include <memory>

#include <boost/json.hpp>

#include "apiserver/webhooks/cel_data.h"
#include "kube/api/json_text.h"
#include "kube/cel/program.h"

namespace millwright::apiserver {

namespace json = boost::json;
namespace cel = kube::cel;

namespace {

// For all conditions of a webhook together, as Kubernetes has it.
constexpr std::uint64_t kBudget = 2'500'000;
// Compiled expressions are kept as long as there are not unreasonably many.
constexpr std::size_t kMaxPrograms = 1000;

using Programs = std::map<std::string, Result<cel::Program>, std::less<>>;

Result<cel::Program> Compile(std::string_view source) {
  const cel::TypePtr& any = cel::SimpleType(cel::Kind::kDyn);
  return cel::Program::Compile(
      source, {{"object", any}, {"oldObject", any}, {"request", AdmissionRequestType()}});
}

const Result<cel::Program>& ProgramOf(std::string_view source, Programs& programs) {
  const auto known = programs.find(source);
  if (known != programs.end()) return known->second;
  if (programs.size() >= kMaxPrograms) programs.clear();
  return programs.emplace(std::string(source), Compile(source)).first->second;
}

Result<bool> Holds(std::string_view source, const cel::Activation& variables, cel::Budget& budget,
                   Programs& programs) {
  const Result<cel::Program>& program = ProgramOf(source, programs);
  if (!program) return Fail(ErrorKind::kInvalid, "compilation error: " + program.error().message());
  auto value = program->Run(variables, budget);
  if (!value) {
    return Fail(ErrorKind::kInvalid, fmt::format("expression '{}' resulted in error: {}", source,
                                                 value.error().message()));
  }
  if (const bool* held = value->If<bool>()) return *held;
  return Fail(ErrorKind::kInvalid, fmt::format("expression '{}' is not a condition", source));
}

Result<bool> AllHold(const json::array& conditions, const ConditionInput& input,
                     Programs& programs) {
  const auto value_of = [](const json::value* data) {
    return data == nullptr ? cel::Value(cel::Null{}) : CelData(*data);
  };
  const cel::Activation variables{{"object", value_of(input.object)},
                                  {"oldObject", value_of(input.old)},
                                  {"request", CelData(input.request)}};
  cel::Budget budget(kBudget);
  std::string errors;
  int failed = 0;
  for (const json::value& condition : conditions) {
    const auto held = Holds(kube::GetString(condition, "expression"), variables, budget, programs);
    if (held && !*held) return false;
    if (held) continue;
    errors += (failed++ > 0 ? ", " : "") + held.error().message();
  }
  if (failed == 0) return true;
  return Fail(ErrorKind::kInvalid, failed == 1 ? errors : "[" + errors + "]");
}

}  // namespace

Result<void> CheckCondition(std::string_view expression) {
  const auto program = Compile(expression);
  if (!program) {
    return Fail(ErrorKind::kInvalid, "compilation failed: " + program.error().message());
  }
  if (program->type().kind == cel::Kind::kBool) return Ok();
  return Fail(ErrorKind::kInvalid,
              fmt::format("must evaluate to bool but got {}", cel::ToString(program->type())));
}

MatchConditions CelConditions() {
  return [programs = std::make_shared<Programs>()](const json::array& conditions,
                                                   const ConditionInput& input) {
    return AllHold(conditions, input, *programs);
  };
}

}  // namespace millwright::apiserver
