// What the asynchronous sources share, and what every test needs on top.
#pragma once

#include "asio_pch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
