// SPDX-License-Identifier: BSD-2-Clause
/* pieces.c - see pieces.h. */
#include "tools/bench/pieces.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/bench/binutils.h"
#include "tools/bench/streams.h"
#include "tools/util/artifact.h"
#include "tools/util/memory.h"
#include "tools/util/outfile.h"

#define SLOT         16 /* bytes of a template; an instruction has at most 15 */
#define INSTRUCTIONS 600
#define WHOLE        60
#define HEAD_LINES   2
#define PAIR_LINES   2 /* lines of each template */

/* --- Lists --- */

static struct form *grow(struct form_list *list)
{
	list->form = memory_grow(list->form, list->n, sizeof(*list->form));
	return &list->form[list->n++];
}

/* Omits a line of a file with a message. A mistake in a typed instruction ends the command. */
static int leave_out(struct form_list *list, struct form *form, const struct reason *why)
{
	if (!form->place)
		return -EINVAL;
	list->leave_out(list->ctx, why);
	form_free(form);
	return 0;
}

/* Closes the gaps that omitted forms leave in the list. */
static void close_gaps(struct form_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->form[i].mnemonic)
			list->form[n++] = list->form[i];
	list->n = n;
}

int forms_add(struct form_list *list, const char *text, struct reason *why)
{
	return form_read(grow(list), text, strlen(text), NULL, 1, why);
}

static int read_form_line(struct form_list *list, const char *path, size_t number, const char *line,
			  struct reason *why)
{
	const size_t n = strcspn(line, "#\r\n");
	struct buf place = {0};
	int err;

	if (strspn(line, " \t") >= n)
		return 0;
	buf_printf(&place, "%s:%zu", path, number);
	err = form_read(grow(list), line, n, buf_text(&place), 1, why);
	buf_free(&place);
	if (err)
		err = leave_out(list, &list->form[list->n - 1], why);
	close_gaps(list);
	return err;
}

int forms_add_file(struct form_list *list, const char *path, struct reason *why)
{
	FILE *file = fopen(path, "re");
	const size_t before = list->n;
	size_t number = 0, room = 0;
	char *line = NULL;
	int err = 0;

	if (!file)
		return refuse(why, errno, "-f %s: %s", path, strerror(errno));
	while (!err && getline(&line, &room, file) > 0)
		err = read_form_line(list, path, ++number, line, why);
	if (!err && ferror(file))
		err = refuse(why, EIO, "-f %s: it can not be read", path);
	if (!err && list->n == before)
		err = refuse(why, EINVAL, "-f %s: there is no instruction in it", path);
	free(line);
	fclose(file);
	return err;
}

void forms_free(struct form_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		form_free(&list->form[i]);
	free(list->form);
	list->form = NULL;
	list->n = 0;
}

/* --- Templates: one copy of each instruction, decoded to find what it reads and writes --- */

struct paths {
	struct buf text, object, plain;
};

static void make_paths(struct paths *p, const char *folder)
{
	*p = (struct paths){0};
	buf_printf(&p->text, "%s/code.s", folder);
	buf_printf(&p->object, "%s/code.o", folder);
	buf_printf(&p->plain, "%s/code.bin", folder);
}

static void free_paths(struct paths *p)
{
	unlink(buf_text(&p->text));
	unlink(buf_text(&p->object));
	buf_free(&p->text);
	buf_free(&p->object);
	buf_free(&p->plain);
}

/* Returns the assembler's status; `output` receives its messages. */
static int assemble_templates(const struct form_list *list, struct paths *p, struct buf *output,
			      struct reason *why)
{
	struct buf text = {0};
	int err;

	buf_printf(&text, ".intel_syntax noprefix\n.text\n");
	for (size_t i = 0; i < list->n; i++) {
		buf_printf(&text, ".balign %d, 0xcc\n", SLOT);
		streams_template(&text, &list->form[i]);
		buf_printf(&text, "\n");
	}
	err = outfile_replace(buf_text(&p->text), &text, false, why);
	if (!err)
		err = binutils_assemble(buf_text(&p->text), buf_text(&p->object), output, why);
	buf_free(&text);
	return err;
}

static size_t form_of_line(size_t line)
{
	return line > HEAD_LINES ? (line - HEAD_LINES - 1) / PAIR_LINES : SIZE_MAX;
}

/* Takes the next error from `*at`, stores the form it is about, and returns -EINVAL; 0: no more. */
static int refuse_template(const struct form_list *list, const char **at, size_t *form,
			   struct reason *why)
{
	size_t line;
	char *message = binutils_error(at, &line);

	if (!message)
		return 0;
	*form = form_of_line(line);
	if (*form < list->n)
		form_refuse(&list->form[*form], list->form[*form].column, message, why);
	else
		refuse(why, EIO, "as: %s", message);
	free(message);
	return -EINVAL;
}

