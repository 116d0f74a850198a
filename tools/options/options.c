// SPDX-License-Identifier: BSD-2-Clause
/* options.c - see options.h. */
#include "tools/options/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QEMU_DEFAULT    "qemu-system-x86_64"
#define TCG_CPU_DEFAULT "EPYC"
#define KVM_CPU_DEFAULT "host"
#define TIMEOUT_MAX     86400 /* seconds */
#define DELAY_MAX       3600
#define BAUD_MAX        115200
#define MACHINE_SECONDS "a number of seconds, 1 to 86400"

/* A whole decimal number from `min` to `max`. */
static int parse_number(const char *text, uint32_t min, uint32_t max, uint32_t *out)
{
	char *end;
	unsigned long long value;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || value < min || value > max)
		return -EINVAL;
	*out = (uint32_t)value;
	return 0;
}

static int set_uarch(struct options *o, const char *value)
{
	o->uarch = guest_uarch_find(value);
	o->gave_uarch = true;
	return o->uarch ? 0 : -EINVAL;
}

static int set_ht(struct options *o, const char *value)
{
	o->ht = !strcmp(value, "on");
	o->gave_ht = true;
	return o->ht || !strcmp(value, "off") ? 0 : -EINVAL;
}

static int set_vpmu(struct options *o, const char *value)
{
	(void)value;
	o->vpmu = o->gave_vpmu = true;
	return 0;
}

static int set_no_vpmu(struct options *o, const char *value)
{
	(void)value;
	o->vpmu = false;
	o->gave_vpmu = true;
	return 0;
}

static int set_watchdog(struct options *o, const char *value)
{
	(void)value;
	o->watchdog = true;
	return 0;
}

static int set_accel(struct options *o, const char *value)
{
	o->accel = !strcmp(value, "kvm") ? ACCEL_KVM : ACCEL_TCG;
	return o->accel == ACCEL_KVM || !strcmp(value, "tcg") ? 0 : -EINVAL;
}

static int set_cpu(struct options *o, const char *value)
{
	o->cpu = value;
	return *value ? 0 : -EINVAL;
}

static int set_smp(struct options *o, const char *value)
{
	static const char threads[] = ",threads=";
	const char *comma = strchr(value, ',');
	char cpus[SMP_DIGITS + 1];
	size_t n = comma ? (size_t)(comma - value) : strlen(value);

	if (n >= sizeof(cpus))
		return -EINVAL;
	memcpy(cpus, value, n);
	cpus[n] = '\0';
	o->threads = 1;
	if (parse_number(cpus, 1, SMP_MAX, &o->smp))
		return -EINVAL;
	if (!comma)
		return 0;
	if (strncmp(comma, threads, sizeof(threads) - 1) ||
	    parse_number(comma + sizeof(threads) - 1, 1, THREADS_MAX, &o->threads))
		return -EINVAL;
	return o->smp % o->threads ? -EINVAL : 0;
}

/* A number of bytes, or one of KiB, MiB, GiB or TiB behind which K, M, G or T stands. */
static int set_max_size(struct options *o, const char *value)
{
	static const char units[] = "KMGT";
	unsigned long long n;
	const char *unit;
	unsigned shift = 0;
	char *end;

	if (*value < '0' || *value > '9')
		return -EINVAL;
	errno = 0;
	n = strtoull(value, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		end++;
	}
	if (errno || *end || !n || n << shift >> shift != n)
		return -EINVAL;
	o->max_size = n << shift;
	return 0;
}

static int set_timeout(struct options *o, const char *value)
{
	return parse_number(value, 1, TIMEOUT_MAX, &o->timeout);
}

static int set_path(struct options *o, const char *value)
{
	o->output = value;
	return *value && strcmp(value, "-") ? 0 : -EINVAL;
}

static int set_output(struct options *o, const char *value)
{
	o->output = value;
	return *value ? 0 : -EINVAL;
}

static int set_append(struct options *o, const char *value)
{
	(void)value;
	o->append = true;
	return 0;
}

static int set_format(struct options *o, const char *name)
{
	const struct out_format *format = out_find(name);

	if (o->format && o->format != format)
		o->other_format = o->format->name;
	o->format = format;
	return 0;
}

static int set_csv(struct options *o, const char *value)
{
	(void)value;
	return set_format(o, "csv");
}

