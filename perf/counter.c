/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of counters, and perf_event_open. Runs in signal handlers: system calls only. */
#include "perf/counter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define HIGH_FD 500 /* above the descriptors that programs use */

static const struct {
	const char *name, *unit, *meaning;
	uint8_t way;
	uint32_t type;
	uint64_t config;
} listed[] = {
#define X(name, unit, way, type, config, meaning) {name, unit, meaning, HEDDLE_COUNTER_##way, type, config},
	HEDDLE_COUNTERS(X)
#undef X
};

bool heddle__counter_listed(size_t index, struct heddle_counter *counter)
{
	if (index >= sizeof(listed) / sizeof(*listed))
		return false;
	memset(counter, 0, sizeof(*counter));
	strncpy(counter->name, listed[index].name, sizeof(counter->name) - 1);
	counter->unit = listed[index].unit;
	counter->meaning = listed[index].meaning;
	counter->way = listed[index].way;
	counter->term_count = 1;
	counter->terms[0].factor = 1;
	counter->terms[0].code.type = listed[index].type;
	counter->terms[0].code.config = listed[index].config;
	return true;
}

static int parse_name(const char *name, size_t length, struct heddle_counter *counter)
{
	for (size_t i = 0; heddle__counter_listed(i, counter); i++) {
		if (strlen(counter->name) == length && memcmp(counter->name, name, length) == 0)
			return 0;
	}
	return -ENOENT;
}

/* Parses hexadecimal digits from *at on. */
static bool parse_number(const char **at, const char *end, uint64_t *number)
{
	const char *first = *at;
	*number = 0;
	for (; *at < end; ++*at) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = memchr(digits, **at, sizeof(digits) - 1);
		if (!digit)
			break;
		*number = *number << 4 | (uint64_t)(digit - digits);
	}
	return *at > first && *at - first <= 16;
}

static bool parse_code(const char **at, const char *end, struct heddle_perf_code *code)
{
	uint64_t numbers[4] = {0};
	for (int i = 0; i < 4; i++) {
		if (!parse_number(at, end, &numbers[i]))
			return false;
		if (*at == end || **at != ':')
			break;
		++*at;
	}
	*code = (struct heddle_perf_code){(uint32_t)numbers[0], numbers[1], numbers[2], numbers[3]};
	return numbers[0] <= UINT32_MAX;
}

/* Parses what may precede a code: a sign, and a number with '*'. */
static bool parse_factor(const char **at, const char *end, int32_t *factor)
{
	bool minus = **at == '-';
	uint64_t number = 1;
	*at += **at == '-' || **at == '+';
	const char *times = *at;
	while (times < end && *times != '*' && *times != ':')
		times++;
	if (times < end && *times == '*') {
		if (!parse_number(at, end, &number) || *at != times)
			return false;
		++*at;
	}
	*factor = minus ? -(int32_t)number : (int32_t)number;
	return number <= INT32_MAX;
}

static bool parse_terms(const char *at, const char *end, struct heddle_counter *counter)
{
	while (at < end && counter->term_count < HEDDLE_COUNTER_TERMS) {
		unsigned int term = counter->term_count++;
		if (!parse_factor(&at, end, &counter->terms[term].factor) ||
			!parse_code(&at, end, &counter->terms[term].code) || (at < end && *at != '+' && *at != '-'))
			return false;
	}
	return counter->term_count && at == end;
}

int heddle__counter_parse(const char *text, size_t length, struct heddle_counter *counter)
{
	const char *code = memchr(text, '{', length);
	if (!code)
		return parse_name(text, length, counter);
	size_t name = (size_t)(code - text);
	memset(counter, 0, sizeof(*counter));
	if (!name || name >= sizeof(counter->name) || text[length - 1] != '}')
		return -EINVAL;
	memcpy(counter->name, text, name);
	counter->unit = "count";
	counter->meaning = "";
	counter->way = HEDDLE_COUNTER_PERF;
	return parse_terms(code + 1, text + length - 1, counter) ? 0 : -EINVAL;
}

struct output {
	char *text;
	size_t size, length;
};

static void put(struct output *out, char c)
{
	if (out->length + 1 < out->size)
		out->text[out->length] = c;
	out->length++;
}

