# millwright_library(NAME [ASYNC] DEPS ...): one folder, one library, its tests beside it.
#
# Every *.cc in the folder belongs to the library, every *_test.cc to the folder's test program, and
# DEPS are the only libraries it may include: a wrong include of ours then fails to link, and
# tools/check-layers says so in words. ASYNC folders share one precompiled header with Asio and JSON.

add_library(millwright_asio_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/asio_pch.cc)
target_precompile_headers(millwright_asio_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/asio_pch.h)
target_include_directories(millwright_asio_pch PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(millwright_asio_pch PRIVATE Boost::json fmt::fmt simdjson::simdjson)

# Tests have one of their own with GoogleTest in it, and are not optimized: they are built more often than they are run.
add_library(millwright_test_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/test_pch.cc)
target_precompile_headers(millwright_test_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/test_pch.h)
target_include_directories(millwright_test_pch PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(millwright_test_pch PRIVATE Boost::json fmt::fmt simdjson::simdjson GTest::gmock GTest::gtest rapidcheck)
# simdjson lays out its parser differently without optimization; the libraries' layout counts.
set(MILLWRIGHT_TEST_OPTIONS $<$<CONFIG:Release>:-O0> $<$<CONFIG:Release>:-U_FORTIFY_SOURCE>
    $<$<CONFIG:Release>:-DSIMDJSON_DEVELOPMENT_CHECKS=0>)
target_compile_options(millwright_test_pch PRIVATE ${MILLWRIGHT_TEST_OPTIONS})

# What the sanitizer builds need: every unit test, and those of code that uses threads.
add_custom_target(unit_tests)
add_custom_target(threaded_tests)
set(MILLWRIGHT_THREADED base_test net_test apiserver_store_test)

function(millwright_library name)
  cmake_parse_arguments(ARG "ASYNC" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")

  add_library(millwright_${name} STATIC ${sources})
  target_include_directories(millwright_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(millwright_${name} PUBLIC ${ARG_DEPS})
  if(ARG_ASYNC)
    target_precompile_headers(millwright_${name} REUSE_FROM millwright_asio_pch)
  endif()
  if(tests)
    millwright_test(${name}_test ${tests} DEPS millwright_${name})
    add_dependencies(unit_tests ${name}_test)
    if(${name}_test IN_LIST MILLWRIGHT_THREADED)
      add_dependencies(threaded_tests ${name}_test)
    endif()
  endif()
endfunction()

# millwright_test(NAME source... DEPS ...): a GoogleTest program that ./test finds and runs.
function(millwright_test name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} Boost::json fmt::fmt simdjson::simdjson GTest::gmock GTest::gtest
                                        GTest::gtest_main rapidcheck)
  target_compile_options(${name} PRIVATE ${MILLWRIGHT_TEST_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM millwright_test_pch)
  target_compile_definitions(${name} PRIVATE MILLWRIGHT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endfunction()
