// Where a program's clusters are, as its flags say it.
#pragma once

#include <optional>
#include <string>

namespace millwright::dialects {

struct ClusterSource {
  enum class From {
    kFile,      // the kubeconfig in `path`
    kPod,       // the account of the pod we run in, and nothing else
    kAsKubectl  // $KUBECONFIG, the pod's account, ~/.kube/config
  };

  From from = From::kAsKubectl;
  std::string path;

  friend bool operator==(const ClusterSource&, const ClusterSource&) = default;
};

struct Clusters {
  ClusterSource control;                // of the machine objects
  std::optional<ClusterSource> target;  // that machines join; none: they join no cluster

  friend bool operator==(const Clusters&, const Clusters&) = default;
};

}  // namespace millwright::dialects
