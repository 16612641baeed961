// A deployment with its sets and machines, played forward with our planner in the way the records
// were made: in each iteration the deployment is looked at, then each set, then the user and the
// machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/budgeted/plan.h"
#include "tests/goldens/scenario.h"

namespace millwright::goldens {

class Simulation {
 public:
  explicit Simulation(const Scenario& scenario);

  // The whole log, until everything is as wished; or without an end after too many iterations.
  std::string Run();

 private:
  struct SimMachine {
    std::string name;
    bool updating = false;
    bool unacknowledged = false;
    bool deleting = false;
  };

  // Notes stay on a set until they are overwritten, as in the records.
  struct Notes {
    std::optional<std::int64_t> revision;
    std::string moves_to;
    std::string receives_from;
    std::string acknowledged;
    std::string creation_disabled;
  };

  struct SimSet {
    core::MachineSet set;
    int template_number = 0;
    Notes notes;
    std::vector<SimMachine> machines;
  };

  void ReconcileDeployment();
  void ApplyPlan(const core::budgeted::Plan& plan);
  void LogDeployment(const std::vector<SimSet>& before, const core::budgeted::Plan& plan,
                     bool became_current);
  void LogSetChange(const SimSet& set, const SimSet* before, const core::budgeted::SetPlan& plan,
                    bool became_current);
  void CheckLimits();

  void ReconcileSet(SimSet& set);
  void FinishUpdates(SimSet& set);
  void Acknowledge(SimSet& set);
  void SyncReplicas(SimSet& set);
  void Create(SimSet& set, int count);
  void Move(SimSet& set, int count);
  void Delete(SimSet& set, int count);
  void ReportSet(SimSet& set);

  void DeleteForUser();
  void ReconcileMachine(const std::string& name);

  bool IsDone() const;
  core::budgeted::Scene Observe(std::vector<std::string>& may_update) const;
  SimSet& Named(const std::string& name);
  bool IsCurrent(const SimSet& set) const { return set.template_number == template_number_; }
  std::vector<std::string> MachineNames() const;

  std::string DeploymentSummary() const;
  std::string SetSummary(const SimSet& set) const;
  std::string MachineSummary(const SimSet& set) const;
  std::string State() const;
  void Log(const std::string& line) { log_ += line + "\n"; }

  Scenario scenario_;
  core::Deployment deployment_;
  core::SetCounts reported_;
  std::vector<SimSet> sets_;
  int template_number_ = 0;
  int last_machine_ = 0;
  int iteration_ = 1;
  std::string log_;
};

}  // namespace millwright::goldens
