// How a job tells its pods from those of others.
#pragma once

#include <boost/json/object.hpp>

namespace millwright::apiserver::builtin {

// Labels the template with the job's name and uid and selects by the uid, unless the job selects by
// itself.
void LabelJob(boost::json::object& job);

}  // namespace millwright::apiserver::builtin
