# SPDX-License-Identifier: BSD-3-Clause
# heddle_inprocess_part(NAME SOURCES...): a folder whose objects go into libheddle.so, the library that lives inside the
# measured process, and (with every symbol visible) into the archive that unit tests link.
set(HEDDLE_INPROCESS_PARTS "" CACHE INTERNAL "")

function(heddle_inprocess_part name)
  add_library(${name} OBJECT ${ARGN})
  # Aligned by 32: by 16, a change of a function that is never called made an access with samples 20 ns dearer.
  target_compile_options(${name} PRIVATE -fvisibility=hidden -ftls-model=initial-exec -fno-strict-aliasing
    -falign-functions=32)
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE HEDDLE_VERSION="${PROJECT_VERSION}")
  set(HEDDLE_INPROCESS_PARTS ${HEDDLE_INPROCESS_PARTS} ${name} CACHE INTERNAL "")
endfunction()

# heddle_wrappers(TARGET NAME FOLDER): a library that stands in front of others, of the C files in FOLDER.
function(heddle_wrappers target name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c)
  add_library(${target} SHARED ${sources})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_compile_options(${target} PRIVATE -fvisibility=hidden -ftls-model=initial-exec -fno-omit-frame-pointer
    -fno-optimize-sibling-calls -fno-strict-aliasing)
  target_link_options(${target} PRIVATE -Wl,-z,now -Wl,-z,nodelete -Wl,-z,relro)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
endfunction()

# The library itself: all parts, nothing but the C library below, and no symbol out but what says HEDDLE_EXPORT
# (tests/project/exported_symbols.txt lists them).
function(heddle_inprocess_library)
  add_library(heddle SHARED ${CMAKE_SOURCE_DIR}/core/process/library.c ${CMAKE_SOURCE_DIR}/models/frontends.c)
  target_compile_definitions(heddle PRIVATE _GNU_SOURCE)
  target_link_libraries(heddle PRIVATE ${HEDDLE_INPROCESS_PARTS})
  target_compile_options(heddle PRIVATE -fvisibility=hidden)
  target_link_options(heddle PRIVATE -Wl,--exclude-libs,ALL -Wl,-z,now -Wl,-z,nodelete -Wl,--no-undefined -Wl,-z,relro)

  # What `heddle run --memory` preloads behind it.
  add_library(heddle_memory SHARED ${CMAKE_SOURCE_DIR}/models/c/memory/memory_wrappers.c)
  target_compile_definitions(heddle_memory PRIVATE _GNU_SOURCE)
  target_compile_options(heddle_memory PRIVATE -fvisibility=hidden -ftls-model=initial-exec -fno-builtin
    -fno-omit-frame-pointer -fno-optimize-sibling-calls)
  target_link_options(heddle_memory PRIVATE -Wl,-z,now -Wl,-z,nodelete -Wl,-z,relro)
  set_target_properties(heddle_memory PROPERTIES OUTPUT_NAME heddle-memory)

  # What `heddle run` preloads behind it for programs that use MPI, or OpenSHMEM; what programs load that ask for a tool for
  # their annotations, or `heddle run` preloads.
  file(GLOB folders RELATIVE ${CMAKE_SOURCE_DIR}/models CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/models/*/wrappers)
  set(HEDDLE_WRAPPERS "" CACHE INTERNAL "")
  foreach(folder ${folders})
    string(REPLACE /wrappers "" model ${folder})
    heddle_wrappers(heddle_${model}_wrappers heddle-${model} models/${folder})
    set(HEDDLE_WRAPPERS ${HEDDLE_WRAPPERS} heddle_${model}_wrappers CACHE INTERNAL "")
  endforeach()
  heddle_wrappers(heddle_annotations_apis heddle-annotations models/annotations/apis)

  # For unit tests, which bring the table of front ends and take the objects they need.
  add_library(heddle_inprocess STATIC EXCLUDE_FROM_ALL)
  foreach(part ${HEDDLE_INPROCESS_PARTS})
    target_sources(heddle_inprocess PRIVATE $<TARGET_OBJECTS:${part}>)
  endforeach()
endfunction()

# heddle_inprocess_variant(NAME WITHOUT REGEX SOURCES files... [OPTIONS link options...]): a prefix in
# ${CMAKE_BINARY_DIR}/tests/NAME, with bin/heddle and a lib/libheddle.so in which SOURCES stand in place of the objects
# that match REGEX. For tests only; it is not installed.
function(heddle_inprocess_variant name)
  cmake_parse_arguments(arg "" "WITHOUT" "SOURCES;OPTIONS" ${ARGN})
  set(prefix ${CMAKE_BINARY_DIR}/tests/${name})
  add_library(heddle_variant_${name} SHARED ${CMAKE_SOURCE_DIR}/core/process/library.c ${CMAKE_SOURCE_DIR}/models/frontends.c
    ${arg_SOURCES})
  foreach(part ${HEDDLE_INPROCESS_PARTS})
    target_sources(heddle_variant_${name} PRIVATE $<FILTER:$<TARGET_OBJECTS:${part}>,EXCLUDE,${arg_WITHOUT}>)
  endforeach()
  target_compile_definitions(heddle_variant_${name} PRIVATE _GNU_SOURCE)
  target_compile_options(heddle_variant_${name} PRIVATE -fvisibility=hidden -ftls-model=initial-exec)
  target_link_options(heddle_variant_${name} PRIVATE -Wl,--exclude-libs,ALL -Wl,-z,now -Wl,-z,nodelete -Wl,--no-undefined
    ${arg_OPTIONS})
  set_target_properties(heddle_variant_${name} PROPERTIES OUTPUT_NAME heddle LIBRARY_OUTPUT_DIRECTORY ${prefix}/lib)
  # The command finds the library beside itself.
  add_custom_command(OUTPUT ${prefix}/bin/heddle
    COMMAND ${CMAKE_COMMAND} -E make_directory ${prefix}/bin
    COMMAND ${CMAKE_COMMAND} -E create_hardlink $<TARGET_FILE:heddle-cli> ${prefix}/bin/heddle
    DEPENDS heddle-cli VERBATIM)
  add_custom_target(heddle_variant_${name}_command ALL DEPENDS ${prefix}/bin/heddle)
endfunction()
