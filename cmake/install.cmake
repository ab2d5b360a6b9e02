# SPDX-License-Identifier: BSD-3-Clause
# Install rules: the command, the library, headers, man pages, documents, a pkg-config file and a CMake package.
include(CMakePackageConfigHelpers)

# The command and the libraries.
foreach(target heddle heddle_memory ${HEDDLE_WRAPPERS} heddle_annotations_apis heddle-cli heddle_library)
  if(TARGET ${target})
    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
install(DIRECTORY include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp"
  PATTERN "*.f90" PATTERN "*.py")
install(FILES models/upc/bridge/bridge.upc models/upc/bridge/network.upc DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle)
# The source of a library in UPC, for other compilers than the bundled one.
install(DIRECTORY upc/cache/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle
  FILES_MATCHING PATTERN "*.upc" PATTERN "*.h")
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
# Documents keep their places to each other, so that links hold: with them goes what they link to.
foreach(document README.md CHANGELOG.md CONTRIBUTING.md LICENSE cmake/debian-packages.txt include/heddle/heddle.h
    include/heddle/pupc.h include/heddle/upc_cache.h format/heddle_profile.proto upc/README.md upc/runtime/README.md
    analysis/README.md models/README.md models/annotations/README.md)
  get_filename_component(folder ${document} DIRECTORY)
  install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
file(GLOB documents docs/*.md docs/*.json docs/report.svg docs/terminal_svg.py)
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES docs/images/report.png DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs/images)
install(FILES docs/man/heddle-tune.1 docs/man/heddle-upcc.1 DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs/man)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Completions of shells, from the command's own tables.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/completions/${shell}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/completions
      COMMAND heddle-cli --completions ${shell} >${CMAKE_BINARY_DIR}/completions/${shell}
      DEPENDS heddle-cli)
    list(APPEND completions ${CMAKE_BINARY_DIR}/completions/${shell})
  endforeach()
  add_custom_target(completions ALL DEPENDS ${completions})
  install(FILES ${CMAKE_BINARY_DIR}/completions/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME heddle)
  install(FILES ${CMAKE_BINARY_DIR}/completions/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
    RENAME _heddle)
  install(FILES ${CMAKE_BINARY_DIR}/completions/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    RENAME heddle.fish)
endif()

# Where the two files below stand, to where the prefix is: an installed tree can be moved.
set(config_directory ${CMAKE_INSTALL_LIBDIR}/cmake/Heddle)
file(RELATIVE_PATH HEDDLE_PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/heddle.pc.in heddle.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/heddle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(cmake/HeddleConfig.cmake.in HeddleConfig.cmake INSTALL_DESTINATION ${config_directory}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(HeddleConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/HeddleConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/HeddleConfigVersion.cmake
  DESTINATION ${config_directory})
