# SPDX-License-Identifier: BSD-3-Clause
# Warnings and sanitizers, for every target alike.
option(HEDDLE_WERROR "Treat warnings as errors" OFF)
set(HEDDLE_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

add_compile_options(-Wall -Wextra -Wshadow -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(HEDDLE_WERROR)
  add_compile_options(-Werror)
endif()
if(HEDDLE_SANITIZE)
  add_compile_options(-fsanitize=${HEDDLE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HEDDLE_SANITIZE})
  # One runtime for programs and the libraries that they load, as gcc has it.
  if(CMAKE_C_COMPILER_ID MATCHES Clang AND HEDDLE_SANITIZE MATCHES address)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
      OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(runtime ${runtime} DIRECTORY)
    add_link_options(-shared-libasan -Wl,-rpath,${runtime})
  endif()
endif()
