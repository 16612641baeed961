#include "net/unix_dial.h"

#include <utility>

namespace millwright::net {

using boost::system::error_code;

UnixDial::UnixDial(const Executor& executor, Done done)
    : done_(std::move(done)), socket_(std::make_shared<UnixSocket>(executor)) {}

std::shared_ptr<UnixDial> UnixDial::Start(const Executor& executor, const std::string& path,
                                          Done done) {
  const std::shared_ptr<UnixDial> dial(new UnixDial(executor, std::move(done)));
  dial->socket_->async_connect(
      boost::asio::local::stream_protocol::endpoint(path), [dial](const error_code& error) {
        if (!dial->done_) return;
        const Done tell = std::exchange(dial->done_, nullptr);
        if (error) {
          tell(Fail(ErrorKind::kUnavailable, "could not connect: " + error.message()));
        } else {
          tell(std::move(dial->socket_));
        }
      });
  return dial;
}

void UnixDial::Cancel() {
  done_ = nullptr;
  error_code ignored;
  if (socket_) socket_->close(ignored);
}

}  // namespace millwright::net
