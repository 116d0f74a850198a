// SPDX-License-Identifier: BSD-2-Clause
/* toml.c - see toml.h. */
#include "tools/gate/toml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/printf.h"
#include "tools/util/buf.h"
#include "tools/util/index.h"
#include "tools/util/memory.h"

/* The state of the parser. A 0 byte terminates the text. */
struct toml_parser {
	struct toml *out;
	const char *at, *end, *line_start;
	size_t line; /* from 1 */
	struct reason *why;
	struct index tables; /* names of tables; each points to the first table with that name */
	struct index keys;   /* keys of the current table */
};

static size_t column_of(const struct toml_parser *p)
{
	return (size_t)(p->at - p->line_start) + 1;
}

static int refuse_here(const struct toml_parser *p, const char *what)
{
	return refuse(p->why, EINVAL, "%zu:%zu: %s", p->line, column_of(p), what);
}

static void skip_spaces(struct toml_parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
}

static void next_line(struct toml_parser *p)
{
	p->at++;
	p->line++;
	p->line_start = p->at;
}

static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == 127;
}

/* Skips a comment, up to the end of the line. */
static int skip_comment(struct toml_parser *p)
{
	if (*p->at != '#')
		return 0;
	for (; p->at < p->end && *p->at != '\n' && strncmp(p->at, "\r\n", 2); p->at++)
		if (is_control(*p->at))
			return refuse_here(p, "a control character in a comment");
	return 0;
}

static bool at_line_end(const struct toml_parser *p)
{
	return p->at == p->end || *p->at == '\n' || !strncmp(p->at, "\r\n", 2);
}

static int end_line(struct toml_parser *p)
{
	skip_spaces(p);
	if (skip_comment(p))
		return -EINVAL;
	if (!at_line_end(p))
		return refuse_here(p, "the line should end here");
	if (p->at < p->end) {
		p->at += *p->at == '\r';
		next_line(p);
	}
	return 0;
}

/* --- Strings --- */

static void add_utf8(struct buf *out, uint32_t c)
{
	char bytes[4];
	size_t n = 0;

	if (c < 0x80) {
		bytes[n++] = (char)c;
	} else if (c < 0x800) {
		bytes[n++] = (char)(0xc0 | c >> 6);
	} else if (c < 0x10000) {
		bytes[n++] = (char)(0xe0 | c >> 12);
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	} else {
		bytes[n++] = (char)(0xf0 | c >> 18);
		bytes[n++] = (char)(0x80 | (c >> 12 & 0x3f));
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	}
	if (c >= 0x80)
		bytes[n++] = (char)(0x80 | (c & 0x3f));
	buf_add(out, bytes, n);
}

/* Takes the `digits` hexadecimal digits of \u or \U. */
static int take_code_point(struct toml_parser *p, struct buf *out, int digits)
{
	uint32_t c = 0;

	for (int i = 0; i < digits; i++, p->at++) {
		const char *const hex = "0123456789abcdef";
		const char *at = *p->at ? strchr(hex, *p->at | 0x20) : NULL;

		if (!at || (*p->at & 0x1f) == *p->at)
			return refuse_here(p, "a hexadecimal digit should be here");
		c = c << 4 | (uint32_t)(at - hex);
	}
	if (!c || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return refuse_here(p, "this is no character");
	add_utf8(out, c);
	return 0;
}

static int take_escape(struct toml_parser *p, struct buf *out)
{
	static const char names[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
	const char c = *++p->at, *at = c ? strchr(names, c) : NULL;

	if (at) {
		buf_add(out, &values[at - names], 1);
		p->at++;
		return 0;
	}
	if (c != 'u' && c != 'U')
		return refuse_here(p,
				   "there is no such escape: \\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX "
				   "\\UXXXXXXXX are");
	p->at++;
	return take_code_point(p, out, c == 'u' ? 4 : 8);
}

/* Takes a "basic" or 'literal' string, and appends its value to `out`. */
static int take_string(struct toml_parser *p, struct buf *out)
{
	const char quote = *p->at;

	if (p->at[1] == quote && p->at[2] == quote)
		return refuse_here(p, "strings of several lines are not read here");
	p->at++;
	while (*p->at != quote) {
		if (at_line_end(p))
			return refuse_here(p, "the string does not end");
		if (is_control(*p->at))
			return refuse_here(p, "a control character in a string");
		if (*p->at == '\\' && quote == '"') {
			if (take_escape(p, out))
				return -EINVAL;
			continue;
		}
		buf_add(out, p->at++, 1);
	}
	p->at++;
	return 0;
}

static char *finish_text(struct buf *bytes)
{
	char *text = copy_text(buf_text(bytes), bytes->size);

	buf_free(bytes);
	return text;
}

/* --- Keys --- */

static bool is_bare(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

/* Returns the key, allocated; NULL with the reason. */
static char *take_key(struct toml_parser *p)
{
	struct buf key = {0};

	if (*p->at == '"' || *p->at == '\'') {
		if (take_string(p, &key)) {
			buf_free(&key);
			return NULL;
		}
		return finish_text(&key);
	}
	while (is_bare(*p->at))
		buf_add(&key, p->at++, 1);
	if (key.size)
		return finish_text(&key);
	refuse_here(p, "a key should be here");
	return NULL;
}

/* --- Values --- */

/* Copies digits, without the single underscores between them. */
static bool copy_digits(char *to, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] != '_')
			*to++ = text[i];
		else if (!i || i + 1 == n || !strchr("0123456789abcdefABCDEF", text[i - 1]) ||
			 text[i + 1] == '_')
			return false;
	}
	*to = '\0';
	return true;
}

