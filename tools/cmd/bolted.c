// SPDX-License-Identifier: BSD-2-Clause
/* bolted.c - see bolted.h. */
#include "tools/cmd/bolted.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/machine/counting.h"
#include "tools/util/helper.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

/* --- llvm-bolt --- */

/* Debian's packages have a version in the name. Returns the name of the first one in PATH. */
static const char *find_bolt(void)
{
	static const char *const names[] = {"llvm-bolt",    "llvm-bolt-19", "llvm-bolt-18",
					    "llvm-bolt-17", "llvm-bolt-16", "llvm-bolt-15"};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (counting_find_program(path, names[i]))
			return names[i];
	return names[0];
}

/* The optimizations are those that BOLT's README.md recommends. */
static int run_bolt(const char *program, const char *data, const char *result, struct reason *why)
{
	const char *const words[] = {find_bolt(),
				     program,
				     "-o",
				     result,
				     "-data",
				     data,
				     "-reorder-blocks=ext-tsp",
				     "-reorder-functions=hfsort",
				     "-split-functions",
				     "-split-all-cold",
				     "-split-eh",
				     NULL};

	return helper_run(words, "bolt-16", why);
}

/* --- The table --- */

static bool branch_is_taken(const struct profile_file *file, const struct profile_branch *branch)
{
	const struct profile_end *from = &file->end[branch->from - 1];

	return from->kind != PROFILE_CONDITIONAL ||
	       file->end[branch->to - 1].va != from->va + from->bytes;
}

static bool branch_is_jump(const struct profile_file *file, const struct profile_branch *branch)
{
	const uint8_t kind = file->end[branch->from - 1].kind;

	return kind == PROFILE_CONDITIONAL || kind == PROFILE_JUMP;
}

/* Calls and returns are always taken: no layout changes them. */
static uint64_t count_taken(const struct branch_run *run)
{
	const struct profile_file *file = run->of.profile.file;
	uint64_t taken = 0;

	for (uint32_t i = 0; i < file->header.nbranches; i++)
		if (branch_is_taken(file, &file->branch[i]))
			taken += file->branch[i].count;
	return taken;
}

static uint64_t count_own_jumps(const struct branch_run *run)
{
	const struct profile_file *file = run->of.profile.file;
	struct reason ignored;
	const struct code_object *program = branch_run_object(run, NULL, &ignored);
	const uint32_t number =
		program ? (uint32_t)(program - run->of.profile.map.object) + 1 : UINT32_MAX;
	uint64_t taken = 0;

	for (uint32_t i = 0; i < file->header.nbranches; i++) {
		const struct profile_branch *branch = &file->branch[i];

		if (file->end[branch->from - 1].object == number && branch_is_jump(file, branch) &&
		    branch_is_taken(file, branch))
			taken += branch->count;
	}
	return taken;
}

static void print_grouped(FILE *out, uint64_t value)
{
	char digits[24], text[32];
	const int n = snprintf(digits, sizeof(digits), "%" PRIu64, value);
	char *to = text;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	fprintf(out, " %19s", text);
}

static void print_change(FILE *out, const char *name, uint64_t before, uint64_t after)
{
	fprintf(out, " %-34s", name);
	print_grouped(out, before);
	print_grouped(out, after);
	if (before)
		fprintf(out, " %+8.2f%%", 100 * ((double)after - (double)before) / (double)before);
	fprintf(out, "\n");
}

static const char *note_of(const char *name)
{
	return strstr(name, "cycles") || strstr(name, "L1-icache") ? " [modelled]" : "";
}

static void print_bolt_count(FILE *out, const struct stream_count *before,
			     const struct stream_count *after)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s", before->name, note_of(before->name));
	if (before->count.error || after->count.error)
		fprintf(out, " %-34s not counted\n", name);
	else
		print_change(out, name, before->count.value, after->count.value);
}

static void print_comparison(FILE *out, const struct branch_run *before,
			     const struct branch_run *after)
{
	const struct stream_command *a = before->of.stream.commands, *b = after->of.stream.commands;

	fprintf(out, "\n %-34s %19s %19s %9s\n", "", "before", "after", "change");
	for (size_t i = 0; i < a->ncounts && i < b->ncounts; i++)
		print_bolt_count(out, &a->counts[i], &b->counts[i]);
	print_change(out, "taken branches:u", count_taken(before), count_taken(after));
	print_change(out, "taken jumps of the program", count_own_jumps(before),
		     count_own_jumps(after));
}

/* --- Both runs --- */

static int run_and_print(const struct options *options, const struct branch_run *before,
			 const char *const *program, FILE *out)
{
	const size_t n = count_words(program);
	const char **words = memory_checked(calloc(n + 1, sizeof(*words)));
	/* A name without a folder would be a workload of the image. */
	char *path = memory_checked(realpath(options->pgo.run_bolt, NULL));
	struct branch_run after;
	int status;

	memcpy(words, program, n * sizeof(*words));
	words[0] = path;
	status = branch_run_begin(&after, options, BOLTED_EVENTS, words);
	free(words);
	free(path);
	if (after.is_folded && before->of.stream.ncommands && after.of.stream.ncommands)
		print_comparison(out, before, &after);
	branch_run_end(&after);
	return status;
}

int bolted_compare(const struct options *options, const struct branch_run *before, const char *data,
		   const char *const *program, FILE *out)
{
	struct reason why;
	const struct code_object *object = branch_run_object(before, options->pgo.object, &why);

	if (!object || run_bolt(object->host, data, options->pgo.run_bolt, &why)) {
		message("perf0 pgo: %s", why.text);
		return STATUS_FAILED;
	}
	return run_and_print(options, before, program, out);
}
