# Flags every target of ours is built with; third-party headers come in as SYSTEM and are not judged by them.
add_library(outrigger_flags INTERFACE)
target_compile_features(outrigger_flags INTERFACE cxx_std_23)
target_compile_options(outrigger_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough -Wold-style-cast -Werror
  -fstack-protector-strong -fno-omit-frame-pointer)
target_compile_definitions(outrigger_flags INTERFACE
  $<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=2> _GLIBCXX_ASSERTIONS)
target_link_options(outrigger_flags INTERFACE -fuse-ld=lld-19 -Wl,-z,relro,-z,now,-z,noexecstack)

if(OUTRIGGER_SANITIZE)
  target_compile_options(outrigger_flags INTERFACE -fsanitize=${OUTRIGGER_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(outrigger_flags INTERFACE -fsanitize=${OUTRIGGER_SANITIZE})
  if(OUTRIGGER_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(outrigger_flags INTERFACE -Wno-tsan)
  endif()
endif()