static bool parse_integer(const char *text, size_t n, int64_t *value)
{
	static const struct {
		const char *prefix, *digits;
		int base;
	} bases[] = {{"0x", "0123456789abcdefABCDEF", 16}, {"0o", "01234567", 8}, {"0b", "01", 2}};
	const char *digits = "0123456789", *from;
	char copy[80];
	int base = 10;

	if (n >= sizeof(copy) || !copy_digits(copy, text, n))
		return false;
	from = copy;
	for (size_t i = 0; i < 3; i++)
		if (!strncmp(copy, bases[i].prefix, 2)) {
			base = bases[i].base;
			digits = bases[i].digits;
			from = copy + 2;
		}
	from += base == 10 && (*copy == '+' || *copy == '-');
	if (!*from || from[strspn(from, digits)] || (base == 10 && *from == '0' && from[1]))
		return false;
	errno = 0;
	*value = strtoll(base == 10 ? copy : from, NULL, base);
	return !errno;
}

/* Returns whether the text is digits with a point or a percent sign in it, as 1.5 or 2%. */
static bool is_fraction(const char *text)
{
	return *text >= '0' && *text <= '9' && strpbrk(text, ".%") &&
	       !text[strspn(text, "0123456789.%")];
}

/* Takes a value that is neither a string nor an array. */
static int take_word(struct toml_parser *p, struct toml_entry *entry)
{
	const size_t n = strcspn(p->at, " \t\r\n,]#");

	entry->text = copy_text(p->at, n);
	if (!strcmp(entry->text, "true") || !strcmp(entry->text, "false")) {
		entry->kind = TOML_BOOLEAN;
		entry->is_true = *entry->text == 't';
	} else if (parse_integer(p->at, n, &entry->number)) {
		entry->kind = TOML_INTEGER;
	} else if (*p->at == '{') {
		return refuse_here(p, "tables in one line are not read here");
	} else if (is_fraction(entry->text)) {
		return refuse_here(p, "a number that is not whole stands in quotes, as \"0.5%\"");
	} else {
		return refuse_here(
			p, n ? "this is no string, whole number, true, false or array of strings"
			     : "a value should be here");
	}
	p->at += n;
	return 0;
}

/* Skips blanks, comments and line ends in an array. */
static int skip_space(struct toml_parser *p)
{
	for (;;) {
		skip_spaces(p);
		if (skip_comment(p))
			return -EINVAL;
		if (p->at == p->end || !at_line_end(p))
			return 0;
		p->at += *p->at == '\r';
		next_line(p);
	}
}

static int take_item(struct toml_parser *p, struct toml_entry *entry)
{
	struct buf text = {0};

	if (*p->at != '"' && *p->at != '\'')
		return refuse_here(p, p->at == p->end ? "the array does not end"
						      : "a string should be here");
	if (take_string(p, &text)) {
		buf_free(&text);
		return -EINVAL;
	}
	entry->item = memory_grow(entry->item, entry->nitems, sizeof(*entry->item));
	entry->item[entry->nitems++] = finish_text(&text);
	return 0;
}

static int take_array(struct toml_parser *p, struct toml_entry *entry)
{
	entry->kind = TOML_ARRAY;
	p->at++;
	for (;;) {
		if (skip_space(p))
			return -EINVAL;
		if (*p->at == ']')
			break;
		if (take_item(p, entry) || skip_space(p))
			return -EINVAL;
		if (*p->at == ']')
			break;
		if (*p->at != ',')
			return refuse_here(p, p->at == p->end ? "the array does not end"
							      : "a comma or ] should be here");
		p->at++;
	}
	p->at++;
	return 0;
}

static int take_value(struct toml_parser *p, struct toml_entry *entry)
{
	struct buf text = {0};

	entry->line = p->line;
	entry->column = column_of(p);
	if (*p->at == '[')
		return take_array(p, entry);
	if (*p->at != '"' && *p->at != '\'')
		return take_word(p, entry);
	entry->kind = TOML_STRING;
	if (take_string(p, &text)) {
		buf_free(&text);
		return -EINVAL;
	}
	entry->text = finish_text(&text);
	return 0;
}

