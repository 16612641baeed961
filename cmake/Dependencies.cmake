# Everything comes from Debian's packages (tools/install-packages lists them); the build downloads nothing.

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(OpenSSL REQUIRED)
find_package(CURL REQUIRED)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(prometheus-cpp REQUIRED CONFIG COMPONENTS core)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(ZLIB REQUIRED)

find_package(PkgConfig REQUIRED)
pkg_check_modules(nghttp2 REQUIRED IMPORTED_TARGET libnghttp2)
pkg_check_modules(fyaml REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)

add_compile_definitions(BOOST_ASIO_NO_DEPRECATED)

# Named here and not only by its users: the shared precompiled header contains simdjson.
add_compile_definitions(SIMDJSON_THREADS_ENABLED=1)
