/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames messages as sections, with lengths and checksums. libprotobuf-c packs the messages. */
#include "profile/file/section_writer.h"

#include "format/ids.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static void fail(struct profile_section_writer *writer, int error)
{
	if (!writer->error)
		writer->error = error ? -error : -EIO;
}

static void put_bytes(struct profile_section_writer *writer, const void *bytes, size_t size)
{
	errno = 0;
	if (!writer->error && fwrite(bytes, 1, size, writer->file) != size)
		fail(writer, errno);
}

void profile_writer_open(struct profile_section_writer *writer, const char *path)
{
	struct heddle_file_header header = {HEDDLE_FILE_MAGIC, htole32(HEDDLE_FILE_VERSION), 0};
	*writer = (struct profile_section_writer){.path = strdup(path)};
	if (!writer->path || asprintf(&writer->aside, "%s.%ld.tmp", path, (long)getpid()) < 0) {
		writer->aside = NULL;
		fail(writer, ENOMEM);
		return;
	}
	int fd = open(writer->aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	writer->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!writer->file)
		fail(writer, errno);
	put_bytes(writer, &header, sizeof(header));
}

static void put_header(struct profile_section_writer *writer)
{
	struct heddle_section_header header = {htole32(writer->type), htole32(writer->crc), htole64(writer->length)};
	put_bytes(writer, &header, sizeof(header));
}

void profile_writer_begin(struct profile_section_writer *writer, uint32_t type)
{
	if (writer->error)
		return;
	writer->start = ftell(writer->file);
	writer->type = type;
	writer->crc = (uint32_t)crc32_z(0, NULL, 0);
	writer->length = 0;
	put_header(writer);
}

void profile_writer_put(struct profile_section_writer *writer, const ProtobufCMessage *piece)
{
	size_t size = protobuf_c_message_get_packed_size(piece);
	uint8_t *bytes = writer->error ? NULL : malloc(size + 1);
	if (!bytes) {
		fail(writer, ENOMEM);
		return;
	}
	protobuf_c_message_pack(piece, bytes);
	writer->crc = (uint32_t)crc32_z(writer->crc, bytes, size);
	writer->length += size;
	put_bytes(writer, bytes, size);
	free(bytes);
}

/* Writes the header again, now that length and checksum are known. */
void profile_writer_end(struct profile_section_writer *writer)
{
	errno = 0;
	if (!writer->error && fseek(writer->file, writer->start, SEEK_SET) != 0)
		fail(writer, errno);
	if (!writer->error)
		put_header(writer);
	if (!writer->error && fseek(writer->file, 0, SEEK_END) != 0)
		fail(writer, errno);
	writer->sections++;
	writer->threads += writer->type == HEDDLE_SECTION_THREAD;
}

int profile_writer_close(struct profile_section_writer *writer)
{
	Heddle__Profile__End end = HEDDLE__PROFILE__END__INIT;
	end.sections = writer->sections;
	end.threads = writer->threads;
	profile_writer_begin(writer, HEDDLE_SECTION_END);
	profile_writer_put(writer, &end.base);
	profile_writer_end(writer);
	errno = 0;
	if (writer->file && fclose(writer->file) != 0)
		fail(writer, errno);
	if (!writer->error && rename(writer->aside, writer->path) != 0)
		fail(writer, errno);
	if (writer->error && writer->file)
		unlink(writer->aside);
	free(writer->aside);
	free(writer->path);
	return writer->error;
}
