// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_config.c - perf0.cfg: the commands that it runs on each machine; and line, column and
 * sentence for each kind of mistake.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/reason.h"
#include "rt/portable/config_file.h"

#include <linux/errno.h>

static struct config config;
static struct config_error bad;

static const struct config_machine machine = {
	.name =
		{
			[CONFIG_BOARD] = "X11DPi-N",
			[CONFIG_PRODUCT] = "SYS-7049P",
			[CONFIG_VERSION] = "",
			[CONFIG_MANUFACTURER] = "Supermicro",
			[CONFIG_BOARD_MANUFACTURER] = "Super Micro Computer, Inc.",
		},
};

/* The commands that the machine knows. `stat` needs an operand. */
static int know_command(void *ctx, int argc, char **argv, struct reason *why)
{
	(void)ctx;
	assert_null(argv[argc]);
	if (!strcmp(argv[0], "stat") && argc < 2)
		return refuse(why, EINVAL, "stat: a workload is wanted");
	if (!strcmp(argv[0], "caps") || !strcmp(argv[0], "stat") || !strcmp(argv[0], "ten"))
		return 0;
	return refuse(why, EINVAL, "unknown command '%s'", argv[0]);
}

static const struct config_checks checks = {know_command, NULL};

/* Memory of the exact size: a sanitizer sees reads beyond the text. */
static char *copy_text(const char *text, size_t n)
{
	char *copy = malloc(n + 1);

	memcpy(copy, text, n);
	copy[n] = '#';
	return copy;
}

static int parse_bytes(const char *text, size_t n, const struct config_machine *m, char **copy)
{
	memset(&config, 0x55, sizeof(config));
	memset(&bad, 0, sizeof(bad));
	*copy = copy_text(text, n);
	return config_parse(&config, *copy, n, m, &checks, &bad);
}

/* `wanted` has the lines of commands, as NUMBER:TEXT, each with a blank after it. */
static void check_runs_on(const struct config_machine *m, const char *text, const char *wanted)
{
	char *copy, got[1024] = "";
	size_t n = 0;

	if (parse_bytes(text, strlen(text), m, &copy))
		fail_msg("%u:%u: %s", bad.line, bad.column, bad.why.text);
	for (unsigned i = 0; i < config.n; i++)
		n += (size_t)snprintf(got + n, sizeof(got) - n, "%u:%s ", config.commands[i].line,
				      config.commands[i].text);
	assert_string_equal(got, wanted);
	free(copy);
}

static void check_runs(const char *text, const char *wanted)
{
	check_runs_on(&machine, text, wanted);
}

TEST(commands_run_in_their_order)
{
	check_runs("", "");
	check_runs("\n\n# nothing\n \t \n", "");
	check_runs("caps", "1:caps ");
	check_runs("caps\n", "1:caps ");
	check_runs("caps\r\n\r\nstat 1\r\n", "1:caps 3:stat 1 ");
	check_runs("\357\273\277caps\n", "1:caps ");
	check_runs("  caps \t # a comment\n\tstat a#b\n", "1:caps 2:stat a#b ");
	check_runs("stat 'a # b' \"c # \\\" d\" # e\n", "1:stat 'a # b' \"c # \\\" d\" ");
	check_runs("stat \\' # '\n", "1:stat \\' ");
	check_runs("caps;#\ncaps; stat x ;\n", "1:caps; 2:caps; stat x ; ");
	check_runs(";\n", "1:; ");
	check_runs("stat /perf0/bin/\303\244\n", "1:stat /perf0/bin/\303\244 ");
	/* It is a command, though it looks like `then`. */
	check_runs("ten poweroff\n", "1:ten poweroff ");
	check_runs("stat timeout=3\n", "1:stat timeout=3 ");
}

TEST(sections_are_for_machines)
{
	check_runs("caps\n[board \"X11*\"]\nstat 1\n[board \"X12*\"]\nstat 2\n",
		   "1:caps 3:stat 1 ");
	check_runs("[board \"x11dpi-n\"]\ncaps\n", "2:caps ");
	check_runs("[board \"X11\"]\ncaps\n", "");
	check_runs("[board \"X1[01]DP?-N\"]\ncaps\n", "2:caps ");
	check_runs("[board \"X11*\" product \"SYS-*\"]\ncaps\n", "2:caps ");
	check_runs("[board \"X11*\" product \"ABC\"]\ncaps\n", "");
	check_runs("[product \"SYS-7049P\"]\ncaps\n[manufacturer \"supermicro\"]\nstat 1\n",
		   "2:caps 4:stat 1 ");
	check_runs("[manufacturer \"Super Micro*\"] # its board\ncaps\n", "2:caps ");
	check_runs("[ manufacturer\t\"Dell*\" ]\ncaps\n[else]\nstat 1\n", "4:stat 1 ");
	check_runs("[board \"X11*\"]\n[else]\nstat 1\n", "");
	check_runs("[version \"*\"]\ncaps\n", "");
	check_runs("[board \"a#b # c\"]\ncaps\n", "");
	check_runs("  [ else ]\ncaps\n", "2:caps ");
	check_runs_on(NULL, "[board \"*\"]\ncaps\n[else]\nstat 1\n", "4:stat 1 ");
	check_runs_on(&(struct config_machine){0}, "caps\n[board \"*\"]\nstat 1\n", "1:caps ");
}

