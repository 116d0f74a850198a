// SPDX-License-Identifier: BSD-2-Clause
/*
 * pack.c - see pack.h.
 *
 * A packed record:
 *
 *   token                which template; flags: it is defined here; ways follow
 *   [base, header word]  if it is defined: the template whose words it inherits, or itself
 *   [ways, two to a byte] how each word is encoded; if absent, as in the record before
 *   the bytes of the words
 *
 * A way costs four bits per word. The list of ways is sent only if it saves more bytes than it
 * takes. So in a steady stream a packed record is a token and the bytes that changed.
 */
#include "lib/format/pack.h"

#include "lib/string.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are little endian");

#define WORD          sizeof(uint64_t)
#define TOKEN_SLOT    0x1f
#define TOKEN_WAYS    0x20
#define TOKEN_DEFINES 0x40
#define SAME_KIND_MAX 8 /* templates for one header word, one per interleaved event */
_Static_assert(PACK_TEMPLATES == TOKEN_SLOT + 1, "the token numbers all templates");

/*
 * Small frames and frequent KEYs cost some percent of the line's bandwidth. They limit the loss by
 * one damaged byte to one frame, or to all frames that start from one KEY.
 */
#define FRAME_WANTED 1024        /* bytes of payload, unless one record takes more */
#define KEY_DISTANCE (28 * 1024) /* bytes from one KEY to the next, rounded up to a frame */
#define KEY_FARTHEST (60 * 1024) /* the same where one record is larger than KEY_DISTANCE */

/* The ways of encoding a word: the base from which it differs, and the number of bytes. */
enum base { BASE_LAST, BASE_STEP, BASE_NEIGHBOUR, BASE_ZERO };

static const struct way {
	uint8_t base, bytes;
} ways[16] = {
	{BASE_LAST, 0},      {BASE_STEP, 0},      {BASE_ZERO, 0}, {BASE_LAST, 1},
	{BASE_LAST, 2},      {BASE_LAST, 3},      {BASE_LAST, 4}, {BASE_LAST, 6},
	{BASE_STEP, 1},      {BASE_STEP, 2},      {BASE_STEP, 3}, {BASE_NEIGHBOUR, 1},
	{BASE_NEIGHBOUR, 2}, {BASE_NEIGHBOUR, 4}, {BASE_ZERO, 4}, {BASE_ZERO, 8},
};
#define WAY_FULL 15

/* The bases of the next word, by enum base. */
struct bases {
	uint64_t value[4];
};

static struct bases bases_of(const struct pack_template *t, size_t i, uint64_t neighbour)
{
	struct bases b = {.value[BASE_NEIGHBOUR] = neighbour};

	if (i < PACK_WORDS) {
		b.value[BASE_LAST] = t->word[i];
		b.value[BASE_STEP] = t->word[i] + t->step[i];
	} else {
		b.value[BASE_LAST] = b.value[BASE_STEP] = neighbour;
	}
	return b;
}

static void remember_word(struct pack_template *t, size_t i, uint64_t word)
{
	if (i >= PACK_WORDS)
		return;
	t->step[i] = word - t->word[i];
	t->word[i] = word;
}

/* Maps small differences of either sign to small numbers. */
static uint64_t fold_sign(uint64_t difference)
{
	return difference << 1 ^ -(difference >> 63);
}

static uint64_t unfold_sign(uint64_t folded)
{
	return folded >> 1 ^ -(folded & 1);
}

/* A plain value keeps its sign bit in place: eight bytes hold any value. */
static uint64_t value_by_way(const struct bases *b, const struct way *way, uint64_t word)
{
	return way->base == BASE_ZERO ? word : fold_sign(word - b->value[way->base]);
}

static bool way_holds(const struct way *way, uint64_t value)
{
	return way->bytes == WORD || value >> way->bytes * 8 == 0;
}

/* way_for[base][n] - the cheapest way with that base for a value of `n` bytes. */
static const uint8_t way_for[4][WORD + 1] = {
	[BASE_LAST] = {0, 3, 4, 5, 6, 7, 7, WAY_FULL, WAY_FULL},
	[BASE_STEP] = {1, 8, 9, 10, [4 ... WORD] = WAY_FULL},
	[BASE_NEIGHBOUR] = {11, 11, 12, 13, 13, [5 ... WORD] = WAY_FULL},
	[BASE_ZERO] = {2, 14, 14, 14, 14, [5 ... WORD] = WAY_FULL},
};

