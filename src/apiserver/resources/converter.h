// The port through which objects of a kind get from one version into another, where these differ in
// more than their name.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "base/task.h"

namespace millwright::apiserver {

class Converter {
 public:
  virtual ~Converter() = default;

  // The objects in that version ("example.org/v2"), in the same order. Those that are in it already
  // stay as they are.
  virtual Task<Result<std::vector<boost::json::value>>> Convert(
      std::vector<boost::json::value> objects, std::string api_version) = 0;
};

}  // namespace millwright::apiserver
