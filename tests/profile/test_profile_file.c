/* SPDX-License-Identifier: BSD-3-Clause */
/* Damaged or foreign files are refused with the right error, and never crash the reader. */
#include "format/ids.h"
#include "profile/base/errors.h"
#include "profile/file/process_decode.h"
#include "tests/profile/samples.h"
#include "tests/support/effort.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

static void merge_with_itself(const struct profile_call_tree *from)
{
	struct profile_call_tree tree;
	assert_int_equal(profile_call_tree_start(&tree), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(profile_call_tree_merge(&tree, from, NULL), 0);
	assert_int_equal(profile_call_tree_derive(&tree), 0);
	profile_call_tree_free(&tree);
}

/* Decodes the file, and checks that an accepted tree can be merged. */
static int decode(struct profile_file *file)
{
	struct profile_decoded decoded;
	int error = profile_decode(&decoded, file, 1);
	profile_file_close(file);
	if (error)
		return error;
	merge_with_itself(&decoded.tree);
	profile_decoded_free(&decoded);
	return 0;
}

static int read_path(const char *path)
{
	struct profile_file file;
	int error = profile_file_open(&file, path);
	return error ? error : decode(&file);
}

/* Reads from a block of exactly that size, so that the address sanitizer finds reads beyond it. */
static int read_bytes(const void *bytes, size_t size)
{
	struct profile_file file;
	uint8_t *copy = malloc(size ? size : 1);
	memcpy(copy, bytes, size);
	int error = profile_file_parse(&file, copy, size);
	return error ? error : decode(&file);
}

static const char *const samples[] = {SAMPLE, SAMPLE_EVENTS};

static uint8_t *sample_of(const char *text, size_t *size)
{
	uint8_t *bytes = profile_from_text(text, size);
	assert_non_null(bytes);
	return bytes;
}

static uint8_t *sample(size_t *size)
{
	return sample_of(SAMPLE, size);
}

static void each_sample(void (*run)(uint8_t *bytes, size_t size))
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		size_t size;
		uint8_t *bytes = sample_of(samples[i], &size);
		run(bytes, size);
		free(bytes);
	}
}

static void a_whole_file_is_read(void **state)
{
	(void)state;
	size_t size;
	uint8_t *bytes = sample(&size);
	assert_int_equal(read_bytes(bytes, size), 0);
	write_bytes(scratch("whole.heddle"), bytes, size);
	assert_int_equal(read_path(scratch("whole.heddle")), 0);
	free(bytes);
}

static void cut_anywhere(uint8_t *bytes, size_t size)
{
	for (size_t cut = 0; cut < size; cut += EXHAUSTIVE_STEP)
		assert_int_equal(read_bytes(bytes, cut), -HEDDLE_TRUNCATED);
}

static void a_file_cut_anywhere_is_called_truncated(void **state)
{
	(void)state;
	each_sample(cut_anywhere);
}

