// The question of an API server for objects in another version, and our answer
// (apiextensions.k8s.io/v1). Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/result.h"

namespace millwright::admission {

struct ConversionQuestion {
  std::string uid;
  std::string api_version;  // that is wanted
  std::vector<boost::json::object> objects;
};

// Fails with kInvalid for what is no such question.
Result<ConversionQuestion> ReadConversionReview(std::string_view body);

using ConvertObject = std::function<Result<boost::json::object>(boost::json::object object,
                                                                std::string_view api_version)>;

// All objects or none: an answer has as many as the question. Those that are in the wanted version
// already stay as they are.
std::string AnswerConversion(ConversionQuestion question, const ConvertObject& convert);

}  // namespace millwright::admission
