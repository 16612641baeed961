// No disk: the store lives as long as the process.
#pragma once

#include <string>
#include <utility>

#include "apiserver/store/disk.h"

namespace millwright::apiserver {

class MemoryDisk final : public Disk {
 public:
  explicit MemoryDisk(std::string cluster_id) : cluster_id_(std::move(cluster_id)) {}

  Result<DiskImage> Load() override { return DiskImage{.cluster_id = cluster_id_, .rows = {}}; }

  Task<Result<void>> Commit(std::shared_ptr<const Batch> /*batch*/) override { co_return Ok(); }

  Task<Result<void>> Backup(std::string /*path*/) override {
    co_return Fail(ErrorKind::kInvalid,
                   "a store in memory has no backup: start the server with a data directory");
  }

 private:
  std::string cluster_id_;
};

}  // namespace millwright::apiserver
