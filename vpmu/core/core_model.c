// SPDX-License-Identifier: BSD-2-Clause
/* core_model.c - the cores that have tables, by name, and the nearest one of each personality. */
#include "vpmu/core/timed_core.h"

#include <string.h>

/* Personalities with a core of a table's kind, or one close to it. Small cores are not listed. */
static const struct {
	const char *name, *core;
} nearest[] = {
	{"snbx", "snb"}, {"ivb", "snb"}, {"ivbx", "snb"},  {"hsx", "hsw"},
	{"bdx", "bdw"},  {"bde", "bdw"}, {"clx", "skx"},   {"icx", "icl"},
	{"rkl", "icl"},  {"tgl", "icl"}, {"spr", "adl"},   {"emr", "adl"},
	{"gnr", "adl"},  {"rpl", "adl"}, {"zen1", "zen2"}, {"zen5", "zen4"},
};

bool core_model_find(struct core_model *model, const char *name)
{
	*model = (struct core_model){core_table(name), core_shape(name)};
	return model->table && model->shape;
}

bool core_model_near(struct core_model *model, const char *name)
{
	if (core_model_find(model, name))
		return true;
	for (size_t i = 0; i < sizeof(nearest) / sizeof(*nearest); i++)
		if (!strcmp(nearest[i].name, name))
			return core_model_find(model, nearest[i].core);
	return false;
}

bool core_model_small(struct core_model *model)
{
	*model = (struct core_model){core_table("adl"), core_shape("gracemont")};
	return model->table && model->shape;
}
