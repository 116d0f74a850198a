// SPDX-License-Identifier: BSD-2-Clause
/* test_options.c - the host tool's command line: the options that it accepts, keeps for the
 * image, and refuses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/words/near.h"
#include "lib/words/option_words.h"
#include "tools/util/buf.h"
#include "tools/options/tool_options.h"
#include "tools/machine/qemu_args.h"

#define MAX_WORDS 32
#define MAX_LINES 256

/* Splits `line` at blanks into `words`, parses, and joins the rest again. */
static int parse(struct options *options, enum option_taker taker, const char *line, char *left,
		 struct reason *why)
{
	static char copy[512];                          /* the options point into it */
	static const char *lines[MAX_LINES][MAX_WORDS]; /* words may be allocated: they stay */
	static size_t nlines;
	const char **words = lines[nlines++];
	size_t n = 0;
	int err;

	assert_true(nlines < MAX_LINES);
	strcpy(copy, line);
	for (char *rest = copy, *word; (word = strsep(&rest, " "));)
		if (*word)
			words[n++] = word;
	words[n] = NULL;
	err = tool_options_parse(options, taker, words, why);
	*left = '\0';
	for (size_t i = 0; !err && words[i]; i++) {
		strcat(left, i ? " " : "");
		strcat(left, words[i]);
	}
	return err;
}

static struct options parse_good(enum option_taker taker, const char *line, const char *left)
{
	struct options options;
	struct reason why = {""};
	char got[512];

	if (parse(&options, taker, line, got, &why))
		fail_msg("%s: %s", line, why.text);
	assert_string_equal(got, left);
	return options;
}

