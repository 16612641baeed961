// Admission: who may change or refuse a write after it was authorized and before it is stored.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "apiserver/rest/request.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"

namespace millwright::apiserver {

// Who asks.
struct User {
  std::string name;
  std::string uid = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::vector<std::string>> extra = {};

  friend bool operator==(const User&, const User&) = default;
};

struct Admittance {
  enum class Operation { kCreate, kUpdate, kDelete, kConnect };

  Operation operation = Operation::kCreate;
  const Resource& resource;
  const Place& place;
  std::string name;  // also of an object whose name was generated
  const User& user;
  bool dry_run = false;
  const boost::json::value* old = nullptr;  // null for a create
  // CreateOptions and the like, as the client gave them.
  const boost::json::value* options = nullptr;
  // The kind of the objects where the endpoint has one of its own: Scale.
  const kube::GroupVersionKind* form = nullptr;
  // Makes an object fit its kind again after it was changed by somebody who does not know it.
  std::function<Result<void>(boost::json::value& object)> refit = {};
  // When the request has taken too long.
  SteadyTime deadline = kNever;

  const kube::GroupVersionKind& kind() const { return form == nullptr ? resource.kind : *form; }
  // In which it happens; for a namespace, itself.
  std::string Namespace() const;
};

// One rule. Both may add warnings for the client.
class AdmissionStep {
 public:
  virtual ~AdmissionStep() = default;

  // May change the object (null for a delete).
  virtual Task<Result<void>> Mutate(const Admittance& about, boost::json::value* object,
                                    std::vector<std::string>& warnings);
  // Sees the final object.
  virtual Task<Result<void>> Validate(const Admittance& about, const boost::json::value* object,
                                      std::vector<std::string>& warnings);
};

// The rules in their order; every mutation comes before any validation.
class Admission {
 public:
  void Add(std::unique_ptr<AdmissionStep> step) { steps_.push_back(std::move(step)); }

  Task<Result<void>> Mutate(const Admittance& about, boost::json::value* object,
                            std::vector<std::string>& warnings);
  Task<Result<void>> Validate(const Admittance& about, const boost::json::value* object,
                              std::vector<std::string>& warnings);

 private:
  std::vector<std::unique_ptr<AdmissionStep>> steps_;
};

}  // namespace millwright::apiserver
