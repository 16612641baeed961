// The objects of one provider's kind, whoever keeps them: a loop of this process that knows more of
// them than the contracts say (controllers/supply) has them once, and not twice.
#pragma once

#include <concepts>
#include <functional>
#include <string>

#include "dialects/capi/records.h"
#include "kube/informer/informer.h"

namespace millwright::controllers::contract {

namespace capi = dialects::capi;

class ExternalCache {
 public:
  virtual ~ExternalCache() = default;

  virtual bool synced() const = 0;
  virtual Task<Wake> WaitSynced() = 0;

  // Null if it is not there. Valid until the next wait.
  virtual const capi::ExternalRecord* Find(const kube::ObjectKey& key) const = 0;
  // Why an object that is there cannot be read. Null: it can, or is not there.
  virtual const std::string* WhyBroken(const kube::ObjectKey& key) const = 0;
  virtual void ForEach(const std::function<void(const capi::ExternalRecord&)>& visit) const = 0;

  virtual kube::WriteGuard& guard() = 0;
};

template <std::derived_from<capi::ExternalRecord> Record>
class InformerCache final : public ExternalCache {
 public:
  // It outlives this.
  explicit InformerCache(kube::Informer<Record>& informer) : informer_(informer) {}

  bool synced() const override { return informer_.synced(); }
  Task<Wake> WaitSynced() override { return informer_.WaitSynced(); }
  const capi::ExternalRecord* Find(const kube::ObjectKey& key) const override {
    return informer_.store().Find(key);
  }
  const std::string* WhyBroken(const kube::ObjectKey& key) const override {
    const auto& broken = informer_.store().broken();
    const auto found = broken.find(key);
    return found == broken.end() ? nullptr : &found->second.reason;
  }
  void ForEach(const std::function<void(const capi::ExternalRecord&)>& visit) const override {
    for (const Record& record : informer_.store().objects()) visit(record);
  }
  kube::WriteGuard& guard() override { return informer_.guard(); }

 private:
  kube::Informer<Record>& informer_;
};

}  // namespace millwright::controllers::contract
