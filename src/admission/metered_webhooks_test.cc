#include "admission/metered_webhooks.h"

#include <gmock/gmock.h>

#include "admission/webhook_handler.h"
#include "base/virtual/world.h"

namespace millwright::admission {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MeteredWebhooks, calls_are_counted_by_path) {
  VirtualWorld world;
  VirtualProcess process(world);
  const VirtualClock clock(process);
  WebhookHandler answers(
      Routes{{"/convert", [](std::string_view) -> Result<std::string> { return "{}"; }}});
  Metrics metrics;
  MeteredWebhooks webhooks(answers, metrics, clock);
  for (const char* target : {"/convert?timeout=10s", "/convert", "/nobody"}) {
    net::ServerRequest request;
    request.http.method = "POST";
    request.http.target = target;
    RunTask(process, webhooks.Handle(std::move(request)));
  }
  const std::string text = metrics.Serialize();
  EXPECT_THAT(text, HasSubstr("controller_runtime_webhook_requests_total"
                              "{code=\"200\",webhook=\"/convert\"} 2"));
  EXPECT_THAT(text, HasSubstr("controller_runtime_webhook_latency_seconds_count"
                              "{webhook=\"/convert\"} 2"));
  EXPECT_THAT(text, Not(HasSubstr("/nobody")));
}

}  // namespace
}  // namespace millwright::admission
