// SPDX-License-Identifier: BSD-2-Clause
/* latency.c - see latency.h. The columns are those of uops.info. */
#include "apps/measure/latency.h"

#include "apps/portable/latency_text.h"
#include "arch/x86/mem/paging.h"
#include "include/perf0/truth.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/driver/modelled.h"
#include "pmu/uarch/uarch.h"
#include "rt/console/command.h"
#include "rt/print/print.h"

#define CYCLES "cycles"
#define UOPS   "uops"
#define CELL   96

/* --- Events --- */

#define PORT(event, umask, name) ",cpu/event=" event ",umask=" umask ",name=" name "/"
#define RETIRED_SLOTS            CYCLES ",cpu/event=0xc2,umask=0x2,name=" UOPS "/"

/* UOPS_EXECUTED_PORT, UOPS_DISPATCHED_PORT. */
#define PORTS_HSW                  \
	PORT("0xa1", "1", "p0")    \
	PORT("0xa1", "2", "p1")    \
	PORT("0xa1", "4", "p2")    \
	PORT("0xa1", "8", "p3")    \
	PORT("0xa1", "0x10", "p4") \
	PORT("0xa1", "0x20", "p5") PORT("0xa1", "0x40", "p6") PORT("0xa1", "0x80", "p7")
#define PORTS_SNB                 \
	PORT("0xa1", "1", "p0")   \
	PORT("0xa1", "2", "p1")   \
	PORT("0xa1", "0xc", "p2") \
	PORT("0xa1", "0x30", "p3") PORT("0xa1", "0x40", "p4") PORT("0xa1", "0x80", "p5")
/* UOPS_DISPATCHED. */
#define PORTS_ICL                   \
	PORT("0xa1", "1", "p0")     \
	PORT("0xa1", "2", "p1")     \
	PORT("0xa1", "4", "p23")    \
	PORT("0xa1", "0x10", "p49") \
	PORT("0xa1", "0x20", "p5") PORT("0xa1", "0x40", "p6") PORT("0xa1", "0x80", "p78")
#define PORTS_GLC                   \
	PORT("0xb2", "1", "p0")     \
	PORT("0xb2", "2", "p1")     \
	PORT("0xb2", "4", "p23A")   \
	PORT("0xb2", "0x10", "p49") \
	PORT("0xb2", "0x20", "p5B") PORT("0xb2", "0x40", "p6") PORT("0xb2", "0x80", "p78")

/* From Intel's event files and AMD's manuals. Other machines have cycles alone. */
static const struct {
	const char *uarch, *events;
} tables[] = {
	{"sandybridge", RETIRED_SLOTS PORTS_SNB},
	{"sandybridgex", RETIRED_SLOTS PORTS_SNB},
	{"ivybridge", RETIRED_SLOTS PORTS_SNB},
	{"ivybridgex", RETIRED_SLOTS PORTS_SNB},
	{"haswell", RETIRED_SLOTS PORTS_HSW},
	{"haswellx", RETIRED_SLOTS PORTS_HSW},
	{"broadwell", RETIRED_SLOTS PORTS_HSW},
	{"broadwellx", RETIRED_SLOTS PORTS_HSW},
	{"broadwellde", RETIRED_SLOTS PORTS_HSW},
	{"skylake", RETIRED_SLOTS PORTS_HSW},
	{"skylakex", RETIRED_SLOTS PORTS_HSW},
	{"cascadelakex", RETIRED_SLOTS PORTS_HSW},
	{"icelake", RETIRED_SLOTS PORTS_ICL},
	{"icelakex", RETIRED_SLOTS PORTS_ICL},
	{"tigerlake", RETIRED_SLOTS PORTS_ICL},
	{"goldencove", RETIRED_SLOTS PORTS_GLC},
	{"sapphirerapids", RETIRED_SLOTS PORTS_GLC},
	{"emeraldrapids", RETIRED_SLOTS PORTS_GLC},
	{"redwoodcove", RETIRED_SLOTS PORTS_GLC},
	{"graniterapids", RETIRED_SLOTS PORTS_GLC},
	{"gracemont", CYCLES ",cpu/event=0xc2,umask=0,name=" UOPS "/"},
	{"crestmont", CYCLES ",cpu/event=0xc2,umask=0,name=" UOPS "/"},
	{"zen1", CYCLES ",cpu/event=0xc1,umask=0,name=" UOPS "/"},
	{"zen2", CYCLES ",cpu/event=0xc1,umask=0,name=" UOPS "/"},
	{"zen3", CYCLES ",cpu/event=0xc1,umask=0,name=" UOPS "/"},
	{"zen4", CYCLES ",cpu/event=0xc1,umask=0,name=" UOPS "/"},
	{"zen5", CYCLES ",cpu/event=0xc1,umask=0,name=" UOPS "/"},
};

