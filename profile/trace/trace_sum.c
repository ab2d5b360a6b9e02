/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds up what the measured thread would have counted. Times of records are divided in proportion to the time inside of
 * the part; other values belong to one moment.
 */
#include "profile/trace/trace_sum.h"

#include "profile/base/errors.h"
#include "profile/trace/trace_clock.h"
#include "profile/trace/trace_file.h"
#include "profile/trace/trace_spans.h"
#include "profile/trace/trace_stream.h"

#include <math.h>
#include <stdlib.h>

static const struct profile_trace_part all_of_it = {0, UINT64_MAX};
const struct profile_trace_part_list profile_trace_whole = {&all_of_it, 1};

struct summing {
	struct profile_trace_sum *sum;
	const struct profile_trace_file *file;
	const struct profile_trace_part *part, *end; /* the first part that has not ended; the end of the array */
	bool whole;
	bool ended;       /* no thread has the context */
	uint64_t since;   /* time of the last record that advanced it */
	uint64_t present; /* ticks */
	int error;
};

/* ---- parts ---- */

/* Returns how many of `elapsed` ticks, which pass from `since` to `now`, have passed at `time`. */
static uint64_t passed(uint64_t elapsed, uint64_t since, uint64_t now, uint64_t time)
{
	if (time >= now)
		return elapsed;
	return time <= since ? 0 : (uint64_t)((unsigned __int128)elapsed * (time - since) / (now - since));
}

/* Returns the ticks within the parts. */
static uint64_t clip(struct summing *summing, uint64_t elapsed, uint64_t now)
{
	uint64_t ticks = 0;
	if (summing->whole)
		return elapsed;
	while (summing->part < summing->end && summing->part->to_ns <= summing->since)
		summing->part++;
	for (const struct profile_trace_part *part = summing->part; part < summing->end && part->from_ns < now; part++)
		ticks += passed(elapsed, summing->since, now, part->to_ns) -
			 passed(elapsed, summing->since, now, part->from_ns);
	return ticks;
}

static bool lies_within(const struct summing *summing, uint64_t time)
{
	if (summing->whole)
		return true;
	for (const struct profile_trace_part *part = summing->part; part < summing->end && part->from_ns <= time;
		part++)
		if (time < part->to_ns || part->to_ns == UINT64_MAX)
			return true;
	return false;
}

/* ---- values ---- */

static void add_value(struct summing *summing, uint32_t metric, uint32_t node, uint64_t amount)
{
	struct profile_trace_values *values = &summing->sum->values;
	if (!values->of[metric])
		values->of[metric] = calloc(values->node_count + 1, sizeof(uint64_t));
	if (values->of[metric])
		values->of[metric][node] += amount;
	else
		summing->error = -ENOMEM;
}

static void count_access(struct summing *summing, const struct profile_trace_event *event)
{
	uint32_t node = event->node;
	bool puts = event->operand & HEDDLE_TRACE_ACCESS_PUT;
	add_value(summing, puts ? HEDDLE_METRIC_BYTES_PUT : HEDDLE_METRIC_BYTES_GOT, node, event->value);
	switch (HEDDLE_TRACE_ACCESS_SIDE(event->operand)) {
	case HEDDLE_TRACE_LOCAL:
		add_value(summing, HEDDLE_METRIC_LOCAL, node, 1);
		break;
	case HEDDLE_TRACE_SAME_NODE:
		add_value(summing, HEDDLE_METRIC_SAME_NODE, node, 1);
		add_value(summing, HEDDLE_METRIC_SAME_NODE_BYTES, node, event->value);
		break;
	case HEDDLE_TRACE_REMOTE:
		add_value(summing, HEDDLE_METRIC_REMOTE, node, 1);
		add_value(summing, HEDDLE_METRIC_REMOTE_BYTES, node, event->value);
		break;
	default:
		break;
	}
}

/* Bucket 0: below 1; bucket k: from 2^(k-1) to below 2^k; the last bucket has all above. */
static unsigned int bucket_of(double size)
{
	if (size < 1)
		return 0;
	int bucket = ilogb(size) + 1;
	return bucket < HEDDLE_SIZE_BUCKETS ? (unsigned int)bucket : HEDDLE_SIZE_BUCKETS - 1;
}

static void add_distribution(struct summing *summing, uint32_t node, uint32_t argument, uint32_t text, double value)
{
	uint64_t buckets[HEDDLE_SIZE_BUCKETS] = {0};
	if (isnan(value))
		return;
	buckets[bucket_of(isinf(value) ? (value < 0 ? 0 : 0x1p62) : value)] = 1;
	struct profile_distribution one = {
		.node = node,
		.argument = argument,
		.text = text,
		.count = 1,
		.minimum = value,
		.maximum = value,
		.sum = value,
		.buckets = argument ? NULL : buckets,
	};
	if (profile_distributions_add(&summing->sum->distributions, &one) != 0)
		summing->error = -ENOMEM;
}

