// SPDX-License-Identifier: BSD-2-Clause
/* code_source.c - see code_source.h. */
#include "tools/bench/code_source.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/bench.h"

#define NOP_MOST 15

static const struct {
	const char *symbol, *assembly, *machine;
} parts[BENCH_PARTS] = {
	[BENCH_ONCE] = {"once", "--asm-one-time-init", "--code-one-time-init"},
	[BENCH_INIT] = {"init", "--asm-init", "--code-init"},
	[BENCH_LATE_INIT] = {"late_init", "--asm-late-init", "--code-late-init"},
	[BENCH_CODE] = {"code", "--asm", "--code"},
	[BENCH_SIBLING] = {"sibling", "--sibling", "--sibling"},
};

const char *source_option(enum bench_part part, bool is_machine)
{
	return is_machine ? parts[part].machine : parts[part].assembly;
}

/* --- Lines --- */

static void add_line(struct source *s, enum bench_part part, size_t column, const char *text,
		     size_t n)
{
	const struct source_line line = {part, column};

	buf_add(&s->text, text, n);
	buf_add(&s->text, "\n", 1);
	buf_add(&s->lines, &line, sizeof(line));
}

static void add_own(struct source *s, const char *format, const char *word)
{
	struct buf line = {0};

	buf_printf(&line, format, word);
	add_line(s, BENCH_CODE, 0, buf_text(&line), line.size);
	buf_free(&line);
}

/*
 * Adds a NOP of `n` bytes: SDM vol. 2, "NOP". Longer ones put more prefixes before the longest one
 * there.
 */
static void add_nop(struct source *s, enum bench_part part, size_t column, unsigned n)
{
	static const char *const nops[] = {
		"0x90",
		"0x66,0x90",
		"0x0f,0x1f,0x00",
		"0x0f,0x1f,0x40,0x00",
		"0x0f,0x1f,0x44,0x00,0x00",
		"0x66,0x0f,0x1f,0x44,0x00,0x00",
		"0x0f,0x1f,0x80,0x00,0x00,0x00,0x00",
		"0x0f,0x1f,0x84,0x00,0x00,0x00,0x00,0x00",
	};
	const unsigned longest = sizeof(nops) / sizeof(nops[0]);
	struct buf line = {0};

	buf_printf(&line, ".byte ");
	for (; n > longest; n--)
		buf_printf(&line, "0x66,");
	buf_printf(&line, "%s", nops[n - 1]);
	add_line(s, part, column, buf_text(&line), line.size);
	buf_free(&line);
}

/* --- Statements --- */

/* A statement ends at a semicolon or at a line's end outside of quotes. */
static size_t statement_length(const char *text)
{
	bool quoted = false;
	size_t n = 0;

	for (; text[n] && (quoted || (text[n] != ';' && text[n] != '\n')); n++) {
		if (text[n] == '\\' && quoted && text[n + 1])
			n++;
		else if (text[n] == '"')
			quoted = !quoted;
	}
	return n;
}

/* Names the place of a statement: its column in the option's text, or its line of a list. */
static int refuse_statement(const struct source *s, enum bench_part part, size_t column,
			    const char *what, struct reason *why)
{
	if (part == BENCH_CODE && s->place)
		return refuse(why, EINVAL, "%s:%zu: %s", s->place, s->column + column - 1, what);
	return refuse(why, EINVAL, "%s: column %zu: %s", parts[part].assembly, column, what);
}

static int refuse_nop(const struct source *s, enum bench_part part, size_t column, const char *text,
		      size_t n, struct reason *why)
{
	struct buf what = {0};

	buf_printf(&what, "'%.*s' is no NOP of 1 to %d bytes, |1 to |%d", (int)n, text, NOP_MOST,
		   NOP_MOST);
	refuse_statement(s, part, column, buf_text(&what), why);
	buf_free(&what);
	return -EINVAL;
}