static int set_separator(struct options *o, const char *value)
{
	o->separator = value;
	return *value ? set_format(o, "csv") : -EINVAL;
}

static int set_json(struct options *o, const char *value)
{
	(void)value;
	return set_format(o, "json");
}

static int set_folded(struct options *o, const char *value)
{
	(void)value;
	return set_format(o, "folded");
}

static int set_speedscope(struct options *o, const char *value)
{
	(void)value;
	return set_format(o, "speedscope");
}

static int set_text(struct options *o, const char *value)
{
	(void)value;
	return set_format(o, "text");
}

static int set_input(struct options *o, const char *value)
{
	o->input = value;
	return *value ? 0 : -EINVAL;
}

static int set_delay(struct options *o, const char *value)
{
	return parse_number(value, 1, DELAY_MAX, &o->delay);
}

static int set_qemu(struct options *o, const char *value)
{
	o->qemu = value;
	return *value ? 0 : -EINVAL;
}

static int set_command(struct options *o, const char *value)
{
	return parse_number(value, 0, ANY_COMMAND - 1, &o->command);
}

static int set_verbose(struct options *o, const char *value)
{
	(void)value;
	o->verbose = true;
	return 0;
}

static int set_stored(struct options *o, const char *value)
{
	o->stored = value;
	return *value ? 0 : -EINVAL;
}

static int set_baud(struct options *o, const char *value)
{
	return parse_number(value, 1, BAUD_MAX, &o->line.baud) || BAUD_MAX % o->line.baud ? -EINVAL
											  : 0;
}

static int set_flow(struct options *o, const char *value)
{
	int flow = live_flow_find(value);

	o->line.flow = (enum live_flow)flow;
	return flow < 0 ? flow : 0;
}

static int set_joined(struct options *o, const char *value)
{
	(void)value;
	o->joined = true;
	return 0;
}

static int set_attached(struct options *o, const char *value)
{
	return parse_number(value, 1, TIMEOUT_MAX, &o->attached);
}

struct option {
	const char *name;
	const char *operand; /* NULL: takes none */
	unsigned takers;
	int (*set)(struct options *o, const char *value);
	const char *expects; /* what the operand must be: "... is not <expects>" */
	const char *help;
};

