// SPDX-License-Identifier: BSD-2-Clause
/* test_metrics_texts.c - definitions from texts in both layouts, choosing metrics, and mistakes:
 * each gives a line with its place. */
#include "pmu/metrics/choose.h"
#include "pmu/metrics/shipped.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static struct metrics m;
static struct metric_choice choice;
static struct reason why;
static char list[METRICS_LIST_MAX];
static struct metrics_world world = {.ncpus = 2, .tsc_hz = 1000000000};

/* Behind what ships. */
static int read_text(const char *text)
{
	why.text[0] = '\0';
	assert_int_equal(0, metrics_begin_shipped(&m, uarch_by_name("hsw"), &why));
	return metrics_read(&m, "/x/MINE.txt", text, strlen(text), '\n', &why);
}

static int choose(const char *names)
{
	const char *item;
	size_t n;
	int err = 0;

	metrics_choose_begin(&choice);
	while (!err && (item = metrics_item(&names, &n)))
		err = metrics_choose_name(&choice, &m, item, n, &world, &why);
	return err ? err : metrics_choose_end(&choice, &world, &why);
}

static const char *group_list(unsigned g)
{
	metrics_list_group(&choice, g, list);
	return list;
}

static const char native[] = "# a comment\n"
			     "cpus haswell zen4\n"
			     "  event stores   cpu/event=0xd0,umask=0x82/u\n"
			     "let both stores + cycles\r\n"
			     "group Mine\n"
			     "text what is mine\n"
			     "metric per_cycle\n"
			     "formula stores / cycles if #smt_on else stores / both\n"
			     "unit 100 %\n"
			     "text some of it\n"
			     "metric rate\n"
			     "formula stores / time\n"
			     "cpus zen4\n"
			     "metric rate\n"
			     "formula a b c\n"
			     "cpus amd\n"
			     "metric amds\n"
			     "formula cycles\n"
			     "cpus intel\n"
			     "metric name with blanks\n"
			     "formula 2 * rate";

TEST(test_native)
{
	const struct metrics_row *row;
	struct real counts[3] = {{0}};
	char text[REAL_TEXT];

	assert_int_equal(0, read_text(native));
	assert_null(metrics_find_row(&m, "amds", 1));
	row = metrics_find_row(&m, "PER_cycle", 1);
	assert_non_null(row);
	assert_int_equal(8, row->line);
	assert_int_equal(9, row->column);
	assert_true(span_is(row->about, "some of it"));
	assert_true(span_is(m.group[row->group].about, "what is mine"));
	assert_int_equal(0, choose("mine,name with blanks"));
	assert_int_equal(3, choice.n);
	assert_int_equal(1, choice.ngroups);
	assert_string_equal("{cpu/event=0xd0,umask=0x82,name='stores'/u,cycles}:W", group_list(0));
	assert_true(span_is(choice.metric[0].unit, "%"));
	counts[0] = real_of(30);
	counts[1] = real_of(70);
	assert_string_equal("30.00",
			    real_print(text, metrics_value(&choice, 0, counts, real_of(2)), 2));
	assert_string_equal("15.00",
			    real_print(text, metrics_value(&choice, 1, counts, real_of(2)), 2));
	assert_string_equal("30.00",
			    real_print(text, metrics_value(&choice, 2, counts, real_of(2)), 2));
	world.smt_on = true;
	assert_int_equal(0, choose("per_cycle"));
	world.smt_on = false;
	assert_string_equal("42.857",
			    real_print(text, metrics_value(&choice, 0, counts, real_of(2)), 3));
	assert_int_equal(0, choose("r?te,IPC"));
	assert_int_equal(2, choice.ngroups);
	assert_string_equal("cpu/event=0xd0,umask=0x82,name='stores'/u", group_list(1));
}

static const char likwid[] = "SHORT  What branches cost\n"
			     "\n"
			     "EVENTSET\n"
			     "FIXC0 INSTR_RETIRED_ANY\n"
			     "FIXC1 CPU_CLK_UNHALTED_CORE\n"
			     "FIXC2 CPU_CLK_UNHALTED_REF\n"
			     "PMC0  UOPS_ISSUED_ANY\n"
			     "\n"
			     "METRICS\n"
			     "Runtime (RDTSC) [s] time\n"
			     "Runtime unhalted [s] FIXC1*inverseClock\n"
			     "Clock [MHz]  1.E-06*(FIXC1/FIXC2)/inverseClock\n"
			     "CPI  FIXC1/FIXC0\n"
			     "Uops [G/s]  1.0E-09*PMC0/time\n"
			     "\n"
			     "LONG\n"
			     "metric this is no metric\n"
			     "-\n"
			     "\x01\n";

