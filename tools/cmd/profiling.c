// SPDX-License-Identifier: BSD-2-Clause
/* profiling.c - see profiling.h. */
#include "tools/cmd/profiling.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "include/perf0/events_count.h"
#include "tools/machine/boot.h"
#include "tools/profile/profile_lines.h"
#include "tools/profile/profile_out.h"
#include "tools/profile/profile_text.h"
#include "tools/util/artifact.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/status.h"

bool profiling_is_asked(const struct profile_options *o)
{
	return o->functions || o->function || o->line || o->calls || o->callgrind || o->pprof ||
	       o->folded || o->speedscope || o->html;
}

/* --- Events --- */

/* Events that each instruction decides by itself, by perf's names. */
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

static int add_event(struct profiling *p, const char *text, size_t n, struct reason *why)
{
	const char *colon = memchr(text, ':', n);
	const size_t nname = colon ? (size_t)(colon - text) : n;
	const bool kernel = colon && n == nname + 2 && colon[1] == 'k';
	struct profile_event *event = &p->event[p->nevents];
	size_t i = 0;

	if (p->nevents == PROFILE_EVENTS)
		return refuse(why, E2BIG, "at most %u events by function", PROFILE_EVENTS);
	while (i < COUNTABLE &&
	       (strlen(countable[i].name) != nname || strncmp(countable[i].name, text, nname) != 0))
		i++;
	if (i == COUNTABLE || (colon && !kernel && !(n == nname + 2 && colon[1] == 'u')))
		return refuse_event(text, n, why);
	snprintf(p->name[p->nevents], sizeof(p->name[0]), "%s:%c", countable[i].name,
		 kernel ? 'k' : 'u');
	*event = (struct profile_event){.name = p->name[p->nevents],
					.term = {(int8_t)(countable[i].count + 1)},
					.user = !kernel,
					.kernel = kernel};
	p->nevents++;
	return 0;
}

static int add_events(struct profiling *p, const char *list, struct reason *why)
{
	int err = 0;

	while (!err && *list) {
		const size_t n = strcspn(list, ",");

		err = add_event(p, list, n, why);
		list += n + (list[n] == ',');
	}
	return err;
}

static void write_costs(const struct profiling *p)
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

static int map_program_file(void *map, const char *path, const char *host)
{
	struct reason why;

	if (is_elf(host) && code_map_add(map, path, host, &why))
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

static int create_file(struct profiling *p, struct reason *why)
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

static int check_machine(const struct machine_options *m, struct reason *why)
{
	if (!m->has_vpmu || m->accel != ACCEL_TCG || m->vpmu.events == EVENTS_RATIOS)
		return refuse(why, ENOTSUP,
			      "profiles count what QEMU executes: not with --no-vpmu, --accel "
			      "kvm or --events ratios; `perf0 record` samples there");
	return 0;
}

int profiling_begin(struct profiling *p, struct options *options, struct reason *why)
{
	int err;

	*p = (struct profiling){.fd = 0};
	err = check_machine(&options->machine, why);
	if (!err)
		err = add_events(p, options->profile.events, why);
	if (!err)
		err = create_file(p, why);
	if (!err)
		err = map_image(&p->map, why);
	if (err)
		return err;
	boot_each_file(map_program_file, &p->map);
	write_costs(p);
	err = code_map_write(&p->map, p->file, why);
	options->machine.profile = err ? 0 : p->fd;
	return err;
}

void profiling_end(struct profiling *p)
{
	if (p->file)
		munmap(p->file, sizeof(*p->file));
	if (p->fd)
		close(p->fd);
	code_map_free(&p->map);
	*p = (struct profiling){.fd = 0};
}

/* --- The report --- */

static int print_tables(struct buf *out, const struct profile *profile,
			const struct profile_lines *lines, const struct profile_options *o,
			struct reason *why)
{
	int err = 0;

	if (o->functions)
		profile_text_functions(out, profile, o->functions);
	if (o->function)
		err = profile_text_matching(out, profile, o->function, why);
	if (!err && o->line)
		err = profile_text_line(out, profile, lines, o->line, why);
	if (!err && o->calls)
		profile_text_calls(out, profile, lines, o->calls);
	return err;
}

static int complain_of_profile(const struct reason *why)
{
	message("perf0: %s", why->text);
	return STATUS_FAILED;
}

static int write_report(struct profile *profile, const struct profiling *p,
			const struct options *options, const char *const *words, FILE *out)
{
	struct profile_lines lines;
	struct buf text = {0};
	struct reason why;
	int status = 0;

	profile_lines_read(&lines, profile, &p->map);
	if (print_tables(&text, profile, &lines, &options->profile, &why))
		status = complain_of_profile(&why);
	fwrite(text.data, 1, text.size, out);
	if (profile_write_files(&(struct profile_source){profile, &lines, words,
							 options->profile.by_instruction},
				&options->profile, &why))
		status = complain_of_profile(&why);
	buf_free(&text);
	profile_lines_free(&lines);
	return status;
}

int profiling_report(struct profiling *p, const struct options *options, const char *const *words,
		     FILE *out)
{
	struct profile profile;
	struct reason why;
	int status;

	if (profile_fold(&profile, p->file, &p->map, NULL, p->event, p->nevents, &why))
		return complain_of_profile(&why);
	status = write_report(&profile, p, options, words, out);
	if (profile.nfull) {
		message("perf0: the profile is incomplete: %u entries found no room",
			profile.nfull);
		status = STATUS_FAILED;
	}
	profile_free(&profile);
	return status;
}
