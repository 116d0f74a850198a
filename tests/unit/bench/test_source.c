// SPDX-License-Identifier: BSD-2-Clause
/* test_source.c - bench's input: code as lines for the assembler, files of events, options with the
 * conventions of nanoBench. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "include/perf0/options.h"
#include "tools/bench/nanobench_events.h"
#include "tools/bench/nanobench.h"
#include "tools/bench/code_source.h"

/* --- Code --- */

/* Returns the statements of the code, a line each, without the text around them. */
static char *statements(const char *text, struct reason *why)
{
	const struct bench_options options = {.assembly = {[BENCH_CODE] = text}};
	const struct source_line *lines;
	struct source source;
	struct buf found = {0};
	const char *at;
	size_t n = 0;

	if (source_make(&source, &options, why)) {
		source_free(&source);
		return NULL;
	}
	lines = (const void *)source.lines.data;
	for (at = buf_text(&source.text); *at; at += strcspn(at, "\n") + 1, n++)
		if (lines[n].column)
			buf_printf(&found, "%zu:%.*s\n", lines[n].column, (int)strcspn(at, "\n"),
				   at);
	assert_int_equal(n * sizeof(*lines), source.lines.size);
	buf_text(&found);
	source_free(&source);
	return (char *)found.data;
}

TEST(test_statements)
{
	static const struct {
		const char *text, *lines;
	} cases[] = {
		{"nop", "1:nop\n"},
		{"", ""},
		{" ; ;\n;", ""},
		{"ADD RAX, RBX; add RBX, RAX", "1:ADD RAX, RBX\n15:add RBX, RAX\n"},
		{"  nop ;\tnop\t;nop", "3:nop\n9:nop\n14:nop\n"},
		{"nop\nnop", "1:nop\n5:nop\n"},
		{".ascii \"a;b\\\";\"; nop", "1:.ascii \"a;b\\\";\"\n18:nop\n"},
		{"|1;|2", "1:.byte 0x90\n4:.byte 0x66,0x90\n"},
		{"|10", "1:.byte 0x66,0x66,0x0f,0x1f,0x84,0x00,0x00,0x00,0x00,0x00\n"},
	};
	struct reason why;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *lines = statements(cases[i].text, &why);

		assert_non_null(lines);
		assert_string_equal(lines, cases[i].lines);
		free(lines);
	}
}

TEST(test_nops_that_are_none)
{
	static const char *const texts[] = {"|", "|0", "|16", "|x", "|3x", "|-1", "|3 nop", "| 3"};
	struct reason why;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[64];

		snprintf(text, sizeof(text), "nop; %s", texts[i]);
		assert_null(statements(text, &why));
		assert_memory_equal(why.text, "--asm: column 6: '", 18);
	}
}

TEST(test_complaints_have_a_column)
{
	const struct bench_options options = {
		.assembly = {[BENCH_CODE] = "nop; bad", [BENCH_INIT] = "  worse"}};
	struct source source;
	struct reason why;
	size_t line = 0, found = 0;

	assert_int_equal(source_make(&source, &options, &why), 0);
	for (const char *at = buf_text(&source.text); *at; at += strcspn(at, "\n") + 1) {
		line++;
		if (strncmp(at, "bad", 3) && strncmp(at, "worse", 5))
			continue;
		found++;
		assert_int_equal(source_refuse(&source, line, "no", &why), -EINVAL);
		assert_string_equal(why.text, *at == 'b' ? "--asm: column 6: no"
							 : "--asm-init: column 3: no");
	}
	assert_int_equal(found, 2);
	for (size_t bad = 0; bad <= line + 1; bad += line + 1) {
		source_refuse(&source, bad, "no", &why);
		assert_string_equal(why.text, "the code is refused by the assembler: no");
	}
	source_free(&source);
}

/* --- Files of events --- */

static int read_events(const char *text, struct buf *list, struct reason *why)
{
	char path[] = "/tmp/perf0-test-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	int err;

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	err = config_read(path, list, why);
	unlink(path);
	return err;
}

TEST(test_events)
{
	static const struct {
		const char *text, *list;
	} cases[] = {
		{"3C.00 CORE_CYCLES\n", "cpu/event=0x3c,umask=0,name=CORE_CYCLES/"},
		{"# none\n\n  C0.00\tINST_RETIRED.ANY  \r\n",
		 "cpu/event=0xc0,umask=0,name=INST_RETIRED.ANY/"},
		{"A1.01 PORT_0\nA1.02 PORT_1",
		 "cpu/event=0xa1,umask=0x1,name=PORT_0/,cpu/event=0xa1,umask=0x2,name=PORT_1/"},
		{"B1.01.CMSK=2.INV.EDG.AnyT.CTR=0 X",
		 "cpu/event=0xb1,umask=0x1,cmask=0x2,inv=0x1,edge=0x1,any=0x1,name=X/"},
		{"CD.01.MSR_3F6H=0x4 LAT", "cpu/event=0xcd,umask=0x1,ldlat=0x4,name=LAT/"},
		{"B7.01.MSR_RSP0=0x10003 A, B/C",
		 "cpu/event=0xb7,umask=0x1,offcore_rsp=0x10003,name=A__B_C/"},
		{"1C2.00 WIDE", "cpu/event=0x1c2,umask=0,name=WIDE/"},
		{"D1.20.TakenAlone", "cpu/event=0xd1,umask=0x20,name=D1.20.TakenAlone/"},
	};
	struct reason why;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf list = {0};

		assert_int_equal(read_events(cases[i].text, &list, &why), 0);
		assert_string_equal(buf_text(&list), cases[i].list);
		buf_free(&list);
	}
}

