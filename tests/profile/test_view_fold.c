/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user-level view folds away, and which nodes get the values. */
#include "tests/profile/view_text.h"

#include <string.h>

#define FORK_JOIN                                            \
	"def main.omp_fn.0 a.c:10 outlined\n"                \
	"frame main a.c:10 | samples 1\n"                    \
	"  region parallel main a.c:10 | visits 4\n"         \
	"    runtime fork z.c:1 | samples 2\n"               \
	"      outlined main.omp_fn.0 a.c:12 | samples 3\n"  \
	"        frame kernel a.c:30 | samples 10\n"         \
	"    runtime worker z.c:9\n"                         \
	"      outlined main.omp_fn.0 a.c:12 | samples 30\n" \
	"        frame kernel a.c:31 | samples 100\n"

static void workers_continue_the_path_of_who_opened_their_region(void **state)
{
	(void)state;
	check_view(FORK_JOIN, USER_LEVEL,
		"main | samples 1\n"
		"  omp parallel @a.c:10 | samples 35 visits 4\n"
		"    kernel | samples 110\n");
}

static void runtime_frames_stay_when_asked_for(void **state)
{
	(void)state;
	check_view(FORK_JOIN, WITH_RUNTIME,
		"main | samples 1\n"
		"  omp parallel @a.c:10 | visits 4\n"
		"    worker\n"
		"      main.omp_fn.0 | samples 30\n"
		"        kernel | samples 100\n"
		"    fork | samples 2\n"
		"      main.omp_fn.0 | samples 3\n"
		"        kernel | samples 10\n");
}

static void lines_of_an_outlined_body_stand_under_its_owner_s_name(void **state)
{
	(void)state;
	check_view(FORK_JOIN, WITH_LINES,
		"main a.c:10 | samples 1\n"
		"  omp parallel @a.c:10 | samples 2 visits 4\n"
		"    main a.c:12 | samples 33\n"
		"      kernel a.c:31 | samples 100\n"
		"      kernel a.c:30 | samples 10\n");
}

/* Compilers give vectorized code line 0. It belongs to the function, not to the construct. */
static void an_outlined_body_s_code_without_a_line_is_its_owner_s(void **state)
{
	(void)state;
	check_view("def main.omp_fn.0 a.c:10 outlined\n"
		   "frame main a.c:10\n"
		   "  region parallel main a.c:10 | samples 2\n"
		   "    outlined main.omp_fn.0 a.c:12 | samples 3\n"
		   "    outlined main.omp_fn.0 a.c:0 | samples 30\n",
		WITH_LINES,
		"main a.c:10\n"
		"  omp parallel @a.c:10 | samples 2\n"
		"    main | samples 30\n"
		"    main a.c:12 | samples 3\n");
}

/* The outlined functions of a stripped program have no names; functions that were inlined into them do. */
static void an_outlined_frame_without_a_name_is_folded(void **state)
{
	(void)state;
	check_view("def 0x1234 a.c:0 unknown\n"
		   "frame main a.c:10\n"
		   "  region parallel main a.c:10\n"
		   "    outlined 0x1234 a.c:0 > kernel a.c:30 | samples 7\n"
		   "    frame 0x1234 a.c:0 | samples 1\n",
		USER_LEVEL,
		"main\n"
		"  omp parallel @a.c:10\n"
		"    kernel | samples 7\n"
		"    0x1234 | samples 1\n");
}

static void outlined_functions_are_told_by_name_in_openmp_s_regions_alone(void **state)
{
	(void)state;
	check_view("def body a.c:10 outlined\n"
		   "frame main a.c:10\n"
		   "  frame body a.c:11 | samples 1\n"
		   "  region parallel main a.c:10\n"
		   "    frame body a.c:11 > kernel a.c:30 | samples 2\n"
		   "  phase p\n"
		   "    frame body a.c:11 | samples 3\n",
		USER_LEVEL,
		"main\n"
		"  phase p\n"
		"    body | samples 3\n"
		"  omp parallel @a.c:10\n"
		"    kernel | samples 2\n"
		"  body | samples 1\n");
}

static void events_of_outlined_functions_are_folded(void **state)
{
	(void)state;
	check_view("told main\n"
		   "  region parallel\n"
		   "    told main._omp_fn.0 | wall-time 5\n"
		   "      told kernel | wall-time 6\n",
		USER_LEVEL,
		"main\n"
		"  omp parallel | wall-time 5\n"
		"    kernel | wall-time 6\n");
}