static unsigned bytes_of(uint64_t value)
{
	return value ? (71 - (unsigned)__builtin_clzll(value)) / 8 : 0;
}

/* If two ways take the same number of bytes, the one with the lower number is cheaper. */
static unsigned cost_of(uint8_t way)
{
	return (unsigned)ways[way].bytes << 4 | way;
}

static uint8_t cheapest_way(const struct bases *b, uint64_t word)
{
	uint8_t best = WAY_FULL;

	if (word == b->value[BASE_LAST])
		return way_for[BASE_LAST][0];
	for (unsigned base = 0; base < 4; base++) {
		const struct way told = {(uint8_t)base, 0};
		const uint8_t way = way_for[base][bytes_of(value_by_way(b, &told, word))];

		if (cost_of(way) < cost_of(best))
			best = way;
	}
	return best;
}

static uint64_t load_word(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* The number of words after the header word. */
static size_t words_of(uint64_t header)
{
	return (header >> 48) / WORD - 1;
}

static bool is_header(uint64_t header)
{
	size_t size = header >> 48;

	return size >= WORD && size % WORD == 0;
}

static bool same_kind(uint64_t a, uint64_t b)
{
	return (a ^ b) << 16 == 0; /* compares type and misc, not size */
}

/* The packer's choice of a template. */

struct choice {
	unsigned slot, base;
	bool defines;
};

static struct choice choose_template(const struct pack_state *state, uint64_t header,
				     uint64_t first)
{
	unsigned oldest = 0, recent = PACK_TEMPLATES, kin = PACK_TEMPLATES, n = 0;

	for (unsigned i = 0; i < PACK_TEMPLATES; i++) {
		const struct pack_template *t = &state->template[i];

		if (t->used < state->template[oldest].used)
			oldest = i;
		if (!t->header)
			continue;
		if (t->header == header) {
			if (t->word[0] == first)
				return (struct choice){.slot = i};
			n++;
			if (recent == PACK_TEMPLATES || t->used > state->template[recent].used)
				recent = i;
		}
		if (same_kind(t->header, header) &&
		    (kin == PACK_TEMPLATES || t->used > state->template[kin].used))
			kin = i;
	}
	/* The first word of a sample is usually its event: each event has a template. */
	if (n && (n >= SAME_KIND_MAX || (uint32_t)header != PERF_RECORD_SAMPLE))
		return (struct choice){.slot = recent};
	return (struct choice){oldest, kin == PACK_TEMPLATES ? oldest : kin, true};
}

/* A new template inherits the words of another one, or its own former words. */
static void define_template(struct pack_state *state, unsigned slot, unsigned base, uint64_t header)
{
	struct pack_template *t = &state->template[slot];

	if (slot != base)
		*t = state->template[base];
	t->header = header;
}

/* Finds the ways of the `n` words at `words`; returns the bytes that the words then take. */
static size_t find_ways(const struct pack_template *t, const uint8_t *words, size_t n,
			uint8_t *nibbles)
{
	uint64_t neighbour = 0;
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t word = load_word(words + i * WORD);
		struct bases b = bases_of(t, i, neighbour);
		uint8_t way = cheapest_way(&b, word);

		nibbles[i / 2] = (uint8_t)(i % 2 ? nibbles[i / 2] | way << 4 : way);
		bytes += ways[way].bytes;
		neighbour = word;
	}
	return bytes;
}

#define NO_WAY SIZE_MAX

/*
 * The bytes that the words take with the ways of the record before; NO_WAY: those ways do not fit.
 */
static size_t cost_of_last(const struct pack_template *t, const uint8_t *words, size_t n)
{
	uint64_t neighbour = 0;
	size_t bytes = 0;

	if (n > PACK_WORDS)
		return NO_WAY;
	for (size_t i = 0; i < n; i++) {
		uint64_t word = load_word(words + i * WORD);
		struct bases b = bases_of(t, i, neighbour);

		if (!way_holds(&ways[t->op[i]], value_by_way(&b, &ways[t->op[i]], word)))
			return NO_WAY;
		bytes += ways[t->op[i]].bytes;
		neighbour = word;
	}
	return bytes;
}