static void put_number(struct output *out, uint64_t number)
{
	int shift = 60;
	while (shift && !(number >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		put(out, "0123456789abcdef"[number >> shift & 15]);
}

static void put_code(struct output *out, const struct heddle_perf_code *code)
{
	const uint64_t numbers[4] = {code->type, code->config, code->config1, code->config2};
	int count = 4;
	while (count > 2 && !numbers[count - 1])
		count--;
	for (int i = 0; i < count; i++) {
		if (i)
			put(out, ':');
		put_number(out, numbers[i]);
	}
}

static void put_terms(struct output *out, const struct heddle_counter *counter)
{
	for (unsigned int i = 0; i < counter->term_count; i++) {
		int32_t factor = counter->terms[i].factor;
		if (i || factor < 0)
			put(out, factor < 0 ? '-' : '+');
		if (factor != 1 && factor != -1) {
			put_number(out, (uint64_t)(factor < 0 ? -factor : factor));
			put(out, '*');
		}
		put_code(out, &counter->terms[i].code);
	}
}

size_t heddle__counter_print(const struct heddle_counter *counter, char *text, size_t size)
{
	struct output out = {.text = text, .size = size};
	for (const char *at = counter->name; *at; at++)
		put(&out, *at);
	if (!*counter->meaning) {
		put(&out, '{');
		put_terms(&out, counter);
		put(&out, '}');
	}
	if (size)
		text[out.length < size ? out.length : size - 1] = '\0';
	return out.length;
}

bool heddle__perf_code_is_kernels(const struct heddle_perf_code *code)
{
	return code->type == PERF_TYPE_SOFTWARE &&
	       (code->config == PERF_COUNT_SW_CONTEXT_SWITCHES || code->config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

uint64_t heddle__sample_event_shortest(const struct heddle_counter *counter)
{
	const struct heddle_perf_code *code = &counter->terms[0].code;
	bool clock = code->config == PERF_COUNT_SW_CPU_CLOCK || code->config == PERF_COUNT_SW_TASK_CLOCK;
	return code->type == PERF_TYPE_SOFTWARE && !clock ? 1 : 10000;
}

static bool parse_period(const char *digits, uint64_t *period)
{
	*period = 0;
	for (; *digits >= '0' && *digits <= '9' && *period < UINT64_MAX / 16; digits++)
		*period = *period * 10 + (uint64_t)(*digits - '0');
	return !*digits && *period && *period <= INT64_MAX;
}

int heddle__sample_event_parse(const char *text, struct heddle_counter *counter, uint64_t *period)
{
	const char *at = strrchr(text, '@');
	int error = heddle__counter_parse(text, at ? (size_t)(at - text) : strlen(text), counter);
	if (error)
		return error;
	if (!at || !parse_period(at + 1, period))
		return -ERANGE;
	if (counter->term_count != 1 || heddle__perf_code_is_kernels(&counter->terms[0].code))
		return -ENOTSUP;
	return *period < heddle__sample_event_shortest(counter) ? -EDOM : 0;
}

static int move_up(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
	int error = -errno;
	close(fd);
	return high < 0 ? error : high;
}

static int open_moved(struct perf_event_attr *attributes, pid_t tid, int group)
{
	int fd = (int)syscall(SYS_perf_event_open, attributes, tid, -1, group, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : move_up(fd);
}

static void fill(struct perf_event_attr *attributes, const struct heddle_perf_code *code)
{
	memset(attributes, 0, sizeof(*attributes));
	attributes->size = sizeof(*attributes);
	attributes->type = code->type;
	attributes->config = code->config;
	attributes->config1 = code->config1;
	attributes->config2 = code->config2;
	attributes->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attributes->exclude_hv = 1;
}

/*
 * Hardware events are counted outside the kernel: those inside it do not belong to the program, and require a
 * privilege. Kernel events that the program causes (faults, switches) are counted if permitted.
 */
int heddle__perf_open(const struct heddle_perf_code *code, pid_t tid, int group, bool disabled)
{
	struct perf_event_attr attributes;
	fill(&attributes, code);
	attributes.exclude_kernel = code->type != PERF_TYPE_SOFTWARE;
	attributes.disabled = disabled;
	int fd = open_moved(&attributes, tid, group);
	if (fd < 0 && !attributes.exclude_kernel && !heddle__perf_code_is_kernels(code)) {
		attributes.exclude_kernel = 1;
		fd = open_moved(&attributes, tid, group);
	}
	return fd;
}

/* A signal sent from within the kernel would interrupt a system call; SIGTRAP is sent on return to user space. */
int heddle__perf_open_sampling(
	const struct heddle_perf_code *code, pid_t tid, const struct heddle_perf_sampling *sampling)
{
	struct perf_event_attr attributes;
	fill(&attributes, code);
	attributes.sample_period = sampling->period; /* shares a union with sample_freq */
	attributes.freq = sampling->by_frequency;
	attributes.exclude_kernel = !sampling->trap;
	attributes.sigtrap = sampling->trap;
	attributes.remove_on_exec = sampling->trap; /* required by sigtrap */
	attributes.sig_data = sampling->trap ? sampling->mark : 0;
	attributes.disabled = 1;
	return open_moved(&attributes, tid, -1);
}

/* Reads the number at *text, and advances *text; numbers that are too large are cut off. False: there is none. */
static bool take_number(const char **text, unsigned int *number)
{
	const char *start = *text;
	for (*number = 0; **text >= '0' && **text <= '9'; (*text)++)
		*number = *number < 100000 ? *number * 10 + (unsigned int)(**text - '0') : *number;
	return *text > start;
}

bool heddle__kernel_is_at_least(const char *release, unsigned int major, unsigned int minor)
{
	unsigned int its_major, its_minor;
	if (!take_number(&release, &its_major) || *release++ != '.' || !take_number(&release, &its_minor))
		return false;
	return its_major > major || (its_major == major && its_minor >= minor);
}

int heddle__perf_try_trap(const struct heddle_perf_code *code)
{
	struct heddle_perf_sampling how = {.period = 1000000, .trap = true};
	struct utsname system;
	if (uname(&system) || !heddle__kernel_is_at_least(system.release, 5, 19))
		return -EOPNOTSUPP;
	int fd = heddle__perf_open_sampling(code, 0, &how);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int heddle__counter_try(const struct heddle_counter *counter)
{
	for (unsigned int i = 0; i < counter->term_count && counter->way == HEDDLE_COUNTER_PERF; i++) {
		int fd = heddle__perf_open(&counter->terms[i].code, 0, -1, false);
		if (fd < 0)
			return fd;
		close(fd);
	}
	return 0;
}
