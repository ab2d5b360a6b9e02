# SPDX-License-Identifier: BSD-3-Clause
# Debian's cross compiler for aarch64, packages below $HEDDLE_SYSROOT, and qemu to run built programs (packaging/cross).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_SYSROOT $ENV{HEDDLE_SYSROOT})
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# Return addresses are signed, as processors that check them are the most demanding case for stack walks.
set(CMAKE_C_FLAGS_INIT "-mbranch-protection=standard -ffile-prefix-map=$ENV{HEDDLE_SYSROOT}=")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH $ENV{HEDDLE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -cpu max -L $ENV{HEDDLE_SYSROOT})
set(libraries $ENV{HEDDLE_SYSROOT}/usr/lib/aarch64-linux-gnu)
set(ENV{PKG_CONFIG_SYSROOT_DIR} $ENV{HEDDLE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig:$ENV{HEDDLE_SYSROOT}/usr/share/pkgconfig)