static void check_settings(const char *text, unsigned timeout, uint32_t repeat,
			   enum config_then then)
{
	char *copy;

	if (parse_bytes(text, strlen(text), &machine, &copy))
		fail_msg("%s: %u:%u: %s", text, bad.line, bad.column, bad.why.text);
	assert_int_equal(config.settings.timeout, timeout);
	assert_int_equal(config.settings.repeat, repeat);
	assert_int_equal(config.settings.then, then);
	free(copy);
}

TEST(settings_hold)
{
	check_settings("", CONFIG_TIMEOUT, 1, CONFIG_THEN_PROMPT);
	check_settings("timeout 0\nrepeat 3\nthen poweroff\n", 0, 3, CONFIG_THEN_POWEROFF);
	check_settings(" timeout\t3600\nrepeat forever\nthen reboot # x\n", 3600, CONFIG_FOREVER,
		       CONFIG_THEN_REBOOT);
	check_settings("repeat 1000000000\nthen exit", CONFIG_TIMEOUT, 1000000000,
		       CONFIG_THEN_EXIT);
	check_settings("then prompt\r\n", CONFIG_TIMEOUT, 1, CONFIG_THEN_PROMPT);
	check_settings("timeout 1\n[board \"X11*\"]\ntimeout 2\n[board \"X12\"]\ntimeout 3\n", 2, 1,
		       CONFIG_THEN_PROMPT);
	check_settings("then exit\n[board \"X*\"]\n[else]\nthen poweroff\n", CONFIG_TIMEOUT, 1,
		       CONFIG_THEN_EXIT);
	check_settings("repeat 2\n[board \"X*\"]\nrepeat 3\n[product \"S*\"]\nrepeat 4\n",
		       CONFIG_TIMEOUT, 4, CONFIG_THEN_PROMPT);
}

TEST(time_until_a_reset)
{
	check_settings("", CONFIG_TIMEOUT, 1, CONFIG_THEN_PROMPT);
	assert_int_equal(config.settings.reset_after, 0);
	check_settings("reset-after 4\n[board \"X*\"]\nreset-after 600\n", CONFIG_TIMEOUT, 1,
		       CONFIG_THEN_PROMPT);
	assert_int_equal(config.settings.reset_after, 600);
	check_settings("reset-after 0\n", CONFIG_TIMEOUT, 1, CONFIG_THEN_PROMPT);
	assert_int_equal(config.settings.reset_after, 0);
}

#define TEXT(s) (s), sizeof(s) - 1