/* Code that starts threads is folded as at the root. With no code of the user below, the creation gets its values. */
static void code_that_starts_threads_is_folded_below_their_creation(void **state)
{
	(void)state;
	check_view("frame main a.c:10\n"
		   "  frame pthread_create p.c:1 {entry} {libc}\n"
		   "    frame start s.c:1 {start} | samples 1\n"
		   "      frame work a.c:20 | samples 2\n"
		   "    frame start s.c:2 {start} | samples 4\n"
		   "  frame other p.c:1 {entry} {libc}\n"
		   "    frame start s.c:1 {start} | samples 8\n",
		USER_LEVEL,
		"main\n"
		"  other\n"
		"    start | samples 8\n"
		"  pthread_create | samples 5\n"
		"    work | samples 2\n");
}

static void code_that_starts_programs_is_folded_above_the_user_s(void **state)
{
	(void)state;
	check_view("frame _start s.c:1 {start} | samples 1\n"
		   "  frame __libc_start_main s.c:2 {start} {libc}\n"
		   "    frame main a.c:1 | samples 2\n"
		   "      frame start_thread s.c:2 {start} | samples 4\n"
		   "        frame routine a.c:9 | samples 8\n",
		USER_LEVEL,
		"(all programs) | samples 1\n"
		"main | samples 2\n"
		"  start_thread | samples 4\n"
		"    routine | samples 8\n");
	check_view("frame clone s.c:1 {start}\n"
		   "  frame start_thread s.c:2 {start} | samples 3\n",
		USER_LEVEL, "clone | samples 3\n");
	check_view("frame _start s.c:1 {start}\n"
		   "  frame __libc_start_main s.c:2 {start} {libc}\n"
		   "    frame main a.c:1 | samples 2\n"
		   "  frame __libc_start_main s.c:3 {start} {libc} | samples 1\n"
		   "    frame call_init s.c:4 {start} {libc} | samples 1\n",
		USER_LEVEL,
		"main | samples 2\n"
		"__libc_start_main | samples 2\n");
}

static void heddle_s_own_inline_functions_are_folded(void **state)
{
	(void)state;
	check_view("def heddle_begin heddle.h:5 heddle\n"
		   "frame main a.c:1 > heddle_begin heddle.h:6 | samples 1\n",
		USER_LEVEL, "main | samples 1\n");
}

/* ---- UPC ---- */

/* As in a library that was being loaded when it was sampled. */
static void a_frame_in_a_runtime_s_library_is_folded_whatever_its_kind(void **state)
{
	(void)state;
	check_view("frame main a.c:3\n"
		   "  frame submit rt.c:7 {runtime} | samples 2\n"
		   "    frame kernel a.c:9 | samples 3\n",
		USER_LEVEL,
		"main | samples 2\n"
		"  kernel | samples 3\n");
}

static void what_upc_s_runtime_calls_is_its_function_that_the_user_called(void **state)
{
	(void)state;
	check_view("frame main a.c:1\n"
		   "  frame upc_memget rt.c:1 > copy rt.c:5 {upc} | samples 1\n"
		   "    frame pull rt.c:9 {upc} | samples 2\n"
		   "      frame memcpy m.c:1 {libc} | samples 4\n"
		   "  frame memcpy m.c:1 > tail m.c:5 {libc} | samples 8\n",
		USER_LEVEL,
		"main\n"
		"  memcpy\n"
		"    tail | samples 8\n"
		"  upc_memget | samples 7\n");
}

