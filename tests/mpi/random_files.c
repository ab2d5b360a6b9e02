/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of the random program: blocking, nonblocking, collective and split collective calls, by offsets and by
 * pointers. A file gets its size when it is opened, and each rank has a part of it, so reads beyond the end are known.
 */
#include "random.h"

#include <pthread.h>
#include <stdlib.h>

#define PART 65536 /* bytes of a rank */
#define FILES 300  /* at most */

/* The values that a measurement must have for a file. Threads share the list. */
struct known_file {
	char name[64];
	long long opens, reads, writes, bytes_read, bytes_written;
};

static struct known_file files[FILES];
static int file_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* A file that is open. */
struct open {
	MPI_File file;
	struct known_file known; /* since it was opened */
	MPI_Offset begin, end;   /* of this rank's part, and of the file */
	long long at;            /* of this rank's pointer, in its part */
	struct pending pending;  /* data that these requests read counts where they complete */
};

/* Elements of a type. */
struct piece {
	int count, type;
	long long bytes;
	MPI_Offset place; /* in this rank's part */
};

/* Chooses elements; each member chooses for itself, unless the call is collective. */
static struct piece choose_piece(void)
{
	struct piece piece = {.count = choose(8) == 0 ? 1000 : choose(40), .type = choose(TYPES)};
	piece.bytes = (long long)piece.count * type_sizes[piece.type];
	piece.place = choose(PART - 16000);
	return piece;
}

static void wrote(struct open *open, const char *name, long long bytes)
{
	call(name, 0, bytes, 0, 0);
	open->known.writes++;
	open->known.bytes_written += bytes;
}

static void has_read(struct open *open, const char *name, long long bytes)
{
	call(name, 0, 0, 0, bytes);
	open->known.reads++;
	open->known.bytes_read += bytes;
}

/* ---- blocking ---- */

/* Moves the pointer back if there is no room for that many bytes, and sometimes without need. */
static void make_room(struct open *open, long long bytes)
{
	if (open->at + bytes <= PART && choose(4))
		return;
	open->at = choose(100);
	MPI_File_seek(open->file, open->begin + open->at, MPI_SEEK_SET);
	call("MPI_File_seek", 0, 0, 0, 0);
}

static void read_beyond(struct open *open, MPI_Status *status)
{
	int there = choose(40), count = there + 1 + choose(40);
	MPI_File_read_at(open->file, open->end - there, in, count, MPI_CHAR, status);
	has_read(open, "MPI_File_read_at", there);
}

