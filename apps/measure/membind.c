// SPDX-License-Identifier: BSD-2-Clause
/* membind.c - see membind.h. */
#include "apps/measure/membind.h"

#include "arch/x86/dev/nodes.h"
#include "arch/x86/mem/paging.h"
#include "lib/words/cpulist.h"
#include "rt/print/print.h"

int membind_check(struct membind *m, const char *command)
{
	struct reason why;
	int bad;

	m->nodes = 0;
	if (!m->list)
		return 0;
	bad = nodelist_read(m->list, nodes()->n, &m->nodes, &why);
	if (bad)
		err("%s: --membind: %s\n", command, why.text);
	return bad;
}

void membind_begin(const struct membind *m)
{
	page_bind(m->nodes);
}

void membind_end(const struct membind *m, const char *command)
{
	const size_t strays = page_strays();

	page_bind(0);
	if (!strays)
		return;
	if (m->list)
		err("%s: --membind %s: %zu pages found no room there, and are on other nodes\n",
		    command, m->list, strays);
	else
		err("%s: %zu pages found no room on the node of the CPU that wanted them, and are on "
		    "other nodes\n",
		    command, strays);
}