static void code_below_an_event_of_the_library_is_the_event_s(void **state)
{
	(void)state;
	/* The event of a compiled access: what the run-time system calls for it is not a call of the user. */
	check_view("frame main a.c:1\n"
		   "  source get a.c:5 | visits 3\n"
		   "    frame pull rt.c:9 {upc} | samples 2\n"
		   "    frame memcpy m.c:1 {libc} | samples 4\n",
		USER_LEVEL,
		"main\n"
		"  get @a.c:5 | samples 2 visits 3\n"
		"    memcpy | samples 4\n");
	/* The event of a library function, which calls the C library. */
	check_view("frame main a.c:1\n"
		   "  frame upc_memget rt.c:1 {upc}\n"
		   "    region get upc_memget rt.c:2 | visits 3\n"
		   "      frame memcpy m.c:1 {libc} | samples 4\n",
		USER_LEVEL,
		"main\n"
		"  get @rt.c:2 | samples 4 visits 3\n");
	/* A function that only reports the event calls nothing for it. */
	check_view("frame main a.c:1\n"
		   "  frame __upcrt_get_start rt.c:1 {upc}\n"
		   "    region get __upcrt_get_start rt.c:2 | visits 3\n"
		   "      frame memcpy m.c:1 {libc} | samples 4\n",
		USER_LEVEL,
		"main\n"
		"  get @rt.c:2 | visits 3\n"
		"    memcpy | samples 4\n");
	check_view("frame main a.c:1\n"
		   "  frame upc_memget rt.c:1 {upc}\n"
		   "    source get a.c:5 | visits 3\n"
		   "      frame pull rt.c:9 {upc} | samples 2\n"
		   "        frame memcpy m.c:1 {libc} | samples 4\n",
		USER_LEVEL,
		"main\n"
		"  get @a.c:5 | samples 6 visits 3\n");
}

static void functions_that_only_tell_of_events_are_folded(void **state)
{
	(void)state;
	check_view("frame main a.c:1 | samples 1\n"
		   "  frame __upcrt_get_start rt.c:1 {upc} | samples 2\n"
		   "  frame __getsi4 rt.c:1 | samples 4\n"
		   "  frame __upci_instrumented_add a.c:1 | samples 8\n",
		USER_LEVEL, "main | samples 15\n");
}

static void what_calls_another_compiler_s_main_is_folded(void **state)
{
	(void)state;
	check_view("frame main rt.c:1\n"
		   "  frame bupc_init rt.c:2 | samples 1\n"
		   "    frame user_main a.c:1 {upc-main} | samples 2\n"
		   "      source upc-barrier a.c:9 | wall-time 5\n"
		   "  frame helper rt.c:4 | samples 8\n",
		USER_LEVEL,
		"(all programs) | samples 1\n"
		"helper | samples 8\n"
		"user_main | samples 2\n"
		"  barrier @a.c:9 | wall-time 5\n");
}

static void an_event_stands_under_the_code_of_its_file(void **state)
{
	(void)state;
	check_view("frame main /home/u/src/a.upc:3\n"
		   "  frame solve /home/u/src/a.upc:40 | samples 1\n"
		   "    frame _upcr_wait rt.c:1 | samples 2\n"
		   "      frame poll p.c:1 {libc} | samples 4\n"
		   "        source upc-barrier src/a.upc:41 | visits 1\n",
		USER_LEVEL,
		"main\n"
		"  solve | samples 7\n"
		"    barrier @a.upc:41 | visits 1\n");
	/* Without a frame of that file, only the code of the runtime is folded. */
	check_view("frame main /home/u/src/ba.upc:3\n"
		   "  frame wrapper w.c:40 | samples 1\n"
		   "    frame _upcr_wait rt.c:1 | samples 2\n"
		   "      source upc-barrier a.upc:41 | visits 1\n",
		USER_LEVEL,
		"main\n"
		"  wrapper | samples 3\n"
		"    barrier @a.upc:41 | visits 1\n");
}

/* `callback`, in the event's file, ended with a jump into the runtime: its caller must remain, in all paths. */
#define TAIL_CALL(caller)                                      \
	"def main main.upc:9\n"                                \
	"frame main main.upc:12\n"                             \
	"  frame " caller "\n"                                 \
	"    frame callback main.upc:5 | samples 4\n"          \
	"    frame __upcrt_barrier rt.c:1 {upc} | samples 2\n" \
	"      frame poll p.c:1 {libc} | samples 1\n"          \
	"        source upc-barrier main.upc:15 | visits 3\n"

static void the_caller_of_a_function_that_ended_in_a_tail_call_stays(void **state)
{
	(void)state;
	check_view(TAIL_CALL("run lib.upc:3"), USER_LEVEL,
		"main\n"
		"  run | samples 3\n"
		"    callback | samples 4\n"
		"    barrier @main.upc:15 | visits 3\n");
	check_view(TAIL_CALL("qsort q.c:3 {libc}"), USER_LEVEL,
		"main\n"
		"  qsort | samples 3\n"
		"    callback | samples 4\n"
		"    barrier @main.upc:15 | visits 3\n");
}

