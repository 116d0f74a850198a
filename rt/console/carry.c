// SPDX-License-Identifier: BSD-2-Clause
/* carry.c - see carry.h. */
#include "rt/console/carry.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "include/perf0/handoff.h"
#include "rt/console/keep.h"
#include "rt/print/print.h"
#include "rt/console/stick.h"
#include "rt/portable/stash_files.h"

static void *memory; /* NULL: there is none */
static bool is_found;

void carry_init(const struct handoff *handoff)
{
	memory = handoff->stash ? paging_map_shared(handoff->stash, STASH_BYTES) : NULL;
	is_found = handoff->stash_found;
}

bool carry_is_on(void)
{
	return memory && !is_found;
}

void carry_restore(void)
{
	static struct results before;
	struct reason why;
	int n;

	if (!memory || !is_found)
		return;
	results_init(&before, stick_disk(), NULL, NULL);
	n = stash_unpack(memory, STASH_BYTES, &before);
	if (n < 0)
		err("perf0: what the start before has left in memory is damaged, or finds no memory (error "
		    "%d)\n",
		    -n);
	if (before.nkept && results_write(&before, &why)) {
		err("perf0: results of the start before: %s\n", why.text);
		return;
	}
	stash_forget(memory);
	if (n >= 0)
		out("Results that the start before has left in memory, %d files, are in %s.\n", n,
		    before.folder);
}

void carry_save(void)
{
	const struct results *results = keep_results();
	unsigned left_out;

	if (!carry_is_on() || !results || !results->nkept)
		return;
	left_out = stash_pack(memory, STASH_BYTES, results);
	if (left_out)
		err("perf0: %u files of results find no room in memory, and are lost\n", left_out);
	out("%u files of results stay in memory; the next start of perf0 writes them.\n",
	    results->nkept - left_out);
	insn_wbinvd(); /* a reset drops data that only caches have */
}
