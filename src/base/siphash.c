#include "base/siphash.h"

#include <endian.h>
#include <string.h>

struct state {
	uint64_t v0, v1, v2, v3;
};

static uint64_t turn(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

static void mix(struct state *state, int rounds)
{
	for (; rounds > 0; rounds--) {
		state->v0 += state->v1;
		state->v2 += state->v3;
		state->v1 = turn(state->v1, 13) ^ state->v0;
		state->v3 = turn(state->v3, 16) ^ state->v2;
		state->v0 = turn(state->v0, 32);
		state->v2 += state->v1;
		state->v0 += state->v3;
		state->v1 = turn(state->v1, 17) ^ state->v2;
		state->v3 = turn(state->v3, 21) ^ state->v0;
		state->v2 = turn(state->v2, 32);
	}
}

static void take(struct state *state, uint64_t word)
{
	state->v3 ^= word;
	mix(state, 2);
	state->v0 ^= word;
}

uint64_t siphash(const struct siphash_key *key, const void *bytes, size_t size)
{
	struct state state = {
		.v0 = key->words[0] ^ UINT64_C(0x736f6d6570736575),
		.v1 = key->words[1] ^ UINT64_C(0x646f72616e646f6d),
		.v2 = key->words[0] ^ UINT64_C(0x6c7967656e657261),
		.v3 = key->words[1] ^ UINT64_C(0x7465646279746573),
	};
	const unsigned char *at = bytes;
	uint64_t word, last = (uint64_t)size << 56;

	for (size_t left = size; left >= 8; left -= 8, at += 8) {
		memcpy(&word, at, sizeof(word));
		take(&state, le64toh(word));
	}
	for (size_t i = 0; i < size % 8; i++)
		last |= (uint64_t)at[i] << (8 * i);
	take(&state, last);
	state.v2 ^= 0xff;
	mix(&state, 4);
	return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}