static uint8_t way_of(const struct pack_template *t, const uint8_t *nibbles, size_t i)
{
	if (!nibbles)
		return t->op[i];
	return nibbles[i / 2] >> (i % 2 ? 4 : 0) & 0xf;
}

/* Writes the bytes of the words; `nibbles` NULL: with the ways of the record before. */
static uint8_t *write_words(struct pack_template *t, const uint8_t *words, size_t n,
			    const uint8_t *nibbles, uint8_t *out)
{
	uint64_t neighbour = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t word = load_word(words + i * WORD);
		struct bases b = bases_of(t, i, neighbour);
		uint8_t way = way_of(t, nibbles, i);
		uint64_t value = value_by_way(&b, &ways[way], word);

		memcpy(out, &value, ways[way].bytes);
		out += ways[way].bytes;
		if (i < PACK_WORDS)
			t->op[i] = way;
		remember_word(t, i, word);
		neighbour = word;
	}
	return out;
}

size_t pack_record(struct pack_state *state, const struct perf_event_header *record, uint8_t *out)
{
	const uint8_t *words = (const uint8_t *)(record + 1);
	uint64_t header = load_word((const uint8_t *)record);
	size_t n = words_of(header), nibble_bytes = (n + 1) / 2, last;
	struct choice c = choose_template(state, header, n ? load_word(words) : 0);
	struct pack_template *t = &state->template[c.slot];
	uint8_t *start = out++, *nibbles;

	*start = (uint8_t)c.slot;
	if (c.defines) {
		*start |= TOKEN_DEFINES;
		define_template(state, c.slot, c.base, header);
		*out++ = (uint8_t)c.base;
		memcpy(out, &header, WORD);
		out += WORD;
	}
	t->used = ++state->clock;
	last = cost_of_last(t, words, n);
	/*
	 * The new list is written in its final place, and kept only if it makes the record smaller.
	 * It cannot do that if the words take no more bytes by the former ways than the list alone.
	 * It always does if the former ways do not fit: any cost is less than NO_WAY.
	 */
	nibbles = out;
	if (last > nibble_bytes && find_ways(t, words, n, nibbles) + nibble_bytes < last) {
		*start |= TOKEN_WAYS;
		out += nibble_bytes;
	} else {
		nibbles = NULL;
	}
	return (size_t)(write_words(t, words, n, nibbles, out) - start);
}

/* The rest of the input. */
struct input {
	const uint8_t *at, *end;
};

static const uint8_t *take_input(struct input *in, size_t n)
{
	const uint8_t *at = in->at;

	if ((size_t)(in->end - at) < n)
		return NULL;
	in->at += n;
	return at;
}

static bool read_words(struct pack_template *t, size_t n, const uint8_t *nibbles, struct input *in,
		       uint8_t *words)
{
	uint64_t neighbour = 0;

	for (size_t i = 0; i < n; i++) {
		struct bases b = bases_of(t, i, neighbour);
		uint8_t way = way_of(t, nibbles, i);
		const uint8_t *bytes = take_input(in, ways[way].bytes);
		uint64_t word = 0;

		if (!bytes)
			return false;
		memcpy(&word, bytes, ways[way].bytes);
		if (ways[way].base != BASE_ZERO)
			word = b.value[ways[way].base] + unfold_sign(word);
		memcpy(words + i * WORD, &word, WORD);
		if (i < PACK_WORDS)
			t->op[i] = way;
		remember_word(t, i, word);
		neighbour = word;
	}
	return true;
}

static bool read_definition(struct pack_state *state, unsigned slot, struct input *in)
{
	const uint8_t *bytes = take_input(in, 1 + WORD);

	if (!bytes || bytes[0] >= PACK_TEMPLATES || !is_header(load_word(bytes + 1)))
		return false;
	define_template(state, slot, bytes[0], load_word(bytes + 1));
	return true;
}

