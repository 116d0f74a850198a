// SPDX-License-Identifier: BSD-2-Clause
/* flame_diff.c - see flame_diff.h. */
#include "tools/forms/flame_diff.h"

#include <math.h>
#include <stdlib.h>

#include "lib/printf.h"
#include "tools/forms/flame_layout.h"
#include "tools/picture/markup.h"
#include "tools/picture/svg.h"
#include "tools/util/memory.h"

#define NUMBER_MAX 32
#define ROWS_MOST  30   /* of the table */
#define PALEST     0.2  /* share of colour of the smallest difference */
#define DARK       0.75 /* share of colour from which letters are white */

/* The nodes below a top, which comes first. */
struct flame_diff {
	uint32_t *node; /* indexes of the tree */
	size_t n;
	struct flame_box *box;
	uint64_t (*sum)[STACK_SIDES]; /* of each and all below it */
	uint64_t most;                /* the largest difference of a node itself */
};

static int64_t own_difference(const struct stack_node *node)
{
	return (int64_t)(node->self[STACK_NEW] - node->self[STACK_OLD]);
}

static uint64_t amount(int64_t difference)
{
	return difference < 0 ? -(uint64_t)difference : (uint64_t)difference;
}

/* Takes the nodes in the order of the tree: a parent stands before its children. */
static void take_nodes(struct flame_diff *d, const struct stack_tree *tree, uint32_t top)
{
	uint32_t *place = memory_checked(calloc(tree->n + 1, sizeof(*place))); /* from 1 */

	d->node = memory_checked(calloc(tree->n + 1, sizeof(*d->node)));
	d->box = memory_checked(calloc(tree->n + 1, sizeof(*d->box)));
	d->sum = memory_checked(calloc(tree->n + 1, sizeof(*d->sum)));
	for (uint32_t i = top; i < tree->n; i++) {
		const uint32_t parent = place[tree->node[i].parent];

		if (i != top && !parent)
			continue;
		d->box[d->n].parent = i == top ? 0 : parent - 1;
		d->node[d->n++] = i;
		place[i] = (uint32_t)d->n;
	}
	free(place);
}

static void sum_nodes(struct flame_diff *d, const struct stack_tree *tree)
{
	for (size_t i = d->n; i--;) {
		const struct stack_node *node = &tree->node[d->node[i]];
		const uint64_t by = amount(own_difference(node)), old = node->self[STACK_OLD],
			       new = node->self[STACK_NEW];

		d->most = by > d->most ? by : d->most;
		d->box[i].total += old > new ? old : new;
		d->sum[i][STACK_OLD] += old;
		d->sum[i][STACK_NEW] += new;
		if (!i)
			break;
		d->box[d->box[i].parent].total += d->box[i].total;
		for (int side = 0; side < STACK_SIDES; side++)
			d->sum[d->box[i].parent][side] += d->sum[i][side];
	}
}

static struct flame_diff begin_diff(const struct stack_tree *tree, uint32_t top)
{
	struct flame_diff d = {0};

	take_nodes(&d, tree, top);
	sum_nodes(&d, tree);
	return d;
}

static void end_diff(struct flame_diff *d)
{
	free(d->node);
	free(d->box);
	free(d->sum);
}

static const char *signed_number(char text[NUMBER_MAX], int64_t difference)
{
	*text = difference < 0 ? '-' : '+';
	fmt_print(text + 1, NUMBER_MAX - 1, "%'llu", (unsigned long long)amount(difference));
	return text;
}

/* --- The picture --- */

/* Returns the share of colour of a node, from 0 to 1. */
static double colour_share(const struct flame_diff *d, int64_t by)
{
	return by ? PALEST + (1 - PALEST) * (double)amount(by) / (double)d->most : 0;
}

/* Mixes grey with red for more, or with blue for less. */
static void add_diff_colour(struct buf *out, const struct flame_diff *d, int64_t by)
{
	static const int grey[] = {0xe6, 0xe6, 0xe2}, red[] = {0xc6, 0x28, 0x28},
			 blue[] = {0x15, 0x65, 0xc0};
	const int *to = by < 0 ? blue : red;
	const double share = colour_share(d, by);

	buf_printf(out, "#");
	for (int i = 0; i < 3; i++)
		buf_printf(out, "%02x", (unsigned)lround(grey[i] + share * (to[i] - grey[i])));
}

static void add_diff_tip(struct buf *out, const struct flame_diff *d, size_t i,
			 const struct stack_node *node)
{
	const uint64_t old = d->sum[i][STACK_OLD], new = d->sum[i][STACK_NEW];
	char was[NUMBER_MAX], now[NUMBER_MAX], by[NUMBER_MAX], self[NUMBER_MAX];

	fmt_print(was, sizeof(was), "%'llu", (unsigned long long)old);
	fmt_print(now, sizeof(now), "%'llu", (unsigned long long)new);
	buf_printf(out, "<title>");
	markup_printf(out, "%s: %s -> %s (%s), self %s", node->name, was, now,
		      signed_number(by, (int64_t)(new - old)),
		      signed_number(self, own_difference(node)));
	buf_printf(out, "</title>");
}