static void add_access(struct summing *summing, const struct profile_trace_event *event)
{
	if (event->operand & HEDDLE_TRACE_ACCESS_COUNTED)
		return;
	count_access(summing, event);
	if (!(event->operand & HEDDLE_TRACE_ACCESS_SECOND))
		add_distribution(summing, event->node, 0, 0, (double)event->value);
}

static void add_sample(struct summing *summing, const struct profile_trace_event *event)
{
	add_value(summing, HEDDLE_METRIC_SAMPLES, event->node, event->value);
	add_value(summing, HEDDLE_METRIC_CPU_TIME, event->node, event->cpu_ns);
	add_value(summing, HEDDLE_METRIC_WALL_TIME, event->node, event->wall_ticks);
}

/* ---- events ---- */

static void add_moment(struct summing *summing, const struct profile_trace_event *event)
{
	switch (event->kind) {
	case HEDDLE_TRACE_BEGIN:
	case HEDDLE_TRACE_BEGIN_UNTIMED:
	case HEDDLE_TRACE_VISIT:
		add_value(summing, HEDDLE_METRIC_VISITS, event->node, 1);
		break;
	case HEDDLE_TRACE_SAMPLE:
		add_sample(summing, event);
		break;
	case HEDDLE_TRACE_ADD:
		add_value(summing, event->operand, event->node, event->value);
		break;
	case HEDDLE_TRACE_DISTRIBUTE:
		add_distribution(summing, event->node, event->operand, event->text, event->real);
		break;
	case HEDDLE_TRACE_ACCESS:
		add_access(summing, event);
		break;
	default:
		break;
	}
}

static bool is_mark(const struct profile_trace_event *event, enum heddle_trace_mark mark)
{
	return event->kind == HEDDLE_TRACE_MARK && event->operand == mark;
}

static void add_elapsed(struct summing *summing, uint64_t elapsed, uint32_t charged, uint64_t now, bool present)
{
	uint64_t ticks = clip(summing, elapsed, now);
	summing->since = now;
	if (ticks && charged != HEDDLE_NO_NODE)
		add_value(summing, HEDDLE_METRIC_WALL_TIME, charged, ticks);
	if (present)
		summing->present += ticks;
}

/* A record without a time that follows a visit or a sample has its time, which does not advance the stream's either. */
static bool advances(enum heddle_trace_kind kind)
{
	switch (kind) {
	case HEDDLE_TRACE_VISIT:
	case HEDDLE_TRACE_SAMPLE:
	case HEDDLE_TRACE_ADD:
	case HEDDLE_TRACE_DISTRIBUTE:
	case HEDDLE_TRACE_ACCESS:
	case HEDDLE_TRACE_ATTRIBUTE:
		return false;
	default:
		return true;
	}
}

static void add_event(struct summing *summing, const struct profile_trace_event *event, bool measured)
{
	if (advances(event->kind))
		add_elapsed(summing, event->elapsed, event->charged, event->time_ns, measured && !summing->ended);
	if (is_mark(event, HEDDLE_TRACE_THREAD_END))
		summing->ended = true;
	if (is_mark(event, HEDDLE_TRACE_THREAD_BEGIN))
		summing->ended = false;
	if (lies_within(summing, event->time_ns))
		add_moment(summing, event);
}

/* Entries open at the end were charged until the last record. For the whole trace, `rest` has what is missing. */
static void add_tail(struct summing *summing, const struct profile_trace_stream *stream)
{
	uint64_t end = summing->file->info.end_ticks;
	if (stream->error || summing->ended || end <= stream->ticks || !stream->loaded)
		return;
	uint64_t now = profile_trace_ns(stream->trace, summing->file, end, stream->paused);
	if (now > summing->since)
		add_elapsed(summing, end - stream->ticks, profile_trace_charged(stream), now, !stream->off);
}

static void add_rest(struct summing *summing, const struct profile_trace_thread *thread)
{
	for (size_t i = 0; i < thread->rest_count; i++) {
		uint32_t metric = profile_trace_metric(summing->file, thread->rest[i].metric);
		if (metric != HEDDLE_METRIC_LIMIT)
			add_value(summing, metric, thread->rest[i].node, thread->rest[i].value);
	}
}

/* Clears blame that a sample moved from a node, if it was given before the part, or not recorded. */
static void clear_moved_blame(struct profile_trace_values *values)
{
	uint64_t *locks = values->of[HEDDLE_METRIC_LOCK_BLAME], *all = values->of[HEDDLE_METRIC_BLAME];
	for (size_t i = 0; locks && all && i < values->node_count; i++) {
		if ((int64_t)locks[i] >= 0)
			continue;
		all[i] -= locks[i];
		locks[i] = 0;
	}
	for (size_t i = 0; all && i < values->node_count; i++)
		all[i] = (int64_t)all[i] < 0 ? 0 : all[i];
}

