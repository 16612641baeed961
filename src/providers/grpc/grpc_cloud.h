// A cloud whose provider runs in a process of its own and speaks
// millwright/provider/v1/provider.proto.
//
// gRPC over our own HTTP/2 client: its calls are coroutines of our one thread, on our clock, so
// tests run on virtual time; libgrpc++ would bring threads, a clock of its own and ten megabytes.
//
// Before a machine is touched the provider has said who it is, again after each time that it could
// not be reached: a socket that another provider listens on would else tell us that our instances
// are gone.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/signal.h"
#include "net/http.h"
#include "providers/cloud.h"
#include "providers/grpc/messages.h"

namespace millwright::providers::grpc {

// How long an answer may take.
struct Deadlines {
  Duration identity = std::chrono::seconds(10);
  Duration create = std::chrono::minutes(20);
  Duration initialize = std::chrono::minutes(5);
  Duration remove = std::chrono::minutes(20);  // also of all calls of one removal together
  Duration status = std::chrono::minutes(1);
  Duration list = std::chrono::minutes(5);  // of one page
  Duration volume_ids = std::chrono::seconds(10);
};

class GrpcCloud final : public Cloud {
 public:
  struct Options {
    std::string provider;  // the name by which classes ask for it
    std::string address;   // for people
    Deadlines deadlines{};
    std::function<void()> before_greeting{};  // a chance to look at certificates again
  };

  // All outlive it.
  GrpcCloud(const Executor& executor, net::Http& http, Clock& clock, Logger log, Options options);

  // As the provider last said; all, until it has said anything.
  Capabilities capabilities() const override;

  // Nothing is wrong as far as we know: the provider says what it finds when asked to create.
  Result<void> Validate(const InstanceClass& instance_class) const override;

  Task<Result<Instance>> Create(std::shared_ptr<const InstanceClass> instance_class,
                                CreateRequest request) override;
  Task<Result<Instance>> Get(std::shared_ptr<const InstanceClass> instance_class,
                             MachineIdentity machine) override;
  Task<Result<Instance>> Initialize(std::shared_ptr<const InstanceClass> instance_class,
                                    CreateRequest request) override;
  Task<Result<void>> Remove(std::shared_ptr<const InstanceClass> instance_class,
                            MachineIdentity machine) override;
  Task<Result<std::vector<Instance>>> List(
      std::shared_ptr<const InstanceClass> instance_class) override;
  Task<Result<std::vector<std::string>>> VolumeIds(
      std::shared_ptr<const InstanceClass> instance_class,
      std::vector<std::string> volumes) override;

  // Gets to know the provider, so that the log says early if it cannot be reached; ends when it
  // could, or when cancelled.
  Task<void> Greet();

 private:
  using ClassPtr = std::shared_ptr<const InstanceClass>;

  struct Asked {
    std::string_view method;  // "Machines/Create"
    std::string message;
    Duration limit{};
  };

  Task<Result<void>> Known();
  Task<Result<void>> Introduce();
  Task<Result<std::string>> Send(Asked asked);
  Task<Result<std::string>> Call(Asked asked, ClassPtr instance_class, SecretText user_data);
  ClassCall Of(const ClassPtr& instance_class) const {
    return {.provider = options_.provider, .instance_class = *instance_class};
  }
  void Note(const Result<void>& introduced);

  // Fixed after construction.
  net::Http& http_;
  Clock& clock_;
  const Logger log_;
  const Options options_;

  // What is known of the provider.
  Abilities abilities_{.initialize = true, .status = true, .list = true, .volume_ids = true};
  bool known_ = false;     // and nothing has happened since that makes it doubtful
  bool greeting_ = false;  // somebody is asking who it is
  Result<void> greeted_;   // how that last went
  std::string told_;       // the trouble that the log knows of
  Signal greeting_over_;
};

}  // namespace millwright::providers::grpc
