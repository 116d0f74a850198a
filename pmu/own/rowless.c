// SPDX-License-Identifier: BSD-2-Clause
/* rowless.c - see rowless.h. */
#include "pmu/own/rowless.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/state/remote.h"

static void add_cpu(void *sum)
{
	pmu_modelled_rowless(sum);
}

struct pmu_rowless pmu_rowless_now(void)
{
	struct pmu_rowless sum = {0};

	if (pmu_is_modelled())
		pmu_on_each_cpu(add_cpu, &sum);
	return sum;
}

/* The largest count's index; the first of equal ones. */
static unsigned most_of(const struct pmu_rowless *r)
{
	unsigned most = 0;

	for (unsigned i = 1; i < PMU_ROWLESS; i++)
		if (r->count[i] > r->count[most])
			most = i;
	return most;
}

static void name_most(char *text, size_t size, struct pmu_rowless *left)
{
	char name[PMU_MNEMONIC];
	size_t n = 0;

	for (unsigned named = 0; named < PMU_ROWLESS_NAMED; named++) {
		const unsigned most = most_of(left);

		if (!left->count[most])
			return;
		pmu_modelled_mnemonic(name, most);
		n += (size_t)fmt_print(text + n, size - n, "%s%s", n ? ", " : "", name);
		left->count[most] = 0;
	}
}

void pmu_rowless_since(struct pmu_rowless_told *told, const struct pmu_rowless *then)
{
	struct pmu_rowless now = pmu_rowless_now();

	*told = (struct pmu_rowless_told){.instructions = now.instructions - then->instructions};
	for (unsigned i = 0; i < PMU_ROWLESS; i++) {
		now.count[i] -= then->count[i];
		told->count += now.count[i];
	}
	if (!told->count)
		return;
	pmu_modelled_core_name(told->core);
	name_most(told->mnemonics, sizeof(told->mnemonics), &now);
}
