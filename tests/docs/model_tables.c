// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_tables.c - prints the tables of docs/MODEL.md from the code. `make reference` puts them
 * there, and tests/e2e/tools/model.sh compares them.
 */
#include "include/perf0/events_count.h"
#include "vpmu/micro/micro.h"

#include <stdio.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))
#define CORES     7

static const struct geometry *cores[CORES];

static void find_cores(void)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "spr", "zen4"};
	unsigned n = 0;

	for (size_t i = 0; i < LENGTH(names); i++) {
		cores[n++] = vpmu_geometry(names[i]);
		if (cores[n - 1]->small) {
			cores[n] = cores[n - 1]->small;
			n++;
		}
	}
}

typedef void cell_fn(const struct geometry *g);

static void put_row(const char *name, cell_fn *cell)
{
	printf("| %s |", name);
	for (unsigned i = 0; i < CORES; i++) {
		putchar(' ');
		cell(cores[i]);
		printf(" |");
	}
	putchar('\n');
}

/* --- Caches --- */

static void put_cache(const struct geometry_cache *c)
{
	static const char *const holds[] = {"", ", inclusive", ", victims"};
	static const char *const shared[] = {"", ", a module's", ""};

	if (c->kib % 1024)
		printf("%u KiB", c->kib);
	else
		printf("%u MiB", c->kib / 1024);
	printf(", %u ways%s%s; %u cycles", c->ways, holds[c->holds], shared[c->shared], c->cycles);
}

/* --- TLBs --- */

static void put_pages(uint8_t pages)
{
	static const char *const names[] = {"4K", "2M", "1G"};
	bool first = true;

	for (unsigned i = 0; i < LENGTH(names); i++)
		if (pages >> i & 1) {
			printf("%s%s", first ? "" : "+", names[i]);
			first = false;
		}
}

static void put_tlb(const struct geometry_tlb *rows)
{
	if (!rows->entries)
		printf("-");
	for (unsigned i = 0; i < GEOMETRY_TLBS && rows[i].entries; i++) {
		printf("%s", i ? "; " : "");
		put_pages(rows[i].pages);
		if (rows[i].ways == rows[i].entries)
			printf(" %u", rows[i].entries);
		else
			printf(" %u/%u", rows[i].entries, rows[i].ways);
	}
}

/* --- All rows of the table --- */

#define CACHE_CELL(name)                                 \
	static void put_##name(const struct geometry *g) \
	{                                                \
		put_cache(&g->name);                     \
	}
#define TLB_CELL(name)                                   \
	static void put_##name(const struct geometry *g) \
	{                                                \
		put_tlb(g->name);                        \
	}
#define NUMBER_CELL(name)                                \
	static void put_##name(const struct geometry *g) \
	{                                                \
		printf("%u", (unsigned)g->name);         \
	}
/* 0: no limit is known. */
#define LIMIT_CELL(name)                                 \
	static void put_##name(const struct geometry *g) \
	{                                                \
		if (g->name)                             \
			printf("%u", (unsigned)g->name); \
		else                                     \
			printf("none");                  \
	}
CACHE_CELL(l1i)
CACHE_CELL(l1d)
CACHE_CELL(l2)
CACHE_CELL(llc)
TLB_CELL(itlb)
TLB_CELL(dtlb)
TLB_CELL(store_tlb)
TLB_CELL(stlb)
TLB_CELL(stlb_code)
NUMBER_CELL(stlb_cycles)
NUMBER_CELL(walkers)
NUMBER_CELL(memory_cycles)
NUMBER_CELL(line_cycles)
LIMIT_CELL(l2_line_cycles)
LIMIT_CELL(llc_line_cycles)
LIMIT_CELL(llc_ahead_cycles)
LIMIT_CELL(stlb_lookup_cycles)
NUMBER_CELL(width)
NUMBER_CELL(fills)

static void put_title(const struct geometry *g)
{
	printf("%s", g->title);
}

static void put_line(const struct geometry *g)
{
	(void)g;
	printf("---");
}

static void put_walks_begin(const struct geometry *g)
{
	printf("%s", g->walks_begin == GEOMETRY_WALKS_L1D ? "L1D" : "L2");
}

static void put_base(const struct geometry *g)
{
	printf("%u", 1u << g->branches.base_bits);
}

static void put_tables(const struct geometry *g)
{
	printf("%u of %u", g->branches.tables, 1u << g->branches.table_bits);
}

static void put_history(const struct geometry *g)
{
	for (unsigned i = 0; i < g->branches.tables; i++)
		printf("%s%u", i ? ", " : "", g->branches.history[i]);
}

static void put_targets(const struct geometry *g)
{
	printf("3 of %u", 1u << g->branches.target_bits);
}

static void put_returns(const struct geometry *g)
{
	printf("%u", g->branches.returns);
}

static void put_geometries(void)
{
	static const struct {
		const char *name;
		cell_fn *cell;
	} rows[] = {
		{"", put_title},
		{"---", put_line},
		{"L1I", put_l1i},
		{"L1D", put_l1d},
		{"L2", put_l2},
		{"last level", put_llc},
		{"memory, cycles", put_memory_cycles},
		{"cycles between two lines from memory", put_line_cycles},
		{"from the last level", put_llc_line_cycles},
		{"from there, if L2's prefetchers ask", put_llc_ahead_cycles},
		{"from L2", put_l2_line_cycles},
		{"ITLB", put_itlb},
		{"DTLB", put_dtlb},
		{"DTLB for stores, where it is another", put_store_tlb},
		{"STLB", put_stlb},
		{"STLB for code, where it is another", put_stlb_code},
		{"STLB hit, cycles more", put_stlb_cycles},
		{"cycles between two lookups of the STLB", put_stlb_lookup_cycles},
		{"page walks at a time", put_walkers},
		{"walks begin in", put_walks_begin},
		{"micro-operations a cycle", put_width},
		{"misses in flight", put_fills},
		{"counters without history", put_base},
		{"tagged tables", put_tables},
		{"branches they look back", put_history},
		{"tables of indirect targets", put_targets},
		{"return stack", put_returns},
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		put_row(rows[i].name, rows[i].cell);
}

/* --- Events --- */

static void put_events(void)
{
#define EVENT(name, class, text) {#name, text},
	static const struct {
		const char *name, *text;
	} rows[] = {EVENTS_MODELLED(EVENT)};
#undef EVENT

	printf("\n| count | what |\n|---|---|\n");
	for (size_t i = 0; i < LENGTH(rows); i++)
		printf("| `%s` | %s |\n", rows[i].name, rows[i].text);
}

int main(void)
{
	find_cores();
	put_geometries();
	put_events();
	return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
