// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_callgrind.c - writes callgrind.out. Names are compressed: "(1) name" at first, "(1)" from
 * then on. Costs of ring 0 belong to no instruction, and stand at the function's first line.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "include/perf0/version.h"
#include "tools/forms/profile_out.h"
#include "tools/util/index.h"
#include "tools/util/plainbuf.h"

#define NO_FILE "???"

/* The names of one kind, with their numbers. */
struct callgrind_names {
	struct index number;
	size_t n;
};

struct callgrind {
	struct buf *out;
	const struct profile_source *source;
	const struct profile *profile;
	struct callgrind_names objects, files, functions;
	const char *file; /* of the next lines */
};

static void write_whole_name(struct buf *out, const char *key, const char *name)
{
	buf_printf(out, "%s=", key);
	plain_add(out, name, strlen(name));
	buf_printf(out, "\n");
}

static bool has_whole_names(const struct callgrind *c)
{
	return c->source->heading && c->source->heading->has_whole_names;
}

static void write_named(struct callgrind *c, struct callgrind_names *names, const char *key,
			const char *name)
{
	const size_t known = index_find_text(&names->number, name);

	if (has_whole_names(c)) {
		write_whole_name(c->out, key, name);
		return;
	}
	if (known != INDEX_NONE) {
		buf_printf(c->out, "%s=(%zu)\n", key, known);
		return;
	}
	index_add_text(&names->number, name, ++names->n);
	buf_printf(c->out, "%s=(%zu) ", key, names->n);
	plain_add(c->out, name, strlen(name));
	buf_printf(c->out, "\n");
}

/* Names of events are words of letters, digits and underscores. */
static void write_event_word(struct buf *out, const char *name)
{
	for (; *name; name++)
		buf_printf(out, "%c", isalnum((unsigned char)*name) ? *name : '_');
}

static void write_sum(const struct callgrind *c, const struct profile_sum *sum)
{
	for (size_t i = 0; i < c->profile->nevents; i++)
		buf_printf(c->out, " %" PRIu64, sum->of[i]);
	buf_printf(c->out, "\n");
}

static void write_words(struct callgrind *c)
{
	struct buf text = {0};

	profile_add_command(&text, c->source);
	buf_printf(c->out, "cmd: ");
	plain_add(c->out, buf_text(&text), text.size);
	buf_free(&text);
}

static bool has_lines(const struct callgrind *c)
{
	return !c->source->by_instruction || !c->source->heading ||
	       !c->source->heading->has_no_lines;
}

static void write_part(struct callgrind *c)
{
	const struct profile_heading *h = c->source->heading;

	buf_printf(c->out, "\npart: %u\n", h ? h->part : 1);
	if (h && h->thread)
		buf_printf(c->out, "thread: %u\n", h->thread);
	if (h)
		buf_printf(c->out, "\ndesc: Trigger: %s\n", h->trigger);
	buf_printf(c->out, "\npositions:%s%s\nevents:", c->source->by_instruction ? " instr" : "",
		   has_lines(c) ? " line" : "");
}

static void write_header(struct callgrind *c)
{
	const struct profile_heading *h = c->source->heading;

	if (!h || !h->is_appended) {
		buf_printf(c->out,
			   "# callgrind format\nversion: 1\ncreator: perf0 " PERF0_VERSION "\n");
		if (h)
			buf_printf(c->out, "pid: %d\n", h->pid);
		write_words(c);
	}
	write_part(c);
	for (size_t i = 0; i < c->profile->nevents; i++) {
		buf_printf(c->out, " ");
		write_event_word(c->out, c->profile->event[i].name);
	}
	buf_printf(c->out, "\nsummary:");
	write_sum(c, &c->profile->total);
}

static void write_position(struct callgrind *c, uint64_t address, unsigned line)
{
	if (c->source->by_instruction)
		buf_printf(c->out, "0x%" PRIx64 "%s", address, has_lines(c) ? " " : "");
	if (has_lines(c))
		buf_printf(c->out, "%u", line);
}

static const char *file_name(const struct source_place *at)
{
	return at->file ? at->file : NO_FILE;
}

/* Changes the file of the next lines, within the function that begins at `begin`. */
static void write_file_name(struct callgrind *c, const char *file, const struct source_place *begin)
{
	if (!strcmp(c->file, file))
		return;
	write_named(c, &c->files, strcmp(file, file_name(begin)) ? "fi" : "fe", file);
	c->file = file;
}

