/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branch_log.h - all branches of a run of the guest, in order. QEMU's plugin passes this log to
 * vpmu, because a traced CPU reports more than its last branches (branch_records.h). vpmu sets the
 * wanted kinds right before a run, and empties the log after the run. To prevent a full log, vpmu
 * has the plugin stop the guest in time (include/perf0/events_page.h).
 *
 * Any context. At any time either vpmu or the plugin uses a log, never both.
 */
#ifndef PERF0_BRANCH_LOG_H
#define PERF0_BRANCH_LOG_H

#include "include/perf0/branch_records.h"

#include <stdbool.h>

#define BRANCH_LOG_BYTES (14u << 10)

/* An executed branch. The source's address has 48 bits, with these bits above it: */
#define LOGGED_KIND_SHIFT   48 /* enum branch_kind */
#define LOGGED_TAKEN        (1ull << 52)
#define LOGGED_MISPREDICTED (1ull << 53)
#define LOGGED_DELIVERED    (1ull << 54) /* not a branch: an event was delivered there */
#define LOGGED_LENGTH_SHIFT 56           /* length of the instruction */
#define LOGGED_LENGTH(from) ((from) >> LOGGED_LENGTH_SHIFT & 0xf)
#define LOGGED_KIND(from)   ((enum branch_kind)((from) >> LOGGED_KIND_SHIFT & 0xf))
struct branch_logged {
	uint64_t from, to;
};

#define BRANCH_LOGGED ((BRANCH_LOG_BYTES - 16) / sizeof(struct branch_logged))

/*
 * Entries of a run that are not among its counted branches: the delivery of an event, and a branch
 * that vpmu emulates at the beginning.
 */
#define BRANCH_LOG_SPARE 8

struct branch_log {
	uint32_t n;
	uint8_t on;
	uint8_t wants; /* 1: all branches; 0: only far ones */
	uint8_t lost;  /* some entries found no room */
	uint8_t reserved7[9];
	struct branch_logged entry[BRANCH_LOGGED];
};
_Static_assert(sizeof(struct branch_log) == BRANCH_LOG_BYTES, "layout");

/* branch_logged_of() - builds an entry; `flags` are the bits above, without the kind. */
static inline struct branch_logged branch_logged_of(enum branch_kind kind, uint64_t flags,
						    uint64_t from, uint64_t to)
{
	const uint64_t address = (1ull << LOGGED_KIND_SHIFT) - 1;

	return (struct branch_logged){
		.from = (from & address) | (uint64_t)kind << LOGGED_KIND_SHIFT | flags,
		.to = to,
	};
}

/*
 * branch_log_add() - adds an entry if its kind is wanted. `n` is read once, because another CPU of
 * the guest may write it.
 */
static inline void branch_log_add(struct branch_log *log, enum branch_kind kind, uint64_t flags,
				  uint64_t from, uint64_t to)
{
	const uint32_t n = __atomic_load_n(&log->n, __ATOMIC_RELAXED);

	if (!log->wants && kind != BRANCH_KIND_FAR)
		return;
	if (n >= BRANCH_LOGGED) {
		log->lost = true;
		return;
	}
	log->entry[n] = branch_logged_of(kind, flags, from, to);
	log->n = n + 1;
}

/* branch_logged_from() - the address of the source. */
static inline uint64_t branch_logged_from(const struct branch_logged *b)
{
	return (uint64_t)((int64_t)(b->from << 16) >> 16);
}

#endif