size_t unpack_record(struct pack_state *state, const uint8_t *bytes, size_t n,
		     struct perf_event_header *out)
{
	struct input in = {bytes, bytes + n};
	const uint8_t *token = take_input(&in, 1), *nibbles = NULL;
	struct pack_template *t;
	size_t nwords;

	if (!token || *token & ~(TOKEN_SLOT | TOKEN_WAYS | TOKEN_DEFINES))
		return 0;
	t = &state->template[*token & TOKEN_SLOT];
	if (*token & TOKEN_DEFINES && !read_definition(state, *token & TOKEN_SLOT, &in))
		return 0;
	if (!t->header)
		return 0;
	nwords = words_of(t->header);
	if (*token & TOKEN_WAYS)
		nibbles = take_input(&in, (nwords + 1) / 2);
	if (!nibbles && (*token & TOKEN_WAYS || nwords > PACK_WORDS))
		return 0;
	memcpy(out, &t->header, WORD);
	if (!read_words(t, nwords, nibbles, &in, (uint8_t *)(out + 1)))
		return 0;
	return (size_t)(in.at - bytes);
}

/* The sending end. */

void packer_init(struct packer *packer,
		 void (*emit)(void *ctx, enum wire_type type, const void *payload, size_t n),
		 void *ctx)
{
	memset(packer, 0, offsetof(struct packer, blob));
	packer->emit = emit;
	packer->ctx = ctx;
	packer->wants_key = true;
}

void packer_restart(struct packer *packer)
{
	packer->sample = 0;
	packer->wants_key = true;
}

static void begin_frame(struct packer *packer)
{
	packer->is_key = packer->wants_key;
	packer->wants_key = false;
	if (packer->is_key) {
		packer->key++;
		packer->since_key = 0;
		memset(&packer->now, 0, sizeof(packer->now));
	} else {
		packer->now = packer->start;
	}
	packer->head = (struct wire_packed){.key = packer->key, .sample = packer->sample};
	packer->used = sizeof(packer->head);
}

static void emit_parts(struct packer *packer)
{
	uint8_t *payload = packer->piece;
	struct wire_part part = {.total = (uint32_t)packer->used};
	size_t room = WIRE_MAX_PAYLOAD - sizeof(part);

	while (part.offset < packer->used) {
		size_t n = packer->used - part.offset;

		n = n < room ? n : room;
		memcpy(payload, &part, sizeof(part));
		memcpy(payload + sizeof(part), packer->blob + part.offset, n);
		packer->emit(packer->ctx, WIRE_PART, payload, sizeof(part) + n);
		part.offset += (uint32_t)n;
	}
}

void packer_flush(struct packer *packer)
{
	if (!packer->used)
		return;
	memcpy(packer->blob, &packer->head, sizeof(packer->head));
	if (packer->used > WIRE_MAX_PAYLOAD)
		emit_parts(packer);
	else
		packer->emit(packer->ctx, packer->is_key ? WIRE_KEY : WIRE_PACKED, packer->blob,
			     packer->used);
	if (packer->is_key)
		packer->start = packer->now;
	packer->since_key += packer->used;
	packer->wants_key |= packer->since_key >= KEY_DISTANCE;
	packer->used = 0;
}

/*
 * A record that may not fit into the current frame ends that frame first. A record that fits into
 * no frame has a blob of its own, which is sent in parts. That blob is never a KEY, so that losing
 * one part costs one record.
 */
void packer_add(struct packer *packer, const struct perf_event_header *record)
{
	size_t bound = pack_bound(record->size);
	bool is_large = bound + sizeof(packer->head) > WIRE_MAX_PAYLOAD;

	if (packer->used && packer->used + bound > FRAME_WANTED)
		packer_flush(packer);
	if (is_large && packer->since_key + bound > KEY_FARTHEST)
		packer->wants_key = true;
	if (!packer->used && is_large && packer->wants_key) {
		begin_frame(packer);
		packer_flush(packer);
	}
	if (!packer->used)
		begin_frame(packer);
	packer->used += pack_record(&packer->now, record, packer->blob + packer->used);
	packer->head.bytes += record->size;
	packer->head.records++;
	if (record->type == PERF_RECORD_SAMPLE) {
		packer->head.samples++;
		packer->sample++;
	}
	if (is_large)
		packer_flush(packer);
}

