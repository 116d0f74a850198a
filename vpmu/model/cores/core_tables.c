// SPDX-License-Identifier: BSD-2-Clause
/* The list of cores, and the search for a form's row. */
#include <stddef.h>
#include <string.h>
#include "vpmu/model/cores/cores_priv.h"

const struct core_table *const core_tables[] = {
	&core_snb, &core_hsw,  &core_bdw,  &core_skl,  &core_skx, &core_icl,
	&core_adl, &core_zen2, &core_zen3, &core_zen4, NULL,
};

const struct core_table *core_table(const char *name)
{
	for (unsigned i = 0; core_tables[i]; i++)
		if (strcmp(core_tables[i]->name, name) == 0)
			return core_tables[i];
	return NULL;
}

int core_key_number(uint32_t key)
{
	unsigned low = 0, high = CORE_KEYS;

	while (low < high) {
		const unsigned middle = (low + high) / 2;

		if (core_keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < CORE_KEYS && core_keys[low] == key ? core_form_of[low] : -1;
}

const struct core_row *core_row(const struct core_table *core, uint32_t key)
{
	const struct core_row *corrected = core_corrected(core, key);
	const int form = core_key_number(key);

	if (corrected)
		return corrected;
	if (form < 0 || core->row_of[form] == CORE_NO_ROW)
		return NULL;
	return &core->rows[core->row_of[form]];
}