/* Files with the place of the first mistake, and the message about it. */
static const struct {
	const char *text;
	size_t n;
	unsigned line, column;
	const char *why;
} mistakes[] = {
	/* Files of other kinds. */
	{TEXT("\377\376c\0a\0p\0s\0"), 1, 1, "this is UTF-16: please save the file as UTF-8"},
	{TEXT("\376\377\0c\0a\0p\0s"), 1, 1, "this is UTF-16"},
	{TEXT("caps\n\377\376\n"), 2, 1, "this is no UTF-8"},
	{TEXT("caps\0\n"), 1, 5, "a byte of 0"},
	{TEXT("\0"), 1, 1, "a byte of 0"},
	{TEXT("caps\rstat 1\r"), 1, 5, "a carriage return inside of the line"},
	{TEXT("caps\r\r\n"), 1, 5, "a carriage return"},
	{TEXT("caps\r"), 1, 5, "a carriage return"},
	{TEXT("\303\244 \344\n"), 1, 3, "this is no UTF-8"},
	{TEXT("stat \303"), 1, 6, "this is no UTF-8"},
	{TEXT("caps\n\357\273\277caps\n"), 2, 1, "a byte order mark inside"},
	{TEXT("# \033[31m\n"), 1, 3, "a control character"},
	{TEXT("caps\n\032"), 2, 1, "a control character"},
	{TEXT("caps\177\n"), 1, 5, "a control character"},
	{TEXT("caps \302\205\n"), 1, 6, "a control character"},
	{TEXT("PK\003\004"), 1, 3, "a control character"},
	{TEXT("\177ELF\002\001\001\0"), 1, 1, "a control character"},
	/* Settings. */
	{TEXT("timeout\n"), 1, 8, "timeout wants a number of seconds, 0 to 3600"},
	{TEXT("timeout \n"), 1, 8, "timeout wants"},
	{TEXT("timeout x\n"), 1, 9, "timeout wants a number of seconds, 0 to 3600, not 'x'"},
	{TEXT("timeout -1\n"), 1, 9, "not '-1'"},
	{TEXT("timeout 3601\n"), 1, 9, "not '3601'"},
	{TEXT("timeout 1.5\n"), 1, 9, "not '1.5'"},
	{TEXT("timeout 5 s\n"), 1, 11, "timeout takes one word"},
	{TEXT("timeout 5 # s\ntimeout   6\n"), 2, 1, "timeout is set twice here"},
	{TEXT("timeout 99999999999999999999\n"), 1, 9, "timeout wants"},
	{TEXT("timeout ''\n"), 1, 9, "not ''"},
	{TEXT("reset-after 3\n"), 1, 13,
	 "reset-after wants a number of seconds, 4 to 600, or 0 for none"},
	{TEXT("reset-after 601\n"), 1, 13, "reset-after wants"},
	{TEXT("repeat 0\n"), 1, 8, "repeat wants a number of times, 1 to 1000000000, or `forever`"},
	{TEXT("repeat 1000000001\n"), 1, 8, "repeat wants"},
	{TEXT("repeat  ever\n"), 1, 9, "repeat wants"},
	{TEXT("repeat\n"), 1, 7, "repeat wants"},
	{TEXT("then halt\n"), 1, 6, "then wants poweroff, reboot, exit or prompt, not 'halt'"},
	{TEXT("then\n"), 1, 5, "then wants"},
	{TEXT("then power off\n"), 1, 12, "then takes one word"},
	{TEXT("then Poweroff\n"), 1, 6, "then wants"},
	{TEXT("then exit\ncaps\nthen exit\n"), 3, 1, "then is set twice here"},
	{TEXT("timeout=5\n"), 1, 1, "a setting has no `=`: write `timeout` and a blank"},
	{TEXT("  then=exit\n"), 1, 3, "a setting has no `=`"},
	{TEXT("timeot 5\n"), 1, 1,
	 "there is no command or setting 'timeot'; did you mean 'timeout'?"},
	{TEXT("Then exit\n"), 1, 1, "did you mean 'then'?"},
	{TEXT("caps; then poweroff\n"), 1, 7, "the setting then stands in a line of its own"},
	{TEXT("timeout 3; caps\n"), 1, 1, "the setting timeout stands in a line of its own"},
	{TEXT("[board \"other\"]\ntimeout x\n"), 2, 9, "timeout wants"},
	{TEXT("[board \"other\"]\ntimeout 1\ntimeout 2\n"), 3, 1, "timeout is set twice here"},
	/* Commands. */
	{TEXT("caps\nnosuch 1\n"), 2, 1, "unknown command 'nosuch'"},
	{TEXT("caps;  nosuch\n"), 1, 8, "unknown command 'nosuch'"},
	{TEXT("\tstat\n"), 1, 2, "stat: a workload is wanted"},
	{TEXT("stat 'a\n"), 1, 6, "quote is not closed"},
	{TEXT("caps; stat \"a # b\n"), 1, 12, "quote is not closed"},
	{TEXT("stat \303\244 'a\n"), 1, 8, "quote is not closed"},
	{TEXT("[board \"other\"]\nnosuch\n"), 2, 1, "unknown command 'nosuch'"},
	{TEXT("mode=own caps\n"), 1, 1, "unknown command 'mode=own'"},
	/* Sections. */
	{TEXT("[\n"), 1, 2, "board, product, version, manufacturer or else is wanted here"},
	{TEXT("[]\n"), 1, 2, "is wanted here"},
	{TEXT("[board]\n"), 1, 7, "a pattern in quotes is wanted here"},
	{TEXT("[board X11]\n"), 1, 8, "a pattern in quotes is wanted here"},
	{TEXT("[board \"X11]\n"), 1, 8, "the quote is not closed"},
	{TEXT("[board \"X11\"\n"), 1, 13, "`]` is wanted here"},
	{TEXT("[board \"\"]\n"), 1, 8, "an empty pattern matches no machine"},
	{TEXT("[\"X11\"]\n"), 1, 2, "is wanted here"},
	{TEXT("[X11]\n"), 1, 2, "there is no section 'X11'; there are board, product"},
	{TEXT("[bord \"X11\"]\n"), 1, 2, "there is no section 'bord'; did you mean 'board'?"},
	{TEXT("[board \"a\" board \"b\"]\n"), 1, 12, "board stands here twice"},
	{TEXT("[board \"a\"] caps\n"), 1, 13, "a section has its line for itself"},
	{TEXT("[board \"a\"]]\n"), 1, 12, "a section has its line for itself"},
	{TEXT("[else \"a\"]\n"), 1, 7, "`]` is wanted here"},
	{TEXT("[else\n"), 1, 6, "`]` is wanted here"},
	{TEXT("[board \"a\"]\n\n[ board  \"a\" ]\n"), 3, 1,
	 "this section is there already, in line 1"},
	{TEXT("[else]\ncaps\n[else]\n"), 3, 1, "this section is there already, in line 1"},
	{TEXT("[else]\ncaps\n[board \"a\"]\n"), 3, 1, "[else] in line 1 has to be the last"},
	{TEXT("[board \"0123456789012345678901234567890123456789012345678901234567890123*\"]\n"), 1,
	 8, "the pattern has more than 64 characters"},
};