static const struct option table[] = {
	{"--uarch", "U", TAKERS_MACHINE, set_uarch, VPMU_NAMES_OR,
	 "the PMU that vpmu shows: " VPMU_NAMES_OR " (default " VPMU_DEFAULT ")"},
	{"--ht", "on|off", TAKERS_MACHINE, set_ht, "on or off",
	 "vpmu's hyper-threading; off gives hsw and skx 8 counters (default on)"},
	{"--vpmu", NULL, TAKERS_MACHINE, set_vpmu, NULL,
	 "emulate a PMU by vpmu (default with tcg)"},
	{"--no-vpmu", NULL, TAKERS_MACHINE, set_no_vpmu, NULL,
	 "take the machine's PMU as it is (default with kvm)"},
	{"--watchdog", NULL, TAKERS_MACHINE, set_watchdog, NULL,
	 "the image's NMI watchdog is on, and takes a counter for cycles"},
	{"--cpu", "MODEL", TAKERS_MACHINE, set_cpu, "a CPU model",
	 "QEMU's CPU model (default " TCG_CPU_DEFAULT ", with kvm " KVM_CPU_DEFAULT ")"},
	{"--smp", "N[,threads=T]", TAKERS_MACHINE, set_smp,
	 "a number of CPUs, 1 to 64, of which threads=T (1 or 2) in a core",
	 "CPUs, 1 to 64 (default 1), T of each core (1 or 2); more than one: counts are estimates"},
	{"--accel", "tcg|kvm", TAKERS_MACHINE, set_accel, "tcg or kvm",
	 "QEMU's accelerator (default tcg, with exact instruction counts)"},
	{"--baud", "N", TAKERS_MACHINE | TAKER_ATTACH, set_baud, "a divisor of 115200",
	 "speed of the serial line (default 115200; attach: as the line is set)"},
	{"--flow", "HOW", TAKERS_MACHINE | TAKER_ATTACH, set_flow, "none, xonxoff or rtscts",
	 "who receives can stop who sends: none, xonxoff or rtscts (default none)"},
	{"--stream", "FILE", TAKER_ATTACH, set_stored, "a file name",
	 "store what comes in FILE; what is there of the same run is continued"},
	{"--attached", NULL, TAKER_DECODE, set_joined, NULL,
	 "the stream was stored by attach: it begins and ends where somebody listened"},
	{"--timeout", "S", TAKER_ATTACH, set_attached, MACHINE_SECONDS,
	 "detach after S seconds: status 124"},
	{"--timeout", "S", TAKER_RUN, set_timeout, MACHINE_SECONDS,
	 "the same as --machine-timeout"},
	{"--machine-timeout", "S", TAKERS_MACHINE, set_timeout, MACHINE_SECONDS,
	 "end the machine after S seconds (default 60): status 124"},
	{"-o", "DIR", TAKER_RUN, set_path, "a directory",
	 "store stream.perf0, console.txt and perf.data in DIR (default: nothing is stored)"},
	{"-o", "FILE", TAKER_RECORD | TAKER_DECODE | TAKER_ATTACH, set_output, "a file name",
	 "write FILE (default perf.data; an old one becomes FILE.old); -: for `perf ... -i -`"},
	{"-o", "FILE", TAKER_STAT, set_path, "a file name", "print to FILE"},
	{"--append", NULL, TAKER_STAT, set_append, NULL, "add to the FILE of -o"},
	{"-i", "INPUT", TAKER_TOP, set_input, "a device, a socket or a file",
	 "watch this stream: a serial line, a socket, a file, or - for standard input"},
	{"-d", "S", TAKER_TOP, set_delay, "a number of seconds, 1 to 3600",
	 "draw every S seconds (default 1)"},
	{"--folded", NULL, TAKER_RECORD | TAKER_DECODE | TAKER_ATTACH, set_folded, NULL,
	 "print stacks for flamegraph.pl instead (this and what follows: or into -o FILE)"},
	{"--speedscope", NULL, TAKER_RECORD | TAKER_DECODE | TAKER_ATTACH, set_speedscope, NULL,
	 "print speedscope's JSON instead"},
	{"--text", NULL, TAKER_RECORD | TAKER_DECODE | TAKER_ATTACH, set_text, NULL,
	 "print each sample instead, as perf script does"},
	{"--csv", NULL, TAKER_DECODE, set_csv, NULL,
	 "print the counts of a stat or record instead, as `perf stat -x ,` does"},
	{"-x", "SEP", TAKER_DECODE, set_separator, "what is to separate columns",
	 "the same, with SEP between columns"},
	{"--json", NULL, TAKER_DECODE, set_json, NULL,
	 "print the counts instead, as `perf stat -j` does"},
	{"--max-size", "SIZE", TAKERS_RECORDS, set_max_size,
	 "a size: bytes, or a number and K, M, G or T",
	 "leave out records beyond so many bytes, unpacked (default 256M): status 125"},
	{"--command", "N", TAKER_DECODE, set_command, "the number of a command, from 0",
	 "take what command N of the stream sent (default: the last that has such)"},
	{"--qemu", "PATH", TAKERS_MACHINE, set_qemu, "a program",
	 "the QEMU to start (default " QEMU_DEFAULT ")"},
	{"-v", NULL, TAKERS_MACHINE | TAKER_DECODE | TAKER_ATTACH, set_verbose, NULL,
	 "say more: QEMU's command line, the firmware's text, what was received"},
};

#define NOPTIONS (sizeof(table) / sizeof(table[0]))

/* The image's options that take the next word as operand: it is never an option of ours. */
static const char *const image_operands[] = {
	"-e",
	"--event",
	"-c",
	"--count",
	"-r",
	"--repeat",
	"-F",
	"--freq",
	"-m",
	"--mmap-pages",
	"-I",
	"--interval-print",
	"-x",
	"--field-separator",
	"-C",
	"--cpu",
	"--timeout",
	"--policy",
	"--mux-interval-us",
};

static bool takes_operand_in_image(const char *word)
{
	for (size_t i = 0; i < sizeof(image_operands) / sizeof(image_operands[0]); i++)
		if (!strcmp(word, image_operands[i]))
			return true;
	return false;
}

/* `word` is the option `o`, with "=VALUE" perhaps, which `*value` is then set to. */
static bool is_option(const struct option *o, const char *word, const char **value)
{
	size_t n = strlen(o->name);

	*value = NULL;
	if (strncmp(word, o->name, n))
		return false;
	if (!word[n])
		return true;
	if (word[n] != '=' || o->name[1] != '-')
		return false;
	*value = word + n + 1;
	return true;
}

