# What others wrote and nearly every source reads, parsed once: Asio where a room has coroutines, googletest for the unit
# tests. It takes 40 % off such a source. None of our own headers is in it, and only the preset release has it: the others
# see that each source includes what it uses.
option(OUTRIGGER_PRECOMPILE "Precompile headers of libraries" OFF)

# Each in two forms, since a precompiled header serves only the flags that it was made with.
function(outrigger_precompiled_headers name)
  cmake_parse_arguments(PCH "" "" "HEADERS;OPTIONS;LINKS" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cc)
  target_link_libraries(${name} PRIVATE outrigger_flags ${PCH_LINKS})
  target_compile_options(${name} PRIVATE ${PCH_OPTIONS} "SHELL:-Xclang -fno-pch-timestamp")  # else ccache knows none again
  target_precompile_headers(${name} PRIVATE ${PCH_HEADERS})
endfunction()

# Unit tests drive code that is optimized; they themselves need not be.
set(OUTRIGGER_TEST_OPTIONS -fPIC -O0 -U_FORTIFY_SOURCE)

set(OUTRIGGER_ASIO_HEADERS
  <boost/asio/any_io_executor.hpp> <boost/asio/as_tuple.hpp> <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp>
  <boost/asio/detached.hpp> <boost/asio/io_context.hpp> <boost/asio/steady_timer.hpp> <boost/asio/this_coro.hpp>
  <boost/asio/use_awaitable.hpp> <algorithm> <chrono> <expected> <functional> <map> <memory> <optional> <string>
  <vector>)

if(OUTRIGGER_PRECOMPILE)
  outrigger_precompiled_headers(outrigger_asio_headers HEADERS ${OUTRIGGER_ASIO_HEADERS} LINKS outrigger_boost)
  if(OUTRIGGER_TESTS)
    outrigger_precompiled_headers(outrigger_test_headers HEADERS <gmock/gmock.h> <gtest/gtest.h>
      OPTIONS ${OUTRIGGER_TEST_OPTIONS} LINKS GTest::gmock)
    outrigger_precompiled_headers(outrigger_asio_test_headers
      HEADERS ${OUTRIGGER_ASIO_HEADERS} <boost/asio/use_future.hpp> <gmock/gmock.h> <gtest/gtest.h>
      OPTIONS ${OUTRIGGER_TEST_OPTIONS} LINKS outrigger_boost GTest::gmock)
  endif()
endif()