const char *latency_events(void)
{
	for (unsigned i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(tables[i].uarch, pmu_info()->uarch))
			return tables[i].events;
	return CYCLES;
}

/* --- Results: one measurement of an instruction is a piece --- */

struct piece {
	uint64_t times;
	int64_t median[BENCH_EVENTS_MAX]; /* by the set's entries */
	uint32_t counted;                 /* the entries that were counted */
	uint32_t raised, bytes;
	uint8_t role;
	char name[BENCH_NAME_MAX + 1];
	char detail[BENCH_DETAIL_MAX + 1];
};

static struct piece *pieces;
static unsigned room;

static size_t pieces_pages(void)
{
	return pages_of(room * sizeof(*pieces));
}

void latency_forget(void)
{
	if (pieces)
		page_free(pieces, pieces_pages());
	pieces = NULL;
	room = 0;
}

static bool alloc_latency_pieces(const struct bench_result *head)
{
	if (pieces)
		return true;
	room = head->total;
	pieces = room ? page_alloc(pieces_pages()) : NULL;
	return pieces;
}

bool latency_take(unsigned i, const struct bench_result *head, const unsigned *column,
		  const int64_t *median)
{
	struct piece *p;

	if (!alloc_latency_pieces(head) || i >= room)
		return false;
	p = &pieces[i];
	memcpy(p->name, head->name, sizeof(p->name));
	memcpy(p->detail, head->detail, sizeof(p->detail));
	p->times = head->times;
	p->role = (uint8_t)head->role;
	p->raised = head->raised;
	p->bytes = head->bytes;
	for (unsigned k = 0; k < head->nevents; k++)
		if (column[k] < BENCH_EVENTS_MAX) {
			p->median[column[k]] = median[k];
			p->counted |= 1u << column[k];
		}
	return true;
}

/* --- Rows --- */

/* A line of the table: the pieces of one instruction. Values are in hundredths. */
struct row {
	const char *name;
	unsigned from, to;                          /* the row's pieces */
	int64_t least, most, throughput, bandwidth; /* bytes in a cycle */
	bool bounded; /* the largest latency is more than the instruction takes */
	bool least_bounded;
	bool has_latency, has_throughput, has_bandwidth;
	const struct piece *stream; /* NULL: none */
	uint32_t raised;
};

static void format_hundredths(char text[CELL], int64_t value)
{
	latency_format(text, CELL, value);
}

static unsigned find_event(const struct evset *set, const char *name)
{
	unsigned i = 0;

	while (i < set->n && strcmp(set->entry[i].spec.name, name))
		i++;
	return i;
}

static bool has_counted(const struct piece *p, const struct evset *set, unsigned i)
{
	return i < set->n && i < BENCH_EVENTS_MAX && p->counted & 1u << i;
}

static void add_latency(struct row *r, int64_t cycles, bool bounded)
{
	if (!r->has_latency || cycles < r->least) {
		r->least = cycles;
		r->least_bounded = bounded;
	}
	if (!r->has_latency || cycles > r->most) {
		r->most = cycles;
		r->bounded = bounded;
	}
	r->has_latency = true;
}

static void add_bandwidth(struct row *r, const struct piece *p, int64_t sum)
{
	r->bandwidth =
		sum > 0 ? latency_hundredths((int64_t)(p->bytes * p->times), (uint64_t)sum) : 0;
	r->has_bandwidth = true;
}

