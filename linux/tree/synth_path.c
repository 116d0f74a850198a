// SPDX-License-Identifier: BSD-2-Clause
/*
 * synth_path.c - see synth_path.h. The rows of a directory are adjacent, so the parts that each row
 * shares with the row before tell where a directory begins and ends. No path is compared for that.
 */
#include "linux/tree/synth_path.h"

#include "lib/string.h"

#include <linux/errno.h>

struct synth_domains synth_domains;

/* A piece of a text. */
struct part {
	const char *at;
	unsigned length;
};

/* One part of a path: the text before, in and behind <>. */
struct pattern {
	struct part before, word, behind; /* word.at NULL: there is none, all is `before` */
};

static bool same_part(struct part a, struct part b)
{
	return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* Part `depth` of a path; false: it has no such part. */
static bool has_part(const char *path, unsigned depth, struct part *part)
{
	const char *end;

	for (; depth && path; depth--)
		path = strchr(path + 1, '/');
	if (!path) {
		*part = (struct part){0};
		return false;
	}
	end = strchr(path + 1, '/');
	part->at = path + 1;
	part->length = (unsigned)(end ? (size_t)(end - part->at) : strlen(part->at));
	return true;
}

/* By row, in parts of paths: of its own one, and those that it has in common with the row before.
 */
static struct {
	uint8_t depth, common;
} shape[SYNTH_ROWS_MOST];

static unsigned count_common(const char *a, const char *b)
{
	struct part of_a, of_b;
	unsigned n = 0;

	while (has_part(a, n, &of_a) && has_part(b, n, &of_b) && same_part(of_a, of_b))
		n++;
	return n;
}

void synth_prepare_paths(void)
{
	for (unsigned row = 0; row < synth_nrows; row++) {
		const char *path = synth_rows[row].path;

		shape[row].depth = (uint8_t)count_common(path, path);
		shape[row].common =
			(uint8_t)(row ? count_common(synth_rows[row - 1].path, path) : 0);
	}
}

unsigned synth_depth(unsigned row)
{
	return shape[row].depth;
}

/* Has the row `depth` parts, which are those of the row before? */
static bool continues(unsigned row, unsigned depth)
{
	return row && row < synth_nrows && shape[row].common >= depth;
}

static struct pattern pattern_of(struct part part)
{
	struct pattern p = {.before = part};
	unsigned open = 0, close;

	while (open < part.length && part.at[open] != '<')
		open++;
	if (open == part.length)
		return p;
	for (close = open; part.at[close] != '>'; close++)
		;
	p.before.length = open;
	p.word = (struct part){part.at + open + 1, close - open - 1};
	p.behind = (struct part){part.at + close + 1, part.length - close - 1};
	return p;
}

/* The number of words in the first `depth` parts. */
static unsigned words_in(unsigned row, unsigned depth)
{
	struct part part;
	unsigned words = 0;

	for (unsigned i = 0; i < depth && has_part(synth_rows[row].path, i, &part); i++)
		words += pattern_of(part).word.at != NULL;
	return words;
}

/* --- Domains --- */

static const struct {
	const char *word;
	const struct synth_domain *domain;
} domains[] = {
#define X(name) {#name, &synth_domains.name},
	SYNTH_DOMAINS(X)
#undef X
};

static const struct synth_domain *domain_of(struct part word)
{
	for (unsigned i = 0; i < sizeof(domains) / sizeof(*domains); i++)
		if (same_part(word,
			      (struct part){domains[i].word, (unsigned)strlen(domains[i].word)}))
			return domains[i].domain;
	return NULL;
}

/* Gets the next value from `*at` on; false: none. */
static bool domain_next(const struct synth_domain *domain, const uint64_t *id, uint64_t *at)
{
	return domain->next && domain->next(id, at) && *at < UINT32_MAX;
}

static void domain_name(const struct synth_domain *domain, const uint64_t *id, uint64_t at,
			struct text *name)
{
	if (domain->name)
		domain->name(id, at, name);
	else
		text_print(name, "%llu", (unsigned long long)at);
}

/* Reads a number without leading zeros. */
static bool read_decimal(struct part text, uint64_t *value)
{
	*value = 0;
	if (!text.length || text.length > 10 || (text.at[0] == '0' && text.length > 1))
		return false;
	for (unsigned i = 0; i < text.length; i++) {
		if (text.at[i] < '0' || text.at[i] > '9')
			return false;
		*value = *value * 10 + (uint64_t)(text.at[i] - '0');
	}
	return true;
}

static int find_by_name(const struct synth_domain *domain, const uint64_t *id, struct part text,
			uint64_t *at)
{
	for (*at = 0; domain_next(domain, id, at); (*at)++) {
		struct text name = {0};
		int found;

		domain_name(domain, id, *at, &name);
		found = name.failed
				? -ENOMEM
				: same_part(text, (struct part){name.bytes, (unsigned)name.size});
		text_free(&name);
		if (found)
			return found;
	}
	return 0;
}

static int find_in_domain(const struct synth_domain *domain, const uint64_t *id, struct part text,
			  uint64_t *at)
{
	uint64_t wanted;

	if (domain->name)
		return find_by_name(domain, id, text, at);
	if (!read_decimal(text, &wanted))
		return 0;
	*at = wanted;
	return domain_next(domain, id, at) && *at == wanted;
}

/* --- Rows of a directory --- */

/* Does the row exist in that directory? */
static bool row_is_there(const struct synth_node *dir, unsigned row)
{
	const struct synth_writer *writer = synth_rows[row].writer;

	if (!writer)
		return true;
	if (writer->there && words_in(row, dir->depth) && !writer->there(dir->id))
		return false;
	return writer->write || writer->jump || writer->open;
}

/* The first row of the directory. */
static unsigned first_row(const struct synth_node *dir)
{
	unsigned row = dir->row;

	while (continues(row, dir->depth))
		row--;
	return row;
}

/* Is it the first row of the directory with its part there? Then does any row with it exist? */
static bool begins_part(const struct synth_node *dir, unsigned row, struct part *part)
{
	const unsigned depth = dir->depth + 1;

	if (continues(row, depth) || !has_part(synth_rows[row].path, dir->depth, part))
		return false;
	do {
		if (row_is_there(dir, row))
			return true;
	} while (continues(++row, depth));
	return false;
}

static int match_part(const struct synth_node *dir, struct part part, struct part name,
		      uint64_t *at)
{
	const struct pattern p = pattern_of(part);
	const unsigned around = p.before.length + p.behind.length;

	if (!p.word.at)
		return same_part(part, name);
	if (name.length <= around || memcmp(name.at, p.before.at, p.before.length) != 0 ||
	    memcmp(name.at + name.length - p.behind.length, p.behind.at, p.behind.length) != 0)
		return 0;
	return find_in_domain(domain_of(p.word), dir->id,
			      (struct part){name.at + p.before.length, name.length - around}, at);
}

static void make_child(const struct synth_node *dir, unsigned row, bool is_word, uint64_t at,
		       struct synth_node *child)
{
	*child = *dir;
	child->row = row;
	child->depth = dir->depth + 1;
	if (is_word)
		child->id[words_in(row, dir->depth)] = at;
}

int synth_find(const struct synth_node *dir, const char *name, unsigned length,
	       struct synth_node *child)
{
	unsigned row = first_row(dir);
	struct part part;
	uint64_t at = 0;
	int found = 0;

	do {
		if (begins_part(dir, row, &part))
			found = match_part(dir, part, (struct part){name, length}, &at);
		if (found > 0)
			make_child(dir, row, pattern_of(part).word.at, at, child);
	} while (!found && continues(++row, dir->depth));
	return found;
}

/* --- Lists --- */

/* A cookie has the row, counted from 1, above this bit. Below it is the number behind the last
 * listed value of the row's word. */
#define COOKIE_ROW_BIT 33
#define COOKIE_AT      ((1ull << COOKIE_ROW_BIT) - 1)

static void add_part(struct text *text, struct part part)
{
	text_add(text, part.at, part.length);
}

static void name_child(const struct synth_node *dir, struct part part, uint64_t at,
		       struct text *name)
{
	const struct pattern p = pattern_of(part);

	add_part(name, p.before);
	if (p.word.at)
		domain_name(domain_of(p.word), dir->id, at, name);
	if (p.word.at)
		add_part(name, p.behind);
}

/* Is there a child by that row, with a value from `*at` on? `fresh`: no child by that row was
 * listed yet. */
static bool child_by_row(const struct synth_node *dir, struct part part, bool fresh, uint64_t *at)
{
	const struct pattern p = pattern_of(part);

	return p.word.at ? domain_next(domain_of(p.word), dir->id, at) : fresh;
}

int synth_next(const struct synth_node *dir, uint64_t *cookie, struct synth_node *child,
	       struct text *name)
{
	const bool begins = *cookie <= COOKIE_PARENT;
	const unsigned last = begins ? 0 : (unsigned)(*cookie >> COOKIE_ROW_BIT) - 1;
	unsigned row = first_row(dir);
	struct part part;

	while (!begins && row != last) /* a program may set any position */
		if (!continues(++row, dir->depth))
			return 0;
	do {
		const bool fresh = begins || row != last;
		uint64_t at = fresh ? 0 : *cookie & COOKIE_AT;

		if (!begins_part(dir, row, &part) || !child_by_row(dir, part, fresh, &at))
			continue;
		make_child(dir, row, pattern_of(part).word.at, at, child);
		name_child(dir, part, at, name);
		*cookie = (uint64_t)(row + 1) << COOKIE_ROW_BIT | (at + 1);
		return name->failed ? -ENOMEM : 1;
	} while (continues(++row, dir->depth));
	return 0;
}

void synth_path(const struct synth_node *node, struct text *path)
{
	struct part part;

	for (unsigned depth = 0; depth < node->depth; depth++) {
		struct synth_node dir = {.row = node->row, .depth = depth};

		memcpy(dir.id, node->id, sizeof(dir.id));
		has_part(synth_rows[node->row].path, depth, &part);
		text_add(path, "/", 1);
		name_child(&dir, part, node->id[words_in(node->row, depth) % SYNTH_IDS], path);
	}
}

/* FNV-1a of 64 bits, above the numbers of other inodes. */
uint64_t synth_number(const struct synth_node *node)
{
	const uint64_t words[] = {first_row(node), node->depth, node->id[0], node->id[1],
				  node->id[2]};
	uint64_t hash = 0xcbf29ce484222325;

	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		hash = (hash ^ words[i]) * 0x100000001b3;
	return hash >> 16 | 1ull << 48;
}
