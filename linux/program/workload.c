// SPDX-License-Identifier: BSD-2-Clause
/* workload.c - finds workloads and reads their arguments. */
#include "linux/program/workload.h"

#include "lib/path.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "include/perf0/programs.h"
#include "lib/words/near.h"
#include "lib/words/workload_words.h"
#include "rt/print/print.h"

#include <linux/errno.h>
#include <stdbool.h>

#define TOLD_MOST 64

static const struct workload *find_workload(const char *name)
{
	for (const struct workload *const *w = __workloads_start; w < __workloads_end; w++)
		if (!strcmp((*w)->name, name))
			return *w;
	return NULL;
}

const struct workload *workload_at(const char *path)
{
	const size_t n = sizeof(WORKLOAD_FOLDER) - 1;

	return strncmp(path, WORKLOAD_FOLDER, n) ? NULL : find_workload(path + n);
}

/* --- Programs --- */

const char *workload_path(const struct workload_call *call)
{
	if (call->workload)
		return call->workload->name;
	return call->listed.size ? call->listed.bytes : call->text;
}

const char *workload_name(const struct workload_call *call)
{
	return path_name(workload_path(call));
}

const char *workload_words(const struct workload_call *call)
{
	return call->listed.size ? call->listed.bytes + strlen(call->listed.bytes) + 1 : call->text;
}

static void add_title(struct workload_call *call, size_t *n, const char *word)
{
	if (*n < sizeof(call->title))
		*n += (size_t)fmt_print(call->title + *n, sizeof(call->title) - *n, "%s%s",
					*n ? " " : "", word);
}

/* Takes the words that lie in the pack. */
static void take_listed(struct workload_call *call, struct pack_note note)
{
	size_t at = strlen(note.bytes) + 1, n = 0;

	call->listed = note;
	for (; at < note.size; at += strlen(note.bytes + at) + 1) {
		add_title(call, &n, note.bytes + at);
		call->nwords++;
	}
}

static bool copy_arguments(struct workload_call *call, int argc, char **argv)
{
	size_t used = 0, n = 0;

	for (int i = 0; i < argc; i++) {
		const size_t bytes = strlen(argv[i]) + 1;

		if (bytes > sizeof(call->text) - used)
			return false;
		memcpy(call->text + used, argv[i], bytes);
		used += bytes;
		add_title(call, &n, argv[i]);
	}
	call->nwords = (unsigned)argc;
	return true;
}

static int parse_program(const char *command, int argc, char **argv, struct workload_call *call)
{
	const struct pack_note listed = pack_arguments(argv[0]);

	*call = (struct workload_call){0};
	if (listed.size && !listed.bytes[listed.size - 1]) {
		take_listed(call, listed);
	} else if (!copy_arguments(call, argc, argv)) {
		err("%s: %s: its arguments have more than %d bytes\n", command, argv[0],
		    PROGRAM_WORDS_BYTES);
		return -EINVAL;
	}
	if (pack_has(workload_path(call)))
		return 0;
	err("%s: %s: there is no such file\n", command, workload_path(call));
	return -ENOENT;
}

/* Is a name without a folder in the pack's folder of programs? Sets its path. */
static bool is_in_folder(const char *name, char path[PROGRAM_PATH_MAX])
{
	if (strlen(name) >= PROGRAM_PATH_MAX - sizeof(WORKLOAD_FOLDER) || pack_load())
		return false;
	fmt_print(path, PROGRAM_PATH_MAX, WORKLOAD_FOLDER "%s", name);
	return pack_has(path);
}

/* Complains once for each name. */
static void tell_shadowed(const char *command, const struct workload *w)
{
	static const struct workload *told[TOLD_MOST];
	static unsigned n;

	for (unsigned i = 0; i < n; i++)
		if (told[i] == w)
			return;
	if (n < TOLD_MOST)
		told[n++] = w;
	err("%s: '%s' is the program of the stick, not the workload that is built in\n", command,
	    w->name);
}

/* Parses with `path` in place of the first word. The words are copied. */
static int parse_named(const char *command, char *path, int argc, char **argv,
		       struct workload_call *call)
{
	char *const name = argv[0];
	int err;

	argv[0] = path;
	err = parse_program(command, argc, argv, call);
	argv[0] = name;
	return err;
}

/* The word is a path, or names words in the pack. */
bool workload_is_program(const char *word)
{
	return strchr(word, '/') || !strncmp(word, PROGRAMS_ARGV, sizeof(PROGRAMS_ARGV) - 1);
}

static int load_pack(const char *command)
{
	const char *why = pack_load();

	if (why)
		err("%s: %s\n", command, why);
	return why ? -EINVAL : 0;
}

bool workload_is_known(const char *name)
{
	char path[PROGRAM_PATH_MAX];

	return find_workload(name) || is_in_folder(name, path);
}

static void refuse_workload(const char *command, const char *typed)
{
	for (const struct workload *const *w = __workloads_start; w < __workloads_end; w++)
		if (near_word(typed, strlen(typed), (*w)->name)) {
			err("%s: unknown workload '%s'; did you mean '%s'?\n", command, typed,
			    (*w)->name);
			return;
		}
	err("%s: unknown workload '%s'; `help workloads` lists them\n", command, typed);
}

int workload_parse(const char *command, int argc, char **argv, struct workload_call *call)
{
	const bool is_program = argc && workload_is_program(argv[0]);
	const struct workload *w = argc && !is_program ? find_workload(argv[0]) : NULL;
	char path[PROGRAM_PATH_MAX];
	struct reason why;
	int n = 0;

	if (!argc) {
		err("%s: no workload given; `help workloads` lists them\n", command);
		return -EINVAL;
	}
	if (is_program)
		return load_pack(command) ? -EINVAL : parse_program(command, argc, argv, call);
	if ((!w || pack_has_volume()) && is_in_folder(argv[0], path)) {
		if (w)
			tell_shadowed(command, w);
		return parse_named(command, path, argc, argv, call);
	}
	if (!w) {
		refuse_workload(command, argv[0]);
		return -ENOENT;
	}
	*call = (struct workload_call){.workload = w};
	if (workload_args(w, argc - 1, (const char *const *)argv + 1, call->args, &why)) {
		err("%s: %s\n", command, why.text);
		return -EINVAL;
	}
	for (int i = 0; i < argc; i++)
		n += fmt_print(call->title + n, sizeof(call->title) - (size_t)n, "%s%s",
			       i ? " " : "", argv[i]);
	return 0;
}
