// SPDX-License-Identifier: BSD-2-Clause
/* functions.c - see functions.h. */
#include "tools/gate/functions.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/gate/code.h"
#include "tools/profile/plain_name.h"
#include "tools/profile/profile_match.h"
#include "tools/symbols/elf_image.h"
#include "tools/util/memory.h"

/* Functions of harnesses that a measured function calls: clocks, statistics, printing. Go's runtime
 * calls some by signals, which the clock sends. A `<` alone would begin a list: `?` stands for it.
 */
#define HARNESS                                                                                 \
	"benchmark::*,"                                                                         \
	"criterion::*,?criterion::*,test::*,?test::*,std::time::Instant*,?std::time::Instant*," \
	"Catch::*,"                                                                             \
	"ankerl::nanobench::*,std::chrono::*_clock::now,"                                       \
	"testing.*,runtime.asyncPreempt*,runtime.sigtramp*,runtime.sigreturn*"

/* A function, or functions with the same plain name, as one. */
struct function {
	char *name;
	uint64_t self, calls, size;
	uint32_t code; /* 0: unknown */
};

/* The program is the file with main(), or Go's; of several, the first. NULL: it has no symbols. */
static const struct code_object *program_of(const struct profile *profile)
{
	for (size_t i = 0; i < profile->nrows; i++)
		if (profile->row[i].object && (!strcmp(profile->row[i].name, "main") ||
					       !strcmp(profile->row[i].name, "main.main")))
			return profile->row[i].object;
	return NULL;
}

static void name_function(struct buf *out, const struct profile_row *row,
			  const struct code_object *program)
{
	struct buf plain = {0};

	out->size = 0;
	if (row->name[0] == '[')
		buf_printf(out, "[%s]",
			   row->object ? basename(row->object->path) : "code of no file");
	else if (row->object == program)
		buf_printf(out, "%s", profile_plain_name(&plain, row->name));
	else
		buf_printf(out, "%s@%s", profile_plain_name(&plain, row->name),
			   row->object ? basename(row->object->path) : "unknown");
	buf_free(&plain);
}

/* --- Sources --- */

static size_t source_place(const struct sources *sources, const char *function)
{
	size_t low = 0, high = sources->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcmp(sources->one[middle].function, function) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct source *sources_find(const struct sources *sources, const char *function)
{
	const size_t at = source_place(sources, function);

	return at < sources->n && !strcmp(sources->one[at].function, function) ? &sources->one[at]
									       : NULL;
}

/* Returns the path relative to the current folder, if the file is below it. */
static const char *from_here(const char *file)
{
	static char here[PATH_MAX];
	size_t n;

	if (!*here && !getcwd(here, sizeof(here)))
		return file;
	n = strlen(here);
	return !strncmp(file, here, n) && file[n] == '/' ? file + n + 1 : file;
}

static void note_source(struct sources *sources, const char *function,
			const struct profile_row *row)
{
	const char *file;
	unsigned line;
	size_t at;

	if (sources_find(sources, function))
		return;
	line = symbols_line(row->object->symbols, row->address, &file);
	if (!line)
		return;
	at = source_place(sources, function);
	sources->one = memory_grow(sources->one, sources->n, sizeof(*sources->one));
	memmove(&sources->one[at + 1], &sources->one[at],
		(sources->n - at) * sizeof(*sources->one));
	sources->n++;
	sources->one[at] =
		(struct source){copy_text(function, strlen(function)),
				copy_text(from_here(file), strlen(from_here(file))), line};
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->n; i++) {
		free(sources->one[i].function);
		free(sources->one[i].file);
	}
	free(sources->one);
	*sources = (struct sources){0};
}

/* --- Code --- */

#define CODE_MOST (1u << 20) /* bytes of a function that are hashed at most */

/* The files of a profile, as they are read one after the other. */
struct code_reader {
	const struct code_object *object; /* the one that is open */
	struct elf_image elf;
	int fd; /* -1: it cannot be read */
};

static void read_code_of(struct code_reader *reader, const struct code_object *object)
{
	struct reason ignored;

	if (reader->object == object)
		return;
	if (reader->object && reader->fd >= 0)
		close(reader->fd);
	reader->object = object;
	reader->fd = -1;
	if (object && !elf_image_read(&reader->elf, object->host, &ignored))
		reader->fd = open(object->host, O_RDONLY | O_CLOEXEC);
}

