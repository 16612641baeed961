// Objects for tests of this folder and of those that use it.
#pragma once

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

#include "dialects/capi/read.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::capi::testing {

inline WallTime At(std::string_view text) { return *ParseTime(text); }

inline const WallTime kNow = At("2026-11-16T10:00:00Z");

template <class T>
Result<T> Read(Result<T> (Reader::*read)(kube::JsonObject), std::string_view text) {
  Reader reader;
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(text);
  simdjson::ondemand::document document;
  if (const auto code = parser.iterate(padded).get(document)) {
    return Failure(kube::JsonError(code));
  }
  kube::JsonObject object;
  if (const auto code = document.get_object().get(object)) return Failure(kube::JsonError(code));
  return (reader.*read)(object);
}

template <class T>
T MustRead(Result<T> (Reader::*read)(kube::JsonObject), std::string_view text) {
  Result<T> record = Read(read, text);
  EXPECT_TRUE(record) << (record ? "" : record.error().message());
  return record ? *std::move(record) : T();
}

inline MachineRecord Machine(std::string_view text) { return MustRead(&Reader::Machine, text); }
inline SetRecord Set(std::string_view text) { return MustRead(&Reader::Set, text); }
inline DeploymentRecord Deployment(std::string_view text) {
  return MustRead(&Reader::Deployment, text);
}
inline HealthCheckRecord HealthCheck(std::string_view text) {
  return MustRead(&Reader::HealthCheck, text);
}
inline DrainRuleRecord DrainRule(std::string_view text) {
  return MustRead(&Reader::DrainRule, text);
}
inline ClusterRecord Cluster(std::string_view text) { return MustRead(&Reader::Cluster, text); }
inline ExternalRecord External(std::string_view text) { return MustRead(&Reader::External, text); }

inline boost::json::value Json(std::string_view text) {
  auto parsed = kube::ParseJson(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *std::move(parsed) : boost::json::value();
}

// Whether an object is the one that is wanted, whatever the order of its keys.
inline ::testing::AssertionResult Is(const boost::json::object& object, std::string_view want) {
  if (boost::json::value(object) == Json(want)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << boost::json::serialize(object) << "\nis not\n" << want;
}

}  // namespace millwright::dialects::capi::testing
