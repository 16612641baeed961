// What a client is ready to take, from its header Accept. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millwright::apiserver {

struct MediaRange {
  std::string type;                               // in lower case; may end with "/*"
  std::map<std::string, std::string> parameters;  // without q

  bool Covers(std::string_view media_type) const;
};

// The most wanted first; no header is a wish for anything. What is wanted by q=0 is left out.
std::vector<MediaRange> ParseAccept(std::string_view accept);

// The forms in which discovery can be had.
enum class DiscoveryForm { kJson, kYaml, kAggregatedV2, kAggregatedV2beta1 };

// None if the client takes none of them. Only /api and /apis have the aggregated ones.
std::optional<DiscoveryForm> NegotiateDiscovery(std::string_view accept, bool has_aggregated);

}  // namespace millwright::apiserver
