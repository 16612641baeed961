// Pods, wherever they are described.
#pragma once

#include "apiserver/builtin/check.h"

namespace millwright::apiserver::builtin {

void CheckPodSpec(const At& spec, Faults& faults);
// Labels and spec; errors about labels are said of `template.labels`, as a real server does.
void CheckPodTemplate(const At& pod_template, Faults& faults);

// The parts.
void CheckVolumes(const At& volumes, Faults& faults);
void CheckContainers(const At& spec, Faults& faults);
void CheckProbe(const At& probe, bool once, Faults& faults);
void CheckHandler(const At& handler, Faults& faults);
void CheckScheduling(const At& spec, Faults& faults);
void CheckTolerations(const At& tolerations, Faults& faults);
// Requests and limits of a container.
void CheckResources(const At& resources, Faults& faults);
void CheckUserAndGroup(const At& security_context, Faults& faults);

}  // namespace millwright::apiserver::builtin
