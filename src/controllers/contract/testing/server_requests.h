// For tests: what people, providers and kubelets ask of the servers, and what they see.
#pragma once

#include <fmt/format.h>
#include <boost/json.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "controllers/contract/testing/contract_servers.h"
#include "kube/api/json_text.h"

namespace millwright::controllers::contract {

class ServerRequests : public ContractServers {
 protected:
  using ContractServers::ContractServers;

  struct Reply {
    int status = 0;
    boost::json::value body;

    std::string At(std::string_view path) const { return std::string(kube::GetString(body, path)); }
    bool Is(std::string_view path, const boost::json::value& value) const {
      const boost::json::value* found = kube::Find(body, path);
      return found != nullptr && *found == value;
    }
    const boost::json::value* Find(std::string_view path) const { return kube::Find(body, path); }
  };

  Reply Ask(net::Http& http, std::string method, std::string target, std::string body) {
    const bool patch = method == "PATCH";
    net::HttpRequest request{
        .method = std::move(method),
        .target = std::move(target),
        .headers = {{"Content-Type", patch ? "application/merge-patch+json" : "application/json"}},
        .body = std::move(body)};
    const auto answer = *RunTask(process_, http.Send(std::move(request)));
    return {answer.value().status, boost::json::parse(answer.value().body)};
  }

  Reply Must(net::Http& http, std::string method, std::string target, std::string body,
             int expected) {
    Reply reply = Ask(http, method, target, std::move(body));
    EXPECT_EQ(reply.status, expected) << method << " " << target << " " << reply.body;
    world_.Settle();
    return reply;
  }

  // Of custom kinds, apiVersion and kind are added.
  Reply Create(const std::string& path, const std::string& body) {
    boost::json::object object = boost::json::parse(body).as_object();
    if (path.starts_with("/apis/") && !object.contains("kind")) {
      const std::size_t spaces = path.find("/namespaces/");
      object["apiVersion"] = path.substr(6, spaces - 6);
      object["kind"] = KindAt(path.substr(path.rfind('/') + 1));
    }
    return Must(*http_, "POST", path, boost::json::serialize(object), 201);
  }
  Reply Patch(const std::string& path, std::string body) {
    return Must(*http_, "PATCH", path, std::move(body), 200);
  }
  void Delete(const std::string& path) { Must(*http_, "DELETE", path, "", 200); }
  Reply Get(const std::string& path) { return Ask(*http_, "GET", path, ""); }
  bool Exists(const std::string& path) { return Get(path).status == 200; }

  Reply CreateThere(const std::string& path, std::string body) {
    return Must(*workload_http_, "POST", path, std::move(body), 201);
  }
  Reply PatchThere(const std::string& path, std::string body) {
    return Must(*workload_http_, "PATCH", path, std::move(body), 200);
  }
  void DeleteThere(const std::string& path) {
    Must(*workload_http_, "DELETE", path, R"({"gracePeriodSeconds":0})", 200);
  }
  Reply GetThere(const std::string& path) { return Ask(*workload_http_, "GET", path, ""); }
  bool ExistsThere(const std::string& path) { return GetThere(path).status == 200; }

  // The condition of an object as "Status Reason: message", or "" if there is none.
  static std::string Shown(const Reply& object, std::string_view type) {
    const boost::json::array* all = kube::GetArray(object.body, "status.conditions");
    if (all == nullptr) return "";
    for (const boost::json::value& condition : *all) {
      if (kube::GetString(condition, "type") != type) continue;
      const std::string_view message = kube::GetString(condition, "message");
      return fmt::format("{} {}{}{}", kube::GetString(condition, "status"),
                         kube::GetString(condition, "reason"), message.empty() ? "" : ": ",
                         message);
    }
    return "";
  }

  void Pass(Duration time) { world_.Advance(time); }
};

}  // namespace millwright::controllers::contract
