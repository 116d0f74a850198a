// SPDX-License-Identifier: BSD-2-Clause
/* config_file.c - see config_file.h. Settings and the names of sections are rows. */
#include "rt/portable/config_file.h"

#include "lib/ascii.h"
#include "lib/glob.h"
#include "lib/plain.h"
#include "lib/string.h"
#include "lib/words/near.h"
#include "lib/words/number.h"
#include "rt/portable/cmdline.h"

#include <linux/errno.h>

#define NAME_MOST 64 /* characters of a name that are compared; SMBIOS has that many */

struct parser {
	struct config *config;
	const struct config_machine *machine;
	const struct config_checks *checks;
	struct config_error *error;
	char *begin, *end; /* of the line, without blanks at its end */
	unsigned line;
	bool applies;      /* what stands in this section is for this machine */
	bool matched;      /* one of the sections above was */
	unsigned settings; /* bits of those that this section has */
};

/* A column is a character of UTF-8, whatever it is shown as. */
static unsigned column_of(const char *begin, const char *at)
{
	unsigned column = 1;

	for (; begin < at; begin++)
		column += (*begin & 0xc0) != 0x80;
	return column;
}

#define refuse_at(p, at, ...)                                                            \
	((p)->error->line = (p)->line, (p)->error->column = column_of((p)->begin, (at)), \
	 refuse(&(p)->error->why, EINVAL, __VA_ARGS__))

static char *behind_blanks(char *at, const char *end)
{
	while (at < end && ascii_is_blank(*at))
		at++;
	return at;
}

/* Bytes. */

/* The complaint about the byte at `at`. NULL: it begins a character of text, of `*bytes` bytes. */
static const char *complaint_of_byte(const char *at, const char *end, size_t *bytes)
{
	uint32_t code;

	*bytes = plain_utf8(at, (size_t)(end - at), &code);
	if (!*at)
		return "a byte of 0: this is no text";
	if (*at == '\r')
		return "a carriage return inside of the line: lines end in LF, or CR LF";
	if (!*bytes)
		return "this is no UTF-8: please save the file as UTF-8";
	if (code == 0xfeff)
		return "a byte order mark inside of the file";
	if ((code < ' ' && code != '\t') || (code >= 0x7f && code < 0xa0))
		return "a control character";
	return NULL;
}

static int check_bytes(struct parser *p)
{
	size_t bytes;

	if (p->end - p->begin > CONFIG_LINE_MAX)
		return refuse_at(p, p->begin, "the line has %zu bytes, more than %d",
				 (size_t)(p->end - p->begin), CONFIG_LINE_MAX);
	for (const char *at = p->begin; at < p->end; at += bytes) {
		const char *complaint = complaint_of_byte(at, p->end, &bytes);

		if (complaint)
			return refuse_at(p, at, "%s", complaint);
	}
	return 0;
}

/* As in a shell, a `#` outside of quotes begins a comment where a word could begin. */
static char *find_comment(char *at, const char *end)
{
	bool begins = true;
	char quote = 0;

	for (; at < end; at++) {
		if (quote) {
			if (quote == '"' && *at == '\\' && at + 1 < end)
				at++;
			else if (*at == quote)
				quote = 0;
			continue;
		}
		if (*at == '#' && begins)
			return at;
		begins = ascii_is_blank(*at) || *at == ';';
		if (*at == '\'' || *at == '"')
			quote = *at;
		else if (*at == '\\' && at + 1 < end)
			at++;
	}
	return at;
}

/* Settings. */

static int set_timeout(struct config_settings *to, const char *value)
{
	uint64_t seconds;

	if (number_parse(value, &seconds) || seconds > CONFIG_TIMEOUT_MOST)
		return -EINVAL;
	to->timeout = (unsigned)seconds;
	return 0;
}

static int set_repeat(struct config_settings *to, const char *value)
{
	uint64_t times = CONFIG_FOREVER;

	if (strcmp(value, "forever") &&
	    (number_parse(value, &times) || !times || times > CONFIG_REPEAT_MOST))
		return -EINVAL;
	to->repeat = (uint32_t)times;
	return 0;
}

static int set_reset_after(struct config_settings *to, const char *value)
{
	uint64_t seconds;

	if (number_parse(value, &seconds) || seconds > CONFIG_RESET_MOST ||
	    (seconds && seconds < CONFIG_RESET_LEAST))
		return -EINVAL;
	to->reset_after = (unsigned)seconds;
	return 0;
}