/* The end of the image's options, also without "--", which may not fit. */
TEST(test_kept_words)
{
	static const struct {
		const char *typed[6];
		size_t nkept;
		const char *left[6];
	} cases[] = {
		{{"prog", "x"}, 0, {"prog", "x"}},
		{{"--asm", "nop"}, 0, {NULL}},
		{{"-u", "3", "prog"}, 2, {"-u", "3", "prog"}},
		{{"--asm", "nop", "-u", "3"}, 2, {"-u", "3"}},
		{{"-u", "3", "--", "prog"}, 2, {"-u", "3", "--", "prog"}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		static const char *lines[sizeof(cases) / sizeof(cases[0])][7]; /* they stay */
		const char **words = lines[i], *behind = "behind";
		struct options options;
		struct reason why = {""};
		size_t n = 0;

		for (; cases[i].typed[n]; n++)
			words[n] = cases[i].typed[n];
		words[n + 1] = behind;
		assert_int_equal(tool_options_parse(&options, TAKER_BENCH, words, &why), 0);
		assert_int_equal(options.nkept, cases[i].nkept);
		for (n = 0; cases[i].left[n]; n++)
			assert_string_equal(words[n], cases[i].left[n]);
		assert_null(words[n]);
		for (n = 0; cases[i].typed[n]; n++)
			;
		assert_ptr_equal(words[n + 1], behind);
		tool_options_free(&options);
	}
}

/* A command line in a shell: the shell's options apply unless the line overrides them. */
TEST(test_beside_a_shell)
{
	struct options shell =
		parse_good(TAKER_SHELL, "--uarch hsw --timeout 9 -e script", "script");
	const char *same[] = {"--", "loop", NULL}, *other[] = {"--uarch", "icl", "loop", NULL};
	struct options line;
	struct reason why;

	assert_true(shell.stops);
	assert_int_equal(tool_options_parse_beside(&line, &shell, TAKER_STAT, same, &why), 0);
	assert_string_equal(line.machine.vpmu.uarch->name, "hsw");
	assert_int_equal(line.machine.timeout, 9);
	assert_true(machine_options_same(&line.machine, &shell.machine));
	assert_int_equal(tool_options_parse_beside(&line, &shell, TAKER_STAT, other, &why), 0);
	assert_string_equal(line.machine.vpmu.uarch->name, "icl");
	assert_false(machine_options_same(&line.machine, &shell.machine));
	assert_string_equal(shell.machine.vpmu.uarch->name, "hsw");
}

TEST(test_defaults)
{
	struct options o = parse_good(TAKER_RUN, "caps", "caps");

	assert_string_equal(o.machine.vpmu.uarch->name, "skx");
	assert_string_equal(o.machine.cpu, "EPYC");
	assert_string_equal(o.machine.qemu, "qemu-system-x86_64");
	assert_true(o.machine.vpmu.ht && o.machine.has_vpmu && !o.output.verbose);
	assert_int_equal(o.machine.accel, ACCEL_TCG);
	assert_int_equal(o.machine.smp, 1);
	assert_int_equal(o.machine.memory, 0);
	assert_int_equal(o.machine.threads, 1);
	assert_int_equal(o.machine.timeout, 0);
	assert_int_equal(o.stream.command, ANY_COMMAND);
	assert_null(o.output.path);
}

TEST(test_every_option)
{
	struct options o =
		parse_good(TAKER_RUN,
			   "--uarch zen4 --ht off --cpu max --smp 2 --memory 2G --timeout 7 -o dir "
			   "--qemu /bin/q -v -- caps -v",
			   "caps -v");

	assert_string_equal(o.machine.vpmu.uarch->name, "zen4");
	assert_string_equal(o.machine.cpu, "max");
	assert_string_equal(o.machine.qemu, "/bin/q");
	assert_string_equal(o.output.path, "dir");
	assert_true(!o.machine.vpmu.ht && o.output.verbose);
	assert_int_equal(o.machine.smp, 2);
	assert_int_equal(o.machine.memory, 2048);
	assert_int_equal(o.machine.timeout, 7);
	o = parse_good(TAKER_RUN, "--smp 4,threads=2 caps", "caps");
	assert_int_equal(o.machine.smp, 4);
	assert_int_equal(o.machine.threads, 2);

	o = parse_good(TAKER_RUN, "--uarch=hsw --smp=3 caps --smp=4", "caps --smp=4");
	assert_string_equal(o.machine.vpmu.uarch->name, "hsw");
	assert_int_equal(o.machine.smp, 3);
	o = parse_good(TAKER_RECORD, "--folded -o - -e x -- loop --text", "-e x -- loop --text");
	assert_ptr_equal(o.output.format, out_find("folded"));
	assert_string_equal(o.output.path, "-");
	o = parse_good(TAKER_DECODE, "-x ; --csv stream", "stream");
	assert_ptr_equal(o.output.format, out_find("csv"));
	assert_string_equal(o.output.separator, ";");
	o = parse_good(TAKER_DECODE, "stream -o file --command 3", "stream");
	assert_null(o.output.format);
	assert_int_equal(o.stream.command, 3);
	assert_string_equal(o.output.path, "file");
}

/* Options for programs: lists keep their order, and a shell's script is no input of programs. */
TEST(test_programs_options)
{
	struct options o =
		parse_good(TAKER_STAT,
			   "--file a --file b:c --env A=1 --env B= --bring x --bring y:z "
			   "--root r --cwd d --stdin s --keep-env --static-only --seed "
			   "0x10 --no-prefault -e x -- loop",
			   "-e x -- loop");
	const struct program_options *program = &o.program;
	struct options shell;

	assert_int_equal(program->files.n, 2);
	assert_string_equal(program->files.word[1], "b:c");
	assert_int_equal(program->env.n, 2);
	assert_string_equal(program->env.word[0], "A=1");
	assert_string_equal(program->brings.word[1], "y:z");
	assert_string_equal(program->root, "r");
	assert_string_equal(program->cwd, "d");
	assert_string_equal(program->input, "s");
	assert_string_equal(program->prefault, "0");
	assert_true(program->keep_env && program->static_only && program->has_seed);
	assert_int_equal(program->seed, 16);
	assert_false(program->no_input);
	tool_options_free(&o);
	shell = parse_good(TAKER_SHELL, "script", "script");
	{
		const char *line[] = {"--prefault", "./x", NULL};
		struct reason why;

		assert_int_equal(tool_options_parse_beside(&o, &shell, TAKER_STAT, line, &why), 0);
		assert_true(o.program.no_input);
		assert_string_equal(o.program.prefault, "1");
	}
	assert_true(parse_good(TAKER_ATTACH, "dev", "dev").program.no_input);
}

TEST(test_accelerators)
{
	struct options o = parse_good(TAKER_RUN, "--accel kvm caps", "caps");

	assert_false(o.machine.has_vpmu);
	assert_string_equal(o.machine.cpu, "host,pmu=on");
	o = parse_good(TAKER_STAT, "--kvm --pin 1 -- loop", "-- loop");
	assert_int_equal(o.machine.accel, ACCEL_KVM);
	assert_false(o.machine.has_vpmu);
	assert_string_equal(o.machine.pin, "1");
	assert_string_equal(o.machine.cpu, "host,pmu=on");
	o = parse_good(TAKER_RUN, "--accel kvm --vpmu --uarch icl --cpu EPYC caps", "caps");
	assert_true(o.machine.has_vpmu);
	assert_string_equal(o.machine.cpu, "EPYC");
	o = parse_good(TAKER_RUN, "--accel tcg --no-vpmu caps", "caps");
	assert_false(o.machine.has_vpmu);
}

/* The image's options keep their order, with the tool's options anywhere between them. */
TEST(test_the_image_keeps_its_own)
{
	static const struct {
		enum option_taker taker;
		const char *line, *left;
	} cases[] = {
		{TAKER_STAT, "-e cycles -r 3 -- loop 5", "-e cycles -r 3 -- loop 5"},
		{TAKER_STAT, "--uarch hsw -e cycles -- loop 5", "-e cycles -- loop 5"},
		{TAKER_STAT, "-e cycles --uarch hsw -r 3 -v -- loop -v",
		 "-e cycles -r 3 -- loop -v"},
		{TAKER_STAT, "-e --uarch -- loop", "-e --uarch -- loop"},
		{TAKER_STAT, "-e cycles loop --smp 3", "-e cycles loop --smp 3"},
		{TAKER_STAT, "-x --timeout 3 loop", "-x --timeout 3 loop"},
		{TAKER_STAT, "--repeat=3 --timeout 3 -- loop", "--repeat=3 --timeout 3 -- loop"},
		{TAKER_STAT, "--timeout 3 --machine-timeout 3 -- loop", "--timeout 3 -- loop"},
		{TAKER_STAT, "--policy fair --mux-interval-us 100 --smp 3 loop",
		 "--policy fair --mux-interval-us 100 loop"},
		{TAKER_STAT, "-o file --append -x , -- loop", "-x , -- loop"},
		{TAKER_RECORD, "-e a -c 7 -o f.data -- hotcold", "-e a -c 7 -- hotcold"},
		{TAKER_RECORD, "--limit 5 -o f.data -- hotcold", "--limit 5 -- hotcold"},
		{TAKER_RECORD, "--max-stack 5 -of.data -- hotcold", "--max-stack 5 -- hotcold"},
		{TAKER_RECORD, "--call-graph dwarf --output=f -- loop",
		 "--call-graph dwarf -- loop"},
		{TAKER_RECORD, "-I -o f -- loop", "-I -- loop"},
		{TAKER_RECORD, "-IAX -- loop", "-IAX -- loop"},
		{TAKER_RECORD, "-gdvo f -gW -- loop", "-gd -gW -- loop"},
		{TAKER_RECORD, "-e=x -ex --freq=max loop", "-e=x -ex --freq=max loop"},
		{TAKER_STAT, "--rep 3 --no-m loop", "--repeat 3 --no-mux loop"},
		{TAKER_CAPS, "--uarch icl", ""},
		{TAKER_CAPS, "--json", "--json"},
		{TAKER_LIST, "cache -v", "cache -v"},
		{TAKER_RUN, "--smp 2 stat -e x --smp 9", "stat -e x --smp 9"},
		{TAKER_RUN, "-- -- x", "-- x"},
		{TAKER_BOOT, "--uarch hsw a.efi --smp 2 -- x", "a.efi --smp 2 -- x"},
		{TAKER_BOOT, "-- a.efi", "a.efi"},
		{TAKER_LINUX, "--uarch hsw kernel --share . -- perf stat -e x ls",
		 "kernel perf stat -e x ls"},
		{TAKER_QEMU_ARGS, "--smp 2 path --smp 3", "path --smp 3"},
		{TAKER_RUN, "", ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		parse_good(cases[i].taker, cases[i].line, cases[i].left);
}

TEST(test_guests)
{
	struct options o =
		parse_good(TAKER_LINUX, "k --share dir --append x=y --modules m --memory 1G", "k");

	assert_string_equal(o.guest.share, "dir");
	assert_string_equal(o.guest.append, "x=y");
	assert_string_equal(o.guest.modules, "m");
	assert_null(o.guest.initrd);
	assert_int_equal(o.machine.memory, 1024);
	assert_int_equal(parse_good(TAKER_BOOT, "a.efi", "a.efi").machine.memory, 0);
	assert_true(parse_good(TAKER_BOOT, "--cold a.efi", "a.efi").machine.cold);
	assert_true(parse_good(TAKER_LINUX, "--cold k", "k").machine.cold);
	o = parse_good(TAKER_QEMU_ARGS, "--page file", "");
	assert_string_equal(o.guest.page, "file");
}

/* Each refusal is one line with the option and its value. */
TEST(test_refusals)
{
	static const struct {
		enum option_taker taker;
		const char *line, *word1, *word2;
	} cases[] = {
		{TAKER_RUN, "--nosuch caps", "--nosuch", "unknown option"},
		{TAKER_RUN, "-x caps", "-x", "unknown option"},
		{TAKER_RUN, "--uarch p4 caps", "--uarch", "'p4' is not " VPMU_NAMES_WHERE},
		{TAKER_RUN, "--ht maybe caps", "--ht", "'maybe' is not on or off"},
		{TAKER_RUN, "--accel xen caps", "--accel", "'xen'"},
		{TAKER_RUN, "--smp 0 caps", "--smp", "'0'"},
		{TAKER_RUN, "--smp 65 caps", "--smp", "'65'"},
		{TAKER_RUN, "--smp 4,threads=3 caps", "--smp", "'4,threads=3'"},
		{TAKER_RUN, "--smp 3,threads=2 caps", "--smp", "'3,threads=2'"},
		{TAKER_RUN, "--smp 4,cores=2 caps", "--smp", "'4,cores=2'"},
		{TAKER_RUN, "--smp 4, caps", "--smp", "'4,'"},
		{TAKER_RUN, "--smp ,threads=2 caps", "--smp", "',threads=2'"},
		{TAKER_RUN, "--smp 4444444,threads=2 caps", "--smp", "'4444444,threads=2'"},
		{TAKER_RUN, "--smp -1 caps", "--smp", "'-1'"},
		{TAKER_RUN, "--smp 1x caps", "--smp", "'1x'"},
		{TAKER_RUN, "--timeout 0 caps", "--timeout", "'0'"},
		{TAKER_RUN, "--timeout 86401 caps", "--timeout", "'86401'"},
		{TAKER_RUN, "--timeout 99999999999999999999 caps", "--timeout", "'9999"},
		{TAKER_RUN, "--timeout= caps", "--timeout", "''"},
		{TAKER_RUN, "--timeout", "--timeout", "wants a value"},
		{TAKER_CAPS, "--machine-timeout 0", "--machine-timeout", "'0'"},
		{TAKER_RUN, "--no-vpmu=yes caps", "--no-vpmu", "takes no value"},
		{TAKER_RUN, "--no-vpmu --uarch hsw caps", "--uarch", "--no-vpmu"},
		{TAKER_RUN, "--no-vpmu --ht off caps", "--ht", "--no-vpmu"},
		{TAKER_RUN, "--accel kvm --uarch hsw caps", "--uarch", "--accel kvm"},
		{TAKER_RUN, "--command 1 caps", "--command", "unknown option"},
		{TAKER_STAT, "--append -- loop", "--append", "needs --output"},
		{TAKER_STAT, "-o - -- loop", "-o", "'-' is not a file name"},
		{TAKER_RUN, "-o - caps", "-o", "'-' is not a directory"},
		{TAKER_RECORD, "--folded --text loop", "--folded", "one form at a time"},
		{TAKER_DECODE, "--json -x ; stream", "--json", "one form at a time"},
		{TAKER_DECODE, "stream -x", "--field-separator", "wants a value"},
		{TAKER_DECODE, "stream --json=x", "--json", "takes no value"},
		{TAKER_DECODE, "stream --uarch hsw", "--uarch", "unknown option"},
		{TAKER_DECODE, "stream --command x", "--command", "'x'"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct options options;
		struct reason why = {""};
		char left[512];

		if (!parse(&options, cases[i].taker, cases[i].line, left, &why))
			fail_msg("'%s' was taken", cases[i].line);
		if (!strstr(why.text, cases[i].word1) || !strstr(why.text, cases[i].word2))
			fail_msg("'%s' is refused by: %s", cases[i].line, why.text);
		assert_null(strchr(why.text, '\n'));
	}
}

/* Each row is consistent, and accepts its default value. */
TEST(test_rows)
{
	for (unsigned i = 0; i < OPTIONS; i++) {
		const struct option_row *row = option_row((enum option_id)i);
		struct reason why = {""};

		assert_true(row->takers && (row->name || row->letter) && row->help);
		assert_int_equal(!row->operand, option_is_bare(row));
		if (row->kind == OPTION_NUMBER)
			assert_true(row->min < row->max);
		if (row->fallback && option_check(row, row->fallback, &why))
			fail_msg("--%s: default: %s", row->name, why.text);
		assert_true(*row->help);
	}
}

/* No command of the image has two rows of the same name or letter. */
TEST(test_rows_are_told_apart)
{
	for (unsigned i = 0; i < OPTIONS; i++) {
		const struct option_row *row = option_row((enum option_id)i);
		const uint32_t image = row->takers & 0xffff0000;

		for (uint32_t bit = 1u << 31; bit >= IMAGE_STAT; bit >>= 1) {
			if (!(image & bit))
				continue;
			if (row->letter)
				assert_int_equal(option_by_letter(bit, row->letter), i);
			if (row->name)
				assert_int_equal(option_by_name(bit, row->name, strlen(row->name)),
						 i);
		}
	}
}

TEST(test_near)
{
	static const struct {
		const char *typed, *known;
		bool near;
	} cases[] = {
		{"lop", "loop", true},      {"looop", "loop", true},    {"loip", "loop", true},
		{"lopo", "loop", true},     {"oop", "loop", true},      {"loo", "loop", true},
		{"loop", "loop", false},    {"olpo", "loop", false},    {"lp", "loop", false},
		{"", "loop", false},        {"x", "y", false},          {"pool", "loop", false},
		{"cyclse", "cycles", true}, {"cylces", "cycles", true}, {"aab", "ab", true},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (near_word(cases[i].typed, strlen(cases[i].typed), cases[i].known) !=
		    cases[i].near)
			fail_msg("%s, %s", cases[i].typed, cases[i].known);
}

static void check_load_options(const char *line, const char *wanted)
{
	struct options options = parse_good(TAKER_RUN, line, "caps");
	struct buf out = {0};

	qemu_load_options(&out, &options.machine);
	assert_string_equal(buf_text(&out), wanted);
	buf_free(&out);
}

/* The words of QEMU's command line by which a saved firmware is found. */
static void firmware_words(struct buf *out, const char *line)
{
	struct options options = parse_good(TAKER_RUN, line, "caps");
	const struct counting counting = {.fd = -1};
	const struct qemu_machine machine = {.options = &options.machine, .counting = &counting};
	struct launch launch = {0};
	struct args args = {0};

	qemu_load_options(&launch.load_options, &options.machine);
	buf_text(&launch.load_options);
	qemu_args_machine(&args, &machine, &launch);
	qemu_args_line(out, &args);
	qemu_args_free(&args);
	buf_free(&launch.load_options);
}

static bool is_same_firmware(const char *line, const char *other)
{
	struct buf words = {0}, other_words = {0};
	bool is_same;

	firmware_words(&words, line);
	firmware_words(&other_words, other);
	is_same = !strcmp(buf_text(&words), buf_text(&other_words));
	buf_free(&words);
	buf_free(&other_words);
	return is_same;
}

/* An option of both tool and image is set here, and passed on as it was typed. */
TEST(test_options_of_both)
{
	assert_true(parse_good(TAKER_RECORD, "-q -e x -- loop", "-q -e x -- loop").output.quiet);
	assert_true(parse_good(TAKER_RECORD, "-gq loop", "-gq loop").output.quiet);
	assert_true(parse_good(TAKER_RECORD, "--quiet loop", "--quiet loop").output.quiet);
	assert_false(parse_good(TAKER_RECORD, "loop -q", "loop -q").output.quiet);
	assert_false(parse_good(TAKER_STAT, "--quiet loop", "--quiet loop").output.quiet);
	parse_good(TAKER_STAT, "-ddd -d loop", "-ddd -d loop");
	parse_good(TAKER_STAT, "-I 100 -iB loop", "-I 100 -iB loop");
	parse_good(TAKER_STAT, "-nB loop", "-nB loop");
	parse_good(TAKER_RECORD, "-IAX loop", "-IAX loop");
}

/* perf's options that perf0 lacks: none of them is an option here, and each is refused with a
 * reason. */
TEST(test_options_of_perf)
{
	static const struct {
		uint64_t takers;
		char letter;
		const char *name, *reason;
	} rows[] = {
#define PERF_OPTION(takers_, letter_, name_, reason_) {(takers_), (letter_), name_, reason_},
#include "include/perf0/perf_option_rows.h"
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const uint64_t takers = rows[i].takers & IMAGE_STAT ? TAKER_STAT | IMAGE_STAT
					: rows[i].takers & IMAGE_BENCH
						? TAKER_BENCH | IMAGE_BENCH
						: TAKER_RECORD | IMAGE_RECORD;
		char word[64], letter[] = {'-', rows[i].letter, '\0'};
		struct reason why = {""};

		snprintf(word, sizeof(word), "--%s=x", rows[i].name);
		assert_int_equal(option_by_name(takers, rows[i].name, strlen(rows[i].name)),
				 OPTIONS);
		option_unknown(takers, word, NULL, &why);
		assert_non_null(strstr(why.text, rows[i].reason));
		assert_null(strstr(why.text, "=x"));
		if (!rows[i].letter)
			continue;
		assert_int_equal(option_by_letter(takers, rows[i].letter), OPTIONS);
		option_unknown(takers, letter, NULL, &why);
		assert_non_null(strstr(why.text, rows[i].reason));
	}
}

TEST(test_load_options)
{
	check_load_options("caps", "uarch=skx ht=on \\EFI\\BOOT\\BOOTX64.EFI text=framed await=1");
	check_load_options("--uarch hsw --ht off caps",
			   "uarch=hsw ht=off \\EFI\\BOOT\\BOOTX64.EFI text=framed await=1");
	check_load_options("--timing ipc1 caps", "uarch=skx ht=on timing=ipc1 "
						 "\\EFI\\BOOT\\BOOTX64.EFI text=framed await=1");
	check_load_options("--hypervisor-bit off caps",
			   "uarch=skx ht=on hypervisor=off "
			   "\\EFI\\BOOT\\BOOTX64.EFI text=framed await=1");
	check_load_options("--no-vpmu caps", "text=framed await=1");
	check_load_options("--no-vpmu --watchdog caps", "text=framed await=1 nmi_watchdog=1");
}

/* vpmu and the image get their options after the firmware was saved. */
TEST(test_one_firmware)
{
	static const char *const same[] = {
		"--uarch zen4 caps",
		"--ht off caps",
		"--timing ipc1 caps",
		"--hypervisor-bit off caps",
		"--counters gp:4,version:3 caps",
		"--fault smi:100000 caps",
		"--watchdog caps",
	};
	static const char *const others[] = {
		"--smp 2 caps",         "--smp 2,threads=2 caps", "--memory 1G caps",
		"--cpu EPYC-Rome caps", "--clock host caps",      "--serial caps",
		"--no-vpmu caps",
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		assert_true(is_same_firmware("caps", same[i]));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(is_same_firmware("caps", others[i]));
	assert_false(is_same_firmware("--no-vpmu caps", "--no-vpmu --watchdog caps"));
}
