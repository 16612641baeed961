// What is said to a conversion webhook, and what its answer means. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::apiserver {

// A question: these objects, please, in that version.
struct ConversionRequest {
  std::string review_version;  // "v1": the version of the review, not of the objects
  std::string uid;
  std::string api_version;  // "example.org/v2"
  const std::vector<boost::json::value>& objects;
};

std::string WriteReview(const ConversionRequest& request);

// The objects of the answer with all metadata but labels and annotations restored: a webhook has no
// business there. Fails with kInvalid in the words of a real server, without what it was about.
Result<std::vector<boost::json::value>> ReadReview(const ConversionRequest& request,
                                                   std::string_view answer);

}  // namespace millwright::apiserver