/* Without debug information, only the name is known. */
#define LIKE_THE_LIBRARY                       \
	"frame main a.c:1\n"                   \
	"  frame upc_smooth ?:0 | samples 4\n" \
	"    source get a.upc:3 | visits 1\n"

static void a_name_is_a_runtime_s_only_without_a_section(void **state)
{
	(void)state;
	check_view(LIKE_THE_LIBRARY, USER_LEVEL,
		"main | samples 4\n"
		"  get @a.upc:3 | visits 1\n");
	check_view("section\n" LIKE_THE_LIBRARY, USER_LEVEL,
		"main\n"
		"  upc_smooth | samples 4\n"
		"    get @a.upc:3 | visits 1\n");
	check_view("section\n"
		   "frame main a.c:1\n"
		   "  frame __upci_instrumented_add ?:0 | samples 4\n"
		   "    source get a.upc:3 | visits 1\n",
		USER_LEVEL,
		"main | samples 4\n"
		"  get @a.upc:3 | visits 1\n");
}

/* An outlined function's code belongs to the function with the construct; only one of the two may have a file. */
static void an_event_stands_under_its_construct(void **state)
{
	(void)state;
	check_view("def main._omp_fn.0 ?:0 outlined\n"
		   "frame main a.c:1\n"
		   "  region parallel main a.c:4 | visits 1\n"
		   "    runtime fork z.c:1\n"
		   "      outlined main._omp_fn.0 ?:0\n"
		   "        frame upcr_wait rt.c:1 | samples 2\n"
		   "          source upc-barrier a.c:5 | visits 1\n",
		USER_LEVEL,
		"main\n"
		"  omp parallel @a.c:4 | samples 2 visits 1\n"
		"    barrier @a.c:5 | visits 1\n");
}

/* At the end of the program the C library calls the run-time system: no frame of the user is above. */
static void an_event_from_the_program_s_end_stands_under_the_program(void **state)
{
	(void)state;
	check_view("frame main a.c:1 | samples 1\n"
		   "frame __libc_start_main s.c:1 {start} {libc}\n"
		   "  frame exit s.c:2 {libc}\n"
		   "    frame upcr_exit rt.c:1\n"
		   "      source upc-barrier _FINAL_BARRIER:0 | visits 1\n",
		USER_LEVEL,
		"main | samples 1\n"
		"barrier (final barrier) | visits 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_continue_the_path_of_who_opened_their_region),
		cmocka_unit_test(runtime_frames_stay_when_asked_for),
		cmocka_unit_test(lines_of_an_outlined_body_stand_under_its_owner_s_name),
		cmocka_unit_test(an_outlined_body_s_code_without_a_line_is_its_owner_s),
		cmocka_unit_test(an_outlined_frame_without_a_name_is_folded),
		cmocka_unit_test(outlined_functions_are_told_by_name_in_openmp_s_regions_alone),
		cmocka_unit_test(events_of_outlined_functions_are_folded),
		cmocka_unit_test(code_that_starts_threads_is_folded_below_their_creation),
		cmocka_unit_test(code_that_starts_programs_is_folded_above_the_user_s),
		cmocka_unit_test(heddle_s_own_inline_functions_are_folded),
		cmocka_unit_test(a_frame_in_a_runtime_s_library_is_folded_whatever_its_kind),
		cmocka_unit_test(what_upc_s_runtime_calls_is_its_function_that_the_user_called),
		cmocka_unit_test(code_below_an_event_of_the_library_is_the_event_s),
		cmocka_unit_test(functions_that_only_tell_of_events_are_folded),
		cmocka_unit_test(what_calls_another_compiler_s_main_is_folded),
		cmocka_unit_test(an_event_stands_under_the_code_of_its_file),
		cmocka_unit_test(the_caller_of_a_function_that_ended_in_a_tail_call_stays),
		cmocka_unit_test(a_name_is_a_runtime_s_only_without_a_section),
		cmocka_unit_test(an_event_stands_under_its_construct),
		cmocka_unit_test(an_event_from_the_program_s_end_stands_under_the_program),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
