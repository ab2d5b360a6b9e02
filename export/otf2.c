/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A trace as an archive of the Open Trace Format 2, which Vampir, Scalasca and otf2-print read, written by libotf2. If
 * the library was missing at build time, the format is listed, but can't be written.
 */
#include "export/formats.h"

#ifndef HEDDLE_HAVE_OTF2

const struct export_format export_otf2 = {
	.name = "otf2",
	.summary = "a trace as an OTF2 archive (a directory); not in this build",
	.missing = "libotf2 (package libopen-trace-format2-dev)",
	.needs_threads = true,
	.needs_trace = true,
	.output = EXPORT_DIRECTORY,
};

#else

#include "export/otf2_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ARCHIVE_NAME "traces" /* like Score-P's archives: traces.otf2 */

/*
 * libotf2 would print errors itself; the command reports them instead. If libotf2 cannot write the rest of a file when
 * it is closed, it reports that and then frees memory twice (version 3.0.2). Therefore closing is aborted from here,
 * and libotf2 is not called again.
 */
static OTF2_ErrorCode take_error(void *context, const char *file, uint64_t line, const char *function,
	OTF2_ErrorCode code, const char *format, va_list arguments)
{
	struct export_otf2 *otf2 = context;
	int why = errno;
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)arguments;
	if (why == ENOSPC || why == EDQUOT || why == EFBIG)
		otf2->error = otf2->error ? otf2->error : why;
	export_otf2_failed(otf2, code);
	if (otf2->error && otf2->closing)
		longjmp(otf2->failed, 1);
	return code;
}

/* Full buffers are written without an event for it: the time is this program's, not the trace's. */
static OTF2_FlushType flush(void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)context;
	(void)type;
	(void)location;
	(void)caller;
	(void) final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = flush};

/* Higher ranks indicate a damaged file. */
#define MOST_RANKS (1u << 20)

static uint32_t rank_of(const struct profile_trace *trace, size_t thread)
{
	const struct profile_thread *row = trace->threads[thread].row;
	return row && profile_thread_is_rank(row) && row->rank <= MOST_RANKS ? row->rank : 0;
}

/* Ranks without records have no number in the communicator. */
static int number_ranks(struct export_otf2 *otf2)
{
	const struct profile_trace *trace = otf2->request->trace;
	for (size_t i = 0; i < trace->thread_count; i++)
		otf2->rank_count = rank_of(trace, i) > otf2->rank_count ? rank_of(trace, i) : otf2->rank_count;
	otf2->ranks = malloc((otf2->rank_count + 1) * sizeof(*otf2->ranks));
	if (!otf2->ranks)
		return -ENOMEM;
	for (size_t i = 0; i <= otf2->rank_count; i++)
		otf2->ranks[i] = (struct export_otf2_rank){.thread = EXPORT_OTF2_NO_THREAD};
	for (size_t i = trace->thread_count; i-- > 0;)
		if (rank_of(trace, i))
			otf2->ranks[rank_of(trace, i) - 1].thread = i;
	uint32_t count = 0;
	for (size_t i = 0; i < otf2->rank_count; i++)
		if (otf2->ranks[i].thread != EXPORT_OTF2_NO_THREAD)
			otf2->ranks[i].member = count++;
	return 0;
}

static int write_events(struct export_otf2 *otf2)
{
	OTF2_Archive *archive = otf2->archive;
	export_otf2_failed(otf2, OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL));
	export_otf2_failed(otf2, OTF2_Archive_SetSerialCollectiveCallbacks(archive));
	export_otf2_failed(otf2, OTF2_Archive_SetCreator(archive, "heddle"));
	return otf2->error ? otf2->error : export_otf2_events(otf2);
}

/* Closes all files. Owns nothing that longjmp could leak. */
static int close_archive(struct export_otf2 *otf2)
{
	if (setjmp(otf2->failed))
		return otf2->error;
	otf2->closing = true;
	int error = export_otf2_close_events(otf2);
	if (!error)
		error = export_otf2_definitions(otf2);
	if (!error)
		export_otf2_failed(otf2, OTF2_Archive_Close(otf2->archive));
	return error ? error : otf2->error;
}