static void write_cost(struct callgrind *c, const struct source_place *begin,
		       const struct source_place *at, uint64_t address,
		       const struct profile_sum *self)
{
	if (profile_is_zero(self))
		return;
	write_file_name(c, file_name(at), begin);
	write_position(c, address, at->line);
	write_sum(c, self);
}

static void write_function(struct callgrind *c, size_t row)
{
	const struct profile_row *function = &c->profile->row[row];
	const struct source_place *begin = &c->source->lines->of_row[row];

	buf_printf(c->out, "\n");
	write_named(c, &c->objects, "ob", profile_object_name(function->object));
	write_named(c, &c->files, "fl", file_name(begin));
	write_named(c, &c->functions, "fn", function->name);
	c->file = file_name(begin);
}

static void write_call(struct callgrind *c, size_t i)
{
	const struct profile_call *call = &c->profile->call[i];
	const struct profile_row *callee = &c->profile->row[call->callee];
	const struct source_place *at = &c->source->lines->of_call[i],
				  *target = &c->source->lines->of_row[call->callee];

	write_file_name(c, file_name(at), &c->source->lines->of_row[call->caller]);
	if (callee->object != c->profile->row[call->caller].object)
		write_named(c, &c->objects, "cob", profile_object_name(callee->object));
	write_named(c, &c->files, "cfi", file_name(target));
	write_named(c, &c->functions, "cfn", callee->name);
	/* A call that began in a part before counts there; readers take 0 for no call at all. */
	buf_printf(c->out, "calls=%" PRIu64 " ", call->calls ? call->calls : 1);
	write_position(c, callee->address, target->line);
	buf_printf(c->out, "\n");
	write_position(c, call->address, at->line);
	write_sum(c, &call->inclusive);
}

/* Writes the costs of a function by instruction or by line, and returns their sum. */
static struct profile_sum write_instructions(struct callgrind *c, uint32_t row, size_t *next)
{
	const struct profile *p = c->profile;
	struct profile_sum sum = {{0}};

	for (; *next < p->nplaces && p->place[*next].row == row; ++*next) {
		write_cost(c, &c->source->lines->of_row[row], &c->source->lines->of_place[*next],
			   p->place[*next].address, &p->place[*next].self);
		profile_add(&sum, &p->place[*next].self);
	}
	return sum;
}

static struct profile_sum write_lines(struct callgrind *c, uint32_t row, size_t *next)
{
	const struct profile_lines *lines = c->source->lines;
	struct profile_sum sum = {{0}};

	for (; *next < lines->n && lines->line[*next].row == row; ++*next) {
		write_cost(c, &lines->of_row[row], &lines->line[*next].at, 0,
			   &lines->line[*next].self);
		profile_add(&sum, &lines->line[*next].self);
	}
	return sum;
}

static void write_costs(struct callgrind *c, uint32_t row, size_t *next)
{
	struct profile_sum rest = c->profile->row[row].self;
	const struct profile_sum sum = c->source->by_instruction ? write_instructions(c, row, next)
								 : write_lines(c, row, next);

	profile_subtract(&rest, &sum);
	write_cost(c, &c->source->lines->of_row[row], &c->source->lines->of_row[row],
		   c->profile->row[row].address, &rest);
}

static void write_functions(struct callgrind *c)
{
	const struct profile *p = c->profile;
	size_t next = 0, call = 0;

	for (uint32_t row = 0; row < p->nrows; row++) {
		const bool calls = call < p->ncalls && p->call[call].caller == row;

		if (!calls && profile_is_zero(&p->row[row].self))
			continue;
		write_function(c, row);
		write_costs(c, row, &next);
		for (; call < p->ncalls && p->call[call].caller == row; call++)
			write_call(c, call);
	}
}

void profile_callgrind(struct buf *out, const struct profile_source *source)
{
	struct callgrind c = {
		.out = out, .source = source, .profile = source->profile, .file = NO_FILE};

	write_header(&c);
	write_functions(&c);
	buf_printf(out, "\ntotals:");
	write_sum(&c, &c.profile->total);
	index_free(&c.objects.number);
	index_free(&c.files.number);
	index_free(&c.functions.number);
}
