// One event of a Node's watch, from bytes to the cache's verdict "nothing we look at changed".
#include <benchmark/benchmark.h>
#include <boost/json.hpp>

#include "benchmarks/node_view.h"
#include "benchmarks/sample_node.h"
#include "kube/watch/event.h"
#include "kube/watch/line_buffer.h"

namespace millwright::benchmarks {
namespace {

void DecodeNodeEvent(benchmark::State& state) {
  const std::string line = R"({"type":"MODIFIED","object":)" + SampleNode(7) + "}\n";
  kube::LineBuffer lines;
  kube::EventParser parser;
  const NodeDecoder decode;
  NodeView last;
  std::size_t changes = 0;
  for (auto _ : state) {
    static_cast<void>(lines.Append(line));
    while (const auto event = lines.Next()) {
      static_cast<void>(
          parser.Parse(*event, [&](kube::EventType, kube::JsonObject object) -> Result<void> {
            TRY(NodeView node, decode(object));
            changes += node == last ? 0 : 1;
            last = std::move(node);
            return {};
          }));
    }
  }
  if (changes != 1) state.SkipWithError("the event was not read");
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * line.size()));
}
BENCHMARK(DecodeNodeEvent);

// The same by a tree of the whole document.
void DecodeNodeEventByTree(benchmark::State& state) {
  const std::string line = R"({"type":"MODIFIED","object":)" + SampleNode(7) + "}\n";
  for (auto _ : state) benchmark::DoNotOptimize(boost::json::parse(line));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * line.size()));
}
BENCHMARK(DecodeNodeEventByTree);

}  // namespace
}  // namespace millwright::benchmarks

BENCHMARK_MAIN();
