// A disk on the clock it is given: slow, failing and crash-proof as a script says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "apiserver/store/disk.h"
#include "base/clock.h"

namespace millwright::apiserver {

// What survives when the simulated process that writes it dies.
class Platter {
 public:
  explicit Platter(std::string cluster_id) : cluster_id_(std::move(cluster_id)) {}

  DiskImage Read() const;
  void Write(const Batch& batch);

  std::size_t rows() const { return rows_.size(); }

 private:
  std::string cluster_id_;
  Revision compacted_ = DiskImage{}.compacted;
  std::map<Revision, RecordPtr> rows_;
};

// What becomes of one commit. A crash before it lands loses it; one between landing and answer
// loses only the answer.
struct CommitFate {
  Duration until_landed{};
  Duration until_answered{};
  std::optional<Error> error = {};  // fails, and nothing lands
};

class SimulatedDisk final : public Disk {
 public:
  // Asked for each commit, with its number from 0.
  using Script = std::function<CommitFate(std::uint64_t)>;

  // The platter outlives the process; the script must be safe to keep.
  SimulatedDisk(Platter& platter, Clock& clock, Script script = {});

  Result<DiskImage> Load() override { return platter_.Read(); }
  Task<Result<void>> Commit(std::shared_ptr<const Batch> batch) override;
  Task<Result<void>> Backup(std::string path) override;

  std::uint64_t commits() const { return commits_; }

 private:
  Platter& platter_;
  Clock& clock_;
  Script script_;
  std::uint64_t commits_ = 0;
};

}  // namespace millwright::apiserver
