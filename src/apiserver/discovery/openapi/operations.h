// The paths of a kind and what can be done there, whatever form it is written in. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/discovery/openapi/parameters.h"
#include "apiserver/resources/resource.h"

namespace millwright::apiserver::openapi {

struct Operation {
  std::string_view method;  // "get"
  std::string_view action;  // "list"
  std::string id;           // "listAppsV1NamespacedDeployment"
  std::string description;
  // What it is about. Clients look for the operation of a kind by it.
  kube::GroupVersionKind kind;
  std::span<const Parameter> parameters = {};

  std::string body = {};  // the definition; empty: none
  bool body_required = false;
  std::vector<std::string_view> body_types = {};

  std::string answer = {};  // the definition; empty: not said
  std::vector<std::string_view> answer_types = {};
  std::vector<std::string_view> codes = {};  // with that answer
};

struct Path {
  std::string path;  // "/apis/apps/v1/namespaces/{namespace}/deployments"
  std::string tag;
  std::span<const Parameter> parameters;
  std::vector<Operation> operations;
};

// In the order in which people look for them: the collection, the object, what is below it.
std::vector<Path> PathsOf(const Resource& resource);

}  // namespace millwright::apiserver::openapi
