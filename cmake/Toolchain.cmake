# Compiler, warnings and link settings that every target shares.

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  # g++ 12 miscompiles coroutines; see CONTRIBUTING.md.
  message(FATAL_ERROR "Millwright is built with clang 19 or newer; use a preset: cmake --preset release")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

find_program(CCACHE ccache)
if(CCACHE)
  # Precompiled headers carry time stamps that ccache must be told to overlook. With CCACHE_DEPEND it does
  # not preprocess a file that it does not know before it compiles it: half a second of a core each, for headers that do not change.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE})
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

add_compile_options(-Wall -Wextra -Wswitch-enum -Wshadow -Wnon-virtual-dtor -Werror
                    -fno-omit-frame-pointer -fcolor-diagnostics)
# Our option structs have defaults, and naming only what differs is their point.
add_compile_options(-Wno-missing-designated-field-initializers)
# For all alike, or they could not share a precompiled header.
add_compile_options(-pthread)
add_link_options(-fuse-ld=lld-19)

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")

if(MILLWRIGHT_SANITIZE)
  add_compile_options(-fsanitize=${MILLWRIGHT_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MILLWRIGHT_SANITIZE})
else()
  add_compile_options(-fstack-protector-strong)
  add_compile_definitions($<$<CONFIG:Release>:_FORTIFY_SOURCE=2> _GLIBCXX_ASSERTIONS)
  add_link_options(-Wl,-z,relro,-z,now -Wl,--gc-sections)
endif()