TEST(test_likwid)
{
	struct real counts[] = {real_of(1000), real_of(2000), real_of(500), real_of(4000)};
	char text[REAL_TEXT];

	assert_int_equal(0, read_text(likwid));
	assert_int_equal(0, choose("mine"));
	assert_int_equal(5, choice.n);
	assert_true(span_is(m.group[m.ngroups - 1].about, "What branches cost"));
	assert_true(span_is(choice.metric[0].row->name, "runtime (rdtsc)"));
	assert_true(span_is(choice.metric[2].unit, "MHz"));
	/* A shipped event has LIKWID's name, too. */
	assert_string_equal("cpu/event=0x0e,umask=0x01,name='UOPS_ISSUED_ANY'/",
			    choice.event[3].text);
	assert_string_equal("ref-cycles", choice.event[1].text);
	assert_string_equal(
		"0.25", real_print(text, metrics_value(&choice, 0, counts, real_ratio(1, 4)), 2));
	assert_string_equal("0.000001",
			    real_print(text, metrics_value(&choice, 1, counts, real_of(1)), 6));
	assert_string_equal("500.0",
			    real_print(text, metrics_value(&choice, 2, counts, real_of(1)), 1));
	assert_string_equal("2.00",
			    real_print(text, metrics_value(&choice, 3, counts, real_of(1)), 2));
}

static const char likwid_forms[] = "SHORT Forms of counters\n"
				   "REQUIRE_NOHT\n"
				   "EVENTSET\n"
				   "PMC0 UOPS_ISSUED_STALL_CYCLES\n"
				   "PMC1:EDGEDETECT:THRESHOLD=0x2 UOPS_ISSUED_STALL_CYCLES\n"
				   "PMC2:INVERT:KERNEL UOPS_RETIRED_USED_CYCLES\n"
				   "PMC3:MATCH0=0x2:MATCH1=0x1 OFFCORE_RESPONSE_0_OPTIONS\n"
				   "METRICS\n"
				   "DP [M/s] PMC2:INVERT:KERNEL/PMC0\n"
				   "DP [G/s] PMC1/PMC0\n"
				   "Rest PMC2:INVERT:KERNEL+PMC3\n";

/* Options become terms. A formula may name a counter without options. Units distinguish metrics. */
TEST(test_likwid_options)
{
	static const char *const events[] = {
		"cpu/uops_retired.all,cmask=1,inv,name='UOPS_RETIRED_USED_CYCLES'/",
		"UOPS_ISSUED_STALL_CYCLES",
		"cpu/UOPS_ISSUED_STALL_CYCLES,edge,cmask=0x2,name='UOPS_ISSUED_STALL_CYCLES'/",
		"cpu/event=0xb7,umask=0x01,config1=0x10002,name='OFFCORE_RESPONSE_0_OPTIONS'/",
	};

	assert_int_equal(0, read_text(likwid_forms));
	assert_int_equal(0, choose("mine"));
	assert_int_equal(3, choice.n);
	assert_true(span_is(choice.metric[0].row->name, "DP"));
	assert_true(span_is(choice.metric[1].row->name, "DP [G/s]"));
	assert_int_equal(4, choice.nevents);
	for (unsigned i = 0; i < 4; i++)
		assert_string_equal(events[i], choice.event[i].text);
}

/* The caller limits the number of events. */
static bool fits_three(void *ctx, const char *events)
{
	unsigned n = 1;

	(void)ctx;
	for (; *events; events++)
		n += *events == ',';
	return n <= 3;
}

TEST(test_groups)
{
	world.fits = fits_three;
	assert_int_equal(0, read_text("metric x\nformula cycles/instructions\n"
				      "metric y\nformula branches/instructions\n"
				      "metric z\nformula ref\\-cycles/cache\\-misses\n"
				      "metric w\nformula slots/cache\\-misses\n"));
	assert_int_equal(0, choose("x,y,z,w"));
	assert_int_equal(2, choice.ngroups);
	assert_string_equal("{cycles,instructions,branches}:W", group_list(0));
	assert_string_equal("{slots,ref-cycles,cache-misses}:W", group_list(1));
	assert_int_equal(0, metrics_place(&choice, 1, 5));
	assert_int_equal(2, metrics_place(&choice, 1, 4));
	world.fits = NULL;
	assert_int_equal(0, choose("x,y,z"));
	assert_int_equal(3, choice.ngroups);
}

TEST(test_items)
{
	const char *at = "a,{metric b;formula min(c,d),{}},e", *item;
	size_t n;

	item = metrics_item(&at, &n);
	assert_memory_equal("a", item, n);
	item = metrics_item(&at, &n);
	assert_memory_equal("{metric b;formula min(c,d),{}}", item, n);
	item = metrics_item(&at, &n);
	assert_memory_equal("e", item, n);
	assert_null(metrics_item(&at, &n));
}

