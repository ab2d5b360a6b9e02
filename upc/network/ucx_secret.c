/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. SipHash is described in "SipHash: a fast short-input PRF" (Aumasson, Bernstein, 2012). */
#include "upc/network/ucx_secret.h"

struct state {
	uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

static void mix(struct state *s, int rounds)
{
	while (rounds-- > 0) {
		s->v0 += s->v1;
		s->v2 += s->v3;
		s->v1 = rotate(s->v1, 13) ^ s->v0;
		s->v3 = rotate(s->v3, 16) ^ s->v2;
		s->v0 = rotate(s->v0, 32);
		s->v2 += s->v1;
		s->v0 += s->v3;
		s->v1 = rotate(s->v1, 17) ^ s->v2;
		s->v3 = rotate(s->v3, 21) ^ s->v0;
		s->v2 = rotate(s->v2, 32);
	}
}

/* Little-endian; missing bytes are 0. */
static uint64_t word_at(const unsigned char *bytes, size_t size)
{
	uint64_t word = 0;
	for (size_t i = 0; i < size && i < 8; i++)
		word |= (uint64_t)bytes[i] << 8 * i;
	return word;
}

static void absorb(struct state *s, uint64_t word)
{
	s->v3 ^= word;
	mix(s, 2);
	s->v0 ^= word;
}

struct hupc__digest hupc__secret_digest(const unsigned char secret[HUPC__SECRET_SIZE], const void *data, size_t size)
{
	const unsigned char *at = data;
	uint64_t k0 = word_at(secret, 8), k1 = word_at(secret + 8, 8);
	struct state s = {k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
		k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573)};
	struct hupc__digest digest;
	size_t left = size;
	for (; left >= 8; left -= 8, at += 8)
		absorb(&s, word_at(at, 8));
	absorb(&s, word_at(at, left) | (uint64_t)size << 56);
	s.v2 ^= 0xee;
	mix(&s, 4);
	digest.word[0] = s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
	s.v1 ^= 0xdd;
	mix(&s, 4);
	digest.word[1] = s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
	return digest;
}

bool hupc__secret_equal(const struct hupc__digest *a, const struct hupc__digest *b)
{
	volatile uint64_t difference = (a->word[0] ^ b->word[0]) | (a->word[1] ^ b->word[1]);
	return difference == 0;
}
