/* SPDX-License-Identifier: BSD-3-Clause */
/* The module registry: files are loaded, unloaded, reloaded and replaced, also while the registry changes. */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/modules/module.h"
#include "core/modules/module_provisional.h"
#include "core/modules/module_ranges.h"
#include "format/ids.h"

static uint32_t loaded_calls, last_loaded;

static void count_loaded(struct heddle_module *module)
{
	loaded_calls++;
	last_loaded = module->id;
}

static int set_up(void **state)
{
	(void)state;
	return heddle__modules_init(count_loaded);
}

static uintptr_t code_of(void *library)
{
	void *code = dlsym(library, "variant");

	assert_non_null(code);
	return (uintptr_t)code;
}

static void *open_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		fail_msg("dlopen %s: %s", path, dlerror());
	return library;
}

static void knows_what_is_loaded_at_start(void **state)
{
	struct heddle_module *module = heddle__module_find((uintptr_t)&set_up);
	char exe[4096] = {0};

	(void)state;
	assert_non_null(module);
	assert_int_equal(module->role, HEDDLE_MODULE_EXECUTABLE);
	assert_true(readlink("/proc/self/exe", exe, sizeof(exe) - 1) > 0);
	assert_string_equal(module->path, exe);
	assert_true(module->build_id_size >= 8);

	module = heddle__module_find((uintptr_t)dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
	assert_non_null(module);
	assert_int_equal(module->role, HEDDLE_MODULE_LIBC);
	assert_non_null(strstr(module->path, "/libc.so"));
	assert_ptr_equal(heddle__module_by_id(module->id), module);
}

static void knows_the_vdso(void **state)
{
	bool found = false;

	(void)state;
	if (!getauxval(AT_SYSINFO_EHDR))
		skip();
	for (uint32_t id = 1; id <= heddle__modules_count(); id++)
		if (!strcmp(heddle__module_by_id(id)->path, "[vdso]")) {
			const struct heddle_module *module = heddle__module_by_id(id);

			assert_int_equal(module->role, HEDDLE_MODULE_VDSO);
			assert_ptr_equal(heddle__module_find(module->low), module);
			found = true;
		}
	assert_true(found);
}

static void a_place_is_module_and_offset(void **state)
{
	uintptr_t address = (uintptr_t)&set_up;
	struct heddle_module *module = heddle__module_find(address);
	uint64_t place = heddle__place_of(address);

	(void)state;
	assert_int_equal(HEDDLE_PLACE_MODULE(place), module->id);
	assert_int_equal(HEDDLE_PLACE_OFFSET(place), address - module->base);
	assert_null(heddle__module_find((uintptr_t)&place));
	assert_int_equal(heddle__place_of((uintptr_t)&place), (uintptr_t)&place);
	assert_int_equal(heddle__place_of(0), 0);
	assert_int_equal(HEDDLE_PLACE_MODULE(heddle__place_of(UINTPTR_MAX)), 0);
}

static void a_module_keeps_its_id(void **state)
{
	void *library = open_library(LIBRARY_A);
	uint32_t calls = loaded_calls, id;
	struct heddle_module *module;

	(void)state;
	module = heddle__module_find(code_of(library)); /* the first look-up returns a provisional module */
	assert_non_null(module);
	assert_true(module->id >= HEDDLE_FIRST_PROVISIONAL);
	assert_ptr_equal(heddle__module_by_id(module->id), module);
	assert_string_equal(module->path, LIBRARY_A);
	assert_ptr_equal(heddle__module_find(code_of(library)), module);
	assert_true(heddle__modules_stale());
	heddle__modules_refresh();
	assert_false(heddle__modules_stale());
	module = heddle__module_find(code_of(library));
	assert_non_null(module);
	assert_string_equal(module->path, LIBRARY_A);
	assert_int_equal(module->role, HEDDLE_MODULE_OTHER);
	id = module->id;
	assert_int_equal(loaded_calls, calls + 1);
	assert_int_equal(last_loaded, id);
	heddle__modules_refresh();
	assert_int_equal(loaded_calls, calls + 1);

	dlclose(library);
	heddle__modules_refresh();
	assert_true(module->unloaded);
	assert_string_equal(heddle__module_by_id(id)->path, LIBRARY_A);

	library = open_library(LIBRARY_A);
	assert_ptr_equal(heddle__module_find(code_of(library)), module); /* found again without a refresh */
	heddle__modules_refresh();
	assert_false(module->unloaded);
	assert_ptr_equal(heddle__module_find(code_of(library)), module);
	assert_int_equal(loaded_calls, calls + 2);
	dlclose(library);
}

static void an_unloaded_module_is_not_found(void **state)
{
	void *library = open_library(LIBRARY_A);
	uintptr_t address = code_of(library);
	struct heddle_module_range range;

	(void)state;
	heddle__modules_refresh();
	assert_non_null(heddle__module_find(address));
	dlclose(library);
	assert_null(heddle__module_find(address)); /* the memory is unmapped: the look-up must not fault */
	assert_false(heddle__module_lookup(address, false, &range));
	assert_true(heddle__modules_stale());
}

/* The dynamic linker maps a file of the same size to the addresses that have just become free. */
static void another_file_at_the_same_address_is_not_taken_for_the_first(void **state)
{
	void *library = open_library(LIBRARY_A);
	uintptr_t address = code_of(library);
	struct heddle_module *first, *second;

	(void)state;
	heddle__modules_refresh();
	first = heddle__module_find(address);
	assert_non_null(first);
	dlclose(library);
	library = open_library(LIBRARY_B);
	if (code_of(library) != address) {
		dlclose(library);
		skip();
	}
	second = heddle__module_find(address); /* provisional, or known from an earlier test */
	assert_non_null(second);
	assert_ptr_not_equal(second, first);
	assert_string_equal(second->path, LIBRARY_B);
	assert_true(heddle__modules_stale());
	heddle__modules_refresh();
	second = heddle__module_find(address);
	assert_non_null(second);
	assert_ptr_not_equal(second, first);
	assert_string_equal(second->path, LIBRARY_B);
	dlclose(library);
}

static void files_are_not_entered_twice(void **state)
{
	static const char *const paths[] = {LIBRARY_A, LIBRARY_B};
	uint32_t count;

	(void)state;
	for (int i = 0; i < 4; i++) {
		void *library = open_library(paths[i % 2]);

		heddle__modules_refresh();
		dlclose(library);
	}
	count = heddle__modules_count();
	for (int i = 0; i < 400; i++) {
		void *library = open_library(paths[i / 3 % 2]);

		if (i % 5)
			heddle__modules_refresh();
		dlclose(library);
	}
	heddle__modules_refresh();
	assert_int_equal(heddle__modules_count(), count);
}

static void a_relative_name_is_the_same_file(void **state)
{
	char here[4096], folder[] = LIBRARY_A, relative[4096];
	void *library = open_library(LIBRARY_A);
	uint32_t id;

	(void)state;
	heddle__modules_refresh();
	id = heddle__module_find(code_of(library))->id;
	dlclose(library);
	heddle__modules_refresh();

	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(relative, sizeof(relative), ".%s", strrchr(folder, '/'));
	*strrchr(folder, '/') = 0;
	assert_int_equal(chdir(folder), 0);
	library = open_library(relative);
	assert_int_equal(chdir(here), 0);
	for (int i = 0; i < 2; i++) /* before the refresh, as a sample may look it up */
		assert_int_equal(heddle__module_find(code_of(library))->id, id);
	heddle__modules_refresh();
	assert_int_equal(heddle__module_find(code_of(library))->id, id);
	dlclose(library);
}

static void a_role_can_be_given(void **state)
{
	void *library = open_library(LIBRARY_B);
	struct heddle_module *module;

	(void)state;
	heddle__modules_refresh();
	module = heddle__module_find(code_of(library));
	heddle__module_set_role(module, HEDDLE_MODULE_RUNTIME + 1);
	assert_int_equal(module->role, HEDDLE_MODULE_RUNTIME + 1);
	heddle__module_set_role(module, HEDDLE_MODULE_OTHER);
	dlclose(library);
}

static volatile sig_atomic_t interruptions, misses;
static uintptr_t steady_address;
static struct heddle_module *steady_module;

static void look_up(int signal)
{
	(void)signal;
	interruptions++;
	if (heddle__module_find(steady_address) != steady_module)
		misses++;
}

/* A handler that interrupts the refresh itself sees a consistent table. */
static void a_handler_may_interrupt_a_refresh(void **state)
{
	struct sigaction action = {.sa_handler = look_up, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 150}, {0, 150}}, never = {{0, 0}, {0, 0}};

	(void)state;
	steady_address = (uintptr_t)&look_up;
	steady_module = heddle__module_find(steady_address);
	assert_non_null(steady_module);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 100000 && interruptions < 2000; i++) {
		void *library = open_library(i % 2 ? LIBRARY_A : LIBRARY_B);

		heddle__modules_refresh();
		dlclose(library);
		heddle__modules_refresh();
	}
	setitimer(ITIMER_REAL, &never, NULL);
	assert_true(interruptions >= 100);
	assert_int_equal(misses, 0);
}

static void a_forked_child_goes_on(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	if (child == 0) {
		void *library;
		bool good;

		heddle__modules_after_fork();
		library = dlopen(LIBRARY_A, RTLD_NOW);
		heddle__modules_refresh();
		good = library && heddle__module_find((uintptr_t)dlsym(library, "variant")) != NULL;
		_exit(good ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_what_is_loaded_at_start),
		cmocka_unit_test(knows_the_vdso),
		cmocka_unit_test(a_place_is_module_and_offset),
		cmocka_unit_test(a_module_keeps_its_id),
		cmocka_unit_test(an_unloaded_module_is_not_found),
		cmocka_unit_test(another_file_at_the_same_address_is_not_taken_for_the_first),
		cmocka_unit_test(files_are_not_entered_twice),
		cmocka_unit_test(a_relative_name_is_the_same_file),
		cmocka_unit_test(a_role_can_be_given),
		cmocka_unit_test(a_handler_may_interrupt_a_refresh),
		cmocka_unit_test(a_forked_child_goes_on),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
