/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes the compiler of a UPC program to Heddle. Event numbers and pointers-to-shared differ between compilers, so
 * `heddle upcc` compiles one small file (bridge.upc) with the program's compiler and links it into the program. That
 * file defines heddle_upc_bridge, which libheddle.so calls once per thread, in gasp_init, through a weak reference.
 */
#ifndef HEDDLE_UPC_BRIDGE_H
#define HEDDLE_UPC_BRIDGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_UPC_BRIDGE_VERSION 10

/* The section of a program that holds the code of its UPC run-time system: reports fold those frames. Optional. */
#define HEDDLE_UPC_RUNTIME_SECTION "upc_runtime"

/* The number that this compiler assigns to an event: "GASP_UPC_GET", 1111. */
struct heddle_upc_bridge_event {
	const char *name;
	unsigned int number;
};

/*
 * Dynamic shared memory that a pointer points into. Address fields are as `addrfield` gives them: low <= address <
 * high.
 */
struct heddle_upc_memory {
	uint64_t low, high;
	int for_all;          /* 1: each thread has a part, at these address fields; 0: the pointer's thread alone */
	const char *function; /* the function that allocated it: "upc_alloc" */
	const char *file;     /* where that function was called; NULL: unknown */
	int line;
	uint32_t tag;                 /* of that allocation, see tag_allocation; 0: none */
	const volatile uint64_t *now; /* all members are valid as long as *now is `version` */
	uint64_t version;
	/*
	 * From version 7 on: which of the `calls` calls of `function` on that line it was, in source order, counted
	 * from 1. The value 15 means 15 or more, in both members. 0: the only one, or unknown.
	 */
	int call, calls;
};

/*
 * There are one or more for each place in the program and each thread. The program decrements `left`. While it is not
 * negative, and the memory is on this node and in the `range` below, the program performs accesses without reporting
 * them. Both members are 0 at first.
 */
struct heddle_upc_count {
	int32_t left;
	uint32_t number; /* for the tool's use */
};

/* Memory of the accessed thread with these address fields: low <= address < high. */
struct heddle_upc_range {
	uint64_t low, high;
	/*
	 * From version 10 on. If `now` is not NULL, the range is valid as long as *now is `version`: the memory may be
	 * freed, by any thread.
	 */
	const volatile uint64_t *now;
	uint64_t version;
};

/* An access that was reported. */
struct heddle_upc_counted {
	size_t size;
	int put;         /* 1: GASP_UPC_PUT; 0: GASP_UPC_GET */
	int local;       /* the memory is the thread's own */
	int same_node;   /* it is on this node; 0: then the access is never counted, and `left` does not change */
	uint64_t cycles; /* cycles of the processor's counter that the access itself took; 0: not known */
	/*
	 * From version 9 on: all 0. `end` may set it, which restricts counting to that memory. Otherwise all memory of
	 * this node is counted.
	 */
	struct heddle_upc_range *range;
};

/*
 * The program calls `begin` before the Start event of an access, and `end`, with the result of `begin`, after its End
 * event. `end` may set `left`. If `begin` returns 0 or HEDDLE_UPC_UNTIMED, the access need not be timed. Context: the
 * accessing thread.
 *
 * From version 10 on, `memory` returns zeroed memory for further counts of the calling thread, by range, or NULL. The
 * memory belongs to the thread until the tool detects the thread's end. The member is NULL if the tool sets no ranges.
 */
#define HEDDLE_UPC_UNTIMED 2
struct heddle_upc_counting {
	int (*begin)(struct heddle_upc_count *count);
	void (*end)(struct heddle_upc_count *count, const struct heddle_upc_counted *access, int begun);
	void *(*memory)(size_t size);
};

/*
 * Pointers-to-shared are passed by address, as in GASP (gasp_upc_PTS_t *). These functions may be called only while an
 * event with that pointer is processed. All texts and tables stay valid; the structure itself may belong to the calling
 * thread.
 */
struct heddle_upc_bridge {
	unsigned int version;               /* HEDDLE_UPC_BRIDGE_VERSION */
	const char *compiler;               /* for users: "Berkeley UPC 2020.4.0" */
	unsigned int user_first, user_last; /* numbers of user events */
	const void *nb_trivial[2];          /* handles of accesses that are complete at their initiation */
	unsigned int event_count;
	const struct heddle_upc_bridge_event *events;
	int (*mythread)(void);
	int (*threads)(void);
	size_t (*threadof)(const void *shared_pointer);
	size_t (*phaseof)(const void *shared_pointer);
	size_t (*addrfield)(const void *shared_pointer);
	void *(*localaddr)(const void *shared_pointer); /* NULL: not addressable in this process */
	/*
	 * From version 2 on: the bounds of the run-time system's code, between user code and GASP's functions; NULL:
	 * unknown.
	 */
	const void *runtime_low, *runtime_high;
	/*
	 * From version 3 on: the number of the shared-memory node of a thread, 0, 1, ...; negative: unknown. It is
	 * equal for threads that access each other's memory directly, such as those of one host. It distinguishes
	 * same-node accesses from remote ones. NULL: nodes are unknown, and all accesses to other threads are remote.
	 */
	int (*node_of)(int thread);
	/*
	 * From version 4 on: reads CLOCK_MONOTONIC of the host of the first UPC thread, in ns, and returns 1. Returns 0
	 * if that is this host's own clock. NULL: cannot be read. May communicate. Called by UPC threads until they
	 * begin their collective exit.
	 */
	int (*first_clock)(uint64_t *ns);
	/*
	 * From version 5 on: UPC_IN_NOSYNC and UPC_OUT_NOSYNC, if a collective whose flags lack either of them returns
	 * only after all threads have called it. 0: only if its flags are 0.
	 */
	int in_nosync, out_nosync;
	/*
	 * From version 6 on: finds the block that the pointer points into, if that is memory from upc_alloc,
	 * upc_global_alloc or upc_all_alloc, of any thread, that was not freed; returns 1. Returns 0 for other memory.
	 * May communicate. NULL: only events report memory.
	 */
	int (*memory_of)(const void *shared_pointer, struct heddle_upc_memory *memory);
	/*
	 * From version 6 on: sets the tag of the calling thread's next allocation, at the begin of its event. For a
	 * collective allocation, the first thread's tag counts. NULL if memory_of is.
	 */
	void (*tag_allocation)(uint32_t tag);
	/*
	 * From version 8 on: requests that compiled code counts accesses, see above; the tool must then add up the
	 * counts itself. `counting` stays valid. Without this call, or if this is NULL, each access is reported.
	 */
	void (*count_accesses)(const struct heddle_upc_counting *counting);
};

const struct heddle_upc_bridge *heddle_upc_bridge(void);

#ifdef __cplusplus
}
#endif

#endif