static void add_piece(struct row *r, const struct piece *p, const struct evset *set)
{
	const unsigned at = find_event(set, CYCLES);
	int64_t cycles;

	r->raised = p->raised ? p->raised : r->raised;
	if (p->raised || !has_counted(p, set, at))
		return;
	cycles = latency_hundredths(p->median[at], p->times);
	if (p->role == BENCH_CHAIN || p->role == BENCH_CHAIN_WITH) {
		add_latency(r, cycles, p->role == BENCH_CHAIN_WITH);
		return;
	}
	if (p->role == BENCH_BYTES)
		add_bandwidth(r, p, p->median[at]);
	if (p->role == BENCH_STREAM || p->role == BENCH_BYTES)
		r->stream = p;
	if (!r->has_throughput || cycles < r->throughput)
		r->throughput = cycles;
	r->has_throughput = true;
}

/* Makes a row of the pieces from `at` on that have the same name. */
static struct row make_row(unsigned at, unsigned n, const struct evset *set)
{
	struct row r = {.name = pieces[at].name, .from = at, .to = at};

	while (r.to < n && !strcmp(pieces[r.to].name, r.name))
		add_piece(&r, &pieces[r.to++], set);
	return r;
}

/* "modelled", or "" where cycles are counted by the machine. */
static const char *cycles_truth(const struct evset *set)
{
	const unsigned at = find_event(set, CYCLES);
	const bool is_told = at < set->n && set->entry[at].truth != TRUTH_EXACT;

	return is_told ? truth_name(set->entry[at].truth) : "";
}

/* --- Cells --- */

static void format_latency(char text[CELL], const struct row *r)
{
	char least[CELL], most[CELL];

	format_hundredths(least, r->least);
	format_hundredths(most, r->most);
	if (!r->has_latency)
		fmt_print(text, CELL, "-");
	else if (r->least == r->most)
		fmt_print(text, CELL, "%s%s", r->least_bounded && r->bounded ? "<=" : "", least);
	else
		fmt_print(text, CELL, "[%s%s;%s%s]", r->least_bounded ? "<=" : "", least,
			  r->bounded ? "<=" : "", most);
}

static void format_event(char text[CELL], const struct piece *p, const struct evset *set,
			 unsigned i)
{
	if (p && has_counted(p, set, i))
		format_hundredths(text, latency_hundredths(p->median[i], p->times));
	else
		fmt_print(text, CELL, "-");
}

static void format_ports(char text[CELL], const struct piece *p, const struct evset *set)
{
	struct latency_port ports[BENCH_EVENTS_MAX];
	unsigned n = 0;

	for (unsigned i = 0; p && i < set->n && i < BENCH_EVENTS_MAX; i++)
		if (set->entry[i].spec.name[0] == 'p' && has_counted(p, set, i))
			ports[n++] = (struct latency_port){set->entry[i].spec.name, p->median[i]};
	latency_ports(text, CELL, ports, n, p ? p->times : 1);
}

/* `raised` is the vector plus 1, as in struct bench_result. */
static const char *raised_name(uint32_t raised)
{
	static const char names[][4] = {"#DE", "#DB", "NMI", "#BP", "#OF", "#BR", "#UD",
					"#NM", "#DF", "#MF", "#TS", "#NP", "#SS", "#GP",
					"#PF", "",    "#MF", "#AC", "#MC", "#XM"};

	return raised - 1 < sizeof(names) / sizeof(names[0]) ? names[raised - 1] : "an exception";
}

struct cells {
	char latency[CELL], throughput[CELL], uops[CELL], ports[CELL], bandwidth[CELL];
};

static struct cells make_cells(const struct row *r, const struct evset *set)
{
	struct cells c;

	format_latency(c.latency, r);
	if (r->has_throughput)
		format_hundredths(c.throughput, r->throughput);
	else
		fmt_print(c.throughput, CELL, "-");
	c.bandwidth[0] = '\0';
	if (r->has_bandwidth)
		format_hundredths(c.bandwidth, r->bandwidth);
	format_event(c.uops, r->stream, set, find_event(set, UOPS));
	format_ports(c.ports, r->stream, set);
	return c;
}

/* --- Forms --- */

/* Prints the latency of each pair of operands. [1;1] is from the first operand to itself. */
static void print_pairs(const struct row *r, const struct evset *set)
{
	const unsigned at = find_event(set, CYCLES);

	for (unsigned i = r->from; i < r->to; i++) {
		const struct piece *p = &pieces[i];
		char cycles[CELL];

		if ((p->role != BENCH_CHAIN && p->role != BENCH_CHAIN_WITH) || p->raised)
			continue;
		format_event(cycles, p, set, at);
		out("    [%s] %s%s\n", p->detail, p->role == BENCH_CHAIN_WITH ? "<=" : "", cycles);
	}
}