/* Blocking calls of one rank, or collective ones of all ranks. */
struct calls {
	int (*write_at)(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *);
	int (*read_at)(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);
	int (*write)(MPI_File, const void *, int, MPI_Datatype, MPI_Status *);
	int (*read)(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
	const char *names[4];
};

static const struct calls alone = {MPI_File_write_at, MPI_File_read_at, MPI_File_write, MPI_File_read,
	{"MPI_File_write_at", "MPI_File_read_at", "MPI_File_write", "MPI_File_read"}};
static const struct calls together = {MPI_File_write_at_all, MPI_File_read_at_all, MPI_File_write_all,
	MPI_File_read_all,
	{"MPI_File_write_at_all", "MPI_File_read_at_all", "MPI_File_write_all", "MPI_File_read_all"}};

/* WAY: which of the calls to use, or a read beyond the end. */
static void access_by(struct open *open, const struct calls *calls, int way)
{
	MPI_Status own_status, *status = choose(2) ? MPI_STATUS_IGNORE : &own_status;
	struct piece piece = choose_piece();
	MPI_Datatype type = types[piece.type];
	MPI_Offset place = open->begin + piece.place;
	if (way > 3) {
		read_beyond(open, status);
		return;
	}
	if (way > 1)
		make_room(open, piece.bytes);
	if (way == 0)
		calls->write_at(open->file, place, out, piece.count, type, status);
	else if (way == 1)
		calls->read_at(open->file, place, in, piece.count, type, status);
	else if (way == 2)
		calls->write(open->file, out, piece.count, type, status);
	else
		calls->read(open->file, in, piece.count, type, status);
	(way % 2 ? has_read : wrote)(open, calls->names[way], piece.bytes);
	open->at += way > 1 ? piece.bytes : 0;
}

static void access_alone(struct open *open)
{
	access_by(open, &alone, choose(5));
}

/* ---- nonblocking ---- */

/* Adds a request that reads; its bytes count where it completes. Stores its buffer in *TO. */
static MPI_Request *expect_read(struct open *open, const char *name, const struct piece *piece, char **to)
{
	*to = in + (size_t)open->pending.count * REGION;
	MPI_Request *request = expect_request(&open->pending, -1, -1, false);
	open->pending.read[open->pending.count - 1] = piece->bytes;
	call(name, 0, 0, 0, 0);
	open->known.reads++;
	open->known.bytes_read += piece->bytes;
	return request;
}

static void start_alone(struct open *open)
{
	struct piece piece = choose_piece();
	MPI_Datatype type = types[piece.type];
	MPI_Offset place = open->begin + piece.place;
	MPI_Request *request;
	char *to;
	if (open->pending.count == MANY)
		complete_files(&open->pending);
	switch (choose(4)) {
	case 0:
		request = expect_request(&open->pending, -1, -1, false);
		MPI_File_iwrite_at(open->file, place, out, piece.count, type, request);
		wrote(open, "MPI_File_iwrite_at", piece.bytes);
		break;
	case 1:
		request = expect_read(open, "MPI_File_iread_at", &piece, &to);
		MPI_File_iread_at(open->file, place, to, piece.count, type, request);
		break;
	case 2:
		make_room(open, piece.bytes);
		request = expect_request(&open->pending, -1, -1, false);
		MPI_File_iwrite(open->file, out, piece.count, type, request);
		wrote(open, "MPI_File_iwrite", piece.bytes);
		open->at += piece.bytes;
		break;
	default:
		make_room(open, piece.bytes);
		request = expect_read(open, "MPI_File_iread", &piece, &to);
		MPI_File_iread(open->file, to, piece.count, type, request);
		open->at += piece.bytes;
	}
}

/* ---- collective ---- */

static void access_together(struct open *open)
{
	access_by(open, &together, pick(4));
}

/* Split collective: in two calls. */
static void access_in_halves(struct open *open)
{
	struct piece piece = choose_piece();
	MPI_Datatype type = types[piece.type];
	MPI_Offset place = open->begin + piece.place;
	MPI_Status own_status, *status = choose(2) ? MPI_STATUS_IGNORE : &own_status;
	if (pick(2)) {
		MPI_File_write_at_all_begin(open->file, place, out, piece.count, type);
		wrote(open, "MPI_File_write_at_all_begin", piece.bytes);
		MPI_File_write_at_all_end(open->file, out, status);
		call("MPI_File_write_at_all_end", 0, 0, 0, 0);
	} else {
		MPI_File_read_at_all_begin(open->file, place, in, piece.count, type);
		call("MPI_File_read_at_all_begin", 0, 0, 0, 0);
		MPI_File_read_at_all_end(open->file, in, status);
		has_read(open, "MPI_File_read_at_all_end", piece.bytes);
	}
}

/* MPICH 4.0 hangs if another collective call is made before this one is complete. */
static void start_together(struct open *open)
{
	struct piece piece = choose_piece();
	MPI_Datatype type = types[piece.type];
	MPI_Offset place = open->begin + piece.place;
	MPI_Request *request;
	char *to;
	if (open->pending.count == MANY)
		complete_files(&open->pending);
	if (pick(2)) {
		request = expect_request(&open->pending, -1, -1, false);
		MPI_File_iwrite_at_all(open->file, place, out, piece.count, type, request);
		wrote(open, "MPI_File_iwrite_at_all", piece.bytes);
	} else {
		request = expect_read(open, "MPI_File_iread_at_all", &piece, &to);
		MPI_File_iread_at_all(open->file, place, to, piece.count, type, request);
	}
	for (int i = choose(2); i > 0; i--)
		access_alone(open);
	complete_files(&open->pending);
}

/* ---- files ---- */

static void add_known(const struct known_file *known)
{
	int i = 0;
	pthread_mutex_lock(&mutex);
	while (i < file_count && strcmp(files[i].name, known->name) != 0)
		i++;
	if (i < FILES) {
		struct known_file *to = &files[i];
		memcpy(to->name, known->name, sizeof(to->name));
		to->opens += known->opens;
		to->reads += known->reads;
		to->writes += known->writes;
		to->bytes_read += known->bytes_read;
		to->bytes_written += known->bytes_written;
		file_count += i == file_count;
	}
	pthread_mutex_unlock(&mutex);
}

void write_known_files(int rank)
{
	char name[32];
	snprintf(name, sizeof(name), "files.%d", rank);
	FILE *to = fopen(name, "w");
	for (int i = 0; to && i < file_count; i++)
		fprintf(to, "%s %lld %lld %lld %lld %lld\n", files[i].name, files[i].opens, files[i].reads,
			files[i].writes, files[i].bytes_read, files[i].bytes_written);
	if (to)
		fclose(to);
}

static void access_file(struct open *open)
{
	switch (pick(5)) {
	case 0:
		access_together(open);
		break;
	case 1:
		access_in_halves(open);
		break;
	case 2:
		start_together(open);
		break;
	default:
		for (int i = choose(4); i > 0; i--) {
			if (choose(2))
				access_alone(open);
			else
				start_alone(open);
		}
	}
}

/* Names contain the first rank of the group, which differs between groups that use files at the same time. */
void file(const struct group *group)
{
	int n = own_size(group), mode = MPI_MODE_CREATE | MPI_MODE_RDWR | (pick(2) ? MPI_MODE_DELETE_ON_CLOSE : 0);
	struct open open = {.known = {.opens = 1}};
	snprintf(open.known.name, sizeof(open.known.name), "random.%d.%d.data", pick(1000000), group->world[0][0]);
	if (MPI_File_open(group->comm, open.known.name, mode, MPI_INFO_NULL, &open.file) != MPI_SUCCESS)
		MPI_Abort(MPI_COMM_WORLD, 1);
	call("MPI_File_open", 0, 0, 0, 0);
	MPI_File_set_size(open.file, (MPI_Offset)n * PART);
	call("MPI_File_set_size", 0, 0, 0, 0);
	open.begin = (MPI_Offset)group->rank * PART;
	open.end = (MPI_Offset)n * PART;
	MPI_File_seek(open.file, open.begin, MPI_SEEK_SET);
	call("MPI_File_seek", 0, 0, 0, 0);
	for (int i = 1 + pick(8); i > 0; i--)
		access_file(&open);
	complete_files(&open.pending);
	if (pick(2)) {
		MPI_File_sync(open.file);
		call("MPI_File_sync", 0, 0, 0, 0);
	}
	MPI_File_close(&open.file);
	call("MPI_File_close", 0, 0, 0, 0);
	add_known(&open.known);
}
