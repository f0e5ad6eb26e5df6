# Third-party libraries, all Debian 12 packages. Each has one home: the rooms named in ARCHITECTURE.md.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
# Not by its CMake package: that wants what only its unused parts need (civetweb, curl).
pkg_check_modules(PROMETHEUS REQUIRED IMPORTED_TARGET prometheus-cpp-core)
pkg_check_modules(LIBPQ REQUIRED IMPORTED_TARGET libpq)
find_package(SQLiteCpp REQUIRED)

# Boost 1.81 is used header-only, its separately compiled parts built once here.
find_path(OUTRIGGER_BOOST_INCLUDE boost/version.hpp REQUIRED)
file(STRINGS ${OUTRIGGER_BOOST_INCLUDE}/boost/version.hpp boost_version REGEX "define BOOST_VERSION ")
if(NOT boost_version MATCHES "1081[0-9][0-9]")
  message(FATAL_ERROR "Boost 1.81 is needed (package libboost1.81-dev); found: ${boost_version}")
endif()
add_library(outrigger_boost STATIC ${CMAKE_CURRENT_LIST_DIR}/boost_asio.cc)
target_include_directories(outrigger_boost SYSTEM PUBLIC ${OUTRIGGER_BOOST_INCLUDE})
target_compile_features(outrigger_boost PUBLIC cxx_std_23)
target_compile_definitions(outrigger_boost PUBLIC
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_ALL_NO_LIB)
target_link_libraries(outrigger_boost PUBLIC Threads::Threads)
if(OUTRIGGER_SANITIZE)
  target_compile_options(outrigger_boost PRIVATE -fsanitize=${OUTRIGGER_SANITIZE})
endif()

add_library(outrigger_boost_json STATIC ${CMAKE_CURRENT_LIST_DIR}/boost_json.cc)
target_include_directories(outrigger_boost_json SYSTEM PUBLIC ${OUTRIGGER_BOOST_INCLUDE})
target_compile_features(outrigger_boost_json PUBLIC cxx_std_23)
target_compile_definitions(outrigger_boost_json PUBLIC BOOST_ALL_NO_LIB)
if(OUTRIGGER_SANITIZE)
  target_compile_options(outrigger_boost_json PRIVATE -fsanitize=${OUTRIGGER_SANITIZE})
endif()

add_library(outrigger_boost_beast STATIC ${CMAKE_CURRENT_LIST_DIR}/boost_beast.cc)
target_link_libraries(outrigger_boost_beast PUBLIC outrigger_boost)
if(OUTRIGGER_SANITIZE)
  target_compile_options(outrigger_boost_beast PRIVATE -fsanitize=${OUTRIGGER_SANITIZE})
endif()

pkg_check_modules(TOMLPP REQUIRED IMPORTED_TARGET tomlplusplus)
find_package(CLI11 REQUIRED)
pkg_check_modules(LIBCRYPTO REQUIRED IMPORTED_TARGET libcrypto)
pkg_check_modules(HIREDIS REQUIRED IMPORTED_TARGET hiredis)
pkg_check_modules(LIBCURL REQUIRED IMPORTED_TARGET libcurl)
