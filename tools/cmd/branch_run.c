// SPDX-License-Identifier: BSD-2-Clause
/* branch_run.c - see branch_run.h. */
#include "tools/cmd/branch_run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/machine/counting.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

/* Tells how much was counted, and what is missing: branches that found no room, or whose target a
 * signal has delayed. */
static void print_summary(const struct profile_file *file)
{
	const struct profile_header *header = &file->header;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < header->nbranches; i++)
		sum += file->branch[i].count;
	message("[ perf0 pgo: %" PRIu64 " branches between %u pairs of addresses ]", sum,
		header->nbranches);
	if (header->nfull)
		message("perf0 pgo: the profile is incomplete: %u entries found no room",
			header->nfull);
	if (header->dropped)
		message("perf0 pgo: %u branches are not counted: a signal came before their target",
			header->dropped);
}

static void want_branches(struct profile_run *run, const void *unused)
{
	(void)unused;
	run->file->header.wants_branches = true;
}

static int fold_branches(struct branch_run *run)
{
	struct reason why;

	run->is_folded = !profile_run_fold(&run->of.profile, &run->folded, &why);
	if (run->is_folded) {
		print_summary(run->of.profile.file);
		return 0;
	}
	message("perf0 pgo: %s", why.text);
	return STATUS_FAILED;
}

int branch_run_begin(struct branch_run *run, const struct options *options, const char *events,
		     const char *const *program)
{
	struct options with = *options;
	int status, folded = 0;

	*run = (struct branch_run){0};
	counting_find_program(run->program, program[0]);
	with.profile.events = "instructions:u";
	with.profile.is_self = true;
	status = profiled_begin(&run->of, "pgo", &with, events, program, want_branches, NULL);
	if (run->of.has_run)
		folded = fold_branches(run);
	return folded ? folded : status;
}

void branch_run_end(struct branch_run *run)
{
	profile_free(&run->folded);
	profiled_end(&run->of);
	*run = (struct branch_run){0};
}

/* --- Files --- */

static bool is_object_named(const struct code_object *object, const char *name)
{
	char path[PATH_MAX], host[PATH_MAX];

	if (!strcmp(object->path, name))
		return true;
	return realpath(name, path) && realpath(object->host, host) && !strcmp(path, host);
}

const struct code_object *branch_run_object(const struct branch_run *run, const char *name,
					    struct reason *why)
{
	const struct code_map *map = &run->of.profile.map;

	if (!name)
		name = run->program;
	for (size_t i = 0; i < map->n; i++)
		if (is_object_named(&map->object[i], name))
			return &map->object[i];
	refuse(why, ENOENT, "%s: the program has no code of this file", name);
	return NULL;
}
