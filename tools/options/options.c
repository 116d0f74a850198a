// SPDX-License-Identifier: BSD-2-Clause
/* options.c - see options.h. */
#include "tools/options/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/words/faults.h"
#include "lib/words/shape.h"
#include "lib/words/number.h"
#include "lib/words/shape.h"
#include "tools/gate/tolerance.h"
#include "tools/options/scan.h"
#include "tools/util/buf.h"
#include "tools/util/ending.h"
#include "tools/util/memory.h"
#include "tools/util/quote.h"

#define TCG_CPU_DEFAULT "EPYC"
#define KVM_CPU_DEFAULT "host"

/* A number that option_check() took. */
static uint32_t number_of(const char *text)
{
	uint64_t value = 0;

	number_parse(text, &value);
	return (uint32_t)value;
}

/* A whole decimal number from 1 to `max`. */
static int parse_number(const char *text, uint32_t max, uint32_t *out)
{
	char *end;
	unsigned long long value;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || !value || value > max)
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

/* Of four, two are for the same cores, and so are two of the first three. */
static int set_event_file(struct options *o, const char *value)
{
	if (o->nevent_files < OPTION_EVENT_FILES)
		o->event_file[o->nevent_files++] = value;
	o->uarch = guest_uarch_find(o->uarch->name);
	return *value ? 0 : -EINVAL;
}

/* An option that is given or not; and a text that is not empty. */
#define FLAG_SETTER(name, member)                             \
	static int name(struct options *o, const char *value) \
	{                                                     \
		(void)value;                                  \
		o->member = true;                             \
		return 0;                                     \
	}
#define TEXT_SETTER(name, member)                             \
	static int name(struct options *o, const char *value) \
	{                                                     \
		o->member = value;                            \
		return *value ? 0 : -EINVAL;                  \
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

FLAG_SETTER(set_watchdog, watchdog)
FLAG_SETTER(set_serial, serial)
FLAG_SETTER(set_cold, cold)

static int set_accel(struct options *o, const char *value)
{
	o->accel = !strcmp(value, "kvm") ? ACCEL_KVM : ACCEL_TCG;
	return o->accel == ACCEL_KVM || !strcmp(value, "tcg") ? 0 : -EINVAL;
}

static int set_prefetch(struct options *o, const char *value)
{
	o->prefetch = !strcmp(value, "on");
	o->gave_prefetch = true;
	return o->prefetch || !strcmp(value, "off") ? 0 : -EINVAL;
}

static int set_clock(struct options *o, const char *value)
{
	o->gave_clock = true;
	o->clock = !strcmp(value, "host") ? CLOCK_HOST : CLOCK_INSTRUCTIONS;
	return o->clock == CLOCK_HOST || !strcmp(value, "instructions") ? 0 : -EINVAL;
}

static int set_events(struct options *o, const char *value)
{
	static const char *const names[] = {
		[EVENTS_MODEL] = "model", [EVENTS_COUNTS] = "counts", [EVENTS_RATIOS] = "ratios"};

	o->gave_events = strcmp(value, names[EVENTS_RATIOS]);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		o->events = (enum events_wish)i;
		if (!strcmp(value, names[i]))
			return 0;
	}
	return -EINVAL;
}

static int set_timing(struct options *o, const char *value)
{
	o->ipc1 = !strcmp(value, "ipc1");
	o->gave_timing = o->ipc1;
	return o->ipc1 || !strcmp(value, "model") ? 0 : -EINVAL;
}

static int set_hypervisor_bit(struct options *o, const char *value)
{
	o->hides_hypervisor = !strcmp(value, "off");
	o->gave_hypervisor = o->hides_hypervisor;
	return o->hides_hypervisor || !strcmp(value, "on") ? 0 : -EINVAL;
}

static int set_counters(struct options *o, const char *value)
{
	o->counters = value;
	o->gave_counters = true;
	return shape_parse(value, &o->shape, NULL);
}

static int set_fault(struct options *o, const char *value)
{
	struct vpmu_faults faults = {0};

	o->fault = value;
	o->gave_fault = true;
	return faults_parse(value, &faults, NULL);
}

static int set_cpu(struct options *o, const char *value)
{
	o->cpu = value;
	o->gave_cpu = true;
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
	if (parse_number(cpus, SMP_MAX, &o->smp))
		return -EINVAL;
	if (!comma)
		return 0;
	if (strncmp(comma, threads, sizeof(threads) - 1) ||
	    parse_number(comma + sizeof(threads) - 1, THREADS_MAX, &o->threads))
		return -EINVAL;
	return o->smp % o->threads ? -EINVAL : 0;
}

