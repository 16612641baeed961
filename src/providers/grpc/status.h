// What came of a call of gRPC: HTTP/2 answers read by gRPC's rules, and failures in our words.
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "net/http.h"
#include "providers/cloud.h"

namespace millwright::providers::grpc {

// What a server of gRPC takes and sends at most, unless it is told otherwise.
inline constexpr std::size_t kMaxMessage = std::size_t{4} << 20U;

// A message as it travels.
std::string Frame(std::string_view message);

// The value of "grpc-timeout".
std::string TimeoutText(Duration timeout);

// The message of the answer, or the failure with its code. Whatever is no word of the provider
// itself (a proxy's refusal, an answer without its end) is never kNotFound.
Result<std::string> ReadAnswer(const net::HttpResponse& answer);

// There was no answer: nothing is known of the machine but that. `timed_out`: the call's time is
// over.
Failure Unreachable(const Error& why, bool timed_out);

// The text without those secrets, should a provider quote them.
std::string WithoutSecrets(std::string text, const std::map<std::string, SecretText>& secrets,
                           const SecretText& user_data);

}  // namespace millwright::providers::grpc