/* Wrong texts, and wrong names. */
static const struct {
	const char *text, *names; /* names NULL: reading fails */
	const char *why;
} mistakes[] = {
	{"metrc x", NULL,
	 "/x/MINE.txt:1:1: a line does not begin with 'metrc'; did you mean 'metric'?"},
	{"\nwhatever x", NULL,
	 "/x/MINE.txt:2:1: a line does not begin with 'whatever', but with cpus, event, let, group, metric, formula, unit or text"},
	{"metric", NULL, "/x/MINE.txt:1:7: `metric` wants a name"},
	{"metric x\n", NULL, "/x/MINE.txt:1:1: metric 'x' of line 1 has no formula"},
	{"metric x\nmetric y\nformula 1", NULL,
	 "/x/MINE.txt:2:1: metric 'x' of line 1 has no formula"},
	{"metric x\nformula", NULL, "/x/MINE.txt:2:8: `formula` wants a formula"},
	{"formula 1", NULL, "/x/MINE.txt:1:9: `formula` stands behind no `metric`"},
	{"unit %", NULL, "/x/MINE.txt:1:6: `unit` stands behind no `metric`"},
	{"text x", NULL, "/x/MINE.txt:1:6: `text` stands behind no `metric` and no `group`"},
	{"metric x\nformula 1\nformula 2", NULL,
	 "/x/MINE.txt:3:9: the metric has a formula already"},
	{"metric x\nunit a\nunit b", NULL, "/x/MINE.txt:3:6: the metric has a unit already"},
	{"metric x\nunit", NULL, "/x/MINE.txt:2:5: `unit` wants a unit of at most 64 characters"},
	{"metric x\nformula 1\nmetric X\nformula 2", NULL,
	 "/x/MINE.txt:3:8: metric 'X' was there in line 2"},
	{"event a cycles\nevent a cycles", NULL, "/x/MINE.txt:2:9: event 'a' was there in line 1"},
	{"event a", NULL, "/x/MINE.txt:1:8: `event` wants a name and an event"},
	{"let a", NULL, "/x/MINE.txt:1:6: `let` wants a name and a formula"},
	{"group", NULL, "/x/MINE.txt:1:6: `group` wants a name"},
	{"group a b", NULL, "/x/MINE.txt:1:9: `group` has one name, without blanks"},
	{"cpus", NULL, "/x/MINE.txt:1:5: `cpus` wants names of microarchitectures"},
	{"cpus zen4 haswel", NULL,
	 "/x/MINE.txt:1:11: there is no microarchitecture 'haswel'; maybe haswell, haswellx"},
	{"metric x\nformula a\x02", NULL, "/x/MINE.txt:2:10: a byte 0x02 is no text"},
	{"metric 1234567890123456789012345678901234567890123456789012345678901234567890", NULL,
	 "/x/MINE.txt:1:8: a name of a metric has at most 64 characters"},
	/* LIKWID's. */
	{"SHORT x", NULL, "/x/MINE.txt:1:7: the text ends before METRICS"},
	{"SHORT x\nEVENTSET\nPMC0 A", NULL, "/x/MINE.txt:3:7: the text ends before METRICS"},
	{"SHORT x\nwhat\n", NULL, "/x/MINE.txt:2:1: 'what' stands where EVENTSET is to be"},
	{"SHORT x\nEVENTSET\nMBOX0C0 A", NULL,
	 "/x/MINE.txt:3:1: counter 'MBOX0C0' is none of a core's: it counts for memory controllers"},
	{"SHORT x\nEVENTSET\nXMC0 A", NULL,
	 "/x/MINE.txt:3:1: unknown counter 'XMC0'; there are FIXCn, PMCn and PWRn"},
	{"SHORT x\nEVENTSET\nPMC0:INVERT:THRESHOLD A", NULL,
	 "/x/MINE.txt:3:6: option 'THRESHOLD' of a counter is not known, or lacks its number; there are EDGEDETECT, THRESHOLD=N, INVERT, ANYTHREAD, IN_TRANSACTION, IN_TRANSACTION_ABORTED, KERNEL, MATCH0=N and MATCH1=N"},
	{"SHORT x\nEVENTSET\nPMC0:EDGEDETECT=1 A", NULL,
	 "/x/MINE.txt:3:6: option 'EDGEDETECT' of a counter is not known, or lacks its number; there are EDGEDETECT, THRESHOLD=N, INVERT, ANYTHREAD, IN_TRANSACTION, IN_TRANSACTION_ABORTED, KERNEL, MATCH0=N and MATCH1=N"},
	{"SHORT x\nEVENTSET\nPMC0", NULL, "/x/MINE.txt:3:5: counter PMC0 has no event"},
	{"SHORT x\nEVENTSET\nPMC0 A B", NULL, "/x/MINE.txt:3:8: 'B' stands behind the event"},
	{"SHORT x\nEVENTSET\nPMC0 A\nPMC0 B", NULL,
	 "/x/MINE.txt:4:6: event 'PMC0' was there in line 3"},
	{"SHORT x\nMETRICS\nPMC0", NULL,
	 "/x/MINE.txt:3:1: a metric is a name and a formula without blanks"},
	{"SHORT x\nMETRICS\na PMC0\nA PMC0", NULL,
	 "/x/MINE.txt:4:3: metric 'A' was there in line 3"},
	{"SHORT x\nEVENTSET\nPMC0 A\nMETRICS\na b PMC0/(", "mine",
	 "/x/MINE.txt:5:11: it ends where a value is to be"},
	/* Chosen. */
	{"metric x\n formula cycles / (0 * 3)", "x",
	 "/x/MINE.txt:2:17: it divides by 0, whatever is counted"},
	{"metric x\nformula y\nmetric y\nformula 1 + z\nlet z 2 * x", "x",
	 "/x/MINE.txt:5:11: 'x' is made of itself"},
	{"metric x\nformula x", "x", "/x/MINE.txt:2:9: 'x' is made of itself"},
	{"metric x\nformula 2 + 2", "x", "metric 'x' counts no event"},
	{"metric x\nformula cycles / #smt_onn", "x",
	 "/x/MINE.txt:2:18: there is no '#smt_onn'; there are #smt_on, #num_cpus, #num_cpus_online and #system_tsc_freq"},
	{"event e cycles,instructions\nmetric x\nformula e", "x",
	 "/x/MINE.txt:3:9: 'cycles,instructions' is not one event"},
	{"event e {cycles}\nmetric x\nformula e", "x",
	 "/x/MINE.txt:3:9: '{cycles}' is not one event"},
	{"event e cpu/event=1\nmetric x\nformula e", "x",
	 "/x/MINE.txt:3:9: 'cpu/event=1' is not one event"},
	{"", "IPX", "there is no metric 'IPX' for haswell; did you mean 'IPC'?"},
	{"", "TopdwnL1", "there is no metric 'TopdwnL1' for haswell; did you mean 'TopdownL1'?"},
	{"", "none", "there is no metric 'none' for haswell; `list metrics` has them"},
	{"", "IPC,,CPI", "the name of a metric is missing"},
	{"", "", "the name of a metric is missing"},
	{"", "td_slots", "there is no metric 'td_slots' for haswell; `list metrics` has them"},
};