static int set_then(struct config_settings *to, const char *value)
{
	static const char *const names[] = {
		[CONFIG_THEN_PROMPT] = "prompt",
		[CONFIG_THEN_POWEROFF] = "poweroff",
		[CONFIG_THEN_REBOOT] = "reboot",
		[CONFIG_THEN_EXIT] = "exit",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]))
			continue;
		to->then = (enum config_then)i;
		return 0;
	}
	return -EINVAL;
}

static const struct setting {
	const char *name;
	int (*set)(struct config_settings *to, const char *value);
	const char *wanted;
} settings[] = {
	{"timeout", set_timeout, "a number of seconds, 0 to 3600"},
	{"repeat", set_repeat, "a number of times, 1 to 1000000000, or `forever`"},
	{"reset-after", set_reset_after, "a number of seconds, 4 to 600, or 0 for none"},
	{"then", set_then, "poweroff, reboot, exit or prompt"},
};
_Static_assert(CONFIG_TIMEOUT_MOST == 3600 && CONFIG_REPEAT_MOST == 1000000000 &&
		       CONFIG_RESET_LEAST == 4 && CONFIG_RESET_MOST == 600,
	       "as told");

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

static const struct setting *find_setting(const char *word)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (!strcmp(word, settings[i].name))
			return &settings[i];
	return NULL;
}

/* The begin of word `i` in a line without quotes. */
static char *nth_word(const struct parser *p, int i)
{
	char *at = behind_blanks(p->begin, p->end);

	while (i--) {
		while (at < p->end && !ascii_is_blank(*at))
			at++;
		at = behind_blanks(at, p->end);
	}
	return at;
}

static int take_setting(struct parser *p, const struct setting *s, const struct cmdline *words)
{
	const unsigned bit = 1u << (s - settings);
	struct config_settings another_machines;

	if (words->argc < 2)
		return refuse_at(p, p->end, "%s wants %s", s->name, s->wanted);
	if (words->argc > 2)
		return refuse_at(p, nth_word(p, 2), "%s takes one word: %s", s->name, s->wanted);
	if (p->settings & bit)
		return refuse_at(p, nth_word(p, 0), "%s is set twice here", s->name);
	p->settings |= bit;
	/* A setting in the section of another machine is checked, too. */
	if (s->set(p->applies ? &p->config->settings : &another_machines, words->argv[1]))
		return refuse_at(p, nth_word(p, 1), "%s wants %s, not '%s'", s->name, s->wanted,
				 words->argv[1]);
	return 0;
}

/* Commands. */

/* Finds a setting that is written NAME=VALUE, as in files of other programs. */
static const struct setting *find_assigned(const char *word)
{
	const char *equals = strchr(word, '=');

	for (size_t i = 0; i < SETTINGS; i++) {
		const size_t n = strlen(settings[i].name);

		if (equals == word + n && !strncmp(word, settings[i].name, n))
			return &settings[i];
	}
	return NULL;
}

static const struct setting *find_near_setting(const char *word)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (near_word(word, strlen(word), settings[i].name))
			return &settings[i];
	return NULL;
}

/* A known command is not taken for a mistyped setting. */
static int check_with_caller(struct parser *p, const char *at, struct cmdline *words)
{
	const struct config_checks *checks = p->checks;
	const struct setting *near;
	struct reason why;

	if (!checks || !checks->command ||
	    !checks->command(checks->ctx, words->argc, words->argv, &why))
		return 0;
	near = find_near_setting(words->argv[0]);
	if (near)
		return refuse_at(p, at, "there is no command or setting '%s'; did you mean '%s'?",
				 words->argv[0], near->name);
	return refuse_at(p, at, "%s", why.text);
}

static int check_command(struct parser *p, const char *at, struct cmdline *words, bool alone)
{
	const struct setting *assigned = find_assigned(words->argv[0]);

	if (!alone && find_setting(words->argv[0]))
		return refuse_at(p, at, "the setting %s stands in a line of its own",
				 words->argv[0]);
	if (assigned)
		return refuse_at(p, at, "a setting has no `=`: write `%s` and a blank",
				 assigned->name);
	return check_with_caller(p, at, words);
}

static int add_command(struct parser *p, const char *text)
{
	struct config *config = p->config;

	if (!p->applies)
		return 0;
	if (config->n == CONFIG_COMMANDS_MAX)
		return refuse_at(p, p->begin, "more than %d lines of commands for one machine",
				 CONFIG_COMMANDS_MAX);
	config->commands[config->n++] = (struct config_line){text, p->line};
	return 0;
}