static uint32_t hash_of_function(struct code_reader *reader, uint64_t start, uint64_t n)
{
	uint32_t hash = 0;
	uint8_t *code;

	if (!n || n > CODE_MOST || reader->fd < 0)
		return 0;
	code = memory_checked(malloc(n));
	for (size_t i = 0; i < reader->elf.nsegments; i++) {
		const struct elf_segment *s = &reader->elf.segments[i];

		if (start - s->vaddr < s->size && n <= s->size - (start - s->vaddr) &&
		    pread(reader->fd, code, n, (off_t)(s->offset + (start - s->vaddr))) ==
			    (ssize_t)n)
			hash = code_hash(code, n);
	}
	free(code);
	return hash;
}

static void note_code(struct code_reader *reader, struct function *function,
		      const struct profile_row *row)
{
	const size_t at = row->object ? code_object_find(row->object, row->address) : SIZE_MAX;
	const struct code_symbol *symbol;

	if (at == SIZE_MAX)
		return;
	symbol = code_object_symbol(row->object, at);
	read_code_of(reader, row->object);
	function->size += symbol->end - symbol->start;
	function->code = function->code * 31 +
			 hash_of_function(reader, symbol->start, symbol->end - symbol->start);
}

/* --- The part that is measured --- */

/* The part of each function that is measured. */
struct function_parts {
	uint64_t *self, *calls;    /* by row; of the first event */
	bool *is_inside;           /* by context */
	bool is_first;             /* the first loop of each function alone */
	struct profile_sum figure; /* of all */
};

/* Patterns that match nothing are those of other harnesses. */
static void match_rows(const struct profile *profile, const char *patterns, bool **is_match)
{
	*is_match = memory_checked(calloc(profile->nrows + 1, sizeof(**is_match)));
	for (size_t i = 0; i < profile->nrows; i++)
		(*is_match)[i] = profile_name_matches(patterns, profile->row[i].name);
}

static bool is_row_in(const struct profile_context *context, const bool *rows)
{
	return context->row != PROFILE_NO_ROW && rows[context->row];
}

/* The loader binds functions when they are first called. It jumps to them: their contexts are below
 * its own. */
static bool is_loader(const struct profile *profile, const struct profile_context *context)
{
	static const char name[] = "ld-linux";
	const struct code_object *object =
		context->row != PROFILE_NO_ROW ? profile->row[context->row].object : NULL;

	return object && !strncmp(basename(object->path), name, sizeof(name) - 1) &&
	       strcmp(profile->row[context->row].name, "__tls_get_addr") != 0;
}

/* A function that is inside of a loop alone has the calls of the whole function, or one. */
static void add_inside(struct function_parts *parts, const struct profile *profile,
		       const struct profile_context *context)
{
	uint64_t calls = context->calls;

	profile_add(&parts->figure, &context->self);
	if (context->row == PROFILE_NO_ROW)
		return;
	if (profile_context_is_region(profile, context))
		calls = parts->is_first ? 1 : profile->context[context->parent].calls;
	parts->self[context->row] += context->self.of[0];
	parts->calls[context->row] += calls;
}

/* Sums up the contexts inside of those that begin the measured part. A parent stands before its
 * children. */
static void sum_inside(struct function_parts *parts, const struct profile *profile,
		       const bool *begins, const bool *harness)
{
	enum { OUTSIDE, INSIDE, HARNESS_CALL };
	uint8_t *where = memory_checked(calloc(profile->ncontexts + 1, 1));

	for (size_t i = 1; i < profile->ncontexts; i++) {
		const struct profile_context *c = &profile->context[i];

		where[i] = where[c->parent];
		if (where[i] == OUTSIDE && begins[i])
			where[i] = INSIDE;
		else if (where[i] == INSIDE && is_row_in(c, harness))
			where[i] = HARNESS_CALL;
		parts->is_inside[i] = where[i] == INSIDE && !is_loader(profile, c);
		if (parts->is_inside[i])
			add_inside(parts, profile, c);
	}
	free(where);
}

