# SPDX-License-Identifier: BSD-3-Clause
# A recipe for Spack, not tested: copy it to repos/NAME/packages/heddle/ and set the address of the sources.
from spack.package import *


class Heddle(CMakePackage):
    """Call-path profiles of programs that mix parallel models."""

    homepage = "https://heddle.invalid"
    git = "https://heddle.invalid/heddle.git"
    license("BSD-3-Clause")

    version("main", branch="main")

    variant("upc", default=True, description="The bundled UPC compiler")
    variant("ucx", default=True, description="UPC programs on several machines")
    variant("otf2", default=True, description="Export of traces to OTF2")
    variant("papi", default=True, description="Names of hardware counters")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("elfutils")
    depends_on("protobuf-c")
    depends_on("binutils+libiberty")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("ncurses")
    depends_on("sqlite")
    depends_on("llvm@16:22+clang+llvm_dylib", when="+upc", type=("build", "link", "run"))
    depends_on("ucx", when="+ucx")
    depends_on("pmix", when="+ucx")
    depends_on("otf2@3:", when="+otf2")
    depends_on("papi", when="+papi")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False)]
