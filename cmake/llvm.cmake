# SPDX-License-Identifier: BSD-3-Clause
# clang, and the C interfaces of LLVM and libclang, of one version: the newest one that has all of them, as Debian
# installs them. The versions that the UPC compiler is tested with:
set(HEDDLE_LLVM_VERSIONS 22 21 20 19 18 17 16)
set(HEDDLE_LLVM_VERSION "" CACHE STRING "Version of clang, LLVM and libclang of the UPC compiler; empty: the newest")

# Sets RESULT; unset: no version has all of them.
function(heddle_find_llvm result)
  set(versions ${HEDDLE_LLVM_VERSIONS})
  if(HEDDLE_LLVM_VERSION)
    set(versions ${HEDDLE_LLVM_VERSION})
  endif()
  foreach(version ${versions})
    set(llvm /usr/lib/llvm-${version})
    find_program(HEDDLE_CLANG_${version} clang-${version})
    find_path(HEDDLE_LLVM_INCLUDE_${version} llvm-c/Core.h PATHS ${llvm}/include NO_DEFAULT_PATH)
    find_library(HEDDLE_LLVM_LIBRARY_${version} LLVM-${version} PATHS ${llvm}/lib NO_DEFAULT_PATH)
    find_path(HEDDLE_LIBCLANG_INCLUDE_${version} clang-c/Index.h PATHS ${llvm}/include NO_DEFAULT_PATH)
    find_library(HEDDLE_LIBCLANG_LIBRARY_${version} clang PATHS ${llvm}/lib NO_DEFAULT_PATH)
    mark_as_advanced(HEDDLE_CLANG_${version} HEDDLE_LLVM_INCLUDE_${version} HEDDLE_LLVM_LIBRARY_${version}
      HEDDLE_LIBCLANG_INCLUDE_${version} HEDDLE_LIBCLANG_LIBRARY_${version})
    if(HEDDLE_CLANG_${version} AND HEDDLE_LLVM_INCLUDE_${version} AND HEDDLE_LLVM_LIBRARY_${version}
        AND HEDDLE_LIBCLANG_INCLUDE_${version} AND HEDDLE_LIBCLANG_LIBRARY_${version})
      set(${result} ${version} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
