// SPDX-License-Identifier: BSD-2-Clause
/* stack_tree.c - see stack_tree.h. */
#include "tools/profile/stack_tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"
#include "tools/util/plainbuf.h"

/* --- Nodes --- */

/* Semicolons separate functions. */
static void add_tree_frame(struct buf *out, const char *name)
{
	const size_t start = out->size;

	plain_add(out, name, strlen(name));
	for (size_t i = start; i < out->size; i++)
		if (out->data[i] == ';')
			out->data[i] = ':';
}

static uint32_t find_plain(const struct stack_tree *tree, uint32_t parent, const char *plain)
{
	uint32_t at = tree->n ? tree->node[parent].child : 0;

	while (at && strcmp(tree->node[at].name, plain) != 0)
		at = tree->node[at].next;
	return at;
}

uint32_t stack_tree_find(const struct stack_tree *tree, uint32_t parent, const char *name)
{
	struct buf plain = {0};
	uint32_t at;

	add_tree_frame(&plain, name);
	at = find_plain(tree, parent, buf_text(&plain));
	buf_free(&plain);
	return at;
}

static uint32_t add_node(struct stack_tree *tree, uint32_t parent, const char *name)
{
	const uint32_t at = (uint32_t)tree->n;

	tree->node = memory_grow(tree->node, tree->n, sizeof(*tree->node));
	tree->node[tree->n++] =
		(struct stack_node){.name = copy_text(name, strlen(name)), .parent = parent};
	if (at) {
		tree->node[at].next = tree->node[parent].child;
		tree->node[parent].child = at;
	}
	return at;
}

uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, const char *name)
{
	struct buf plain = {0};
	uint32_t at;

	if (!tree->n)
		add_node(tree, 0, "");
	add_tree_frame(&plain, name);
	at = find_plain(tree, parent, buf_text(&plain));
	if (!at)
		at = add_node(tree, parent, buf_text(&plain));
	buf_free(&plain);
	return at;
}

void stack_tree_path(struct buf *out, const struct stack_tree *tree, uint32_t top, uint32_t node,
		     const char *between)
{
	uint32_t *way = NULL;
	size_t n = 0;

	for (; node != top && node; node = tree->node[node].parent) {
		way = memory_grow(way, n, sizeof(*way));
		way[n++] = node;
	}
	while (n--)
		buf_printf(out, "%s%s", tree->node[way[n]].name, n ? between : "");
	free(way);
}

uint64_t stack_tree_sum(const struct stack_tree *tree, uint32_t node, enum stack_side side)
{
	bool *is_below = memory_checked(calloc(tree->n + 1, sizeof(*is_below)));
	uint64_t sum = 0;

	for (size_t i = node; i < tree->n; i++) {
		is_below[i] = i == node || is_below[tree->node[i].parent];
		sum += is_below[i] ? tree->node[i].self[side] : 0;
	}
	free(is_below);
	return sum;
}

void stack_tree_free(struct stack_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++)
		free(tree->node[i].name);
	free(tree->node);
	*tree = (struct stack_tree){0};
}

/* --- Text --- */

static int compare_stack_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void stack_tree_write(struct buf *out, const struct stack_tree *tree, enum stack_side side)
{
	char **line = memory_checked(calloc(tree->n + 1, sizeof(*line)));
	struct buf text = {0};
	size_t n = 0;

	for (uint32_t i = 1; i < tree->n; i++) {
		if (!tree->node[i].self[side])
			continue;
		text.size = 0;
		stack_tree_path(&text, tree, 0, i, ";");
		buf_printf(&text, " %" PRIu64 "\n", tree->node[i].self[side]);
		line[n++] = copy_text(buf_text(&text), text.size);
	}
	qsort(line, n, sizeof(*line), compare_stack_lines);
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, "%s", line[i]);
		free(line[i]);
	}
	buf_free(&text);
	free(line);
}

static bool take_stack(struct stack_tree *tree, enum stack_side side, char *line)
{
	char *count = strrchr(line, ' '), *end, *name;
	uint32_t at = 0;
	uint64_t self;

	if (!count || count == line || count[1] < '0' || count[1] > '9')
		return false;
	errno = 0;
	self = strtoull(count + 1, &end, 10);
	if (*end || errno)
		return false;
	*count = '\0';
	while ((name = strsep(&line, ";")))
		at = stack_tree_child(tree, at, name);
	tree->node[at].self[side] += self;
	return true;
}

int stack_tree_read(struct stack_tree *tree, enum stack_side side, const char *text, size_t n,
		    struct reason *why)
{
	char *copy = copy_text(text, n), *rest = copy, *line;
	size_t number = 0;
	int err = 0;

	while (!err && (line = strsep(&rest, "\n"))) {
		number++;
		if (*line && !take_stack(tree, side, line))
			err = refuse(why, EINVAL, "line %zu: this is no stack with a count",
				     number);
	}
	free(copy);
	return err;
}
