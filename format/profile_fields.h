/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Field numbers of heddle_profile.proto for the in-process encoder, which writes Protocol Buffers without a library
 * (the measured process depends on the C library only). A test compares this list with the schema.
 */
#ifndef HEDDLE_FORMAT_PROFILE_FIELDS_H
#define HEDDLE_FORMAT_PROFILE_FIELDS_H

/* Message, field, number */
#define HEDDLE_PROFILE_FIELDS(X)         \
	X(Process, program, 1)           \
	X(Process, arguments, 2)         \
	X(Process, host, 3)              \
	X(Process, pid, 4)               \
	X(Process, parent_pid, 5)        \
	X(Process, start_unix_ns, 6)     \
	X(Process, duration_ns, 7)       \
	X(Process, cpu_ns, 8)            \
	X(Process, ended_by, 9)          \
	X(Process, heddle_version, 10)   \
	X(Process, sample_source, 11)    \
	X(Process, sample_clock, 12)     \
	X(Process, sample_hz, 13)        \
	X(Process, unwinder, 14)         \
	X(Process, runtime, 15)          \
	X(Process, note, 16)             \
	X(Process, events, 17)           \
	X(Process, strings, 18)          \
	X(Process, samples_taken, 19)    \
	X(Process, samples_paused, 20)   \
	X(Process, nodes_dropped, 21)    \
	X(Process, memory_bytes, 22)     \
	X(Process, machine, 23)          \
	X(Process, start_directory, 24)  \
	X(Process, memory_measured, 25)  \
	X(Process, memory_peak, 26)      \
	X(Process, memory_peak_ns, 27)   \
	X(Process, memory_in_use, 28)    \
	X(Process, counters, 29)         \
	X(Process, sample_sources, 30)   \
	X(Process, samples_late, 31)     \
	X(Process, models, 32)           \
	X(Process, processors, 33)       \
	X(Process, cpu_before_ns, 36)    \
	X(Process, cpu_clock_ns, 37)     \
	X(Process, rank, 38)             \
	X(Process, ranks, 39)            \
	X(Process, merged, 40)           \
	X(Process, threads_alive, 41)    \
	X(Model, id, 1)                  \
	X(Model, name, 2)                \
	X(Model, label, 3)               \
	X(Model, state, 4)               \
	X(Model, rank, 5)                \
	X(Model, ranks, 6)               \
	X(Model, blocks, 7)              \
	X(Model, section, 8)             \
	X(Model, generated, 9)           \
	X(Model, code, 10)               \
	X(CodeName, kind, 1)             \
	X(CodeName, pattern, 2)          \
	X(CodeName, shown, 3)            \
	X(Counter, metric, 1)            \
	X(Counter, name, 2)              \
	X(Counter, unit, 3)              \
	X(Counter, source, 4)            \
	X(Counter, meaning, 5)           \
	X(SampleSource, name, 1)         \
	X(SampleSource, signals, 2)      \
	X(SampleSource, cpu_ns, 3)       \
	X(SampleSource, kernel, 4)       \
	X(EventKind, id, 1)              \
	X(EventKind, model, 2)           \
	X(EventKind, name, 3)            \
	X(EventKind, category, 4)        \
	X(EventKind, label, 5)           \
	X(EventKind, generated, 6)       \
	X(EventKind, role, 7)            \
	X(ModuleList, modules, 1)        \
	X(Module, id, 1)                 \
	X(Module, path, 2)               \
	X(Module, load_bias, 3)          \
	X(Module, low, 4)                \
	X(Module, high, 5)               \
	X(Module, build_id, 6)           \
	X(Module, unloaded, 7)           \
	X(Module, role, 8)               \
	X(Module, model, 9)              \
	X(Tree, parent, 1)               \
	X(Tree, kind, 2)                 \
	X(Tree, event, 3)                \
	X(Tree, place, 4)                \
	X(Thread, id, 1)                 \
	X(Thread, tid, 2)                \
	X(Thread, role, 3)               \
	X(Thread, threads, 4)            \
	X(Thread, number, 5)             \
	X(Thread, start_ns, 6)           \
	X(Thread, end_ns, 7)             \
	X(Thread, wall_ns, 8)            \
	X(Thread, cpu_ns, 9)             \
	X(Thread, samples, 10)           \
	X(Thread, samples_in_heddle, 11) \
	X(Thread, start_place, 12)       \
	X(Thread, name, 13)              \
	X(Thread, rank, 14)              \
	X(Thread, model, 15)             \
	X(Thread, rank_model, 16)        \
	X(Thread, columns, 20)           \
	X(Thread, distributions, 21)     \
	X(Thread, partners, 22)          \
	X(Thread, exchanges, 23)         \
	X(Exchanges, communicator, 1)    \
	X(Exchanges, partner, 2)         \
	X(Exchanges, kind, 3)            \
	X(Exchanges, bucket, 4)          \
	X(Exchanges, messages, 5)        \
	X(Exchanges, bytes, 6)           \
	X(Exchanges, time_ns, 7)         \
	X(Partners, variable, 1)         \
	X(Partners, owner, 2)            \
	X(Partners, side, 3)             \
	X(Partners, gets, 4)             \
	X(Partners, puts, 5)             \
	X(Partners, bytes_got, 6)        \
	X(Partners, bytes_put, 7)        \
	X(Partners, time_ns, 8)          \
	X(Thread, states, 40)            \
	X(Distribution, node, 1)         \
	X(Distribution, argument, 2)     \
	X(Distribution, text, 3)         \
	X(Distribution, count, 4)        \
	X(Distribution, minimum, 5)      \
	X(Distribution, maximum, 6)      \
	X(Distribution, sum, 7)          \
	X(Distribution, buckets, 8)      \
	X(Distribution, rest, 40)        \
	X(Column, metric, 1)             \
	X(Column, node, 2)               \
	X(Column, value, 3)              \
	X(End, sections, 1)              \
	X(End, threads, 2)

enum heddle_profile_field {
#define X(message, field, number) HEDDLE_FIELD_##message##_##field = number,
	HEDDLE_PROFILE_FIELDS(X)
#undef X
};

#endif
