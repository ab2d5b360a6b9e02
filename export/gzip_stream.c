/* SPDX-License-Identifier: BSD-3-Clause */
/* zlib behind a stream of the C library, so that formats are written in one way, compressed or not. */
#include "export/gzip_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#define GZIP_HEADER 16 /* added to the window bits: gzip's format instead of zlib's */

struct gzip {
	FILE *out;
	z_stream stream;
	unsigned char buffer[1 << 16];
};

/* Compresses the stream's input. Returns 0 or -1. */
static int push(struct gzip *gzip, int flush)
{
	do {
		gzip->stream.next_out = gzip->buffer;
		gzip->stream.avail_out = sizeof(gzip->buffer);
		if (deflate(&gzip->stream, flush) == Z_STREAM_ERROR) {
			errno = EIO;
			return -1;
		}
		size_t size = sizeof(gzip->buffer) - gzip->stream.avail_out;
		if (fwrite(gzip->buffer, 1, size, gzip->out) != size)
			return -1;
	} while (gzip->stream.avail_out == 0);
	return 0;
}

static ssize_t write_gzip(void *cookie, const char *bytes, size_t size)
{
	struct gzip *gzip = cookie;
	gzip->stream.next_in = (Bytef *)bytes;
	gzip->stream.avail_in = (uInt)size;
	return push(gzip, Z_NO_FLUSH) == 0 ? (ssize_t)size : 0;
}

static int close_gzip(void *cookie)
{
	struct gzip *gzip = cookie;
	gzip->stream.avail_in = 0;
	int status = push(gzip, Z_FINISH);
	deflateEnd(&gzip->stream);
	free(gzip);
	return status;
}

FILE *export_gzip_open(FILE *out)
{
	struct gzip *gzip = calloc(1, sizeof(*gzip));
	if (!gzip)
		return NULL;
	gzip->out = out;
	int status = deflateInit2(
		&gzip->stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + GZIP_HEADER, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
	FILE *stream = status != Z_OK ? NULL
				      : fopencookie(gzip, "w",
						(cookie_io_functions_t){.write = write_gzip, .close = close_gzip});
	if (!stream) {
		if (status == Z_OK)
			deflateEnd(&gzip->stream);
		free(gzip);
		return NULL;
	}
	setvbuf(stream, NULL, _IOFBF, 1 << 16);
	return stream;
}
