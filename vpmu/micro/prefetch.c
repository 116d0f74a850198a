// SPDX-License-Identifier: BSD-2-Clause
/*
 * prefetch.c - the hardware prefetchers, of data alone. A use of a line that L1D lacks, or of a
 * prefetched one for the first time, makes L1D's prefetchers ask. L2's see the requests of L1D to
 * L2. None leaves the page of 4 KiB, but Zen's strides, which go into pages that a TLB has.
 *
 * Their behaviour is from the manuals that geometry.c names. Chosen, as no manual says it: the
 * sizes of tables of strides, how many requests make a stream or a trend, and how far apart they
 * may be.
 */
#include "vpmu/micro/micro_priv.h"

#include "lib/bits.h"
#include "lib/string.h"

_Static_assert(MICRO_PHYSICAL_BITS - MICRO_PAGE_SHIFT < 32, "a page's number plus 1 has 32 bits");

#define LINES_OF_PAGE (1 << (MICRO_PAGE_SHIFT - MICRO_LINE_SHIFT))

/* Streams: ORM, "Data Prefetch to L2 and Last Level Cache". */
#define STREAM_AHEAD   20 /* most lines ahead of a request */
#define STREAM_AT_ONCE 2  /* lines that follow from one request */
#define STREAM_SEEN    2  /* steps in one direction that make a stream: chosen */
#define STREAM_STEP    4  /* most lines of a step: chosen */

#define STRIDES_AT_ONCE 2 /* lines that follow from one load: chosen */

#define TREND_SURE 2 /* chosen */
#define TREND_MOST 4 /* chosen */

/* --- Requests --- */

static bool is_working(const struct micro *m, enum geometry_prefetchers which)
{
	return m->prefetchers.on & which;
}

/* The line `n` lines further, if it is in the same page of 4 KiB. */
static bool goes_to(uint64_t line, int64_t n, uint64_t *to)
{
	*to = line + (uint64_t)n;
	return *to / LINES_OF_PAGE == line / LINES_OF_PAGE;
}

static void note_asked(struct micro *m, uint64_t line, enum micro_level level, bool into_l2)
{
	struct micro_prefetchers *p = &m->prefetchers;

	m->flights[micro_flight_slot(line)] = line;
	if (p->nasked < MICRO_ASKED)
		p->asked[p->nasked++] = (struct line_request){
			.cycles = (uint16_t)micro_level_cycles(m, level),
			.flight = micro_flight_slot(line) + 1,
			.level = (uint8_t)level,
			.into_l2 = into_l2,
			.joins = m->met,
		};
}

/* A line that L1D has is in no need of a copy in L2. */
static void prefetch_to_l2(struct micro *m, uint64_t line)
{
	enum micro_level level;

	if (micro_cache_has(&m->l1d, line))
		return;
	level = micro_request(m, line, MICRO_FOR_L2_PREFETCH);
	if (level != MICRO_L2)
		note_asked(m, line, level, true);
}

/* --- L2 --- */

#define STREAMS_AT_ONCE 4

static struct micro_stream *new_stream(struct micro_prefetchers *p, uint32_t page, uint64_t line)
{
	const unsigned i = p->next_stream;

	p->next_stream = (p->next_stream + 1) % MICRO_STREAMS;
	p->pages[i] = page;
	p->streams[i] = (struct micro_stream){.last = (int8_t)(line % LINES_OF_PAGE)};
	p->stream_of[page % MICRO_RECENT] = (uint8_t)i;
	return &p->streams[i];
}

static struct micro_stream *search_stream(struct micro_prefetchers *p, uint32_t page, uint64_t line)
{
	const __m128i key = _mm_set1_epi32((int)page), *pages = (const __m128i *)p->pages;

	for (unsigned i = 0; i < MICRO_STREAMS / STREAMS_AT_ONCE; i++) {
		const int is_page = _mm_movemask_ps(
			_mm_castsi128_ps(_mm_cmpeq_epi32(_mm_loadu_si128(pages + i), key)));

		if (is_page) {
			const unsigned found = i * STREAMS_AT_ONCE + bits_first((unsigned)is_page);

			p->stream_of[page % MICRO_RECENT] = (uint8_t)found;
			return &p->streams[found];
		}
	}
	return new_stream(p, page, line);
}