static int add_statement(struct source *s, enum bench_part part, size_t column, const char *text,
			 size_t n, struct reason *why)
{
	unsigned long bytes;
	char *end;

	if (text[0] != '|') {
		add_line(s, part, column, text, n);
		return 0;
	}
	bytes = strtoul(text + 1, &end, 10);
	if (!isdigit((unsigned char)text[1]) || end != text + n || bytes < 1 || bytes > NOP_MOST)
		return refuse_nop(s, part, column, text, n, why);
	add_nop(s, part, column, (unsigned)bytes);
	return 0;
}

static int add_assembly(struct source *s, enum bench_part part, const char *text,
			struct reason *why)
{
	const char *at = text;
	int err = 0;

	while (*at && !err) {
		const size_t all = statement_length(at);
		const char *begin = at + strspn(at, " \t");
		size_t n = begin < at + all ? (size_t)(at + all - begin) : 0;

		while (n && isspace((unsigned char)begin[n - 1]))
			n--;
		if (n)
			err = add_statement(s, part, (size_t)(begin - text) + 1, begin, n, why);
		at += all + !!at[all];
	}
	return err;
}

/* Adds a directive with a string. */
static void add_quoted(struct source *s, const char *directive, const char *text, size_t most)
{
	struct buf line = {0};

	buf_printf(&line, "%s \"", directive);
	for (size_t i = 0; i < most && text[i]; i++) {
		const unsigned char c = (unsigned char)text[i];

		if (c == '"' || c == '\\')
			buf_printf(&line, "\\%c", c);
		else if (c < ' ')
			buf_printf(&line, " ");
		else
			buf_printf(&line, "%c", c);
	}
	buf_printf(&line, "\"");
	add_line(s, BENCH_CODE, 0, buf_text(&line), line.size);
	buf_free(&line);
}

/* Returns the name of the results: the code, or the name of its file. */
static const char *name_of(const struct bench_options *options)
{
	const char *file = options->machine[BENCH_CODE], *slash;

	if (options->title)
		return options->title;
	if (options->assembly[BENCH_CODE])
		return options->assembly[BENCH_CODE];
	slash = file ? strrchr(file, '/') : NULL;
	return slash ? slash + 1 : file ? file : "nothing";
}

static int add_code_part(struct source *s, const struct bench_options *options,
			 enum bench_part part, struct reason *why)
{
	int err = 0;

	add_own(s, ".globl code_%s", parts[part].symbol);
	add_own(s, ".globl code_%s_end", parts[part].symbol);
	add_own(s, "code_%s:", parts[part].symbol);
	if (options->machine[part])
		add_quoted(s, ".incbin", options->machine[part], SIZE_MAX);
	else if (options->assembly[part])
		err = add_assembly(s, part, options->assembly[part], why);
	add_own(s, ".text%s", "");
	add_own(s, "code_%s_end:", parts[part].symbol);
	return err;
}

int source_make(struct source *source, const struct bench_options *options, struct reason *why)
{
	int err = 0;

	*source = (struct source){.place = options->place, .column = options->column};
	add_own(source, "%s", options->att ? ".att_syntax prefix" : ".intel_syntax noprefix");
	add_own(source, ".text%s", "");
	for (unsigned i = 0; i < BENCH_PARTS && !err; i++)
		err = add_code_part(source, options, (enum bench_part)i, why);
	add_own(source, ".section .rodata%s", "");
	add_own(source, ".globl %s", "code_name");
	add_own(source, "%s:", "code_name");
	add_quoted(source, ".asciz", name_of(options), BENCH_NAME_MAX);
	add_own(source, ".section %s", ".note.GNU-stack, \"\", @progbits");
	return err;
}

void source_free(struct source *source)
{
	buf_free(&source->text);
	buf_free(&source->lines);
}

int source_refuse(const struct source *source, size_t line, const char *message, struct reason *why)
{
	const struct source_line *lines = (const void *)source->lines.data;
	const size_t n = source->lines.size / sizeof(*lines);

	if (line < 1 || line > n || !lines[line - 1].column)
		return refuse(why, EINVAL, "the code is refused by the assembler: %s", message);
	return refuse_statement(source, lines[line - 1].part, lines[line - 1].column, message, why);
}
