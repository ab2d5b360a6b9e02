/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels, regions, sections, fences and copies of Kokkos, each executed a known number of times. */
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>
#include <cstdio>

int main(int argc, char **argv)
{
	Kokkos::initialize(argc, argv);
	{
		const int n = 1000;
		Kokkos::View<double *> x("vector x", n), y("vector y", n);
		Kokkos::Profiling::ProfilingSection section("first half");
		double sum = 0;
		for (int step = 0; step < 10; step++) {
			if (step == 0)
				section.start();
			if (step == 5)
				section.stop();
			Kokkos::Profiling::pushRegion("time step");
			Kokkos::parallel_for(
				"axpy", n, KOKKOS_LAMBDA(int i) { y(i) += 2 * x(i) + i; });
			Kokkos::parallel_reduce(
				"dot", n, KOKKOS_LAMBDA(int i, double &s) { s += y(i); }, sum);
			Kokkos::parallel_scan(
				"prefix", n, KOKKOS_LAMBDA(int i, double &s, bool last) {
					s += y(i);
					if (last)
						x(i) = 0;
				});
			Kokkos::fence();
			Kokkos::Profiling::popRegion();
		}
		for (int i = 0; i < 3; i++)
			Kokkos::deep_copy(x, y);
		std::printf("%.6g\n", sum);
	}
	Kokkos::finalize();
}
