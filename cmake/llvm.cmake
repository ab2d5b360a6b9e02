# SPDX-License-Identifier: BSD-3-Clause
# clang, and the C interfaces of LLVM and libclang, of one version: the newest one that has all of them. Where they are
# is asked of llvm-config. The versions that the UPC compiler is tested with:
set(HEDDLE_LLVM_VERSIONS 22 21 20 19 18 17 16)
set(HEDDLE_LLVM_VERSION "" CACHE STRING "Version of clang, LLVM and libclang of the UPC compiler; empty: the newest")

# heddle_find_of_version(VARIABLE NAME VERSION OPTION): the program NAME-VERSION or NAME, of that version by what it prints
# for OPTION.
function(heddle_find_of_version variable name version option)
  find_program(${variable} NAMES ${name}-${version} ${name})
  mark_as_advanced(${variable})
  if(${variable})
    execute_process(COMMAND ${${variable}} ${option} OUTPUT_VARIABLE said ERROR_QUIET)
    if(NOT said MATCHES "^${version}\\.")
      set(${variable} ${variable}-NOTFOUND CACHE FILEPATH "" FORCE)
    endif()
  endif()
endfunction()

# Sets RESULT; unset: no version has all of them. HEDDLE_LLVM_BIN: LLVM's tools.
function(heddle_find_llvm result)
  set(versions ${HEDDLE_LLVM_VERSIONS})
  if(HEDDLE_LLVM_VERSION)
    set(versions ${HEDDLE_LLVM_VERSION})
  endif()
  foreach(version ${versions})
    heddle_find_of_version(HEDDLE_CLANG_${version} clang ${version} -dumpversion)
    heddle_find_of_version(HEDDLE_LLVM_CONFIG_${version} llvm-config ${version} --version)
    if(NOT HEDDLE_CLANG_${version} OR NOT HEDDLE_LLVM_CONFIG_${version})
      continue()
    endif()
    foreach(directory includedir libdir bindir)
      execute_process(COMMAND ${HEDDLE_LLVM_CONFIG_${version}} --${directory}
        OUTPUT_VARIABLE ${directory} OUTPUT_STRIP_TRAILING_WHITESPACE)
    endforeach()
    find_path(HEDDLE_LLVM_INCLUDE_${version} llvm-c/Core.h PATHS ${includedir} NO_DEFAULT_PATH)
    find_library(HEDDLE_LLVM_LIBRARY_${version} NAMES LLVM-${version} LLVM PATHS ${libdir} NO_DEFAULT_PATH)
    find_path(HEDDLE_LIBCLANG_INCLUDE_${version} clang-c/Index.h PATHS ${includedir} NO_DEFAULT_PATH)
    find_library(HEDDLE_LIBCLANG_LIBRARY_${version} clang PATHS ${libdir} NO_DEFAULT_PATH)
    mark_as_advanced(HEDDLE_LLVM_INCLUDE_${version} HEDDLE_LLVM_LIBRARY_${version}
      HEDDLE_LIBCLANG_INCLUDE_${version} HEDDLE_LIBCLANG_LIBRARY_${version})
    if(HEDDLE_LLVM_INCLUDE_${version} AND HEDDLE_LLVM_LIBRARY_${version}
        AND HEDDLE_LIBCLANG_INCLUDE_${version} AND HEDDLE_LIBCLANG_LIBRARY_${version})
      set(HEDDLE_LLVM_BIN "${bindir}" CACHE INTERNAL "LLVM's tools")
      set(${result} ${version} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