static int refuse_first(const struct form_list *list, const char *output, struct reason *why)
{
	const char *at = output;
	size_t ignored;

	return refuse_template(list, &at, &ignored, why)
		       ? -EINVAL
		       : refuse(why, EIO, "as: %.*s", (int)strcspn(output, "\n"), output);
}

/*
 * Omits all forms that the assembler refuses. -E: a refused form was typed, or an error belongs to
 * no form.
 */
static int leave_out_refused(struct form_list *list, const char *output, struct reason *why)
{
	const size_t before = list->n;
	const char *at = output;
	int err = 0;
	size_t i;

	while (!err && refuse_template(list, &at, &i, why)) {
		if (i >= list->n)
			err = -EINVAL;
		else if (list->form[i].mnemonic) /* this is the form's first error */
			err = leave_out(list, &list->form[i], why);
	}
	close_gaps(list);
	return !err && list->n == before ? refuse_first(list, output, why) : err;
}

/* --- Mnemonics alone --- */

/*
 * Adds all candidates of one mnemonic to `all`. The first is the mnemonic itself, without operands.
 */
static int list_candidate_forms(struct form_list *all, const struct form *bare, struct reason *why)
{
	const char *operands;
	int err = 0;

	for (unsigned i = 0; !err && (i == 0 || (operands = form_candidate(i - 1))); i++) {
		struct buf text = {0};

		buf_printf(&text, "%s%s%s", bare->mnemonic, i ? " " : "", i ? operands : "");
		err = form_read(grow(all), buf_text(&text), text.size, bare->place, bare->column,
				why);
		buf_free(&text);
	}
	return err;
}

/* Moves the candidates that the assembler accepts to `list`. If it accepts none, its first error
 * is reported. */
static int take_candidates(struct form_list *list, struct form_list *all, const char *output,
			   struct reason *why)
{
	bool *refused = memory_checked(calloc(all->n, sizeof(*refused)));
	const char *at = output;
	const size_t before = list->n;
	size_t line;
	char *message;
	int err = 0;

	while ((message = binutils_error(&at, &line))) {
		if (form_of_line(line) < all->n)
			refused[form_of_line(line)] = true;
		free(message);
	}
	for (size_t i = 0; i < all->n; i++)
		if (!refused[i] && !(list->n > before && !list->form[before].n)) {
			*grow(list) = all->form[i];
			list->form[list->n - 1].bare = false;
			list->form[list->n - 1].guessed = true;
			all->form[i] = (struct form){0};
		}
	if (list->n == before)
		err = refuse_first(all, output, why);
	free(refused);
	return err;
}

static int expand_form(struct form_list *list, const struct form *bare, struct paths *p,
		       struct reason *why)
{
	struct form_list all = {0};
	struct buf output = {0};
	int err = list_candidate_forms(&all, bare, why);

	if (!err)
		err = assemble_templates(&all, p, &output, why);
	if (err >= 0)
		err = take_candidates(list, &all, buf_text(&output), why);
	buf_free(&output);
	forms_free(&all);
	return err;
}

static int expand_forms(struct form_list *list, struct paths *p, struct reason *why)
{
	struct form_list found = *list;
	int err = 0;

	found.form = NULL;
	found.n = 0;
	for (size_t i = 0; i < list->n && !err; i++) {
		if (list->form[i].bare) {
			err = expand_form(&found, &list->form[i], p, why);
			if (err)
				err = leave_out(list, &list->form[i], why);
		} else {
			*grow(&found) = list->form[i];
			list->form[i] = (struct form){0};
		}
	}
	forms_free(list);
	*list = found;
	return err;
}

/* --- The program --- */

/* Prints a piece between two labels. */
static void print_part(struct buf *to, const char *name, size_t number, const struct buf *first,
		       const struct buf *second)
{
	buf_printf(to, "%s%zu:\n", name, number);
	if (first)
		buf_add(to, first->data, first->size);
	if (second)
		buf_add(to, second->data, second->size);
	buf_printf(to, "%s%zu_end:\n", name, number);
}

