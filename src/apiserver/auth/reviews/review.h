// What all reviews have in common: reading the question, and writing it back with its answer.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/rest/call.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver {

struct Review {
  ResourcePtr kind;
  boost::json::value object;
  std::vector<std::string> warnings = {};

  boost::json::object& Member(std::string_view name);
  boost::json::object& Metadata() { return Member("metadata"); }
  boost::json::object& Spec() { return Member("spec"); }
  boost::json::object& Status() { return Member("status"); }
};

// The body as an object of that kind, with the status left out: 400, 415. Who sent it is written
// down in its managedFields, as for any object.
Result<Review> ReadReview(const Services& services, const Call& call, ResourcePtr kind);

Result<Answer> AnswerReview(Review review);

// 422 if there are any errors, without a name: reviews have none.
Result<void> CheckErrors(const Review& review, const std::vector<kube::FieldError>& errors);

boost::json::object WriteUser(const User& user);

}  // namespace millwright::apiserver
