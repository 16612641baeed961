// What a fresh list finds while the state of an earlier one is being shown.
//
// Nothing of it is shown before the list is complete: only its end says how old that state is, and
// a server that lags behind its peers would take us back in time. Differences alone are kept, so
// relisting what has hardly changed costs hardly any memory.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "kube/informer/store.h"

namespace millwright::kube {

template <Projection T>
struct Relist {
  std::unordered_set<ObjectKey> keys;  // all that was listed
  std::vector<T> changed;              // new, or other than what is shown
  std::vector<Unreadable> unreadable;

  // A list that comes as a watch may tell of an object again before it is complete: what came of
  // it so far is over.
  void Forget(const ObjectKey& key) {
    if (keys.erase(key) == 0) return;
    std::erase_if(changed, [&](const T& object) { return object.meta.key == key; });
    std::erase_if(unreadable, [&](const Unreadable& object) { return object.meta.key == key; });
  }

  // What is shown and was not listed.
  std::vector<ObjectKey> GoneFrom(const Store<T>& store) const {
    std::vector<ObjectKey> gone;
    const auto note = [&](const ObjectKey& key) {
      if (!keys.contains(key)) gone.push_back(key);
    };
    for (const T& object : store.objects()) note(object.meta.key);
    for (const auto& [key, object] : store.broken()) note(key);
    return gone;
  }
};

}  // namespace millwright::kube