static void add_diff_box(struct buf *out, const struct flame_diff *d, size_t i,
			 const struct stack_node *node, unsigned height)
{
	const double y = FLAME_HEIGHT * (height - d->box[i].depth);
	const int64_t by = own_difference(node);

	buf_printf(out, "<g>");
	add_diff_tip(out, d, i, node);
	buf_printf(
		out,
		"<rect class=\"edge\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"",
		d->box[i].x, y, flame_width(d->box, i), FLAME_HEIGHT - 1);
	add_diff_colour(out, d, by);
	buf_printf(out, "\"/>");
	flame_label(out, d->box, i, y, node->name, colour_share(d, by) > DARK ? "#fff" : "#1a1a1a");
	buf_printf(out, "</g>\n");
}

void flame_diff_svg(struct buf *out, const struct stack_tree *tree, uint32_t top)
{
	struct flame_diff d = begin_diff(tree, top);
	const unsigned height = flame_layout(d.box, d.n);

	svg_begin(out, FLAME_WIDTH, FLAME_HEIGHT * (double)height, tree->node[top].name, false);
	for (size_t i = 1; i < d.n; i++)
		if (flame_is_shown(d.box, i))
			add_diff_box(out, &d, i, &tree->node[d.node[i]], height);
	svg_end(out);
	end_diff(&d);
}

/* --- The table --- */

struct diff_row {
	uint32_t node;
	int64_t by;
};

static int compare_diff_rows(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;

	if (amount(x->by) != amount(y->by))
		return amount(x->by) > amount(y->by) ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static void add_diff_row(struct buf *out, const char *name, uint64_t old, uint64_t new)
{
	const int64_t by = (int64_t)(new - old);
	char text[NUMBER_MAX];

	buf_printf(out, "<tr><td class=\"name\">");
	markup_add(out, name);
	for (int side = 0; side < STACK_SIDES; side++) {
		fmt_print(text, sizeof(text), "%llu",
			  (unsigned long long)(side == STACK_NEW ? new : old));
		buf_printf(out, "</td><td class=\"v\">");
		markup_number(out, text);
	}
	fmt_print(text, sizeof(text), "%llu", (unsigned long long)amount(by));
	buf_printf(out, "</td><td class=\"v\">%s", by < 0 ? "-" : "+");
	markup_number(out, text);
	buf_printf(out, "</td></tr>\n");
}

/* Adds the rows of single stacks, and takes their counts off `left`. */
static void add_stack_rows(struct buf *out, const struct stack_tree *tree, uint32_t top,
			   const struct diff_row *row, size_t n, uint64_t left[STACK_SIDES])
{
	struct buf name = {0};

	for (size_t i = 0; i < n && i < ROWS_MOST; i++) {
		const uint64_t *self = tree->node[row[i].node].self;

		name.size = 0;
		stack_tree_path(&name, tree, top, row[i].node, " > ");
		add_diff_row(out, buf_text(&name), self[STACK_OLD], self[STACK_NEW]);
		left[STACK_OLD] -= self[STACK_OLD];
		left[STACK_NEW] -= self[STACK_NEW];
	}
	buf_free(&name);
}

void flame_diff_table(struct buf *out, const struct stack_tree *tree, uint32_t top)
{
	struct flame_diff d = begin_diff(tree, top);
	struct diff_row *row = memory_checked(calloc(d.n + 1, sizeof(*row)));
	uint64_t left[STACK_SIDES] = {d.sum[0][STACK_OLD], d.sum[0][STACK_NEW]};
	size_t n = 0;

	for (size_t i = 0; i < d.n; i++) {
		const int64_t by = own_difference(&tree->node[d.node[i]]);

		if (by)
			row[n++] = (struct diff_row){d.node[i], by};
	}
	qsort(row, n, sizeof(*row), compare_diff_rows);
	buf_printf(
		out,
		"<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>stack</th><th class=\"v\">"
		"baseline</th><th class=\"v\">now</th><th class=\"v\">by</th></tr></thead>"
		"<tbody>\n");
	add_stack_rows(out, tree, top, row, n, left);
	add_diff_row(out, "all others", left[STACK_OLD], left[STACK_NEW]);
	add_diff_row(out, "sum", d.sum[0][STACK_OLD], d.sum[0][STACK_NEW]);
	buf_printf(out, "</tbody></table></div>\n");
	free(row);
	end_diff(&d);
}
