#include "cli/guarded_pages.h"

#include <gtest/gtest.h>

#include "base/virtual/world.h"
#include "net/server_message.h"

namespace millwright::cli {
namespace {

using namespace std::chrono_literals;

// The reviews of an API server that knows two tokens.
class Reviews final : public net::Http {
 public:
  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    ++asked;
    if (down) co_return Fail(ErrorKind::kUnavailable, "nobody answers");
    std::string body;
    if (request.target.contains("tokenreviews")) {
      const bool known = request.body.contains("good") || request.body.contains("other");
      const char* user = request.body.contains("good") ? "prometheus" : "somebody";
      body = known ? std::string(R"({"status":{"authenticated":true,"user":{"username":")") + user +
                         R"(","groups":["g"]}}})"
                   : R"({"status":{"authenticated":false}})";
    } else {
      const bool may = request.body.contains("prometheus") && request.body.contains(R"(["g"])") &&
                       request.body.contains("/metrics");
      body = may ? R"({"status":{"allowed":true}})" : R"({"status":{"allowed":false}})";
    }
    co_return net::HttpResponse{
        .status = 201, .headers = {{"Content-Type", "application/json"}}, .body = body};
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest) override {
    co_return Fail(ErrorKind::kUnavailable, "no streams here");
  }

  int asked = 0;
  bool down = false;
};

class Page final : public net::Handler {
 public:
  Task<net::ServerResponse> Handle(net::ServerRequest) override {
    net::ServerResponse response;
    response.http = net::PlainAnswer(200, "figures");
    co_return response;
  }
};

class GuardedPagesTest : public testing::Test {
 protected:
  int Get(const std::string& target, const std::string& token) {
    net::ServerRequest request;
    request.http.target = target;
    if (!token.empty()) request.http.headers.Add("Authorization", "Bearer " + token);
    return RunTask(process_, guarded_.Handle(std::move(request)))->http.status;
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  Reviews server_;
  kube::Client client_{server_, "test"};
  Page page_;
  GuardedPages guarded_{page_, client_, clock_};
};

TEST_F(GuardedPagesTest, the_server_decides_who_may_look) {
  EXPECT_EQ(Get("/metrics", ""), 401);
  EXPECT_EQ(Get("/metrics", "bad"), 401);
  EXPECT_EQ(Get("/metrics", "other"), 403);
  EXPECT_EQ(Get("/metrics?x=1", "good"), 200);
  EXPECT_EQ(Get("/debug/pprof/", "good"), 403);
  server_.down = true;
  EXPECT_EQ(Get("/metrics", "new"), 500);
}

TEST_F(GuardedPagesTest, it_is_not_asked_each_time) {
  EXPECT_EQ(Get("/metrics", "good"), 200);
  const int asked = server_.asked;
  EXPECT_EQ(Get("/metrics", "good"), 200);
  EXPECT_EQ(server_.asked, asked);
  world_.Advance(61s);
  EXPECT_EQ(Get("/metrics", "good"), 200);
  EXPECT_GT(server_.asked, asked);
}

}  // namespace
}  // namespace millwright::cli