/* The stream of the line's page, a new one if there is none. */
static struct micro_stream *stream_of(struct micro_prefetchers *p, uint64_t line)
{
	const uint32_t page = (uint32_t)((line & bits_low(MICRO_LINE_BITS)) / LINES_OF_PAGE + 1);
	const unsigned i = p->stream_of[page % MICRO_RECENT];

	return p->pages[i] == page ? &p->streams[i] : search_stream(p, page, line);
}

/* True: the request at `at` goes on with the stream. */
static bool follows_stream(struct micro_stream *s, int at)
{
	const int step = at - s->last, direction = step > 0 ? 1 : -1;
	const bool is_near = step * direction <= STREAM_STEP;

	if (!step)
		return false;
	if (direction != s->direction || !is_near)
		s->seen = 0;
	s->seen += is_near && s->seen < STREAM_SEEN;
	s->direction = (int8_t)direction;
	s->last = (int8_t)at;
	return s->seen == STREAM_SEEN;
}

static void prefetch_stream(struct micro *m, uint64_t line)
{
	struct micro_stream *s = stream_of(&m->prefetchers, line);
	const int at = (int)(line % LINES_OF_PAGE);
	uint64_t next;

	if (!follows_stream(s, at)) {
		s->ahead = (int8_t)at;
		return;
	}
	if ((s->ahead - at) * s->direction < 0)
		s->ahead = (int8_t)at;
	for (unsigned i = 0; i < STREAM_AT_ONCE; i++) {
		const int ahead = s->ahead + s->direction;

		if ((ahead - at) * s->direction > STREAM_AHEAD || !goes_to(line, ahead - at, &next))
			return;
		s->ahead = (int8_t)ahead;
		prefetch_to_l2(m, next);
	}
}

/* Ascending and descending requests of a page move the trend. */
static void prefetch_by_trend(struct micro *m, uint64_t line)
{
	struct micro_prefetchers *p = &m->prefetchers;
	uint64_t next;

	if (line / LINES_OF_PAGE == p->last / LINES_OF_PAGE) {
		p->trend += line > p->last && p->trend < TREND_MOST;
		p->trend -= line < p->last && p->trend > -TREND_MOST;
	}
	p->last = line;
	if (p->trend >= TREND_SURE && goes_to(line, 1, &next))
		prefetch_to_l2(m, next);
	if (p->trend <= -TREND_SURE && goes_to(line, -1, &next))
		prefetch_to_l2(m, next);
}

/* L1D has asked L2 for the line, which that `level` had. */
static void follow_request(struct micro *m, uint64_t line, enum micro_level level, bool is_demand)
{
	if (is_working(m, GEOMETRY_L2_STREAM))
		prefetch_stream(m, line);
	if (is_demand && level != MICRO_L2 && is_working(m, GEOMETRY_L2_PAIR))
		prefetch_to_l2(m, line ^ 1);
	if (is_demand && is_working(m, GEOMETRY_L2_UP_DOWN))
		prefetch_by_trend(m, line);
}

/* --- L1D --- */

static void prefetch_to_l1(struct micro *m, uint64_t line)
{
	struct micro_look look;
	enum micro_level level;

	if (micro_cache_has(&m->l1d, line))
		return;
	level = micro_request(m, line, MICRO_FOR_PREFETCH);
	m->counts[EVENTS_L1D_REPLACEMENTS]++;
	look = micro_cache_use(&m->l1d, line, TAG_PREFETCHED);
	micro_note_eviction(m, &look);
	m->recent[line & m->recent_mask] = MICRO_NOTHING;
	note_asked(m, line, level, false);
	follow_request(m, line, level, false);
}

static struct micro_stride *stride_of(struct micro_prefetchers *p, uint64_t ip)
{
	return &p->strides[(ip ^ ip / MICRO_STRIDES) % MICRO_STRIDES];
}

