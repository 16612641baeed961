// What is needed to talk to the cloud about machines of a class.
#pragma once

#include <memory>
#include <string>

#include "controllers/shared/caches.h"
#include "core/lifecycle/machine.h"
#include "providers/cloud.h"

namespace millwright::controllers {

struct ResolvedClass {
  providers::Cloud* cloud = nullptr;
  std::shared_ptr<const providers::InstanceClass> instance_class;
  SecretText user_data;
};

class ClassSource {
 public:
  ClassSource(Surroundings& surroundings, Caches& caches, const providers::CloudRegistry& clouds)
      : surroundings_(surroundings), caches_(caches), clouds_(clouds) {}

  core::ClassState StateOf(const std::string& class_name) const;

  // Why the class cannot be used, for people; empty: it can.
  std::string ProblemOf(const std::string& class_name) const;

  // Reads the class's secrets now; nothing of them is kept. kInvalid says what a person has to
  // mend.
  Task<Result<ResolvedClass>> Resolve(std::string class_name);
  // The same for removing what was made of it: that a secret is gone is for the cloud to mind.
  Task<Result<ResolvedClass>> ResolveToRemove(std::string class_name);

 private:
  const dialects::ClassRecord* Find(const std::string& class_name) const;
  Task<Result<ResolvedClass>> Resolve(std::string class_name, bool needs_secrets);

  Surroundings& surroundings_;
  Caches& caches_;
  const providers::CloudRegistry& clouds_;
};

}  // namespace millwright::controllers