/* Marks the contexts that call a function of the patterns. */
static bool *find_callers(const struct profile *profile, const char *patterns)
{
	bool *calls = memory_checked(calloc(profile->ncontexts + 1, sizeof(*calls)));
	bool *rows;

	match_rows(profile, patterns, &rows);
	for (size_t i = 1; i < profile->ncontexts; i++)
		if (is_row_in(&profile->context[i], rows))
			calls[profile->context[i].parent] = true;
	free(rows);
	return calls;
}

/* The harness takes its time elsewhere, too: there it has no loop. */
static bool *find_loops(const struct profile *profile, const struct harness_loop *loop,
			const bool *harness)
{
	bool *begins = memory_checked(calloc(profile->ncontexts + 1, sizeof(*begins)));
	bool *ends = loop->is_clock ? find_callers(profile, loop->ends) : NULL;
	bool *own;

	match_rows(profile, loop->own ? loop->own : "", &own);
	for (size_t i = 1; i < profile->ncontexts; i++) {
		const struct profile_context *c = &profile->context[i];

		begins[i] = profile_context_is_region(profile, c) &&
			    (own[c->row] || !harness[c->row]) && (!ends || ends[c->parent]);
	}
	free(own);
	free(ends);
	return begins;
}

static bool *find_calls(const struct profile *profile, const char *patterns)
{
	bool *begins = memory_checked(calloc(profile->ncontexts + 1, sizeof(*begins)));
	bool *measured;

	match_rows(profile, patterns, &measured);
	for (size_t i = 1; i < profile->ncontexts; i++)
		begins[i] = is_row_in(&profile->context[i], measured);
	free(measured);
	return begins;
}

/* Frees `begins`. The contexts are those of all programs of the machine: one that this program did
 * not execute has no costs. */
static bool measure_from(struct function_parts *parts, const struct profile *profile, bool *begins,
			 const bool *harness)
{
	sum_inside(parts, profile, begins, harness);
	free(begins);
	return !profile_is_zero(&parts->figure);
}

/* The loop, else the first alternative that is executed. */
static bool measure_inside(struct function_parts *parts, const struct profile *profile,
			   const struct measured_part *measured)
{
	const char *patterns = measured->functions ? measured->functions : "";
	char *copy = copy_text(patterns, strlen(patterns)), *rest = copy, *one;
	bool *harness;
	bool found;

	parts->is_first = measured->loop && measured->loop->is_first;
	match_rows(profile, HARNESS, &harness);
	found = measured->loop &&
		measure_from(parts, profile, find_loops(profile, measured->loop, harness), harness);
	while (!found && measured->functions && (one = strsep(&rest, "|")))
		found = measure_from(parts, profile, find_calls(profile, one), harness);
	free(harness);
	free(copy);
	return found;
}

static void measure_whole(struct function_parts *parts, const struct profile *profile)
{
	for (size_t i = 0; i < profile->nrows; i++) {
		parts->self[i] = profile->row[i].self.of[0];
		parts->calls[i] = profile->row[i].calls;
	}
	for (size_t i = 0; i < profile->ncontexts; i++)
		parts->is_inside[i] = true;
}

/* --- Stacks --- */

#define NO_FRAME "[unknown]"

/* Stacks begin at the outermost function that is measured. */
static void add_measured_stacks(struct stack_tree *stacks, const char *benchmark,
				const struct profile *profile, const struct function_parts *parts)
{
	const struct code_object *program = program_of(profile);
	uint32_t *at = memory_checked(calloc(profile->ncontexts + 1, sizeof(*at)));
	struct buf name = {0};

	for (size_t i = 0; i < profile->ncontexts; i++) {
		const struct profile_context *c = &profile->context[i];
		const bool has_row = c->row != PROFILE_NO_ROW;

		if (!parts->is_inside[i])
			continue;
		if (has_row)
			name_function(&name, &profile->row[c->row], program);
		at[i] = at[c->parent] ? at[c->parent] : stack_tree_child(stacks, 0, benchmark);
		if (i || c->self.of[0])
			at[i] = stack_tree_child(stacks, at[i],
						 has_row ? buf_text(&name) : NO_FRAME);
		stacks->node[at[i]].self[STACK_NEW] += c->self.of[0];
		if (!i)
			at[i] = 0;
	}
	buf_free(&name);
	free(at);
}

/* --- Results --- */

