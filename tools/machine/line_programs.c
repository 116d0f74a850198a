// SPDX-License-Identifier: BSD-2-Clause
/* line_programs.c - see line_programs.h. */
#include "tools/machine/line_programs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "rt/portable/cmdline.h"
#include "tools/program/pack_writer.h"
#include "tools/util/quote.h"

#define MIB (UINT64_C(1) << 20)

/* Memory sizes of machines, and the most memory that image, vpmu, firmware and rings use. */
static const uint32_t machines_mib[] = {256, 512, 1024, 2048, 4096};
#define TAKEN_MIB 112

/* Longer lists of arguments go into the pack instead of the command line. */
#define ARGUMENT_BYTES_MOST 2048

void programs_begin(struct programs *programs, const struct program_options *options)
{
	*programs = (struct programs){.options = options};
}

static int begin_packing(struct programs *programs, struct reason *why)
{
	if (programs->is_begun)
		return 0;
	programs->is_begun = true;
	return packing_begin(&programs->packing, programs->options, why);
}

bool programs_finds(struct programs *programs, const char *name)
{
	char path[PATH_MAX];
	struct reason ignored;

	return !begin_packing(programs, &ignored) && packing_finds(&programs->packing, name, path);
}

/* --- The words of a command --- */

static bool is_printable(const char *word)
{
	for (; *word; word++)
		if (*word < ' ' || *word > '~')
			return false;
	return true;
}

static bool fits_line(const char *const *words, size_t workload)
{
	size_t bytes = 0, n;

	for (n = workload; words[n]; n++) {
		bytes += strlen(words[n]) + 1;
		if (!is_printable(words[n]))
			return false;
	}
	return n <= CMDLINE_MAX_ARGS && bytes <= ARGUMENT_BYTES_MOST;
}

static int check_arguments(const char *const *words, struct reason *why)
{
	size_t bytes = 0;

	for (size_t i = 0; words[i]; i++) {
		bytes += strlen(words[i]) + 1 + sizeof(char *);
		if (strlen(words[i]) >= PROGRAMS_STRING_MOST)
			return refuse(why, E2BIG, "%s: argument %zu has more than %u bytes",
				      words[0], i, PROGRAMS_STRING_MOST - 1);
	}
	return bytes <= PROGRAMS_ARGS_MOST
		       ? 0
		       : refuse(why, E2BIG, "%s: its arguments have more than %u MiB", words[0],
				PROGRAMS_ARGS_MOST >> 20);
}

static int list_arguments(struct programs *programs, const char **words, const char *path,
			  struct reason *why)
{
	const char *name;
	int err = packing_arguments(&programs->packing, path, words, &name, why);

	if (err)
		return err;
	words[0] = name;
	words[1] = NULL;
	return 0;
}

static int start_workload(struct programs *programs, const char **words, size_t workload,
			  struct reason *why)
{
	const char **its = words + workload;
	char path[PATH_MAX] = "";
	int err = check_arguments(its, why);

	if (!err)
		err = packing_start(&programs->packing, its[0], path, why);
	if (err || (!strcmp(path, its[0]) && fits_line(words, workload)))
		return err;
	return list_arguments(programs, its, path, why);
}

static bool names_program(const char *const *words, size_t workload)
{
	bool names = workload != PROGRAMS_NO_WORKLOAD;

	for (; *words; words++)
		names |= strchr(*words, '/') != NULL;
	return names;
}

int programs_command(struct programs *programs, const char **words, size_t workload,
		     struct reason *why)
{
	int err;

	if (!names_program(words, workload))
		return 0;
	err = begin_packing(programs, why);
	if (err)
		return err;
	programs->packing.loaded = 0;
	for (size_t i = 0; words[i] && !err; i++) {
		if (i == workload)
			err = start_workload(programs, words, workload, why);
		else
			packing_word(&programs->packing, words[i]);
	}
	if (programs->packing.loaded > programs->loaded)
		programs->loaded = programs->packing.loaded;
	return err;
}

/* --- The pack --- */

static uint64_t add_up(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

int programs_end(struct programs *programs, struct reason *why)
{
	int err = 0, fd;

	if (!programs->packing.programs && !packing_is_asked(programs->options))
		return 0;
	err = begin_packing(programs, why);
	if (!err)
		err = packing_end(&programs->packing, why);
	if (err)
		return err;
	fd = pack_write(&programs->packing.tree, why);
	if (fd < 0)
		return fd;
	programs->n = 1;
	programs->pack = (struct program_file){.path = (char *)PROGRAMS_PACK,
					       .bytes = pack_bytes(&programs->packing.tree),
					       .fd = fd};
	programs->file = &programs->pack;
	programs->memory = add_up(programs->pack.bytes, programs->loaded);
	return 0;
}

int programs_machine(const struct programs *programs, uint32_t *mib, struct reason *why)
{
	const size_t sizes = sizeof(machines_mib) / sizeof(machines_mib[0]);
	const uint32_t most = machines_mib[sizes - 1];

	for (size_t i = 0; i < sizes; i++) {
		*mib = machines_mib[i];
		if (programs->memory <= (*mib - TAKEN_MIB) * MIB)
			return 0;
	}
	return refuse(why, EFBIG,
		      "the programs of one command take %" PRIu64
		      " MiB of memory, for which the largest machine (%u MiB) has no room",
		      programs->memory / MIB, most);
}

bool programs_fit(const struct programs *programs, uint32_t mib)
{
	const uint64_t whole = mib * MIB, kept = whole / PROGRAMS_KEPT_SHARE;
	uint64_t files = 0;

	for (size_t i = 0; i < programs->n; i++)
		files = add_up(files, programs->file[i].bytes);
	return files <= (whole - whole / 8) / PROGRAMS_SENT_SHARE &&
	       add_up(add_up(files, programs->loaded), kept + TAKEN_MIB * MIB) <= whole;
}

int programs_pack(const struct programs *programs, struct reason *why)
{
	const int fd = fcntl(programs->pack.fd, F_DUPFD, 0);

	return fd >= 0 ? fd
		       : refuse(why, errno, "the programs can not be handed over: %s",
				strerror(errno));
}

int program_file_read(const struct program_file *file, uint8_t *bytes, struct reason *why)
{
	uint64_t at = 0;
	ssize_t n = 1;

	for (; at < file->bytes && n > 0; at += n > 0 ? (uint64_t)n : 0)
		n = pread(file->fd, bytes + at, file->bytes - at, (off_t)at);
	return n > 0 ? 0 : refuse(why, EIO, "%s: it can not be read", file->path);
}

/* A file of the pack, that `take` gets. */
struct file_taker {
	int (*take)(void *ctx, const char *path, const char *host);
	void *ctx;
};

static int take_tree_file(void *taker, const struct tree_entry *entry)
{
	const struct file_taker *t = taker;

	return entry->kind == TREE_FILE && entry->source
		       ? t->take(t->ctx, entry->path, entry->source)
		       : 0;
}

int programs_each_file(const struct programs *programs,
		       int (*take)(void *ctx, const char *path, const char *host), void *ctx)
{
	struct file_taker taker = {take, ctx};

	return tree_each(&programs->packing.tree, take_tree_file, &taker);
}

void programs_free(struct programs *programs)
{
	if (programs->n)
		close(programs->pack.fd);
	if (programs->is_begun)
		packing_free(&programs->packing);
	*programs = (struct programs){0};
}