TEST(test_events_that_are_none)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"", "there is no event in it"},
		{"# only this\n", "there is no event in it"},
		{"3C.00 A\nxyz B", "line 2: 'xyz' is no event"},
		{"3C A", "line 1: '' is no umask"},
		{"3C. A", "line 1: '' is no umask"},
		{"3C.100 A", "line 1: '100' is no umask"},
		{"13C0.0 A", "line 1: '13C0' is no event"},
		{"3C.00.CMSK A", "line 1: 'CMSK' wants a number"},
		{"3C.00.CMSK= A", "line 1: 'CMSK=' has no hexadecimal number"},
		{"3C.00.CMSK=-1 A", "line 1: 'CMSK=-1' has no hexadecimal number"},
		{"3C.00.INV=1 A", "line 1: 'INV=1' takes no number"},
		{"3C.00.WHAT A", "line 1: 'WHAT' is not known"},
		{"msr_0xE01=0x20000000 msr_706 CBO",
		 "line 1: 'msr_0xE01=0x20000000' is a register"},
	};
	struct reason why;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf list = {0};

		assert_true(read_events(cases[i].text, &list, &why) < 0);
		if (!strstr(why.text, cases[i].why))
			fail_msg("'%s', not '%s'", why.text, cases[i].why);
		buf_free(&list);
	}
	assert_true(config_read("/no/such/file", &(struct buf){0}, &why) < 0);
	assert_string_equal(why.text, "--config: /no/such/file: No such file or directory");
}

/* --- Options --- */

TEST(test_habits)
{
	static const struct {
		const char *typed[6], *meant[6];
	} cases[] = {
		{{"-asm", "nop"}, {"--asm", "nop"}},
		{{"-asm_init", "-x", "-asm", "-y"}, {"--asm-init", "-x", "--asm", "-y"}},
		{{"--asm_init=x"}, {"--asm-init=x"}},
		{{"-n_measurements=5", "-unroll", "7"},
		 {"--n-measurements=5", "--unroll-count", "7"}},
		{{"-basic_mode", "-no_mem", "-df"}, {"--basic-mode", "--no-mem", "--df"}},
		{{"-n", "3", "-l", "-5"}, {"-n", "3", "-l", "-5"}},
		{{"-as", "nop"}, {"--asm", "nop"}},
		{{"-f", "-b", "-r", "-d"},
		 {"--fixed-counters", "--basic-mode", "--remove-empty-events", "--df"}},
		{{"-warm", "2", "-warm-m"}, {"--warm-up-count", "2", "--warm-model"}},
		{{"--warm=2", "-con", "x"}, {"--warm-up-count=2", "--config", "x"}},
		{{"-asm_i", "x", "-cod", "y"}, {"--asm-init", "x", "--code", "y"}},
		{{"-no_m", "-no_n", "-al", "3"},
		 {"--no-mem", "--no-normalization", "--alignment-offset", "3"}},
		{{"-ra", "-de", "-ms"}, {"--range", "--debug", "--msr-config"}},
		{{"-cpu", "1", "-cpu", "host"}, {"--on-cpu", "1", "--cpu", "host"}},
		{{"-u3", "-n5"}, {"-u3", "-n5"}},
		{{"-nosuch", "-avg"}, {"-nosuch", "--avg"}},
		{{"--", "-avg"}, {"--", "-avg"}},
		{{"prog", "-avg"}, {"prog", "-avg"}},
		{{"--c", "x.c"}, {"--c", "x.c"}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *words[7] = {0};
		struct reason why;

		memcpy(words, cases[i].typed, sizeof(cases[i].typed));
		assert_int_equal(habits_options(words, TAKER_BENCH | IMAGE_BENCH, &why), 0);
		for (unsigned w = 0; w < 6 && cases[i].meant[w]; w++) {
			assert_string_equal(words[w], cases[i].meant[w]);
			if (words[w] != cases[i].typed[w])
				free((char *)words[w]);
		}
	}
}

TEST(test_starts_of_several)
{
	static const struct {
		const char *typed, *why;
	} cases[] = {
		{"-a", "-a may be --asm, --asm-init, --asm-late-init, --asm-one-time-init, "
		       "--alignment-offset, --avg"},
		{"-m", "-m may be --median, --min, --max, --msr-config"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *words[] = {cases[i].typed, NULL};
		struct reason why;

		assert_int_equal(habits_options(words, TAKER_BENCH | IMAGE_BENCH, &why), -EINVAL);
		assert_string_equal(why.text, cases[i].why);
	}
}