TEST(mistakes_have_their_place)
{
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		char *copy;

		if (!parse_bytes(mistakes[i].text, mistakes[i].n, &machine, &copy))
			fail_msg("row %zu: '%s' is taken", i, mistakes[i].text);
		if (bad.line != mistakes[i].line || bad.column != mistakes[i].column ||
		    !strstr(bad.why.text, mistakes[i].why))
			fail_msg("row %zu: '%s': %u:%u: %s", i, mistakes[i].text, bad.line,
				 bad.column, bad.why.text);
		assert_null(strchr(bad.why.text, '\n'));
		assert_int_equal(config.n, 0);
		free(copy);
	}
}

/* Checks a file with `n` times `piece`, which is accepted or refused. */
static void check_many(const char *piece, size_t n, const char *why, unsigned line)
{
	const size_t bytes = strlen(piece);
	char *text = malloc(n * bytes + 1), *copy;
	int err;

	for (size_t i = 0; i < n; i++)
		memcpy(text + i * bytes, piece, bytes);
	err = parse_bytes(text, n * bytes, &machine, &copy);
	if (!why && err)
		fail_msg("%zu of '%s': %s", n, piece, bad.why.text);
	if (why) {
		assert_int_equal(err, -EINVAL);
		assert_string_equal(bad.why.text, why);
		assert_int_equal(bad.line, line);
	}
	free(copy);
	free(text);
}

TEST(what_is_too_much)
{
	check_many("#", CONFIG_LINE_MAX, NULL, 0);
	check_many("#", CONFIG_LINE_MAX + 1, "the line has 4096 bytes, more than 4095", 1);
	check_many("caps\n", CONFIG_COMMANDS_MAX, NULL, 0);
	check_many("caps\n", CONFIG_COMMANDS_MAX + 1,
		   "more than 256 lines of commands for one machine", CONFIG_COMMANDS_MAX + 1);
	check_many("#2345678\n", CONFIG_FILE_MAX / 9, NULL, 0);
	check_many("\n", CONFIG_FILE_MAX, NULL, 0);
	check_many("\n", CONFIG_FILE_MAX + 1, "the file has more than 262144 bytes", 1);
	check_many("caps ", 64, NULL, 0);
	check_many("caps ", 65, "a command has 64 words at most", 1);
}

TEST(sections_are_counted)
{
	char text[4096] = "", *copy;
	size_t n = 0;

	for (unsigned i = 0; i <= CONFIG_SECTIONS_MAX; i++) {
		assert_int_equal(parse_bytes(text, n, &machine, &copy), 0);
		free(copy);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "[board \"%u\"]\n", i);
	}
	assert_int_equal(parse_bytes(text, n, &machine, &copy), -EINVAL);
	assert_string_equal(bad.why.text, "more than 64 sections");
	assert_int_equal(bad.line, CONFIG_SECTIONS_MAX + 1);
	free(copy);
}

/* Without checks any command is accepted. */
TEST(checks_may_be_absent)
{
	char text[] = "nosuch 1\nstat\n!";
	const size_t n = sizeof(text) - 2;

	assert_int_equal(config_parse(&config, text, n, &machine, NULL, &bad), 0);
	assert_int_equal(config.n, 2);
}
