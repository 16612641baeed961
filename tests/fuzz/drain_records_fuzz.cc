// Any node, pod, budget or attachment is read into a record or refused, the same way each time.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "controllers/drain/attachment_record.h"
#include "controllers/drain/node_pods.h"
#include "controllers/drain/pod_record.h"
#include "controllers/drain/refusal.h"
#include "dialects/node_record.h"
#include "tests/fuzz/read_object.h"
#include "tests/fuzz/token_text.h"

using namespace millwright;
using namespace millwright::controllers;

namespace {

constexpr std::string_view kTokens[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "null",
                                        "true",
                                        "0",
                                        "-1",
                                        "3",
                                        "\"\"",
                                        "\"a\"",
                                        "\"2026-01-01T00:00:00Z\"",
                                        "\"metadata\":{",
                                        "\"spec\":{",
                                        "\"status\":{",
                                        "\"name\":\"a\"",
                                        "\"labels\":{",
                                        "\"annotations\":{",
                                        "\"kubernetes.io/config.mirror\":\"x\"",
                                        "\"ownerReferences\":[",
                                        "\"kind\":\"DaemonSet\"",
                                        "\"controller\":",
                                        "\"generation\":",
                                        "\"selector\":{",
                                        "\"matchLabels\":{",
                                        "\"matchExpressions\":[",
                                        "\"disruptedPods\":{",
                                        "\"disruptionsAllowed\":",
                                        "\"expectedPods\":",
                                        "\"volumes\":[",
                                        "\"persistentVolumeClaim\":{",
                                        "\"claimName\":\"a\"",
                                        "\"terminationGracePeriodSeconds\":",
                                        "\"priority\":",
                                        "\"phase\":\"Failed\"",
                                        "\"nodeName\":\"a\"",
                                        "\"source\":{",
                                        "\"persistentVolumeName\":\"a\"",
                                        "\"attached\":",
                                        "\"conditions\":[",
                                        "\"type\":\"Ready\"",
                                        "\"status\":\"True\"",
                                        "\"taints\":[",
                                        "\"unschedulable\":",
                                        "\"providerID\":\"a\"",
                                        "\"volumesAttached\":["};

template <class Read>
auto ReadTwice(const std::string& text, Read read) {
  auto first = fuzz::ReadObject(text, read);
  const auto again = fuzz::ReadObject(text, read);
  if (again.has_value() != first.has_value()) std::abort();
  if (first && !(*first == *again)) std::abort();
  return first;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::TokenText(data, size, kTokens);
  (void)ReadTwice(text, dialects::ReadNode);
  (void)ReadTwice(text, ReadAttachment);
  const auto pod = ReadTwice(text, ReadPod);
  const auto budget = ReadTwice(text, ReadBudget);
  if (pod) (void)MustGo(AsPod(*pod), WallTime());
  if (budget) {
    const BudgetRecord* const budgets[] = {&*budget};
    const Refusal refusal = ExplainRefusal(budgets, {{"a", "b"}}, "said");
    if (refusal.why.empty()) std::abort();
  }
  return 0;
}