/* Handles a line other than a section's head: its words are read in a copy. */
static int handle_line(struct parser *p)
{
	char *const copy = p->config->words;
	const size_t n = (size_t)(p->end - p->begin);
	struct cmdline_error bad;
	struct cmdline words;
	bool alone = true;

	memcpy(copy, p->begin, n);
	copy[n] = '\0';
	for (char *line = copy; line; line = words.rest, alone = false) {
		const size_t from = (size_t)(line - copy);
		const char *at = behind_blanks(p->begin + from, p->end);
		int err;

		if (cmdline_split(line, &words, &bad))
			return refuse_at(p, p->begin + from + bad.column - 1, "%s", bad.reason);
		if (!words.argc)
			continue;
		alone = alone && !words.rest;
		if (alone && find_setting(words.argv[0]))
			return take_setting(p, find_setting(words.argv[0]), &words);
		err = check_command(p, at, &words, alone);
		if (err)
			return err;
	}
	return add_command(p, behind_blanks(p->begin, p->end));
}

/* Sections. */

static const char *const section_names[CONFIG_NAMES] = {
	[CONFIG_BOARD] = "board",
	[CONFIG_PRODUCT] = "product",
	[CONFIG_VERSION] = "version",
	[CONFIG_MANUFACTURER] = "manufacturer",
};

static size_t lower_name(char lower[NAME_MOST], const char *name)
{
	size_t n = 0;

	for (; n < NAME_MOST && name[n]; n++)
		lower[n] = ascii_lower(name[n]);
	return n;
}

static bool matches_name(const char *pattern, const char *name)
{
	char p[NAME_MOST], n[NAME_MOST];

	return name && name[0] && glob_match(n, lower_name(n, name), p, lower_name(p, pattern));
}

static bool matches_machine(const struct config_section *section,
			    const struct config_machine *machine)
{
	for (size_t i = 0; i < CONFIG_NAMES; i++) {
		const char *pattern = section->pattern[i];

		if (!pattern)
			continue;
		if (!machine)
			return false;
		if (!matches_name(pattern, machine->name[i]) &&
		    !(i == CONFIG_MANUFACTURER &&
		      matches_name(pattern, machine->name[CONFIG_BOARD_MANUFACTURER])))
			return false;
	}
	return true;
}

