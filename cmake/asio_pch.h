// Headers that nearly every asynchronous source pulls in and that take seconds to parse.
#pragma once

#include <boost/asio.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/json.hpp>

#include <simdjson.h>

#include <fmt/format.h>

#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