static const struct option *find(enum option_taker taker, const char *word, const char **value)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (table[i].takers & taker && is_option(&table[i], word, value))
			return &table[i];
	return NULL;
}

/* Applies one option; `*next` is the word after it, and moves when the option takes it. */
static int apply(struct options *options, const struct option *o, const char *value,
		 const char ***next, struct reason *why)
{
	if (!o->operand && value)
		return refuse(why, EINVAL, "%s takes no value", o->name);
	if (o->operand && !value) {
		if (!**next)
			return refuse(why, EINVAL, "%s needs a value: %s", o->name, o->expects);
		value = *(*next)++;
	}
	if (o->set(options, value))
		return refuse(why, EINVAL, "%s: '%s' is not %s", o->name, value, o->expects);
	return 0;
}

static bool is_dash_word(const char *word)
{
	return word[0] == '-' && word[1];
}

/* One word that is no option of ours: keeps it for the image, or refuses it. */
static int keep(enum option_taker taker, const char ***from, const char ***to, struct reason *why)
{
	const char *word = *(*from)++;

	if (is_dash_word(word) && !(taker & TAKERS_IMAGE))
		return refuse(why, EINVAL, "unknown option '%s'", word);
	*(*to)++ = word;
	if (taker & TAKERS_IMAGE && takes_operand_in_image(word) && **from)
		*(*to)++ = *(*from)++;
	return 0;
}

/* Do the tool's options end here? Always at `--`; where a command follows, at its first word too.
 */
static bool ends_options(enum option_taker taker, const char *word)
{
	return !strcmp(word, "--") ||
	       (taker & (TAKERS_MACHINE | TAKER_ATTACH) && !is_dash_word(word));
}

static int take_options(struct options *options, enum option_taker taker, const char **words,
			struct reason *why)
{
	const char **from = words, **to = words, *value;

	while (*from && !ends_options(taker, *from)) {
		const struct option *o = find(taker, *from, &value);
		int err;

		if (o) {
			from++;
			err = apply(options, o, value, &from, why);
		} else {
			err = keep(taker, &from, &to, why);
		}
		if (err)
			return err;
	}
	if (*from && !strcmp(*from, "--") && !(taker & TAKERS_IMAGE))
		from++;
	while (*from)
		*to++ = *from++;
	*to = NULL;
	return 0;
}

/* Fills in the defaults that depend on other options, and refuses what can not go together. */
static int settle(struct options *o, struct reason *why)
{
	if (!o->gave_vpmu)
		o->vpmu = o->accel == ACCEL_TCG;
	if (!o->cpu)
		o->cpu = o->accel == ACCEL_KVM ? KVM_CPU_DEFAULT : TCG_CPU_DEFAULT;
	if (o->append && !o->output)
		return refuse(why, EINVAL, "--append needs -o FILE");
	if (o->other_format)
		return refuse(why, EINVAL, "--%s and --%s: one form at a time", o->other_format,
			      o->format->name);
	if (!o->vpmu && (o->gave_uarch || o->gave_ht))
		return refuse(why, EINVAL, "%s needs vpmu, which is %s",
			      o->gave_uarch ? "--uarch" : "--ht",
			      o->gave_vpmu ? "taken away by --no-vpmu" : "off with --accel kvm");
	return 0;
}

int tool_options_parse(struct options *options, enum option_taker taker, const char **words,
		       struct reason *why)
{
	int err;

	*options = (struct options){
		.uarch = guest_uarch_find(VPMU_DEFAULT),
		.ht = true,
		.smp = 1,
		.threads = 1,
		.timeout = TIMEOUT_DEFAULT,
		.delay = 1,
		.qemu = QEMU_DEFAULT,
		.command = ANY_COMMAND,
		.max_size = STREAM_SIZE_DEFAULT,
	};
	err = take_options(options, taker, words, why);
	return err ? err : settle(options, why);
}

void tool_options_help(enum option_taker taker)
{
	char left[32];

	for (size_t i = 0; i < NOPTIONS; i++) {
		const struct option *o = &table[i];

		if (!(o->takers & taker))
			continue;
		snprintf(left, sizeof(left), "%s %s", o->name, o->operand ? o->operand : "");
		printf("  %-20s %s\n", left, o->help);
	}
}
