# SPDX-License-Identifier: BSD-3-Clause
# heddle_inprocess_part(NAME SOURCES...): a folder whose objects go into libheddle.so, the library that lives inside the
# measured process, and (with every symbol visible) into the archive that unit tests link.
set(HEDDLE_INPROCESS_PARTS "" CACHE INTERNAL "")

function(heddle_inprocess_part name)
  add_library(${name} OBJECT ${ARGN})
  target_compile_options(${name} PRIVATE -fvisibility=hidden -ftls-model=initial-exec -fno-strict-aliasing)
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE HEDDLE_VERSION="${PROJECT_VERSION}")
  set(HEDDLE_INPROCESS_PARTS ${HEDDLE_INPROCESS_PARTS} ${name} CACHE INTERNAL "")
endfunction()