static int compare_functions_by_name(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Functions with the same name become one. */
static size_t merge_functions(struct function *f, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(f, n, sizeof(*f), compare_functions_by_name);
	for (size_t i = 0; i < n; i++) {
		if (!kept || strcmp(f[kept - 1].name, f[i].name) != 0) {
			f[kept++] = f[i];
			continue;
		}
		f[kept - 1].self += f[i].self;
		f[kept - 1].calls += f[i].calls;
		f[kept - 1].size += f[i].size;
		f[kept - 1].code ^= f[i].code;
		free(f[i].name);
	}
	return kept;
}

static void add_function(struct gate_results *results, const char *benchmark,
			 const struct function *f)
{
	gate_results_add(results, benchmark, RESULT_FUNCTION, f->name, f->self);
	gate_results_add(results, benchmark, RESULT_CALLS, f->name, f->calls);
	gate_results_add(results, benchmark, RESULT_SIZE, f->name, f->size);
	gate_results_add(results, benchmark, RESULT_CODE, f->name, f->code);
}

static void add_measured_part(struct gate_results *results, const char *benchmark,
			      const struct profile *profile, const struct function_parts *parts,
			      struct sources *sources)
{
	const struct code_object *program = program_of(profile);
	struct function *all = memory_checked(calloc(profile->nrows + 1, sizeof(*all)));
	struct code_reader reader = {.fd = -1};
	struct buf name = {0};
	size_t n = 0;

	for (size_t i = 0; i < profile->nrows; i++) {
		const struct profile_row *row = &profile->row[i];

		if (!parts->self[i] && !parts->calls[i])
			continue;
		name_function(&name, row, program);
		all[n] = (struct function){.name = copy_text(buf_text(&name), name.size),
					   .self = parts->self[i],
					   .calls = parts->calls[i]};
		note_code(&reader, &all[n++], row);
		if (sources && program && row->object == program)
			note_source(sources, buf_text(&name), row);
	}
	n = merge_functions(all, n);
	for (size_t i = 0; i < n; i++) {
		add_function(results, benchmark, &all[i]);
		free(all[i].name);
	}
	read_code_of(&reader, NULL);
	buf_free(&name);
	free(all);
}

/* The first bytes of a file's build-id; 0: it has none. */
static uint64_t build_of(const struct code_object *object)
{
	struct elf_image elf;
	struct reason ignored;
	uint64_t build = 0;

	if (elf_image_read(&elf, object->host, &ignored) || elf.build_id_size < sizeof(build))
		return 0;
	memcpy(&build, elf.build_id, sizeof(build));
	return build;
}

/* The program itself is another build each time. */
static void add_built_files(struct gate_results *results, const char *benchmark,
			    const struct profile *profile)
{
	const struct code_object *program = program_of(profile), *last = NULL;

	for (size_t i = 0; i < profile->nrows; i++) {
		const struct code_object *object = profile->row[i].object;

		if (!object || object == last || object == program || !profile->row[i].self.of[0])
			continue;
		last = object;
		gate_results_add(results, benchmark, RESULT_FILE, object->path, build_of(object));
	}
}

bool functions_add(struct gate_results *results, const char *benchmark,
		   const struct profile *profile, const struct measured_part *measured,
		   struct sources *sources, struct stack_tree *stacks)
{
	struct function_parts parts = {
		.is_inside = memory_checked(calloc(profile->ncontexts + 1, sizeof(bool))),
		.self = memory_checked(calloc(profile->nrows + 1, sizeof(*parts.self))),
		.calls = memory_checked(calloc(profile->nrows + 1, sizeof(*parts.calls)))};
	const bool found = measure_inside(&parts, profile, measured);

	if (found)
		for (size_t e = 0; e < profile->nevents; e++)
			gate_results_add(results, benchmark, RESULT_INSIDE, profile->event[e].name,
					 parts.figure.of[e]);
	else
		measure_whole(&parts, profile);
	add_measured_part(results, benchmark, profile, &parts, sources);
	add_built_files(results, benchmark, profile);
	if (stacks)
		add_measured_stacks(stacks, benchmark, profile, &parts);
	free(parts.is_inside);
	free(parts.self);
	free(parts.calls);
	return found || (!measured->loop && !measured->functions);
}