static bool is_same_pattern(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_same_section(const struct config_section *a, const struct config_section *b)
{
	for (size_t i = 0; i < CONFIG_NAMES; i++)
		if (!is_same_pattern(a->pattern[i], b->pattern[i]))
			return false;
	return true;
}

static bool is_else(const struct config_section *section)
{
	return is_same_section(section, &(struct config_section){0});
}

/* `"..."` at `*at`, which then is behind it. */
static int read_pattern(struct parser *p, char **at, const char **pattern)
{
	char *begin = *at, *end;

	if (begin == p->end || *begin != '"')
		return refuse_at(p, begin,
				 "a pattern in quotes is wanted here, as in "
				 "[board \"X11*\"]");
	for (end = ++begin; end < p->end && *end != '"'; end++)
		;
	if (end == p->end)
		return refuse_at(p, *at, "the quote is not closed");
	if (begin == end)
		return refuse_at(p, *at, "an empty pattern matches no machine");
	if (end - begin > NAME_MOST)
		return refuse_at(p, *at, "the pattern has more than %d characters, and no name has",
				 NAME_MOST);
	*end = '\0';
	*pattern = begin;
	*at = end + 1;
	return 0;
}

static int refuse_name(struct parser *p, const char *at, size_t n)
{
	if (!n)
		return refuse_at(p, at,
				 "board, product, version, manufacturer or else is wanted "
				 "here");
	for (size_t i = 0; i < CONFIG_NAMES; i++)
		if (near_word(at, n, section_names[i]))
			return refuse_at(p, at, "there is no section '%.*s'; did you mean '%s'?",
					 (int)n, at, section_names[i]);
	return refuse_at(p, at,
			 "there is no section '%.*s'; there are board, product, version, "
			 "manufacturer and else",
			 (int)n, at);
}

static size_t word_length(const char *at, const char *end)
{
	size_t n = 0;

	while (at + n < end && !ascii_is_blank(at[n]) && !strchr("\"[]", at[n]))
		n++;
	return n;
}

/* One name with its pattern. */
static int read_condition(struct parser *p, char **at, struct config_section *section)
{
	const size_t n = word_length(*at, p->end);

	for (size_t i = 0; i < CONFIG_NAMES; i++) {
		if (strlen(section_names[i]) != n || strncmp(*at, section_names[i], n))
			continue;
		if (section->pattern[i])
			return refuse_at(p, *at, "%s stands here twice", section_names[i]);
		*at = behind_blanks(*at + n, p->end);
		return read_pattern(p, at, &section->pattern[i]);
	}
	return refuse_name(p, *at, n);
}

/* Reads the text between the brackets; `*at` is then at the second one. */
static int read_section(struct parser *p, char **at, struct config_section *section)
{
	static const char other[] = "else";
	const size_t n = sizeof(other) - 1;
	int err = 0;

	*at = behind_blanks(behind_blanks(p->begin, p->end) + 1, p->end);
	if (word_length(*at, p->end) == n && !strncmp(*at, other, n)) {
		*at = behind_blanks(*at + n, p->end);
		return 0;
	}
	do {
		err = read_condition(p, at, section);
		*at = behind_blanks(*at, p->end);
	} while (!err && *at < p->end && **at != ']');
	return err;
}

static int add_section(struct parser *p, const struct config_section *section)
{
	struct config *config = p->config;

	for (unsigned i = 0; i < config->nsections; i++)
		if (is_same_section(section, &config->sections[i]))
			return refuse_at(p, p->begin, "this section is there already, in line %u",
					 config->sections[i].line);
	if (config->nsections && is_else(&config->sections[config->nsections - 1]))
		return refuse_at(p, p->begin, "[else] in line %u has to be the last section",
				 config->sections[config->nsections - 1].line);
	if (config->nsections == CONFIG_SECTIONS_MAX)
		return refuse_at(p, p->begin, "more than %d sections", CONFIG_SECTIONS_MAX);
	config->sections[config->nsections++] = *section;
	return 0;
}

static int take_section(struct parser *p)
{
	struct config_section section = {.line = p->line};
	char *at;
	int err = read_section(p, &at, &section);

	if (err)
		return err;
	if (at == p->end || *at != ']')
		return refuse_at(p, at, "`]` is wanted here");
	at = behind_blanks(at + 1, p->end);
	if (at != p->end)
		return refuse_at(p, at, "a section has its line for itself");
	err = add_section(p, &section);
	p->settings = 0;
	p->applies = is_else(&section) ? !p->matched : matches_machine(&section, p->machine);
	p->matched |= p->applies;
	return err;
}

/* The file. */

static int take_one_line(struct parser *p)
{
	char *const begin = p->begin;
	int err = check_bytes(p);

	if (err)
		return err;
	p->end = find_comment(p->begin, p->end);
	while (p->end > p->begin && ascii_is_blank(p->end[-1]))
		p->end--;
	*p->end = '\0';
	if (behind_blanks(begin, p->end) == p->end)
		return 0;
	return *behind_blanks(begin, p->end) == '[' ? take_section(p) : handle_line(p);
}

static int refuse_file(struct config_error *error, const char *format, int number)
{
	error->line = error->column = 1;
	return refuse(&error->why, EINVAL, format, number);
}

/* A file of another encoding gives a complaint about that, not about its first odd byte. */
static int check_encoding(const char *text, size_t n, struct config_error *error)
{
	if (n > CONFIG_FILE_MAX)
		return refuse_file(error, "the file has more than %d bytes", CONFIG_FILE_MAX);
	if (n >= 2 && (!memcmp(text, "\377\376", 2) || !memcmp(text, "\376\377", 2)))
		return refuse_file(error, "this is UTF-%d: please save the file as UTF-8", 16);
	return 0;
}

static size_t mark_bytes(const char *text, size_t n)
{
	static const char mark[] = "\357\273\277";

	return n >= 3 && !memcmp(text, mark, 3) ? 3 : 0;
}

static int take_lines(struct parser *p, char *text, char *end)
{
	for (char *next; text < end; text = next + 1) {
		int err;

		p->line++;
		for (next = text; next < end && *next != '\n'; next++)
			;
		p->begin = text;
		p->end = next > text && next < end && next[-1] == '\r' ? next - 1 : next;
		err = take_one_line(p);
		if (err)
			return err;
	}
	return 0;
}

int config_parse(struct config *config, char *text, size_t n, const struct config_machine *machine,
		 const struct config_checks *checks, struct config_error *error)
{
	struct parser p = {
		.config = config,
		.machine = machine,
		.checks = checks,
		.error = error,
		.applies = true,
	};
	int err = check_encoding(text, n, error);

	config->settings = (struct config_settings){
		.timeout = CONFIG_TIMEOUT, .repeat = 1, .then = CONFIG_THEN_PROMPT};
	config->n = config->nsections = 0;
	if (!err)
		err = take_lines(&p, text + mark_bytes(text, n), text + n);
	if (err)
		config->n = 0;
	return err;
}