TEST(test_mistakes)
{
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		int err = read_text(mistakes[i].text);

		if (!err && mistakes[i].names)
			err = choose(mistakes[i].names);
		if (!err || strcmp(mistakes[i].why, why.text))
			print_error("%s\n-> %s\n", mistakes[i].text, why.text);
		assert_true(err < 0);
		assert_string_equal(mistakes[i].why, why.text);
		assert_null(strchr(why.text, '\n'));
	}
}

/* Lines, metrics and texts are bounded. A refused text does not change the earlier ones. */
TEST(test_bounds)
{
	struct reason ignored;
	char *text = malloc(METRICS_SIZE_MAX + 2), *to = text;

	memset(text, 'x', METRICS_SIZE_MAX + 1);
	text[METRICS_SIZE_MAX + 1] = '\0';
	assert_int_equal(-E2BIG, read_text(text));
	text[2000] = '\0';
	assert_int_equal(-EINVAL, read_text(text));
	assert_string_equal("/x/MINE.txt:1:1: a line has at most 1000 characters", why.text);
	for (int i = 0; i < METRICS_ROWS + 1; i++)
		to += sprintf(to, "let a%d 1\n", i);
	assert_int_equal(-EINVAL, read_text(text));
	assert_non_null(strstr(why.text, "there are more than 256 metrics"));
	assert_int_equal(1, m.ntexts);
	assert_int_equal(0, choose("IPC"));
	for (unsigned i = 1; i < METRICS_TEXTS; i++)
		assert_int_equal(0, metrics_read(&m, "t", "let a 1", 7, '\n', &ignored));
	assert_int_equal(-E2BIG, metrics_read(&m, "t", "let a 1", 7, '\n', &ignored));
	free(text);
}

/* A text that is cut anywhere is read, or refused with a place. */
TEST(test_cut)
{
	static const char *const texts[] = {native, likwid};

	for (size_t t = 0; t < 2; t++)
		for (size_t n = 0; n < strlen(texts[t]); n++) {
			char *copy = strndup(texts[t], n);

			if (read_text(copy))
				assert_int_equal(0, strncmp(why.text, "/x/MINE.txt:", 12));
			else
				choose("*");
			free(copy);
		}
}