static void print_text(const struct row *r, const struct evset *set, bool pairs)
{
	const struct cells c = make_cells(r, set);

	print_plain(r->name);
	for (size_t n = strlen(r->name); n < 32; n++)
		out(" ");
	if (r->raised && !r->has_throughput)
		out(" raised %s\n", raised_name(r->raised));
	else
		out(" %16s %8s %8s  %s%s%s\n", c.latency, c.throughput, c.uops, c.ports,
		    r->has_bandwidth ? "  bytes a cycle: " : "", c.bandwidth);
	if (pairs)
		print_pairs(r, set);
}

static void print_json_pairs(const struct row *r, const struct evset *set)
{
	const unsigned at = find_event(set, CYCLES);
	bool any = false;

	out(", \"latencies\" : [");
	for (unsigned i = r->from; i < r->to; i++) {
		const struct piece *p = &pieces[i];
		char cycles[CELL];

		if ((p->role != BENCH_CHAIN && p->role != BENCH_CHAIN_WITH) || p->raised ||
		    !has_counted(p, set, at))
			continue;
		format_event(cycles, p, set, at);
		out("%s{\"operands\" : ", any ? ", " : "");
		print_json_text(p->detail);
		out(", \"cycles\" : %s%s}", cycles,
		    p->role == BENCH_CHAIN_WITH ? ", \"at_most\" : true" : "");
		any = true;
	}
	out("]");
}

static void print_json_row(const struct row *r, const struct evset *set)
{
	const struct cells c = make_cells(r, set);

	out("{\"instruction\" : ");
	print_json_text(r->name);
	if (r->raised && !r->has_throughput)
		out(", \"raised\" : \"%s\"", raised_name(r->raised));
	print_json_pairs(r, set);
	if (r->has_throughput)
		out(", \"throughput\" : %s", c.throughput);
	if (c.uops[0] != '-' || c.uops[1])
		out(", \"uops\" : %s", c.uops);
	if (r->has_bandwidth)
		out(", \"bytes_per_cycle\" : %s", c.bandwidth);
	if (c.ports[0] != '-')
		out(", \"ports\" : \"%s\"", c.ports);
	if (*cycles_truth(set))
		out(", \"truth\" : \"%s\"", cycles_truth(set));
	out("}\n");
}

static void print_csv_row(const struct row *r, const struct evset *set, const char *separator)
{
	const struct cells c = make_cells(r, set);
	const char *const cells[] = {r->raised && !r->has_throughput ? raised_name(r->raised)
								     : c.latency,
				     c.throughput, c.uops, c.ports};

	print_csv_cell(r->name, separator);
	for (unsigned i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		out("%s", separator);
		print_csv_cell(cells[i], separator);
	}
	out("\n");
}

static void print_footer(const struct evset *set)
{
	char core[PMU_MODELLED_CORE_TEXT];

	pmu_modelled_core(core);
	if (*cycles_truth(set))
		out("\n Cycles are [%s]: docs/MODEL.md tells what takes how many, and what it does not know.\n",
		    cycles_truth(set));
	if (*cycles_truth(set) && *core)
		out(" %s\n", core);
	out("\n");
}

static void print_header(const struct latency_form *form)
{
	if (form->json)
		return;
	if (form->separator)
		out("Instruction%sLat%sTP%sUops%sPorts\n", form->separator, form->separator,
		    form->separator, form->separator);
	else
		out("\n%-32s %16s %8s %8s  %s\n", "Instruction", "Lat", "TP", "Uops", "Ports");
}

void latency_print(unsigned n, const struct evset *set, const struct latency_form *form)
{
	if (!n)
		return;
	print_header(form);
	for (unsigned at = 0; at < n;) {
		const struct row r = make_row(at, n, set);

		if (form->json)
			print_json_row(&r, set);
		else if (form->separator)
			print_csv_row(&r, set, form->separator);
		else
			print_text(&r, set, form->pairs);
		at = r.to;
	}
	if (!form->json && !form->separator)
		print_footer(set);
}
