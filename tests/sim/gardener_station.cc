// Gardener's loops in a simulated process.
#include "base/task_group.h"
#include "controllers/all/all_controllers.h"
#include "dialects/gardener/gardener.h"
#include "kube/events/recorder.h"
#include "tests/sim/words.h"

namespace millwright::sim {

Task<void> RunGardener(Station& station) {
  const Mutant* mutant = station.mutant;
  const std::unique_ptr<dialects::Dialect> dialect =
      mutant != nullptr && mutant->dialect != nullptr
          ? mutant->dialect()
          : std::make_unique<dialects::gardener::GardenerDialect>();
  kube::Recorder events(station.executor, station.client, station.clock, station.log.For("events"),
                        {.component = "machine-controller-manager"});
  controllers::Surroundings surroundings{.executor = station.executor,
                                         .clock = station.clock,
                                         .random = station.random,
                                         .log = station.log,
                                         .control = station.client,
                                         .target = &station.client,
                                         .dialect = *dialect,
                                         .events = events,
                                         .settings = station.settings};
  if (mutant != nullptr && mutant->settings != nullptr) mutant->settings(surroundings.settings);
  controllers::AllControllers all(surroundings, station.clouds);
  TaskGroup tasks(station.executor);
  tasks.Spawn([&] { return events.Run(); });
  tasks.Spawn([&] { return all.RunCaches(); });
  tasks.Spawn([&] { return all.RunLoops(); });
  co_await UntilCancelled();
}

}  // namespace millwright::sim
