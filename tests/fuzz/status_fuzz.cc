// Any body of any answer becomes an error with a status in it, and a status survives its JSON.
#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kube/api/status.h"
#include "tests/fuzz/token_text.h"

using namespace millwright;

namespace {

constexpr std::string_view kTokens[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "null",
                                        "true",
                                        "7",
                                        "-1",
                                        "3.5",
                                        "\"\"",
                                        "\"a\"",
                                        "\"Failure\"",
                                        R"({"kind":"Status","apiVersion":"v1")",
                                        R"("metadata":{"resourceVersion":"7","continue":"c"})",
                                        R"("status":"Failure")",
                                        R"("status")",
                                        R"("message")",
                                        R"("message":"m")",
                                        R"("reason")",
                                        R"("reason":"NotFound")",
                                        R"("reason":"Conflict")",
                                        R"("reason":"Expired")",
                                        R"("code")",
                                        R"("code":404)",
                                        R"("code":429)",
                                        R"("details")",
                                        R"("details":{"name":"a","kind":"b",)",
                                        R"("group":"g")",
                                        R"("uid":"u")",
                                        R"("retryAfterSeconds")",
                                        R"("retryAfterSeconds":5)",
                                        R"("causes":[)",
                                        R"({"reason":"r","message":"m","field":"f"})",
                                        "]}",
                                        "}}"};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const int code = 400 + data[0] % 200;
  const std::string body = fuzz::TokenText(data + 1, size - 1, kTokens);
  const Error error = kube::ErrorFrom(code, body);
  const auto* detail = error.detail<kube::StatusDetail>();
  if (detail == nullptr || error.message().empty()) std::abort();
  const auto again = kube::DecodeStatus(kube::EncodeStatus(detail->status()));
  kube::Status want = detail->status();
  if (want.status.empty()) want.status = "Failure";
  if (again != want) std::abort();
  return 0;
}