/* --- Lines --- */

static struct toml_table *last_table(const struct toml_parser *p)
{
	return &p->out->table[p->out->n - 1];
}

static int parse_toml_entry(struct toml_parser *p)
{
	struct toml_table *table = last_table(p);
	struct toml_entry *entry;
	const size_t column = column_of(p);
	const char *start = p->at;
	char *key = take_key(p);

	if (!key)
		return -EINVAL;
	if (index_find_text(&p->keys, key) != INDEX_NONE) {
		free(key);
		p->at = start;
		return refuse_here(p, "this key is there twice");
	}
	index_add_text(&p->keys, key, table->n);
	table->entry = memory_grow(table->entry, table->n, sizeof(*entry));
	entry = &table->entry[table->n++];
	*entry = (struct toml_entry){.key = key, .key_column = column, .line = p->line};
	skip_spaces(p);
	if (*p->at == '.')
		return refuse_here(p, "keys with dots are not read here");
	if (*p->at != '=')
		return refuse_here(p, "= should be here");
	p->at++;
	skip_spaces(p);
	return take_value(p, entry) ? -EINVAL : end_line(p);
}

static void add_table(struct toml_parser *p, char *name, bool is_array)
{
	struct toml *out = p->out;

	index_add_text(&p->tables, name, out->n);
	index_free(&p->keys);
	out->table = memory_grow(out->table, out->n, sizeof(*out->table));
	out->table[out->n++] =
		(struct toml_table){.name = name, .line = p->line, .is_array = is_array};
}

/*
 * Returns whether the name is in use. Only arrays of tables may repeat a name. The keys before all
 * tables form a table without a name.
 */
static bool is_taken(const struct toml_parser *p, const char *name, bool is_array)
{
	const size_t first = index_find_text(&p->tables, name);

	return first != INDEX_NONE && first && !(is_array && p->out->table[first].is_array);
}

static int take_table(struct toml_parser *p)
{
	const bool is_array = p->at[1] == '[';
	const char *start = p->at;
	char *name;

	p->at += 1 + is_array;
	skip_spaces(p);
	name = take_key(p);
	if (!name)
		return -EINVAL;
	if (is_taken(p, name, is_array)) {
		free(name);
		p->at = start;
		return refuse_here(p, "this table is there twice");
	}
	add_table(p, name, is_array);
	skip_spaces(p);
	if (*p->at == '.')
		return refuse_here(p, "tables in tables are not read here");
	if (*p->at != ']' || (is_array && p->at[1] != ']'))
		return refuse_here(p, is_array ? "]] should be here" : "] should be here");
	p->at += 1 + is_array;
	return end_line(p);
}

/* Refuses the first 0 byte, which would end the text for the other functions. */
static int refuse_zero(struct toml_parser *p)
{
	const char *zero = p->at + strlen(p->at), *end;

	while ((end = memchr(p->at, '\n', (size_t)(zero - p->at)))) {
		p->at = end;
		next_line(p);
	}
	p->at = zero;
	return refuse_here(p, "a byte 0: this is no text");
}

/* Editors of Windows begin a text with the mark of UTF-8. It is in no column. */
static void skip_mark(struct toml_parser *p)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (strncmp(p->at, mark, strlen(mark)) != 0)
		return;
	p->at += strlen(mark);
	p->line_start = p->at;
}

int toml_parse(struct toml *out, const char *text, size_t n, struct reason *why)
{
	char *copy = copy_text(text, n);
	struct toml_parser p = {
		.out = out, .at = copy, .end = copy + n, .line_start = copy, .line = 1, .why = why};
	int err = 0;

	add_table(&p, copy_text("", 0), false);
	if (strlen(copy) != n)
		err = refuse_zero(&p);
	else
		skip_mark(&p);
	while (!err && p.at < p.end) {
		skip_spaces(&p);
		if (*p.at == '[')
			err = take_table(&p);
		else if (at_line_end(&p) || *p.at == '#')
			err = end_line(&p);
		else
			err = parse_toml_entry(&p);
	}
	index_free(&p.tables);
	index_free(&p.keys);
	free(copy);
	return err;
}

static void free_entry(struct toml_entry *entry)
{
	for (size_t i = 0; i < entry->nitems; i++)
		free(entry->item[i]);
	free(entry->item);
	free(entry->key);
	free(entry->text);
}

void toml_free(struct toml *toml)
{
	for (size_t t = 0; t < toml->n; t++) {
		for (size_t i = 0; i < toml->table[t].n; i++)
			free_entry(&toml->table[t].entry[i]);
		free(toml->table[t].entry);
		free(toml->table[t].name);
	}
	free(toml->table);
	*toml = (struct toml){0};
}
