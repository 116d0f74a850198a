// SPDX-License-Identifier: BSD-2-Clause
/* profile_run.c - see profile_run.h. */
#include "tools/profile/profile_run.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "include/perf0/events_count.h"
#include "tools/profile/profile_match.h"
#include "tools/profile/profile_parts.h"
#include "tools/symbols/perfmap.h"
#include "tools/util/artifact.h"
#include "tools/util/message.h"

#define PERFMAPS_MOST 64 /* processes whose perf maps name code */

/* --- Events --- */

/* Events that each instruction decides by itself, by perf's names; then those of the model. */
static const struct {
	const char *name;
	enum events_count count;
} countable[] = {
	{"instructions", EVENTS_INSTRUCTIONS},
	{"branches", EVENTS_BRANCHES},
	{"branch-instructions", EVENTS_BRANCHES},
	{"conditional-branches", EVENTS_CONDITIONAL},
	{"calls", EVENTS_CALLS},
	{"returns", EVENTS_RETURNS},
	{"loads", EVENTS_LOADS},
	{"stores", EVENTS_STORES},
	{"locked-instructions", EVENTS_LOCKED},
	{"divides", EVENTS_DIVIDES},
	{"syscalls", EVENTS_SYSCALLS},
	{"flops-add-sub", EVENTS_FLOPS_ADD_SUB},
	{"flops-multiply", EVENTS_FLOPS_MULTIPLY},
	{"flops-divide", EVENTS_FLOPS_DIVIDE},
	{"flops-fma", EVENTS_FLOPS_FMA},
	{"cycles", EVENTS_CYCLES},
	{"branch-misses", EVENTS_MISPREDICTED},
	{"l1d.replacement", EVENTS_L1D_REPLACEMENTS},
	{"mem_load_retired.l1_miss", EVENTS_L1D_LOAD_MISSES},
};
#define COUNTABLE (sizeof(countable) / sizeof(countable[0]))

static int refuse_event(const char *name, size_t n, struct reason *why)
{
	char names[300] = "";

	for (size_t i = 0; i < COUNTABLE; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
			 i ? ", " : "", countable[i].name);
	return refuse(why, EINVAL,
		      "\"%.*s\" is not counted by function; these are, with :u or :k: %s", (int)n,
		      name, names);
}

/* Finds the row of an event of `n` characters; COUNTABLE: there is none. */
static size_t find_countable(const char *text, size_t n, bool *kernel)
{
	const char *colon = memchr(text, ':', n);
	const size_t nname = colon ? (size_t)(colon - text) : n;
	size_t i = 0;

	*kernel = colon && n == nname + 2 && colon[1] == 'k';
	if (colon && !*kernel && !(n == nname + 2 && colon[1] == 'u'))
		return COUNTABLE;
	while (i < COUNTABLE &&
	       (strlen(countable[i].name) != nname || strncmp(countable[i].name, text, nname) != 0))
		i++;
	return i;
}

bool profile_run_counts(const char *event)
{
	bool kernel;
	const size_t i = find_countable(event, strlen(event), &kernel);

	return i < COUNTABLE && countable[i].count < EVENTS_UOPS;
}

static int add_countable(struct profile_run *p, const char *text, size_t n, struct reason *why)
{
	struct profile_event *event = &p->event[p->nevents];
	bool kernel;
	const size_t i = find_countable(text, n, &kernel);

	if (p->nevents == PROFILE_EVENTS)
		return refuse(why, E2BIG, "at most %u events by function", PROFILE_EVENTS);
	if (i == COUNTABLE)
		return refuse_event(text, n, why);
	snprintf(p->name[p->nevents], sizeof(p->name[0]), "%s:%c", countable[i].name,
		 kernel ? 'k' : 'u');
	*event = (struct profile_event){.name = p->name[p->nevents],
					.term = {(int16_t)(countable[i].count + 1)},
					.user = !kernel,
					.kernel = kernel};
	p->nevents++;
	return 0;
}

static int add_countables(struct profile_run *p, const char *list, struct reason *why)
{
	int err = 0;

	while (!err && *list) {
		const size_t n = strcspn(list, ",");

		err = add_countable(p, list, n, why);
		list += n + (list[n] == ',');
	}
	return err;
}

static void write_costs(const struct profile_run *p)
{
	struct profile_header *h = &p->file->header;

	h->ncosts = (uint32_t)p->nevents;
	for (size_t i = 0; i < p->nevents; i++)
		h->cost[i] = (uint8_t)(p->event[i].term[0] - 1) |
			     (p->event[i].kernel ? PROFILE_RING0 : 0);
}

