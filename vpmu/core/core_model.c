// SPDX-License-Identifier: BSD-2-Clause
/* core_model.c - the cores that have tables, by name, and the nearest one of each personality. */
#include "lib/core_names.h"
#include "vpmu/core/timed_core.h"

bool core_model_find(struct core_model *model, const char *name)
{
	*model = (struct core_model){core_table(name), core_shape(name)};
	return model->table && model->shape;
}

bool core_model_near(struct core_model *model, const char *name)
{
	const char *core = core_name_near(name);

	return core && core_model_find(model, core);
}

bool core_model_small(struct core_model *model)
{
	*model = (struct core_model){core_table("adl"), core_shape("gracemont")};
	return model->table && model->shape;
}
