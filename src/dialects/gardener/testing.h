// Objects for tests of this folder.
#pragma once

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

#include "dialects/gardener/read.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::gardener::testing {

inline WallTime At(std::string_view text) { return *ParseTime(text); }

inline const WallTime kNow = At("2026-11-16T10:00:00Z");

template <class T>
Result<T> Read(Result<T> (*read)(kube::JsonObject, SharedParts&), std::string_view text,
               SharedParts& parts) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(text);
  simdjson::ondemand::document document;
  if (const auto code = parser.iterate(padded).get(document)) {
    return Failure(kube::JsonError(code));
  }
  kube::JsonObject object;
  if (const auto code = document.get_object().get(object)) return Failure(kube::JsonError(code));
  return read(object, parts);
}

template <class T>
T MustRead(Result<T> (*read)(kube::JsonObject, SharedParts&), std::string_view text) {
  SharedParts parts;
  Result<T> record = Read(read, text, parts);
  EXPECT_TRUE(record) << (record ? "" : record.error().message());
  return record ? *std::move(record) : T();
}

inline MachineRecord Machine(std::string_view text) { return MustRead(&ReadMachine, text); }
inline SetRecord Set(std::string_view text) { return MustRead(&ReadSet, text); }
inline DeploymentRecord Deployment(std::string_view text) {
  return MustRead(&ReadDeployment, text);
}
inline ClassRecord Class(std::string_view text) { return MustRead(&ReadClass, text); }

inline boost::json::value Json(std::string_view text) {
  auto parsed = kube::ParseJson(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *std::move(parsed) : boost::json::value();
}

// Whether a patch is the one that is wanted, whatever the order of its keys.
inline ::testing::AssertionResult Is(const boost::json::object& patch, std::string_view want) {
  if (boost::json::value(patch) == Json(want)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << boost::json::serialize(patch) << "\nis not\n" << want;
}

}  // namespace millwright::dialects::gardener::testing