/* Off-CPU time has no record: as in the profile, it is the time that no sample and no event accounts for. */
static void add_off_cpu(struct summing *summing, const struct profile_call_tree *tree)
{
	const struct profile_trace_values *values = &summing->sum->values;
	const uint64_t *of = values->of[HEDDLE_METRIC_WALL_TIME];
	uint32_t node = profile_trace_off_cpu_node(summing->file, tree);
	uint64_t charged = 0;
	for (size_t i = 0; of && i < values->node_count; i++)
		charged += of[i];
	if (node != HEDDLE_NO_NODE && summing->present > charged)
		add_value(summing, HEDDLE_METRIC_WALL_TIME, node, summing->present - charged);
}

/* The chunk before the part's first one shows what was open before the part. */
static void seek(struct summing *summing, struct profile_trace_stream *stream)
{
	const struct profile_trace_chunk *chunks = stream->thread->chunks;
	size_t chunk = summing->whole ? 0 : profile_trace_chunk_at(stream, summing->part->from_ns);
	chunk -= chunk != 0;
	profile_trace_stream_go(stream, chunk);
	if (stream->thread->chunk_count)
		summing->since =
			profile_trace_ns(stream->trace, summing->file, chunks[chunk].first, chunks[chunk].paused);
}

static int read_events(struct summing *summing, struct profile_trace_stream *stream)
{
	struct profile_trace_event event;
	seek(summing, stream);
	while (!summing->error && summing->part < summing->end) {
		bool off = stream->off;
		if (!profile_trace_next(stream, &event))
			break;
		add_event(summing, &event, !off);
	}
	if (!summing->whole)
		add_tail(summing, stream);
	return summing->error ? summing->error : stream->error;
}

int profile_trace_add_up(struct profile_trace_sum *sum, const struct profile_trace *trace, size_t thread,
	const struct profile_trace_part_list *parts)
{
	struct profile_trace_stream stream;
	*sum = (struct profile_trace_sum){0};
	int error = profile_trace_stream_open(&stream, trace, thread);
	if (error || parts->count == 0)
		return error;
	struct summing summing = {
		.sum = sum,
		.file = &trace->files[trace->threads[thread].file],
		.part = parts->items,
		.end = parts->items + parts->count,
		.whole = parts->items->from_ns == 0 && parts->items->to_ns == UINT64_MAX,
	};
	sum->values.node_count = summing.file->node_count;
	error = read_events(&summing, &stream);
	profile_trace_stream_close(&stream);
	if (summing.whole)
		add_rest(&summing, &trace->threads[thread]);
	else
		add_off_cpu(&summing, &trace->measurement->tree);
	clear_moved_blame(&sum->values);
	sum->values.measured_ns = profile_trace_duration_ns(summing.file, summing.present);
	return error ? error : summing.error;
}

void profile_trace_sum_free(struct profile_trace_sum *sum)
{
	profile_trace_values_free(&sum->values);
	profile_distributions_free(&sum->distributions);
}

void profile_trace_fold(struct profile_trace_values *values, const struct profile_trace_file *file)
{
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		uint64_t *of = values->of[m];
		for (size_t i = values->node_count; of && i-- > 1;) {
			if (file->map[i] != HEDDLE_NO_NODE)
				break;
			of[file->parents[i]] += of[i];
			of[i] = 0;
		}
	}
}

void profile_trace_convert(struct profile_trace_values *values, const struct profile_trace_file *file)
{
	for (uint32_t m = 0; m < HEDDLE_METRIC_COUNT; m++) {
		uint64_t *of = heddle__metric_kind(m) == HEDDLE_METRIC_KIND_TICKED ? values->of[m] : NULL;
		for (size_t i = 0; of && i < values->node_count; i++)
			of[i] = profile_trace_duration_ns(file, of[i]);
	}
}

int profile_trace_thread_values(struct profile_trace_values *values, const struct profile_trace *trace, size_t thread,
	const struct profile_trace_part *part)
{
	struct profile_trace_sum sum;
	struct profile_trace_part_list list = {part, 1};
	int error = profile_trace_add_up(&sum, trace, thread, part ? &list : &profile_trace_whole);
	if (sum.values.node_count)
		profile_trace_convert(&sum.values, &trace->files[trace->threads[thread].file]);
	profile_distributions_free(&sum.distributions);
	*values = sum.values;
	return error;
}

void profile_trace_values_free(struct profile_trace_values *values)
{
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++)
		free(values->of[m]);
	*values = (struct profile_trace_values){0};
}
