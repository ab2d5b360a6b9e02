# SPDX-License-Identifier: BSD-3-Clause
# Writes scripts and styles as arrays of C, each with a NUL at its end.
function(to_array name path result)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  set(${result} "extern const char ${name}[];\nconst char ${name}[] = {${bytes}0};\n" PARENT_SCOPE)
endfunction()
to_array(export_page_script ${SCRIPT} script)
to_array(export_page_style ${STYLE} style)
to_array(export_scale_script ${SCALE_SCRIPT} scale_script)
to_array(export_scale_style ${SCALE_STYLE} scale_style)
file(WRITE ${OUTPUT} "/* Generated. */\n${script}${style}${scale_script}${scale_style}")