FLAG_SETTER(set_stops, stops)

#define MEMORY_LEAST_MIB 128
#define MEMORY_MOST_MIB  (256 * 1024)

static int set_memory(struct options *o, const char *value)
{
	uint64_t bytes;

	if (option_size(value, &bytes))
		return -EINVAL;
	o->memory = (uint32_t)(bytes >> 20);
	return bytes % (1 << 20) || bytes >> 20 < MEMORY_LEAST_MIB || bytes >> 20 > MEMORY_MOST_MIB
		       ? -EINVAL
		       : 0;
}

static int set_max_size(struct options *o, const char *value)
{
	return option_size(value, &o->max_size);
}

static int set_timeout(struct options *o, const char *value)
{
	o->timeout = number_of(value);
	return 0;
}

static int set_path(struct options *o, const char *value)
{
	o->output = value;
	return *value && strcmp(value, "-") ? 0 : -EINVAL;
}

TEXT_SETTER(set_output, output)
FLAG_SETTER(set_append, append)

static int set_format(struct options *o, const char *name)
{
	o->format = out_find(name);
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

TEXT_SETTER(set_input, input)

static int set_delay(struct options *o, const char *value)
{
	o->delay = number_of(value);
	return 0;
}

TEXT_SETTER(set_qemu, qemu)

static int set_command(struct options *o, const char *value)
{
	o->command = number_of(value);
	return 0;
}

FLAG_SETTER(set_keep_going, keep_going)
FLAG_SETTER(set_verbose, verbose)
FLAG_SETTER(set_quiet, quiet)
TEXT_SETTER(set_stored, stored)

static int set_baud(struct options *o, const char *value)
{
	if (parse_number(value, OPTION_BAUD_MOST, &o->line.baud))
		return -EINVAL;
	o->serial = true;
	return OPTION_BAUD_MOST % o->line.baud ? -EINVAL : 0;
}

static int set_flow(struct options *o, const char *value)
{
	int flow = live_flow_find(value);

	o->line.flow = (enum live_flow)flow;
	o->serial |= flow > 0;
	return flow < 0 ? flow : 0;
}

FLAG_SETTER(set_joined, joined)

static int set_attached(struct options *o, const char *value)
{
	o->attached = number_of(value);
	return 0;
}

/* What is said of programs. */

static int add_given(struct given_words *words, const char *value)
{
	words->word = memory_grow(words->word, words->n, sizeof(*words->word));
	words->word[words->n++] = value;
	return *value ? 0 : -EINVAL;
}

static int set_program_file(struct options *o, const char *value)
{
	return add_given(&o->given.files, value);
}

TEXT_SETTER(set_program_root, given.root)

static int set_program_env(struct options *o, const char *value)
{
	add_given(&o->given.env, value);
	return *value != '=' && strchr(value, '=') ? 0 : -EINVAL;
}

FLAG_SETTER(set_program_keep_env, given.keep_env)
TEXT_SETTER(set_program_cwd, given.cwd)
TEXT_SETTER(set_program_stdin, given.input)

static int set_program_bring(struct options *o, const char *value)
{
	add_given(&o->given.brings, value);
	return *value && *value != ':' ? 0 : -EINVAL;
}

static int set_program_prefault(struct options *o, const char *value)
{
	(void)value;
	o->given.prefault = "1";
	return 0;
}

static int set_program_no_prefault(struct options *o, const char *value)
{
	(void)value;
	o->given.prefault = "0";
	return 0;
}

FLAG_SETTER(set_program_allow_wx, given.allow_wx)

static int set_program_seed(struct options *o, const char *value)
{
	o->given.has_seed = true;
	return number_parse(value, &o->given.seed);
}

FLAG_SETTER(set_program_static_only, given.static_only)

/* Code that is to be measured. */
#define BENCH_SETTER(name, member)                            \
	static int name(struct options *o, const char *value) \
	{                                                     \
		o->bench.member = value;                      \
		return 0;                                     \
	}
BENCH_SETTER(set_bench_asm, assembly[BENCH_CODE])
BENCH_SETTER(set_bench_asm_init, assembly[BENCH_INIT])
BENCH_SETTER(set_bench_asm_late, assembly[BENCH_LATE_INIT])
BENCH_SETTER(set_bench_asm_once, assembly[BENCH_ONCE])
BENCH_SETTER(set_bench_sibling, assembly[BENCH_SIBLING])
BENCH_SETTER(set_bench_code, machine[BENCH_CODE])
BENCH_SETTER(set_bench_code_init, machine[BENCH_INIT])
BENCH_SETTER(set_bench_code_late, machine[BENCH_LATE_INIT])
BENCH_SETTER(set_bench_code_once, machine[BENCH_ONCE])
BENCH_SETTER(set_bench_config, config)
BENCH_SETTER(set_bench_c, source)
BENCH_SETTER(set_bench_cflags, cflags)
BENCH_SETTER(set_latency_set, set)
#undef BENCH_SETTER

static int set_bench_cxx(struct options *o, const char *value)
{
	o->bench.source = value;
	o->bench.is_cxx = true;
	return 0;
}

static int set_latency_list(struct options *o, const char *value)
{
	o->bench.lists = memory_grow(o->bench.lists, o->bench.nlists, sizeof(*o->bench.lists));
	o->bench.lists[o->bench.nlists++] = value;
	return *value ? 0 : -EINVAL;
}

FLAG_SETTER(set_bench_att, bench.att)
FLAG_SETTER(set_bench_fixed, bench.fixed)

/* Of the gate. */
TEXT_SETTER(set_gate_config, gate.config)
TEXT_SETTER(set_gate_baseline, gate.baseline)
TEXT_SETTER(set_gate_junit, gate.junit)
TEXT_SETTER(set_gate_gitlab, gate.gitlab)
FLAG_SETTER(set_gate_update, gate.update)
FLAG_SETTER(set_gate_strict, gate.strict)
FLAG_SETTER(set_gate_github, gate.github)

static int set_gate_event(struct options *o, const char *value)
{
	o->gate.events = memory_grow(o->gate.events, o->gate.nevents, sizeof(*o->gate.events));
	o->gate.events[o->gate.nevents++] = value;
	return *value ? 0 : -EINVAL;
}

TEXT_SETTER(set_gate_tolerance, gate.tolerance)

static int set_gate_shard(struct options *o, const char *value)
{
	return shard_parse(value, &o->gate.shard, &o->gate.shards) ? 0 : -EINVAL;
}

static int set_html(struct options *o, const char *value)
{
	o->html = value;
	return *value && strcmp(value, "-") ? 0 : -EINVAL;
}

/* Of guests that are not the image. */
TEXT_SETTER(set_linux_initrd, guest.initrd)
TEXT_SETTER(set_linux_share, guest.share)
TEXT_SETTER(set_linux_modules, guest.modules)
TEXT_SETTER(set_guest_page, guest.page)

static int set_linux_append(struct options *o, const char *value)
{
	o->guest.append = value;
	return 0;
}

static int set_plot(struct options *o, const char *value)
{
	o->plot = value;
	return ends_in(value, ".svg") || ends_in(value, ".png") ? 0 : -EINVAL;
}

/* What an option does here; those without are for the image. */
static int (*const setters[OPTIONS])(struct options *o, const char *value) = {
	[OPT_RUN_DIR] = set_path,
	[OPT_RESULTS_DIR] = set_path,
	[OPT_FILE] = set_output,
	[OPT_REPORT] = set_path,
	[OPT_BENCH_FILE] = set_path,
	[OPT_HTML] = set_html,
	[OPT_PLOT] = set_plot,
	[OPT_BENCH_ASM] = set_bench_asm,
	[OPT_BENCH_ASM_INIT] = set_bench_asm_init,
	[OPT_BENCH_ASM_LATE] = set_bench_asm_late,
	[OPT_BENCH_ASM_ONCE] = set_bench_asm_once,
	[OPT_BENCH_SIBLING] = set_bench_sibling,
	[OPT_BENCH_CODE] = set_bench_code,
	[OPT_BENCH_CODE_INIT] = set_bench_code_init,
	[OPT_BENCH_CODE_LATE] = set_bench_code_late,
	[OPT_BENCH_CODE_ONCE] = set_bench_code_once,
	[OPT_BENCH_CONFIG] = set_bench_config,
	[OPT_BENCH_C] = set_bench_c,
	[OPT_BENCH_CXX] = set_bench_cxx,
	[OPT_BENCH_CFLAGS] = set_bench_cflags,
	[OPT_LATENCY_LIST] = set_latency_list,
	[OPT_LATENCY_SET] = set_latency_set,
	[OPT_BENCH_ATT] = set_bench_att,
	[OPT_BENCH_FIXED] = set_bench_fixed,
	[OPT_GATE_CONFIG] = set_gate_config,
	[OPT_GATE_BASELINE] = set_gate_baseline,
	[OPT_GATE_UPDATE] = set_gate_update,
	[OPT_GATE_EVENT] = set_gate_event,
	[OPT_GATE_STRICT] = set_gate_strict,
	[OPT_GATE_TOLERANCE] = set_gate_tolerance,
	[OPT_GATE_SHARD] = set_gate_shard,
	[OPT_GATE_RESULTS] = set_path,
	[OPT_GATE_JUNIT] = set_gate_junit,
	[OPT_GATE_GITHUB] = set_gate_github,
	[OPT_GATE_GITLAB] = set_gate_gitlab,
	[OPT_APPEND] = set_append,
	[OPT_FOLDED] = set_folded,
	[OPT_SPEEDSCOPE] = set_speedscope,
	[OPT_TEXT] = set_text,
	[OPT_CSV] = set_csv,
	[OPT_DECODE_JSON] = set_json,
	[OPT_MAX_SIZE] = set_max_size,
	[OPT_COMMAND] = set_command,
	[OPT_ATTACHED] = set_joined,
	[OPT_STREAM] = set_stored,
	[OPT_DETACH] = set_attached,
	[OPT_INPUT] = set_input,
	[OPT_DELAY] = set_delay,
	[OPT_GUEST] = set_uarch,
	[OPT_EVENT_FILE] = set_event_file,
	[OPT_HT] = set_ht,
	[OPT_VPMU] = set_vpmu,
	[OPT_NO_VPMU] = set_no_vpmu,
	[OPT_EVENTS] = set_events,
	[OPT_PREFETCH] = set_prefetch,
	[OPT_TIMING] = set_timing,
	[OPT_HYPERVISOR_BIT] = set_hypervisor_bit,
	[OPT_COUNTERS] = set_counters,
	[OPT_FAULT] = set_fault,
	[OPT_NMI_WATCHDOG] = set_watchdog,
	[OPT_COLD] = set_cold,
	[OPT_SERIAL] = set_serial,
	[OPT_MODEL] = set_cpu,
	[OPT_SMP] = set_smp,
	[OPT_MEMORY] = set_memory,
	[OPT_GUEST_MEMORY] = set_memory,
	[OPT_GUEST_PAGE] = set_guest_page,
	[OPT_LINUX_INITRD] = set_linux_initrd,
	[OPT_LINUX_APPEND] = set_linux_append,
	[OPT_LINUX_SHARE] = set_linux_share,
	[OPT_LINUX_MODULES] = set_linux_modules,
	[OPT_ACCEL] = set_accel,
	[OPT_CLOCK] = set_clock,
	[OPT_BAUD] = set_baud,
	[OPT_FLOW] = set_flow,
	[OPT_RUN_TIMEOUT] = set_timeout,
	[OPT_SHELL_TIMEOUT] = set_timeout,
	[OPT_ERREXIT] = set_stops,
	[OPT_MACHINE_TIMEOUT] = set_timeout,
	[OPT_QEMU] = set_qemu,
	[OPT_KEEP_GOING] = set_keep_going,
	[OPT_TOOL_VERBOSE] = set_verbose,
	[OPT_SEPARATOR] = set_separator,
	[OPT_QUIET] = set_quiet,
	[OPT_PROGRAM_FILE] = set_program_file,
	[OPT_PROGRAM_ROOT] = set_program_root,
	[OPT_PROGRAM_ENV] = set_program_env,
	[OPT_PROGRAM_KEEP_ENV] = set_program_keep_env,
	[OPT_PROGRAM_CWD] = set_program_cwd,
	[OPT_PROGRAM_STDIN] = set_program_stdin,
	[OPT_PROGRAM_BRING] = set_program_bring,
	[OPT_PROGRAM_PREFAULT] = set_program_prefault,
	[OPT_PROGRAM_NO_PREFAULT] = set_program_no_prefault,
	[OPT_PROGRAM_ALLOW_WX] = set_program_allow_wx,
	[OPT_PROGRAM_SEED] = set_program_seed,
	[OPT_PROGRAM_STATIC_ONLY] = set_program_static_only,
};

/* What becomes of a command line. */
struct sorting {
	struct options *options;
	enum option_taker taker;
	const char **kept; /* for the image: never more words than were typed */
	size_t nkept;
	const char *cluster; /* the word of letters that the last of them is from */
	struct buf letters;  /* that are kept of it */
};

static int set_option(struct options *options, const struct scanned *s, struct reason *why)
{
	const struct option_row *row = option_row(s->id);
	char label[OPTION_LABEL_MAX];

	if (!setters[s->id](options, s->value))
		return 0;
	return refuse(why, EINVAL, "%s: '%s' is not %s", option_label(row, label), s->value,
		      row->what);
}

/* "-gv": the letters of one word that are the image's stay in one. */
static void keep_letter(struct sorting *to, const struct scanned *s)
{
	const bool joins = to->cluster == s->word;

	if (!joins)
		to->letters = (struct buf){0};
	buf_printf(&to->letters, "%s%c%s", joins ? "" : "-", option_row(s->id)->letter,
		   s->is_apart ? "" : s->value);
	to->nkept -= joins;
	to->kept[to->nkept++] = buf_text(&to->letters);
	to->cluster = s->word;
}

/* Its name in full. */
static void keep_name(struct sorting *to, const struct scanned *s)
{
	const char *equals = strchr(s->word, '=');
	struct buf word = {0};

	buf_printf(&word, "--%s%s", option_row(s->id)->name, equals ? equals : "");
	to->kept[to->nkept++] = buf_text(&word);
}

static uint64_t image_takers(enum option_taker taker)
{
	switch (taker) {
	case TAKER_STAT:
		return IMAGE_STAT;
	case TAKER_RECORD:
	case TAKER_TOP:
		return IMAGE_RECORD;
	case TAKER_BENCH:
	case TAKER_LATENCY:
		return IMAGE_BENCH;
	case TAKER_CAPS:
		return IMAGE_CAPS;
	default:
		return 0;
	}
}

/* Words that are kept are allocated and never freed: they live as long as the command line. */
static int sort_option(void *ctx, const struct scanned *s, struct reason *why)
{
	const uint64_t takers = option_row(s->id)->takers;
	struct sorting *to = ctx;
	int err = takers & to->taker ? set_option(to->options, s, why) : 0;

	if (err || !(takers & image_takers(to->taker)))
		return err;
	if (s->is_long)
		keep_name(to, s);
	else
		keep_letter(to, s);
	if (s->is_apart)
		to->kept[to->nkept++] = s->value;
	return 0;
}

uint64_t tool_options_takers(enum option_taker taker)
{
	return taker | image_takers(taker);
}

static int take_options(struct options *options, enum option_taker taker, const char **words,
			struct reason *why)
{
	const bool before_words = taker & (TAKER_RUN | TAKERS_IMAGE | TAKER_ATTACH | TAKER_SHELL |
					   TAKER_GATE | TAKER_BOOT | TAKER_QEMU_ARGS);
	const size_t n = count_words(words);
	struct sorting to = {
		.options = options, .taker = taker, .kept = calloc(n + 1, sizeof(*to.kept))};
	bool ended;
	int err;

	if (!to.kept)
		return refuse(why, ENOMEM, "out of memory");
	err = scan_options(tool_options_takers(taker), !before_words, words, &ended, sort_option,
			   &to, why);
	if (!err) {
		options->nkept = to.nkept;
		if (ended && taker & TAKERS_IMAGE)
			to.kept[to.nkept++] = "--";
		memmove(words + to.nkept, words, (count_words(words) + 1) * sizeof(*words));
		memcpy(words, to.kept, to.nkept * sizeof(*words));
	}
	free(to.kept);
	return err;
}

static int settle_clock(struct options *o, struct reason *why)
{
	const bool is_told = o->accel == ACCEL_TCG && o->smp == 1;

	if (o->gave_clock && o->clock == CLOCK_INSTRUCTIONS && !is_told)
		return refuse(why, EINVAL, "--clock instructions is for one CPU, without KVM");
	if (!is_told)
		o->clock = CLOCK_HOST;
	return 0;
}

/* They live as long as the command line. */
int options_event_files(struct options *o, struct reason *why)
{
	struct guest_uarch *uarch;
	struct evfiles *files;
	int err;

	if (!o->nevent_files || o->uarch->files)
		return 0;
	if (!o->vpmu)
		return refuse(why, EINVAL,
			      "--event-file needs vpmu: which cores another machine has "
			      "is not known");
	files = memory_checked(calloc(1, sizeof(*files)));
	err = evfiles_read(files, o->event_file, o->nevent_files, uarch_by_name(o->uarch->name),
			   why);
	if (err) {
		free(files);
		return err;
	}
	uarch = memory_checked(calloc(1, sizeof(*uarch)));
	*uarch = *o->uarch;
	uarch->files = files;
	/* The first CPU is a large core. */
	uarch->core = o->smp == 1 && files->of[0].core ? UARCH_CORE : 0;
	o->uarch = uarch;
	return 0;
}

static int check_counters(const struct options *o, struct reason *why)
{
	struct reason what;

	if (!shape_check(&o->shape, o->uarch->name, &what))
		return 0;
	return refuse(why, EINVAL, "--counters %s, --uarch %s: %s", o->counters, o->uarch->name,
		      what.text);
}

/* Fills in the defaults that depend on other options, and refuses what can not go together. */
static int settle_options(struct options *o, struct reason *why)
{
	if (!o->gave_vpmu)
		o->vpmu = o->accel == ACCEL_TCG;
	if (!o->gave_cpu)
		o->cpu = o->accel == ACCEL_KVM ? KVM_CPU_DEFAULT : TCG_CPU_DEFAULT;
	o->given.cpu = o->accel == ACCEL_TCG ? o->cpu : NULL;
	if (!o->vpmu && (o->gave_uarch || o->gave_ht || o->gave_events || o->gave_prefetch ||
			 o->gave_timing || o->gave_hypervisor || o->gave_counters || o->gave_fault))
		return refuse(why, EINVAL, "%s needs vpmu, which is %s",
			      o->gave_uarch        ? "--uarch"
			      : o->gave_ht         ? "--ht"
			      : o->gave_events     ? "--events"
			      : o->gave_timing     ? "--timing"
			      : o->gave_hypervisor ? "--hypervisor-bit"
			      : o->gave_counters   ? "--counters"
			      : o->gave_fault      ? "--fault"
						   : "--prefetch",
			      o->gave_vpmu ? "taken away by --no-vpmu" : "off with --accel kvm");
	if (check_counters(o, why))
		return -EINVAL;
	return settle_clock(o, why);
}

static void set_defaults(struct options *options)
{
	*options = (struct options){.command = ANY_COMMAND};
	for (unsigned id = 0; id < OPTIONS; id++)
		if (setters[id] && option_row((enum option_id)id)->fallback)
			setters[id](options, option_row((enum option_id)id)->fallback);
	options->gave_uarch = options->gave_ht = options->gave_events = options->gave_prefetch =
		options->gave_timing = false;
}

int tool_options_parse_beside(struct options *options, const struct options *base,
			      enum option_taker taker, const char **words, struct reason *why)
{
	int err;

	if (base)
		*options = *base;
	else
		set_defaults(options);
	/* That of a shell is its script, that of the others is the machine's or its keys. */
	options->given.no_input = base || taker & (TAKER_ATTACH | TAKER_TOP | TAKER_GATE);
	err = take_options(options, taker, words, why);
	options->given.verbose = options->verbose;
	options->given.asks_for_input = !options->serial;
	if (!err)
		err = settle_options(options, why);
	return err || taker == TAKER_GATE ? err : options_event_files(options, why);
}

int tool_options_parse(struct options *options, enum option_taker taker, const char **words,
		       struct reason *why)
{
	return tool_options_parse_beside(options, NULL, taker, words, why);
}

void tool_options_free(struct options *options)
{
	free(options->given.files.word);
	free(options->given.env.word);
	free(options->given.brings.word);
	free(options->gate.events);
}

static const char *or_none(const char *text)
{
	return text ? text : "";
}

bool options_same_machine(const struct options *a, const struct options *b)
{
	return !strcmp(a->uarch->name, b->uarch->name) && a->ht == b->ht && a->vpmu == b->vpmu &&
	       a->accel == b->accel && a->clock == b->clock && a->events == b->events &&
	       a->prefetch == b->prefetch && a->ipc1 == b->ipc1 &&
	       a->hides_hypervisor == b->hides_hypervisor && a->smp == b->smp &&
	       a->threads == b->threads && a->watchdog == b->watchdog && a->memory == b->memory &&
	       a->cold == b->cold && a->line.baud == b->line.baud && a->line.flow == b->line.flow &&
	       !strcmp(or_none(a->boot_options), or_none(b->boot_options)) &&
	       !strcmp(or_none(a->counters), or_none(b->counters)) &&
	       !strcmp(or_none(a->fault), or_none(b->fault)) && !strcmp(a->cpu, b->cpu) &&
	       !strcmp(a->qemu, b->qemu);
}