/* --- The file --- */

static bool is_elf(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[SELFMAG];
	bool is = false;

	if (fd >= 0) {
		is = read(fd, magic, sizeof(magic)) == sizeof(magic) &&
		     !memcmp(magic, ELFMAG, SELFMAG);
		close(fd);
	}
	return is;
}

int profile_run_add(void *run, const char *path, const char *host)
{
	struct profile_run *p = run;
	struct reason why;

	if (is_elf(host) && code_map_add(&p->map, path, host, &why))
		message("perf0: %s: no profile of this file: %s", path, why.text);
	return 0;
}

/* The image has workloads of its own. */
static int map_image(struct code_map *map, struct reason *why)
{
	char path[PATH_MAX];
	int err = artifact_path(path, sizeof(path), ARTIFACT_ELF, why);

	return err ? err : code_map_add(map, "[perf0]", path, why);
}

static int create_profile(struct profile_run *p, struct reason *why)
{
	p->fd = memfd_create("perf0-profile", 0);
	if (p->fd < 0) {
		p->fd = 0;
		return refuse(why, errno, "no memory to share with QEMU: %s", strerror(errno));
	}
	if (ftruncate(p->fd, sizeof(*p->file)))
		return refuse(why, errno, "no memory to share with QEMU: %s", strerror(errno));
	p->file = mmap(NULL, sizeof(*p->file), PROT_READ | PROT_WRITE, MAP_SHARED, p->fd, 0);
	if (p->file == MAP_FAILED) {
		p->file = NULL;
		return refuse(why, errno, "no memory to share with QEMU: %s", strerror(errno));
	}
	memcpy(p->file->header.magic, PROFILE_MAGIC, sizeof(p->file->header.magic));
	p->file->header.version = PROFILE_VERSION;
	return 0;
}

int profile_run_begin(struct profile_run *p, const char *events, struct reason *why)
{
	int err;

	*p = (struct profile_run){.fd = 0};
	err = add_countables(p, events, why);
	if (!err)
		err = create_profile(p, why);
	return err ? err : map_image(&p->map, why);
}

int profile_run_ready(struct profile_run *p, struct reason *why)
{
	write_costs(p);
	return code_map_write(&p->map, p->file, why);
}

int profile_run_fold(const struct profile_run *p, struct profile *profile, struct reason *why)
{
	const int err = profile_parts_join(p->file, p->fd, why);

	return err ? err : profile_run_fold_part(p, profile, why);
}

int profile_run_fold_part(const struct profile_run *p, struct profile *profile, struct reason *why)
{
	const struct symbols *map[PERFMAPS_MOST];
	const struct profile_jit jit = {map, perfmap_all(map, PERFMAPS_MOST)};

	return profile_fold(profile, p->file, &p->map, &jit, p->event, p->nevents, why);
}

void profile_run_divide(struct profile_run *p)
{
	p->file->header.wants_commands = true;
}

int profile_run_fold_command(const struct profile_run *p, size_t command, struct profile *profile,
			     struct reason *why)
{
	const int err = profile_parts_load_command(p->file, p->fd, command, why);

	return err ? err : profile_run_fold_part(p, profile, why);
}

/* The pieces, functions and contexts stay, for the plugin knows them by their numbers. */
void profile_run_clear(struct profile_run *p)
{
	profile_parts_clear(p->file);
	p->file->header.is_machine_ignored = false; /* whatever the last program requested */
}

/* Returns the number of functions of the object that match. */
static size_t mark_in_object(struct profile_run *p, const struct code_object *object,
			     const char *patterns, enum profile_role role)
{
	size_t found = 0;

	for (size_t i = 0; i < code_object_symbols(object); i++) {
		const struct code_symbol *symbol = code_object_symbol(object, i);

		if (!profile_name_matches(patterns, code_symbol_name(object, symbol)))
			continue;
		p->file->symbol[object->first + i].role = role;
		found++;
	}
	return found;
}

size_t profile_run_mark(struct profile_run *p, const char *patterns, enum profile_role role)
{
	size_t found = 0;

	for (size_t i = 0; i < p->map.n; i++)
		found += mark_in_object(p, &p->map.object[i], patterns, role);
	return found;
}

void profile_run_end(struct profile_run *p)
{
	if (p->file)
		munmap(p->file, sizeof(*p->file));
	if (p->fd)
		close(p->fd);
	code_map_free(&p->map);
	*p = (struct profile_run){.fd = 0};
}