static void print_string(struct buf *to, const char *text)
{
	buf_printf(to, ".asciz \"");
	for (; *text; text++)
		buf_printf(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	buf_printf(to, "\"\n");
}

/* Returns the number of copies. They are more than any core has in flight, so that they do not
 * all overlap with reading the counters. Their instructions fill whole cycles on cores that are
 * 4, 5 or 6 wide. */
static unsigned copies_of(unsigned each)
{
	unsigned copies = (INSTRUCTIONS + each - 1) / each;

	while (copies * each % WHOLE)
		copies++;
	return copies;
}

/* Prints a struct bench_piece of bench/many_pieces.h. */
static void print_entry(struct buf *to, size_t form, size_t number, const struct piece *p)
{
	buf_printf(
		to,
		".quad name%zu, detail%zu, piece%zu, piece%zu_end, init%zu, init%zu_end, %u, %u, %d\n",
		form, number, number, number, number, number, p->each, copies_of(p->each),
		(int)p->role);
}

/* The source of the program, which grows in three parts. */
struct program {
	struct buf code, names, table;
	size_t n; /* pieces */
};

static void print_form(struct program *to, const struct form *form, size_t number,
		       const struct shape *shape)
{
	struct buf init = {0};
	struct piece *pieces = NULL;
	size_t n = 0;

	streams_init(&init, form, shape);
	pieces = streams_make(NULL, &n, form, shape);
	buf_printf(&to->names, "name%zu: ", number);
	print_string(&to->names, form->name);
	for (size_t i = 0; i < n; i++, to->n++) {
		print_part(&to->code, "init", to->n, &init, &pieces[i].init);
		print_part(&to->code, "piece", to->n, &pieces[i].code, NULL);
		buf_printf(&to->names, "detail%zu: ", to->n);
		print_string(&to->names, buf_text(&pieces[i].detail));
		print_entry(&to->table, number, to->n, &pieces[i]);
		piece_free(&pieces[i]);
	}
	free(pieces);
	buf_free(&init);
}

/* Prints form `i`, whose machine code is in `code`. */
static int print_template(struct program *to, const struct form *form, size_t i,
			  const struct buf *code, struct reason *why)
{
	struct shape shape;

	if (code->size < i * SLOT ||
	    shape_decode(&shape, form, code->data + i * SLOT, code->size - i * SLOT))
		return form_refuse(form, form->column, "Zydis does not know it", why);
	if (form->guessed && !shape.is_known)
		return 0;
	if (shape.branches)
		return form_refuse(form, form->column,
				   "it goes elsewhere, and no copy of it follows another", why);
	print_form(to, form, i, &shape);
	return 0;
}

static int print_forms(struct program *to, struct form_list *list, const struct buf *code,
		       struct reason *why)
{
	int err = 0;

	for (size_t i = 0; i < list->n && !err; i++) {
		err = print_template(to, &list->form[i], i, code, why);
		if (err)
			err = leave_out(list, &list->form[i], why);
	}
	return err || to->n ? err : refuse(why, EINVAL, "no instruction is left to be measured");
}

static void join_parts(struct buf *text, const struct program *parts)
{
	buf_printf(text, ".intel_syntax noprefix\n.text\n");
	buf_add(text, parts->code.data, parts->code.size);
	buf_printf(text, ".section .rodata\n");
	buf_add(text, parts->names.data, parts->names.size);
	buf_printf(text, ".balign 8\n.globl bench_pieces, bench_pieces_end\nbench_pieces:\n");
	buf_add(text, parts->table.data, parts->table.size);
	buf_printf(text, "bench_pieces_end:\n.section .note.GNU-stack, \"\", @progbits\n");
}

static int assemble_program(struct paths *p, const struct program *parts, struct reason *why)
{
	struct buf text = {0}, output = {0};
	int err;

	join_parts(&text, parts);
	err = outfile_replace(buf_text(&p->text), &text, false, why);
	if (!err)
		err = binutils_assemble(buf_text(&p->text), buf_text(&p->object), &output, why);
	if (err > 0)
		err = refuse(why, EIO, "as: %.*s", (int)strcspn(buf_text(&output), "\n"),
			     buf_text(&output));
	buf_free(&text);
	buf_free(&output);
	return err;
}

static int build_program(struct form_list *list, const struct buf *code, struct paths *p,
			 const char *program, struct reason *why)
{
	struct program parts = {0};
	char harness[PATH_MAX];
	int err = print_forms(&parts, list, code, why);

	if (!err)
		err = artifact_path(harness, sizeof(harness), ARTIFACT_PIECES, why);
	if (!err)
		err = assemble_program(p, &parts, why);
	if (!err)
		err = binutils_link(buf_text(&p->object), harness, program, why);
	buf_free(&parts.code);
	buf_free(&parts.names);
	buf_free(&parts.table);
	return err;
}

/* Assembles the forms that the assembler accepts, and omits the others. */
static int assemble_all(struct form_list *list, struct paths *p, struct reason *why)
{
	struct buf output = {0};
	int err;

	while ((err = assemble_templates(list, p, &output, why)) > 0) {
		err = leave_out_refused(list, buf_text(&output), why);
		output.size = 0;
		if (err)
			break;
	}
	buf_free(&output);
	return err;
}

int pieces_build(struct form_list *list, const char *folder, const char *program,
		 struct reason *why)
{
	struct buf code = {0};
	struct paths paths;
	int err;

	make_paths(&paths, folder);
	err = expand_forms(list, &paths, why);
	if (!err)
		err = assemble_all(list, &paths, why);
	if (!err)
		err = binutils_code(buf_text(&paths.object), buf_text(&paths.plain), &code, why);
	if (!err)
		err = build_program(list, &code, &paths, program, why);
	free_paths(&paths);
	buf_free(&code);
	return err;
}
