// One request, understood, and its answer.
#pragma once

#include <string>
#include <vector>

#include "apiserver/resources/registry.h"
#include "apiserver/resources/resource.h"
#include "apiserver/rest/admission.h"
#include "apiserver/rest/output.h"
#include "apiserver/rest/request.h"
#include "apiserver/store/store.h"
#include "base/clock.h"
#include "base/random.h"
#include "net/server_handler.h"
#include "net/url.h"

namespace millwright::apiserver {

// What the endpoints work with. All of it outlives them.
struct Services {
  Store& store;
  Registry& registry;
  Clock& clock;
  Random& random;
  Admission& admission;
  // Turns a protobuf body into the JSON the same client would have sent.
  Result<boost::json::value> (*decode_protobuf)(std::string_view body);
};

struct Call {
  ResourcePtr resource;
  Place place;
  net::Target target;
  std::string method;
  std::string content_type;
  std::string user_agent;
  std::string body;
  Output output;
  User user;
  // Where warnings go that came before a refusal; null: nowhere.
  std::vector<std::string>* refusal_warnings = nullptr;
};

// The answer to a call that succeeded: one object or list as JSON, in the form it is stored. A
// watch has a stream instead.
struct Answer {
  int code = 200;
  std::string text;
  std::vector<std::string> warnings = {};
  net::BodyStream stream = nullptr;
};

}  // namespace millwright::apiserver
