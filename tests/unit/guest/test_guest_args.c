// SPDX-License-Identifier: BSD-2-Clause
/* test_guest_args.c - vpmu's options for a guest, and the guests that share one saved machine. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

#include "tools/guest/guest_args.h"
#include "tools/options/tool_options.h"

#define MOST_WORDS 16

static const struct firmware firmware = {"/bin/sh", "/bin/sh"};

/* Makes a machine from a line of options, separated by blanks. */
struct made {
	char line[256];
	const char *words[MOST_WORDS + 1];
	struct options options;
	struct guest guest;
	struct guest_files files;
};

static void make_guest(struct made *m, enum guest_kind kind, const char *line)
{
	struct reason why = {""};
	size_t n = 0;

	*m = (struct made){0};
	snprintf(m->line, sizeof(m->line), "%s --qemu sh", line);
	for (char *rest = m->line, *word; (word = strsep(&rest, " ")) && n < MOST_WORDS;)
		if (*word)
			m->words[n++] = word;
	if (tool_options_parse(&m->options, kind == GUEST_PROGRAM ? TAKER_BOOT : TAKER_LINUX,
			       m->words, &why))
		fail_msg("%s: %s", line, why.text);
	m->guest = (struct guest){
		.options = &m->options, .kind = kind, .program = -1, .initrd = -1, .arguments = ""};
	m->files = (struct guest_files){.firmware = &firmware,
					.vpmu = "/bin/sh",
					.memory.fd = -1,
					.program = -1,
					.initrd = -1,
					.options = -1,
					.line = {-1, -1, -1, -1}};
}

static void end_guest(struct made *m)
{
	tool_options_free(&m->options);
}

TEST(test_options_of_vpmu)
{
	static const struct {
		enum guest_kind kind;
		const char *line, *arguments, *told;
	} rows[] = {
		{GUEST_PROGRAM, "--uarch zen4", "a b",
		 "text=marked threads=1 uarch=zen4 ht=on \\GUEST.EFI a b"},
		{GUEST_PROGRAM, "--smp 2 --ht off", "",
		 "text=marked threads=1 uarch=skx ht=off \\GUEST.EFI"},
		{GUEST_PROGRAM, "--smp 4,threads=2", "", "text=marked uarch=skx ht=on \\GUEST.EFI"},
		{GUEST_COMMAND, "--uarch icl", "quiet",
		 "text=marked clock=own threads=1 uarch=icl ht=on \\GUEST.EFI quiet"},
		{GUEST_CONSOLE, "--clock host", "",
		 "text=marked threads=1 uarch=skx ht=on \\GUEST.EFI"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf told = {0};
		struct made m;

		make_guest(&m, rows[i].kind, rows[i].line);
		m.guest.arguments = rows[i].arguments;
		guest_load_options(&told, &m.guest);
		assert_string_equal(buf_text(&told), rows[i].told);
		buf_free(&told);
		end_guest(&m);
	}
}

static const struct counting no_counting = {.fd = -1};

/* Returns the whole key of a saved machine. */
static void describe_made(struct buf *out, struct made *m, const struct counting *counting)
{
	struct reason why = {""};

	if (guest_describe(out, &m->guest, &m->files, counting, &why))
		fail_msg("%s", why.text);
}

static bool is_saved_as(const char *line, enum guest_kind kind, const char *other_line,
			enum guest_kind other_kind)
{
	struct buf text = {0}, other_text = {0};
	struct made m, other;
	bool is_same;

	make_guest(&m, kind, line);
	make_guest(&other, other_kind, other_line);
	other.guest.arguments = "of another one";
	other.files.program = 7;
	other.files.options = 8;
	describe_made(&text, &m, &no_counting);
	describe_made(&other_text, &other, &no_counting);
	is_same = !strcmp(buf_text(&text), buf_text(&other_text));
	buf_free(&text);
	buf_free(&other_text);
	end_guest(&m);
	end_guest(&other);
	return is_same;
}

/* Options of vpmu and programs apply after the machine was saved. All other options need another
 * saved machine. */
TEST(test_one_machine)
{
	static const char *const same[] = {
		"--uarch zen4",
		"--ht off",
		"--timing ipc1",
		"--hypervisor-bit off",
		"--counters gp:4,version:3",
		"-v",
		"--timeout 5",
		"--fault smi:100000",
	};
	static const char *const others[] = {
		"--smp 2", "--smp 2,threads=2", "--memory 1G", "--cpu EPYC-Rome", "--clock host",
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		assert_true(is_saved_as("", GUEST_PROGRAM, same[i], GUEST_PROGRAM));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(is_saved_as("", GUEST_PROGRAM, others[i], GUEST_PROGRAM));
	assert_false(is_saved_as("", GUEST_PROGRAM, "", GUEST_CONSOLE));
	assert_false(is_saved_as("", GUEST_COMMAND, "--share /tmp", GUEST_COMMAND));
	assert_true(is_saved_as("--share /", GUEST_COMMAND, "--share /tmp", GUEST_COMMAND));
}

/* The plugin's page, which is saved with the machine, names the plugin's level. */
TEST(test_levels_of_plugin)
{
	struct counting counting = {.fd = 0, .plugin = "/bin/sh"};
	struct buf counts = {0}, model = {0};
	struct made m;

	make_guest(&m, GUEST_PROGRAM, "");
	describe_made(&counts, &m, &counting);
	counting.models = true;
	describe_made(&model, &m, &counting);
	assert_string_not_equal(buf_text(&counts), buf_text(&model));
	buf_free(&counts);
	buf_free(&model);
	end_guest(&m);
}

TEST(test_title)
{
	struct buf text = {0};
	struct made m;

	make_guest(&m, GUEST_COMMAND, "--smp 2,threads=2 --share /tmp --memory 1G");
	describe_made(&text, &m, &no_counting);
	*strchr(buf_text(&text), '\n') = '\0';
	assert_string_equal((const char *)text.data,
			    "linux, a command, shared, 2 CPUs, threads=2, 1024 MiB, EPYC");
	buf_free(&text);
	end_guest(&m);
}
