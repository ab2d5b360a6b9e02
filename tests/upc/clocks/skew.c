/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into the ranks of a job: each rank, or each SKEW_RANKS ranks, simulate a machine with a wrong clock. SKEW
 * has "SECONDS:PPM" for each machine: its clocks are ahead by that many seconds and gain that many millionths. The
 * system's time is wrong in the other direction. Heddle does not use clock_gettime(3), so the kernel's page (vDSO) is
 * replaced, too.
 */
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000

static int number_in(const char *variable, int other)
{
	const char *text = getenv(variable);
	return text ? atoi(text) : other;
}

static int machine(void)
{
	return number_in("PMI_RANK", number_in("OMPI_COMM_WORLD_RANK", 0)) / number_in("SKEW_RANKS", 1);
}

static long skew_s, skew_ppm;

/* Runs before the first clock is read, perhaps by another library's constructor: the dynamic linker orders them. */
static void read_skew(void)
{
	static bool done;
	if (done)
		return;
	done = true;
	const char *text = getenv("SKEW");
	for (int i = machine(); i > 0 && text; i--) {
		text = strchr(text, ' ');
		text = text ? text + 1 : NULL;
	}
	if (text && sscanf(text, "%ld:%ld", &skew_s, &skew_ppm) != 2)
		abort();
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	read_skew();
	int error = (int)syscall(SYS_clock_gettime, clock, time);
	long sign = clock == CLOCK_MONOTONIC ? 1 : clock == CLOCK_REALTIME ? -1 : 0;
	if (error || !sign)
		return error;
	__int128 ns = (__int128)time->tv_sec * SECOND + time->tv_nsec;
	if (sign > 0)
		ns += ns * skew_ppm / 1000000;
	ns += (__int128)sign * skew_s * SECOND;
	time->tv_sec = (time_t)(ns / SECOND);
	time->tv_nsec = (long)(ns % SECOND);
	return 0;
}

/* A page with one function. Addresses of its tables are relative to the page, as in the kernel's page. */
static struct {
	ElfW(Ehdr) header;
	ElfW(Phdr) parts[2];
	ElfW(Dyn) dynamic[4];
	ElfW(Sym) symbols[2];
	uint32_t hash[5];
	char names[32];
} page;

static unsigned long in_page(const void *at)
{
	return (uintptr_t)at - (uintptr_t)&page;
}

static unsigned long make_page(void)
{
	page.header.e_phoff = in_page(page.parts);
	page.header.e_phnum = 2;
	page.parts[0].p_type = PT_LOAD;
	page.parts[1].p_type = PT_DYNAMIC;
	page.parts[1].p_offset = in_page(page.dynamic);
	strcpy(page.names + 1, "__vdso_clock_gettime");
	page.symbols[1].st_name = 1;
	page.symbols[1].st_shndx = 1;
	page.symbols[1].st_value = in_page((void *)(uintptr_t)clock_gettime);
	page.hash[1] = 2; /* number of symbols */
	page.dynamic[0].d_tag = DT_SYMTAB;
	page.dynamic[0].d_un.d_ptr = in_page(page.symbols);
	page.dynamic[1].d_tag = DT_STRTAB;
	page.dynamic[1].d_un.d_ptr = in_page(page.names);
	page.dynamic[2].d_tag = DT_HASH;
	page.dynamic[2].d_un.d_ptr = in_page(page.hash);
	return (uintptr_t)&page;
}

unsigned long getauxval(unsigned long type)
{
	extern unsigned long __getauxval(unsigned long);
	return type == AT_SYSINFO_EHDR ? make_page() : __getauxval(type);
}

int uname(struct utsname *system)
{
	int error = (int)syscall(SYS_uname, system);
	snprintf(system->nodename, sizeof(system->nodename), "host%d", machine());
	return error;
}
