// SPDX-License-Identifier: BSD-2-Clause
/* core_model.c - the cores that have tables, by name, and the nearest one of each personality. */
#include "vpmu/core/timed_core.h"

#include <string.h>

#define MODELS 16

/* Personalities with a core of a table's kind, or one close to it. Small cores are not listed. */
static const struct {
	const char *name, *core;
} nearest[] = {
	{"ivb", "snb"},   {"ivt", "snb"},   {"jkt", "snb"}, {"snb-ep", "snb"}, {"hsx", "hsw"},
	{"bdx", "bdw"},   {"bde", "bdw"},   {"clx", "skx"}, {"icx", "icl"},    {"rkl", "icl"},
	{"tgl", "icl"},   {"spr", "adl"},   {"emr", "adl"}, {"gnr", "adl"},    {"rpl", "adl"},
	{"zen1", "zen2"}, {"zen5", "zen4"},
};

const struct core_model *core_model(const char *name)
{
	static struct core_model models[MODELS];

	for (unsigned i = 0; i < MODELS && core_tables[i]; i++) {
		if (strcmp(core_tables[i]->name, name) != 0)
			continue;
		models[i] = (struct core_model){core_tables[i], core_shape(name)};
		return models[i].shape ? &models[i] : NULL;
	}
	return NULL;
}

const struct core_model *core_model_near(const char *name)
{
	const struct core_model *model = core_model(name);

	for (size_t i = 0; !model && i < sizeof(nearest) / sizeof(*nearest); i++)
		if (!strcmp(nearest[i].name, name))
			model = core_model(nearest[i].core);
	return model;
}
