// One call of a webhook: a review goes out, its answer comes back.
#pragma once

#include <string>

#include "apiserver/webhooks/calls.h"
#include "base/task.h"
#include "base/time.h"

namespace millwright::apiserver {

// The body of a 200. All failures are told in one line, as a kube-apiserver tells them where others
// are known to read it: 'Post "https://...": context deadline exceeded'.
Task<Result<std::string>> PostReview(WebhookCalls calls, WebhookAddress address, std::string body,
                                     Duration timeout);

// The URL that is posted to: the webhook is told how long its answer is waited for. Pure.
std::string UrlWithTimeout(std::string_view url, Duration timeout);

}  // namespace millwright::apiserver