static int write_archive(struct export_otf2 *otf2)
{
	OTF2_Error_RegisterCallback(take_error, otf2);
	errno = 0;
	otf2->archive = OTF2_Archive_Open(otf2->request->path, ARCHIVE_NAME, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
		OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!otf2->archive)
		return errno ? errno : EIO;
	int error = write_events(otf2);
	return error ? error : close_archive(otf2);
}

/* True if samples were requested: whether the trace has any is known only at the end. */
static bool is_sampled(const struct profile_trace *trace)
{
	for (size_t i = 0; i < trace->file_count; i++)
		if (trace->files[i].process->info->sample_hz)
			return true;
	return false;
}

/* Ranks of a model with messages have communicators of their own. */
static void choose_program(struct export_otf2 *otf2)
{
	const struct profile_trace *trace = otf2->request->trace;
	const struct profile_model *model = NULL;
	for (size_t i = 0; i < trace->thread_count && !model; i++)
		if (rank_of(trace, i))
			model = profile_models_named(
				&otf2->request->measurement->tree.models, trace->threads[i].row->rank_model);
	otf2->program_paradigm = model ? export_otf2_paradigm_of(model->name) : OTF2_PARADIGM_USER;
	otf2->program_name = model && *model->ranks ? model->ranks : "rank";
	bool shared = model && otf2->program_paradigm != OTF2_PARADIGM_MPI;
	otf2->program = shared ? otf2->comm_count++ : EXPORT_OTF2_NONE;
	otf2->window_count = shared;
}

static int prepare(struct export_otf2 *otf2)
{
	const struct export_request *request = otf2->request;
	size_t processes = request->trace->file_count;
	otf2->of_process = calloc(processes + 1, sizeof(*otf2->of_process));
	otf2->threads = calloc(request->trace->thread_count + 1, sizeof(*otf2->threads));
	otf2->teams = malloc((processes + 1) * sizeof(*otf2->teams));
	otf2->attributes = OTF2_AttributeList_New();
	otf2->depths = profile_view_depths(request->view);
	otf2->contexts = is_sampled(request->trace);
	if (!otf2->of_process || !otf2->threads || !otf2->teams || !otf2->attributes || !otf2->depths)
		return -ENOMEM;
	memset(otf2->teams, 0xff, (processes + 1) * sizeof(*otf2->teams));
	memset(otf2->metrics, 0xff, sizeof(otf2->metrics));
	int error = export_otf2_find_roles(otf2);
	if (!error)
		error = number_ranks(otf2);
	if (!error)
		error = export_otf2_find_groups(otf2);
	if (!error)
		choose_program(otf2);
	return error;
}

static void release(struct export_otf2 *otf2)
{
	for (size_t i = 0; otf2->threads && i < otf2->request->trace->thread_count; i++) {
		free(otf2->threads[i].regions);
		free(otf2->threads[i].operations);
		free(otf2->threads[i].held);
		free(otf2->threads[i].partners);
	}
	for (size_t i = 0; otf2->of_process && i < otf2->request->trace->file_count; i++)
		free(otf2->of_process[i].pending);
	free(otf2->of_process);
	free(otf2->calls);
	free(otf2->threads);
	free(otf2->teams);
	free(otf2->waits);
	free(otf2->roles);
	free(otf2->paradigms);
	if (otf2->attributes)
		OTF2_AttributeList_Delete(otf2->attributes);
	free(otf2->depths);
	free(otf2->ranks);
	export_otf2_free_groups(otf2);
	profile_intern_free(&otf2->arguments);
	free(otf2->argument_metrics);
	profile_intern_free(&otf2->locks);
	profile_intern_free(&otf2->sets);
	free(otf2->lock_orders);
}

static int write_otf2(const struct export_request *request)
{
	struct export_otf2 otf2 = {.request = request};
	int error = prepare(&otf2);
	if (!error)
		error = write_archive(&otf2);
	OTF2_Error_RegisterCallback(NULL, NULL);
	release(&otf2);
	return error;
}

const struct export_format export_otf2 = {
	.name = "otf2",
	.summary = "a trace as an OTF2 archive (a directory), for Vampir, Scalasca, otf2-print",
	.next = "Vampir, Scalasca and otf2-print read its traces.otf2",
	.needs_threads = true,
	.needs_trace = true,
	.output = EXPORT_DIRECTORY,
	.write = write_otf2,
};

#endif