/* True: the instruction has the same stride as the last time. */
static bool has_stride(struct micro_stride *s, uint64_t ip, uint64_t line, int64_t most)
{
	const int64_t stride = (int64_t)(line - s->line);
	bool is_same;

	if (s->ip != ip) {
		*s = (struct micro_stride){.ip = ip, .line = line};
		return false;
	}
	is_same = stride == s->stride;
	s->line = line;
	s->stride = stride;
	s->ahead = is_same && s->ahead ? s->ahead - 1 : 0;
	return is_same && stride && stride <= most && stride >= -most;
}

/* The line `n` lines further, maybe of another page. */
static bool leads_to(struct micro *m, const struct micro_use *use, int64_t n, uint64_t *to)
{
	const uint64_t va = use->va + ((uint64_t)n << MICRO_LINE_SHIFT);
	uint64_t physical;

	if (goes_to(use->line, n, to))
		return true;
	if (!m->geometry->strides.leaves_page || !micro_tlb_knows(m, va, &physical))
		return false;
	*to = physical >> MICRO_LINE_SHIFT;
	return true;
}

static void prefetch_stride(struct micro *m, const struct micro_use *use, const void *context)
{
	const struct geometry_strides *strides = &m->geometry->strides;
	const uint64_t ip = m->ip(context);
	struct micro_stride *s = stride_of(&m->prefetchers, ip);
	uint64_t next;

	if (!has_stride(s, ip, use->va >> MICRO_LINE_SHIFT, strides->most_lines))
		return;
	for (unsigned i = 0; i < STRIDES_AT_ONCE && s->ahead < strides->ahead; i++) {
		if (!leads_to(m, use, (s->ahead + 1) * s->stride, &next))
			return;
		s->ahead++;
		prefetch_to_l1(m, next);
	}
}

/* Two lines in a row are a stream. */
static void prefetch_neighbour(struct micro *m, uint64_t line)
{
	uint64_t next, previous;
	const bool has_next = goes_to(line, 1, &next), has_previous = goes_to(line, -1, &previous);

	if (!has_next || !has_previous)
		return;
	if (micro_cache_has(&m->l1d, previous))
		prefetch_to_l1(m, next);
	else if (micro_cache_has(&m->l1d, next))
		prefetch_to_l1(m, previous);
}

void micro_prefetch(struct micro *m, const struct micro_use *use, const void *context)
{
	uint64_t next;

	if (use->missed)
		follow_request(m, use->line, use->level, true);
	if (is_working(m, GEOMETRY_L1_NEXT) && goes_to(use->line, 1, &next))
		prefetch_to_l1(m, next);
	if (is_working(m, GEOMETRY_L1_STREAM))
		prefetch_neighbour(m, use->line);
	if (m->ip && !use->stores && is_working(m, GEOMETRY_L1_STRIDE))
		prefetch_stride(m, use, context);
}

/* --- Setting up --- */

void micro_forget_prefetches(struct micro *m)
{
	const uint8_t on = m->prefetchers.on;

	memset(m->flights, 0, sizeof(m->flights));
	m->prefetchers = (struct micro_prefetchers){.on = on};
}

void micro_set_prefetchers(struct micro *m, uint64_t off)
{
	m->prefetchers.on =
		m->flags & MICRO_NO_PREFETCH ? 0 : (uint8_t)(m->geometry->prefetchers & ~off);
}

void micro_set_ip(struct micro *m, micro_ip_fn *ip)
{
	m->ip = ip;
}

/* An access may use two lines. */
unsigned micro_most_lines(const struct geometry *geometry)
{
	const unsigned on = geometry->prefetchers, next = GEOMETRY_L1_NEXT | GEOMETRY_L1_STREAM,
		       strides = geometry->strides.ahead < STRIDES_AT_ONCE ? geometry->strides.ahead
									   : STRIDES_AT_ONCE,
		       of_l1 = 1 + !!(on & next) + (on & GEOMETRY_L1_STRIDE ? strides : 0),
		       of_streams = on & GEOMETRY_L2_STREAM ? STREAM_AT_ONCE * of_l1 : 0;

	return 2 * (of_l1 + of_streams + !!(on & GEOMETRY_L2_PAIR) + !!(on & GEOMETRY_L2_UP_DOWN));
}