/* The receiving end. */

void unpacker_init(struct unpacker *unpacker)
{
	memset(unpacker, 0, offsetof(struct unpacker, blob));
}

void unpacker_restart(struct unpacker *unpacker)
{
	unpacker->sample = 0;
	unpacker->part_total = 0;
	unpacker->has_key = false;
}

static bool read_records(struct unpacker *unpacker, const struct wire_packed *head,
			 const uint8_t *in, size_t n,
			 void (*sink)(void *ctx, const struct perf_event_header *record), void *ctx)
{
	struct perf_event_header *record = (void *)unpacker->record;
	uint32_t records = 0, samples = 0, bytes = 0;

	while (n) {
		size_t used = unpack_record(&unpacker->now, in, n, record);

		if (!used)
			return false;
		in += used;
		n -= used;
		records++;
		samples += record->type == PERF_RECORD_SAMPLE;
		bytes += record->size;
		if (records > head->records || bytes > head->bytes)
			return false;
		sink(ctx, record);
	}
	return records == head->records && samples == head->samples && bytes == head->bytes;
}

static enum unpack_verdict take_blob(
	struct unpacker *unpacker, bool is_key, const uint8_t *blob, size_t n, uint32_t *lost,
	void (*sink)(void *ctx, const struct perf_event_header *record), void *ctx)
{
	struct wire_packed head;
	int32_t ahead;

	if (n < sizeof(head))
		return UNPACK_MALFORMED;
	memcpy(&head, blob, sizeof(head));
	ahead = (int32_t)(head.sample - unpacker->sample);
	if (ahead < 0)
		return UNPACK_REPEATED;
	if (!is_key && (!unpacker->has_key || unpacker->key != head.key))
		return UNPACK_NO_KEY;
	/* A blob larger than a frame holds one record: see packer_add(). */
	if (n > WIRE_MAX_PAYLOAD && head.records != 1)
		return UNPACK_MALFORMED;
	if (is_key)
		memset(&unpacker->now, 0, sizeof(unpacker->now));
	else
		unpacker->now = unpacker->start;
	if (!read_records(unpacker, &head, blob + sizeof(head), n - sizeof(head), sink, ctx))
		return UNPACK_MALFORMED;
	if (is_key) {
		unpacker->has_key = true;
		unpacker->key = head.key;
		unpacker->start = unpacker->now;
	}
	*lost = (uint32_t)ahead;
	unpacker->sample = head.sample + head.samples;
	return UNPACK_RECORDS;
}

/* Returns true when the blob is complete. */
static bool take_part(struct unpacker *unpacker, const uint8_t *payload, size_t n)
{
	struct wire_part part;

	memcpy(&part, payload, sizeof(part));
	n -= sizeof(part);
	if (!part.offset) {
		unpacker->part_total = part.total <= PACK_BLOB_MAX ? part.total : 0;
		unpacker->part_have = 0;
	}
	if (!unpacker->part_total || part.total != unpacker->part_total ||
	    part.offset != unpacker->part_have || n > part.total - part.offset) {
		unpacker->part_total = 0;
		return false;
	}
	memcpy(unpacker->blob + part.offset, payload + sizeof(part), n);
	unpacker->part_have += (uint32_t)n;
	return unpacker->part_have == unpacker->part_total;
}

enum unpack_verdict unpacker_frame(struct unpacker *unpacker, enum wire_type type,
				   const void *payload, size_t n, uint32_t *lost,
				   void (*sink)(void *ctx, const struct perf_event_header *record),
				   void *ctx)
{
	*lost = 0;
	if (type != WIRE_PART) {
		unpacker->part_total = 0;
		return take_blob(unpacker, type == WIRE_KEY, payload, n, lost, sink, ctx);
	}
	if (n <= sizeof(struct wire_part))
		return UNPACK_MALFORMED;
	if (!take_part(unpacker, payload, n))
		return UNPACK_NOTHING;
	unpacker->part_total = 0;
	return take_blob(unpacker, false, unpacker->blob, unpacker->part_have, lost, sink, ctx);
}
