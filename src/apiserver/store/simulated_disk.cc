#include "apiserver/store/simulated_disk.h"

#include <utility>

namespace millwright::apiserver {

DiskImage Platter::Read() const {
  DiskImage image{.cluster_id = cluster_id_, .compacted = compacted_, .rows = {}};
  image.rows.reserve(rows_.size());
  for (const auto& [revision, record] : rows_) image.rows.push_back(record);
  return image;
}

void Platter::Write(const Batch& batch) {
  for (const Revision revision : batch.obsolete) rows_.erase(revision);
  for (const RecordPtr& record : batch.rows) rows_.emplace(record->mod_revision, record);
  if (batch.compacted != 0) compacted_ = batch.compacted;
}

SimulatedDisk::SimulatedDisk(Platter& platter, Clock& clock, Script script)
    : platter_(platter), clock_(clock), script_(std::move(script)) {}

Task<Result<void>> SimulatedDisk::Commit(std::shared_ptr<const Batch> batch) {
  const std::uint64_t number = commits_++;
  const CommitFate fate = script_ ? script_(number) : CommitFate{};
  if (fate.until_landed > Duration::zero()) co_await SleepFor(clock_, fate.until_landed);
  if (fate.error) co_return Failure(*fate.error);
  platter_.Write(*batch);
  if (fate.until_answered > Duration::zero()) co_await SleepFor(clock_, fate.until_answered);
  co_return Ok();
}

Task<Result<void>> SimulatedDisk::Backup(std::string /*path*/) {
  co_return Fail(ErrorKind::kInvalid, "a simulated disk has no files: copy its platter");
}

}  // namespace millwright::apiserver
