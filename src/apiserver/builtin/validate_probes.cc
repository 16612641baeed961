#include <array>

#include <boost/json.hpp>

#include "apiserver/builtin/validate_pod.h"

namespace millwright::apiserver::builtin {

namespace {

void CheckPortOrName(const At& port, Faults& faults) {
  if (port.value().is_string()) {
    faults.Invalid(port, CheckPortName(port.Text()));
  } else {
    CheckPort(port, faults);
  }
}

void CheckKnownHandler(std::string_view name, const At& handler, Faults& faults) {
  if (name == "httpGet") {
    if (handler["path"].IsEmpty()) faults.Required(handler["path"]);
    CheckPortOrName(handler["port"], faults);
    CheckOneOf(handler["scheme"], {"HTTP", "HTTPS"}, faults);
  } else if (name == "tcpSocket") {
    CheckPortOrName(handler["port"], faults);
  } else if (name == "grpc") {
    CheckPort(handler["port"], faults);
  } else if (handler["command"].Size() == 0) {
    faults.Required(handler["command"]);
  }
}

}  // namespace

void CheckHandler(const At& handler, Faults& faults) {
  constexpr std::array<std::string_view, 4> kHandlers = {"exec", "httpGet", "tcpSocket", "grpc"};
  int found = handler["sleep"].IsSet() ? 1 : 0;
  for (const auto name : kHandlers) {
    if (!handler[name].IsSet()) continue;
    if (found++ > 0) {
      faults.Forbidden(handler[name], "may not specify more than 1 handler type");
    } else {
      CheckKnownHandler(name, handler[name], faults);
    }
  }
  if (found == 0) faults.Required(handler, "must specify a handler type");
}

// A container is alive and has started, or not: only readiness can be asked for several times.
void CheckProbe(const At& probe, bool once, Faults& faults) {
  if (!probe.IsSet()) return;
  CheckHandler(probe, faults);
  for (const char* field : {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                            "successThreshold", "failureThreshold"}) {
    CheckNotNegative(probe[field], faults);
  }
  if (once && probe["successThreshold"].Number() != 1) {
    faults.Invalid(probe["successThreshold"], "must be 1");
  }
}

}  // namespace millwright::apiserver::builtin
