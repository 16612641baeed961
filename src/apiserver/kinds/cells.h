// The cells of each kind's row.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "base/time.h"

namespace millwright::apiserver {

// An object and the moment at which it is shown.
class Shown {
 public:
  Shown(const boost::json::value& object, WallTime now) : object_(object), now_(now) {}

  std::string_view Text(std::string_view path) const;
  // The text, or what stands for nothing.
  std::string TextOr(std::string_view path, std::string_view nothing = "<none>") const;
  std::int64_t Number(std::string_view path) const;
  // How many members an object or list has.
  std::int64_t Count(std::string_view path) const;
  // How long ago the time at a path was.
  std::string Ago(std::string_view path) const;
  std::string Age() const { return Ago("metadata.creationTimestamp"); }
  std::string_view Name() const { return Text("metadata.name"); }
  // A scalar of any type as text, or what stands for nothing.
  std::string ScalarOr(std::string_view path, std::string_view nothing) const;

  const boost::json::value& object() const { return object_; }
  WallTime now() const { return now_; }

 private:
  const boost::json::value& object_;
  const WallTime now_;
};

boost::json::array NameAndAge(const Shown& object);
boost::json::array NameAndTime(const Shown& object);

boost::json::array AttachmentCells(const Shown& object);
boost::json::array BindingCells(const Shown& object);
boost::json::array BudgetCells(const Shown& object);
boost::json::array ClaimCells(const Shown& object);
boost::json::array ConfigMapCells(const Shown& object);
boost::json::array CsiNodeCells(const Shown& object);
boost::json::array DaemonSetCells(const Shown& object);
boost::json::array DeploymentCells(const Shown& object);
boost::json::array EventCells(const Shown& object);
boost::json::array JobCells(const Shown& object);
boost::json::array LeaseCells(const Shown& object);
boost::json::array NamespaceCells(const Shown& object);
boost::json::array NodeCells(const Shown& object);
boost::json::array PodCells(const Shown& object);
boost::json::array PriorityCells(const Shown& object);
boost::json::array ReplicaSetCells(const Shown& object);
boost::json::array ReplicationControllerCells(const Shown& object);
boost::json::array SecretCells(const Shown& object);
boost::json::array ServiceCells(const Shown& object);
boost::json::array SigningRequestCells(const Shown& object);
boost::json::array StatefulSetCells(const Shown& object);
boost::json::array StorageClassCells(const Shown& object);
boost::json::array VolumeCells(const Shown& object);
boost::json::array WebhookCells(const Shown& object);

}  // namespace millwright::apiserver