static void flip_each_bit(uint8_t *bytes, size_t size)
{
	for (size_t bit = 0; bit < size * 8; bit += EXHAUSTIVE_STEP) {
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_not_equal(read_bytes(bytes, size), 0);
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

static void a_flipped_bit_is_found_out(void **state)
{
	(void)state;
	each_sample(flip_each_bit);
}

/* Corrects the check sums, so that only the contents can be wrong. */
static void mend_sums(uint8_t *bytes, size_t size)
{
	struct heddle_section_header header;
	for (size_t at = sizeof(struct heddle_file_header); at + sizeof(header) <= size;) {
		memcpy(&header, bytes + at, sizeof(header));
		size_t payload = at + sizeof(header);
		if (header.length > size - payload)
			return;
		header.crc32 = (uint32_t)crc32_z(0, bytes + payload, header.length);
		memcpy(bytes + at, &header, sizeof(header));
		at = payload + header.length;
	}
}

static void flip_and_mend(uint8_t *bytes, size_t size)
{
	uint8_t *bent = malloc(size);
	for (size_t bit = sizeof(struct heddle_file_header) * 8; bit < size * 8; bit += EXHAUSTIVE_STEP) {
		memcpy(bent, bytes, size);
		bent[bit / 8] ^= (uint8_t)(1u << bit % 8);
		mend_sums(bent, size);
		read_bytes(bent, size);
	}
	free(bent);
}

static void a_flipped_bit_under_a_right_check_sum_does_no_harm(void **state)
{
	(void)state;
	each_sample(flip_and_mend);
}

static void change_and_mend(uint8_t *bytes, size_t size)
{
	uint8_t *bent = malloc(size);
	srand(1);
	for (int round = 0; round < 3000; round += EXHAUSTIVE_STEP) {
		memcpy(bent, bytes, size);
		for (int change = rand() % 8; change >= 0; change--)
			bent[16 + (size_t)rand() % (size - 16)] = (uint8_t)rand();
		mend_sums(bent, size);
		read_bytes(bent, size);
	}
	free(bent);
}

static void random_bytes_under_a_right_check_sum_do_no_harm(void **state)
{
	(void)state;
	each_sample(change_and_mend);
}

static void another_kind_of_file_is_called_foreign(void **state)
{
	(void)state;
	assert_int_equal(read_bytes("#!/bin/sh\nexit 0\n", 17), -HEDDLE_FOREIGN);
	assert_int_equal(read_bytes("x", 1), -HEDDLE_FOREIGN);
	assert_int_equal(read_path("/dev/null"), -HEDDLE_FOREIGN);
}

static void a_newer_version_is_called_newer(void **state)
{
	(void)state;
	size_t size;
	uint8_t *bytes = profile_from_text("version 2\n" SAMPLE, &size);
	assert_int_equal(read_bytes(bytes, size), -HEDDLE_NEWER);
	free(bytes);
}

static void bytes_behind_the_end_are_refused(void **state)
{
	(void)state;
	size_t size;
	uint8_t *bytes = sample(&size);
	bytes = realloc(bytes, size + 1);
	bytes[size] = 0;
	assert_int_equal(read_bytes(bytes, size + 1), -HEDDLE_INCONSISTENT);
	free(bytes);
}

static void a_missing_file_and_a_directory_are_told(void **state)
{
	(void)state;
	assert_int_equal(read_path(scratch("none.heddle")), -ENOENT);
	assert_int_equal(read_path("/"), -EISDIR);
}

static uint8_t *pack_bytes(const uint8_t *bytes, size_t size, size_t *packed)
{
	uint8_t *out = malloc(ZSTD_compressBound(size));
	*packed = ZSTD_compress(out, ZSTD_compressBound(size), bytes, size, 3);
	assert_false(ZSTD_isError(*packed));
	return out;
}

static void a_compressed_file_is_read_and_its_cuts_found(void **state)
{
	(void)state;
	size_t size, packed;
	uint8_t *bytes = sample(&size), *small = pack_bytes(bytes, size, &packed);
	assert_int_equal(read_bytes(small, packed), 0);
	for (size_t cut = 0; cut < packed; cut++)
		assert_int_equal(read_bytes(small, cut), cut < 4 && cut > 0 ? -HEDDLE_FOREIGN : -HEDDLE_TRUNCATED);
	for (size_t i = 4; i < packed; i++) {
		small[i] ^= 0x10;
		read_bytes(small, packed);
		small[i] ^= 0x10;
	}
	free(small);
	free(bytes);
}

/* ---- small files that claim to be big ones ---- */

#define BOMB ((size_t)256 << 20)

/* The sample's first `head` bytes, then `unit` repeated up to BOMB bytes: a few kilobytes when compressed by zstd. */
static uint8_t *make_bomb(size_t head, const uint8_t *unit, size_t unit_size, size_t *packed)
{
	size_t size, block_size = unit_size << 12, room = 1 << 20;
	uint8_t *bytes = sample(&size), *block = malloc(block_size), *out = malloc(room);
	ZSTD_CCtx *context = ZSTD_createCCtx();
	ZSTD_outBuffer to = {out, room, 0};
	ZSTD_inBuffer from = {bytes, head, 0};
	for (size_t at = 0; at < block_size; at += unit_size)
		memcpy(block + at, unit, unit_size);
	assert_false(ZSTD_isError(ZSTD_compressStream2(context, &to, &from, ZSTD_e_continue)));
	for (size_t done = 0; done < BOMB; done += block_size) {
		from = (ZSTD_inBuffer){block, block_size, 0};
		while (from.pos < from.size)
			assert_false(ZSTD_isError(ZSTD_compressStream2(context, &to, &from, ZSTD_e_continue)));
	}
	assert_int_equal(ZSTD_compressStream2(context, &to, &from, ZSTD_e_end), 0);
	ZSTD_freeCCtx(context);
	free(block);
	free(bytes);
	*packed = to.pos;
	return out;
}

static long peak_kilobytes(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* Checks that the file is refused, from memory and from disk, without a quarter of the memory that it claims. */
static void refuses_bomb(size_t head, const void *unit, size_t unit_size, int error)
{
	size_t packed;
	uint8_t *bomb = make_bomb(head, unit, unit_size, &packed);
	long before = peak_kilobytes();
	assert_int_equal(read_bytes(bomb, packed), error);
	write_bytes(scratch("bomb.heddle.zst"), bomb, packed);
	assert_int_equal(read_path(scratch("bomb.heddle.zst")), error);
	assert_true(peak_kilobytes() - before < (long)(BOMB / 4 / 1024));
	free(bomb);
}

static const size_t head_size = sizeof(struct heddle_file_header);

/* A section's header of zeros: type 0, no contents, and the right check sum of no contents. */
static void zeros_are_refused_at_the_first(void **state)
{
	(void)state;
	refuses_bomb(head_size, "\0", 1, -HEDDLE_INCONSISTENT);
}

static void zeros_without_a_header_are_foreign(void **state)
{
	(void)state;
	refuses_bomb(0, "\0", 1, -HEDDLE_FOREIGN);
}

/* A file may have only one section of these types, even an empty one. */
static void a_second_list_of_modules_is_refused_at_once(void **state)
{
	(void)state;
	struct heddle_section_header unit = {.type = HEDDLE_SECTION_MODULES};
	refuses_bomb(head_size, &unit, sizeof(unit), -HEDDLE_INCONSISTENT);
}

/* Sections that look valid: only their number is excessive. */
static void more_sections_than_a_profile_has_are_refused(void **state)
{
	(void)state;
	uint8_t unit[sizeof(struct heddle_section_header) + 2] = {0};
	struct heddle_section_header header = {.type = HEDDLE_SECTION_THREAD, .length = 2};
	header.crc32 = (uint32_t)crc32_z(0, unit + sizeof(header), 2);
	memcpy(unit, &header, sizeof(header));
	refuses_bomb(head_size, unit, sizeof(unit), -HEDDLE_INFLATED);
}

/* One section of nearly that size, as its header states. */
static void a_section_bigger_than_the_file_can_be_is_refused(void **state)
{
	(void)state;
	uint8_t unit[1 << 16] = {0};
	struct heddle_section_header header = {.type = HEDDLE_SECTION_PROCESS, .length = BOMB - 1024};
	memcpy(unit, &header, sizeof(header));
	refuses_bomb(head_size, unit, sizeof(unit), -HEDDLE_INFLATED);
}

/* The same section in an uncompressed file: 4 GB of zeros that take no room on disk. */
static void a_file_with_holes_is_refused(void **state)
{
	(void)state;
	size_t size;
	uint8_t *bytes = sample(&size);
	struct heddle_section_header header = {.type = HEDDLE_SECTION_PROCESS, .length = ((uint64_t)4 << 30) - 4096};
	memcpy(bytes + head_size, &header, sizeof(header));
	write_bytes(scratch("hole.heddle"), bytes, head_size + sizeof(header));
	free(bytes);
	assert_int_equal(truncate(scratch("hole.heddle"), (off_t)4 << 30), 0);
	long before = peak_kilobytes();
	assert_int_equal(read_path(scratch("hole.heddle")), -HEDDLE_HOLLOW);
	assert_true(peak_kilobytes() - before < 64 << 10);
}

/* The file is new, on ZFS or Lustre: its blocks are not counted yet, so it looks like a file with holes. */
static bool blocks_lag;

int fstat(int fd, struct stat *status)
{
	int result = fstatat(fd, "", status, AT_EMPTY_PATH);
	if (blocks_lag)
		status->st_blocks = 1;
	return result;
}

static void a_file_whose_blocks_lag_behind_is_read(void **state)
{
	(void)state;
	size_t size, more = (size_t)9 << 20;
	uint8_t *bytes = sample(&size), *payload = malloc(more);
	const struct heddle_section_header end = {
		.type = HEDDLE_SECTION_END, .length = 1, .crc32 = (uint32_t)crc32(0, (const uint8_t *)"", 1)};
	memset(payload, 'x', more);
	struct heddle_section_header header = {.type = HEDDLE_SECTION_THREAD, .length = more};
	header.crc32 = (uint32_t)crc32_z(0, payload, more);
	FILE *out = fopen(scratch("lag.heddle"), "w");
	assert_non_null(out);
	fwrite(bytes, 1, head_size, out);
	fwrite(&header, 1, sizeof(header), out);
	fwrite(payload, 1, more, out);
	fwrite(&end, 1, sizeof(end), out);
	fwrite("", 1, 1, out);
	fclose(out);
	free(bytes);
	free(payload);
	struct profile_file file;
	blocks_lag = true;
	int error = profile_file_open(&file, scratch("lag.heddle"));
	blocks_lag = false;
	assert_int_equal(error, 0);
	assert_int_equal(file.section_count, 2);
	profile_file_close(&file);
}

/* Length and check sum of a section are plausible, but its contents are missing: no memory is allocated for them. */
static void a_promise_beyond_the_end_is_not_believed(void **state)
{
	(void)state;
	size_t size;
	uint8_t *bytes = sample(&size);
	struct heddle_section_header header = {.type = HEDDLE_SECTION_PROCESS, .length = (uint64_t)1 << 62};
	memcpy(bytes + head_size, &header, sizeof(header));
	assert_int_equal(read_bytes(bytes, size), -HEDDLE_TRUNCATED);
	write_bytes(scratch("promise.heddle"), bytes, size);
	assert_int_equal(read_path(scratch("promise.heddle")), -HEDDLE_TRUNCATED);
	header.length = UINT64_MAX;
	memcpy(bytes + head_size, &header, sizeof(header));
	assert_int_equal(read_bytes(bytes, size), -HEDDLE_TRUNCATED);
	free(bytes);
}

/* Successive frames form one file; an incomplete frame is a truncated file. */
static void several_frames_are_one_file(void **state)
{
	(void)state;
	size_t size, first, second;
	uint8_t *bytes = sample(&size);
	uint8_t *one = pack_bytes(bytes, size / 2, &first),
		*two = pack_bytes(bytes + size / 2, size - size / 2, &second);
	uint8_t *both = malloc(first + second);
	memcpy(both, one, first);
	memcpy(both + first, two, second);
	assert_int_equal(read_bytes(both, first + second), 0);
	write_bytes(scratch("frames.heddle.zst"), both, first + second);
	assert_int_equal(read_path(scratch("frames.heddle.zst")), 0);
	assert_int_equal(read_bytes(both, first + second - 1), -HEDDLE_TRUNCATED);
	assert_int_equal(read_bytes(both, first), -HEDDLE_TRUNCATED);
	free(both);
	free(one);
	free(two);
	free(bytes);
}

static int read_text(const char *text)
{
	size_t size;
	uint8_t *bytes = profile_from_text(text, &size);
	assert_non_null(bytes);
	int error = read_bytes(bytes, size);
	free(bytes);
	return error;
}

static void contents_that_contradict_themselves_are_refused(void **state)
{
	static const char *const lies[] = {
		SAMPLE_HEAD SAMPLE_TREE "raw-parent 0\n",                          /* a second root */
		SAMPLE_HEAD SAMPLE_TREE "raw-parent 9\n",                          /* a parent before the root */
		SAMPLE_HEAD SAMPLE_TREE "node 3 ROOT 0 0 0\n",                     /* a root below another node */
		SAMPLE_HEAD "node 0 FRAME 0 1 1\n",                                /* no root */
		SAMPLE_HEAD SAMPLE_TREE "node 3 PHASE 0 0 5\n",                    /* a phase without a name */
		SAMPLE_HEAD SAMPLE_TREE "node 3 REGION 77 1 1\n",                  /* an unknown event */
		SAMPLE_HEAD SAMPLE_TREE "node 1 NONE 0 0 0\nnode 9 FRAME 0 1 1\n", /* a child of an unused node */
		SAMPLE_HEAD SAMPLE_THREADS,                                        /* values without a tree */
		SAMPLE_HEAD "module 1 0 - /twice\n" SAMPLE_TREE,                   /* one id, two modules */
		SAMPLE "value samples 9 1\n",                                      /* one node too far */
		SAMPLE "value cpu-time 1 1\nraw-node 0\nraw-value 1\n",            /* the same node twice */
		SAMPLE "value cpu-time 1 1\nraw-node 4294967295\nraw-value 1\n",
		SAMPLE "value cpu-time 1 1\nraw-node 1\n",          /* columns of different length */
		SAMPLE "end 4 2\n",                                 /* a missing section */
		SAMPLE_HEAD SAMPLE_TREE "node 3 FUNCTION 0 0 1\n",  /* a function without a name */
		SAMPLE_HEAD SAMPLE_TREE "source 3 3 1 1\n",         /* a line of no file */
		SAMPLE_HEAD SAMPLE_TREE "node 3 FRAME 0 65535 1\n", /* a line of code is not a frame */
		SAMPLE_HEAD "module 65535 0 - /last\n" SAMPLE_TREE,
		SAMPLE "distribution 9 0 0 1 1 1 1 1\n", /* one node too far */
		SAMPLE "distribution 4294967295 0 0 1 1 1 1\n",
		SAMPLE "distribution 1 1001 1 1 1 1 1\n", /* an argument that nothing can have */
		SAMPLE "distribution 1 1 2 1 1 1 1\n",    /* one description too far */
		SAMPLE
		"distribution 1 0 0 1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 9\n",
		SAMPLE "end 5 1\n", /* a missing thread */
	};
	(void)state;
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++)
		assert_int_equal(read_text(lies[i]), -HEDDLE_INCONSISTENT);
}

static void numbers_of_the_future_are_called_newer(void **state)
{
	(void)state;
	assert_int_equal(read_text(SAMPLE_HEAD SAMPLE_TREE "node 1 200 0 1 1\n"), -HEDDLE_NEWER);
	assert_int_equal(read_text(SAMPLE_HEAD SAMPLE_TREE "node 1 300 0 1 1\n"), -HEDDLE_NEWER);
	assert_int_equal(read_text(SAMPLE_HEAD SAMPLE_TREE "node 1 STATE 99 0 0\n"), -HEDDLE_NEWER);
	assert_int_equal(read_text(SAMPLE "value 77 1 1\n"), -HEDDLE_NEWER);
	assert_int_equal(read_text(SAMPLE "value waiting 1 1\n"), -HEDDLE_NEWER);
	assert_int_equal(read_text(SAMPLE "value bytes-held 1 1\n"), -HEDDLE_NEWER);
	assert_int_equal(read_text("event 1 x 99 y z\n" SAMPLE_HEAD SAMPLE_TREE), -HEDDLE_NEWER);
}

static void a_file_without_end_is_called_truncated(void **state)
{
	(void)state;
	assert_int_equal(read_text(SAMPLE "no-end\n"), -HEDDLE_TRUNCATED);
}

static void a_process_without_samples_is_read(void **state)
{
	(void)state;
	assert_int_equal(read_text("process program /bin/true\n"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_file_is_read),
		cmocka_unit_test(a_file_cut_anywhere_is_called_truncated),
		cmocka_unit_test(a_flipped_bit_is_found_out),
		cmocka_unit_test(a_flipped_bit_under_a_right_check_sum_does_no_harm),
		cmocka_unit_test(random_bytes_under_a_right_check_sum_do_no_harm),
		cmocka_unit_test(another_kind_of_file_is_called_foreign),
		cmocka_unit_test(a_newer_version_is_called_newer),
		cmocka_unit_test(bytes_behind_the_end_are_refused),
		cmocka_unit_test(a_missing_file_and_a_directory_are_told),
		cmocka_unit_test(a_compressed_file_is_read_and_its_cuts_found),
		cmocka_unit_test(zeros_are_refused_at_the_first),
		cmocka_unit_test(zeros_without_a_header_are_foreign),
		cmocka_unit_test(a_second_list_of_modules_is_refused_at_once),
		cmocka_unit_test(more_sections_than_a_profile_has_are_refused),
		cmocka_unit_test(a_section_bigger_than_the_file_can_be_is_refused),
		cmocka_unit_test(a_file_with_holes_is_refused),
		cmocka_unit_test(a_file_whose_blocks_lag_behind_is_read),
		cmocka_unit_test(a_promise_beyond_the_end_is_not_believed),
		cmocka_unit_test(several_frames_are_one_file),
		cmocka_unit_test(contents_that_contradict_themselves_are_refused),
		cmocka_unit_test(numbers_of_the_future_are_called_newer),
		cmocka_unit_test(a_file_without_end_is_called_truncated),
		cmocka_unit_test(a_process_without_samples_is_read),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
