// SPDX-License-Identifier: BSD-2-Clause
/* tool_options.c - see tool_options.h. */
#include "tools/options/tool_options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/words/fault_words.h"
#include "lib/words/number.h"
#include "lib/words/shape_words.h"
#include "tools/options/tolerance.h"
#include "tools/options/option_scan.h"
#include "tools/util/buf.h"
#include "tools/util/ending.h"
#include "tools/util/memory.h"
#include "tools/util/quote.h"

/* Returns a number that option_check() accepted. */
static uint32_t number_of(const char *text)
{
	uint64_t value = 0;

	number_parse(text, &value);
	return (uint32_t)value;
}

/* Parses a decimal number from 1 to `max`. */
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
	o->machine.vpmu.uarch = guest_uarch_find(value);
	return o->machine.vpmu.uarch ? 0 : -EINVAL;
}

/*
 * Adds an event file. Further files are dropped: two of the kept ones already are for the same
 * cores, which is refused later.
 */
static int set_event_file(struct options *o, const char *value)
{
	if (o->machine.vpmu.nevent_files < OPTION_EVENT_FILES)
		o->machine.vpmu.event_file[o->machine.vpmu.nevent_files++] = value;
	o->machine.vpmu.uarch = guest_uarch_find(o->machine.vpmu.uarch->name);
	return *value ? 0 : -EINVAL;
}

static int set_counters(struct options *o, const char *value)
{
	o->machine.vpmu.counters = value;
	return shape_parse(value, &o->machine.vpmu.shape, NULL);
}

static int set_fault(struct options *o, const char *value)
{
	struct vpmu_faults faults = {0};

	o->machine.vpmu.fault = value;
	return faults_parse(value, &faults, NULL);
}

#define SMP_MAX 64
static int set_kvm(struct options *o, const char *value)
{
	(void)value;
	o->machine.accel = ACCEL_KVM;
	return 0;
}

#define SMP_DIGITS  2
#define THREADS_MAX 2

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
	o->machine.threads = 1;
	if (parse_number(cpus, SMP_MAX, &o->machine.smp))
		return -EINVAL;
	if (!comma)
		return 0;
	if (strncmp(comma, threads, sizeof(threads) - 1) ||
	    parse_number(comma + sizeof(threads) - 1, THREADS_MAX, &o->machine.threads))
		return -EINVAL;
	return o->machine.smp % o->machine.threads ? -EINVAL : 0;
}

#define MEMORY_LEAST_MIB 128
#define MEMORY_MOST_MIB  (256 * 1024)

static int set_memory(struct options *o, const char *value)
{
	uint64_t bytes;

	if (option_size(value, &bytes))
		return -EINVAL;
	o->machine.memory = (uint32_t)(bytes >> 20);
	return bytes % (1 << 20) || bytes >> 20 < MEMORY_LEAST_MIB || bytes >> 20 > MEMORY_MOST_MIB
		       ? -EINVAL
		       : 0;
}

static int set_max_size(struct options *o, const char *value)
{
	return option_size(value, &o->stream.max_size);
}

static int set_separator(struct options *o, const char *value)
{
	o->output.separator = value;
	o->output.format = out_find("csv");
	return *value ? 0 : -EINVAL;
}

static int set_baud(struct options *o, const char *value)
{
	if (parse_number(value, OPTION_BAUD_MOST, &o->machine.line.baud))
		return -EINVAL;
	o->machine.serial = true;
	return OPTION_BAUD_MOST % o->machine.line.baud ? -EINVAL : 0;
}

static int set_flow(struct options *o, const char *value)
{
	int flow = live_flow_find(value);

	o->machine.line.flow = (enum live_flow)flow;
	o->machine.serial |= flow > 0;
	return flow < 0 ? flow : 0;
}

static int append_option(struct option_values *values, const char *value)
{
	values->word = memory_grow(values->word, values->n, sizeof(*values->word));
	values->word[values->n++] = value;
	return *value ? 0 : -EINVAL;
}

static int set_program_env(struct options *o, const char *value)
{
	append_option(&o->program.env, value);
	return *value != '=' && strchr(value, '=') ? 0 : -EINVAL;
}

static int set_program_bring(struct options *o, const char *value)
{
	append_option(&o->program.brings, value);
	return *value && *value != ':' ? 0 : -EINVAL;
}

static int set_program_seed(struct options *o, const char *value)
{
	o->program.has_seed = true;
	return number_parse(value, &o->program.seed);
}

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

static int set_bench_shard(struct options *o, const char *value)
{
	return shard_parse(value, &o->bench.shard, &o->bench.shards) ? 0 : -EINVAL;
}

static int set_gate_event(struct options *o, const char *value)
{
	o->gate.events = memory_grow(o->gate.events, o->gate.nevents, sizeof(*o->gate.events));
	o->gate.events[o->gate.nevents++] = value;
	return *value ? 0 : -EINVAL;
}

/* A page has it as a link, so it is of the web. */
static int set_commit_url(struct options *o, const char *value)
{
	o->gate.commit_url = value;
	return !strncmp(value, "https://", 8) || !strncmp(value, "http://", 7) ? 0 : -EINVAL;
}

static int set_gate_shard(struct options *o, const char *value)
{
	return shard_parse(value, &o->gate.shard, &o->gate.shards) ? 0 : -EINVAL;
}

#define PROFILE_ROWS 20

static int set_profile_functions(struct options *o, const char *value)
{
	o->profile.functions = *value ? number_of(value) : PROFILE_ROWS;
	return 0;
}

static int set_profile_calls(struct options *o, const char *value)
{
	o->profile.calls = *value ? number_of(value) : PROFILE_ROWS;
	return 0;
}

static int set_plot(struct options *o, const char *value)
{
	o->output.plot = value;
	return ends_in(value, ".svg") || ends_in(value, ".png") ? 0 : -EINVAL;
}

/* --- The place for the value of an option --- */

enum setting_kind {
	SETTING_NONE,     /* the option is for the image alone */
	SETTING_FLAG,     /* bool: true */
	SETTING_CLEAR,    /* bool: false */
	SETTING_TEXT,     /* a text that is not empty */
	SETTING_ANY_TEXT, /* any text */
	SETTING_FILE,     /* a text that is neither empty nor "-" */
	SETTING_CONSTANT, /* a text: `name` */
	SETTING_NUMBER,   /* uint32_t, which option_check() accepted */
	SETTING_WORDS,    /* struct option_values: one more */
	SETTING_FORMAT,   /* const struct out_format *: the format called `name` */
	SETTING_SWITCH,   /* bool: the index of the value in `choices` */
	SETTING_CHOICE,   /* an enum: the index of the value in `choices` */
	SETTING_OWN,      /* the function `set` takes the value */
};

#define CHOICES_MOST 5

struct setting {
	enum setting_kind kind;
	size_t at;   /* offset of the member in struct options */
	size_t gave; /* offset of a bool that becomes true; 0: none */
	const char *name;
	const char *choices[CHOICES_MOST];
	int (*set)(struct options *o, const char *value);
};

#define AT(of_kind, member, ...)                                                               \
	{                                                                                      \
		.kind = SETTING_##of_kind, .at = offsetof(struct options, member), __VA_ARGS__ \
	}
#define GAVE(member) .gave = offsetof(struct options, member)
#define CHOICES(...) .choices = {__VA_ARGS__}
#define OWN(setter, ...)                                        \
	{                                                       \
		.kind = SETTING_OWN, .set = setter, __VA_ARGS__ \
	}
#define FORMAT(of_name) AT(FORMAT, output.format, .name = of_name)
#define ASSEMBLY(piece) AT(ANY_TEXT, bench.assembly[BENCH_##piece])
#define MACHINE(piece)  AT(ANY_TEXT, bench.machine[BENCH_##piece])

/* clang-format off */
static const struct setting settings[OPTIONS] = {
	/* The machine. */
	[OPT_GUEST] = OWN(set_uarch, GAVE(machine.vpmu.gave_uarch)),
	[OPT_EVENT_FILE] = OWN(set_event_file),
	[OPT_HT] = AT(SWITCH, machine.vpmu.ht, GAVE(machine.vpmu.gave_ht), CHOICES("off", "on")),
	[OPT_VPMU] = AT(FLAG, machine.has_vpmu, GAVE(machine.gave_vpmu)),
	[OPT_NO_VPMU] = AT(CLEAR, machine.has_vpmu, GAVE(machine.gave_vpmu)),
	[OPT_EVENTS] = AT(CHOICE, machine.vpmu.events, GAVE(machine.vpmu.gave_events),
			  CHOICES("model", "counts", "ratios")),
	[OPT_PREFETCH] = AT(SWITCH, machine.vpmu.prefetch, GAVE(machine.vpmu.gave_prefetch),
			    CHOICES("off", "on")),
	[OPT_TIMING] = AT(SWITCH, machine.vpmu.ipc1, CHOICES("model", "ipc1")),
	[OPT_HYPERVISOR_BIT] = AT(SWITCH, machine.vpmu.hides_hypervisor, CHOICES("on", "off")),
	[OPT_CPU_FEATURES] = AT(CHOICE, machine.vpmu.program_level, GAVE(machine.vpmu.gave_features),
				CHOICES("machine", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4")),
	[OPT_COUNTERS] = OWN(set_counters),
	[OPT_FAULT] = OWN(set_fault),
	[OPT_NMI_WATCHDOG] = AT(FLAG, machine.watchdog),
	[OPT_DOCTOR_COMPARE] = AT(FLAG, output.compares),
	[OPT_DOCTOR_HOST] = AT(FLAG, doctor.host),
	[OPT_DOCTOR_REPORT] = AT(FLAG, doctor.report),
	[OPT_DOCTOR_KVM] = AT(FLAG, doctor.kvm),
	[OPT_DOCTOR_ROOT] = AT(TEXT, doctor.root),
	[OPT_COLD] = AT(FLAG, machine.cold),
	[OPT_SERIAL] = AT(FLAG, machine.serial),
	[OPT_MODEL] = AT(TEXT, machine.cpu, GAVE(machine.gave_cpu)),
	[OPT_SMP] = OWN(set_smp),
	[OPT_MEMORY] = OWN(set_memory),
	[OPT_GUEST_MEMORY] = OWN(set_memory),
	[OPT_ACCEL] = AT(CHOICE, machine.accel, CHOICES("tcg", "kvm")),
	[OPT_KVM] = OWN(set_kvm),
	[OPT_FIRMWARE] = AT(CHOICE, machine.firmware, CHOICES("ovmf", "seabios")),
	[OPT_PIN] = AT(TEXT, machine.pin),
	[OPT_CLOCK] = AT(CHOICE, machine.clock, GAVE(machine.gave_clock), CHOICES("instructions", "host", "model")),
	[OPT_BAUD] = OWN(set_baud),
	[OPT_FLOW] = OWN(set_flow),
	[OPT_RUN_TIMEOUT] = AT(NUMBER, machine.timeout),
	[OPT_SHELL_TIMEOUT] = AT(NUMBER, machine.timeout),
	[OPT_MACHINE_TIMEOUT] = AT(NUMBER, machine.timeout),
	[OPT_QEMU] = AT(TEXT, machine.qemu),
	[OPT_ERREXIT] = AT(FLAG, stops),
	[OPT_KEEP_GOING] = AT(FLAG, keep_going),
	[OPT_TOOL_VERBOSE] = AT(FLAG, output.verbose),
	[OPT_QUIET] = AT(FLAG, output.quiet),
	/* Streams and their outputs. */
	[OPT_RUN_DIR] = AT(FILE, output.path),
	[OPT_RESULTS_DIR] = AT(FILE, output.path),
	[OPT_FILE] = AT(TEXT, output.path),
	[OPT_REPORT] = AT(FILE, output.path),
	[OPT_BENCH_FILE] = AT(FILE, output.path),
	[OPT_GATE_RESULTS] = AT(FILE, output.path),
	[OPT_APPEND] = AT(FLAG, output.append),
	[OPT_HTML] = AT(FILE, output.html),
	[OPT_PLOT] = OWN(set_plot),
	[OPT_FOLDED] = FORMAT("folded"),
	[OPT_SPEEDSCOPE] = FORMAT("speedscope"),
	[OPT_TEXT] = FORMAT("text"),
	[OPT_CSV] = FORMAT("csv"),
	[OPT_DECODE_JSON] = FORMAT("json"),
	[OPT_SEPARATOR] = OWN(set_separator),
	[OPT_MAX_SIZE] = OWN(set_max_size),
	[OPT_COMMAND] = AT(NUMBER, stream.command),
	[OPT_ATTACHED] = AT(FLAG, stream.joined),
	[OPT_STREAM] = AT(TEXT, stream.store),
	[OPT_DETACH] = AT(NUMBER, stream.time_limit),
	[OPT_INPUT] = AT(TEXT, stream.input),
	[OPT_DELAY] = AT(NUMBER, output.delay),
	/* Code to measure. */
	[OPT_BENCH_ASM] = ASSEMBLY(CODE),
	[OPT_BENCH_ASM_INIT] = ASSEMBLY(INIT),
	[OPT_BENCH_ASM_LATE] = ASSEMBLY(LATE_INIT),
	[OPT_BENCH_ASM_ONCE] = ASSEMBLY(ONCE),
	[OPT_BENCH_SIBLING] = ASSEMBLY(SIBLING),
	[OPT_BENCH_CODE] = MACHINE(CODE),
	[OPT_BENCH_CODE_INIT] = MACHINE(INIT),
	[OPT_BENCH_CODE_LATE] = MACHINE(LATE_INIT),
	[OPT_BENCH_CODE_ONCE] = MACHINE(ONCE),
	[OPT_BENCH_CONFIG] = AT(ANY_TEXT, bench.config),
	[OPT_BENCH_C] = AT(ANY_TEXT, bench.source),
	[OPT_BENCH_CXX] = OWN(set_bench_cxx),
	[OPT_BENCH_CFLAGS] = AT(ANY_TEXT, bench.cflags),
	[OPT_BENCH_LIST] = AT(TEXT, bench.list),
	[OPT_BENCH_SHARD] = OWN(set_bench_shard),
	[OPT_LATENCY_LIST] = OWN(set_latency_list),
	[OPT_LATENCY_SET] = AT(ANY_TEXT, bench.set),
	[OPT_BENCH_ATT] = AT(FLAG, bench.att),
	[OPT_BENCH_FIXED] = AT(FLAG, bench.fixed),
	/* Exact profiles. */
	[OPT_PROFILE_FUNCTIONS] = OWN(set_profile_functions),
	[OPT_PROFILE_FUNCTION] = AT(TEXT, profile.function),
	[OPT_PROFILE_LINE] = AT(TEXT, profile.line),
	[OPT_PROFILE_CALLS] = OWN(set_profile_calls),
	[OPT_PROFILE_SELF] = AT(FLAG, profile.is_self),
	[OPT_PROFILE_VALGRIND] = AT(FLAG, profile.is_valgrind),
	[OPT_PROFILE_EVENT] = AT(TEXT, profile.events),
	[OPT_PROFILE_OWN_EVENT] = AT(TEXT, profile.events),
	[OPT_PROFILE_MOST] = AT(NUMBER, profile.rows),
	[OPT_PROFILE_CALLGRIND] = AT(FILE, profile.callgrind),
	[OPT_PROFILE_DUMP_INSTR] = AT(FLAG, profile.by_instruction),
	[OPT_PROFILE_PPROF] = AT(FILE, profile.pprof),
	[OPT_PROFILE_FOLDED] = AT(FILE, profile.folded),
	[OPT_PROFILE_SPEEDSCOPE] = AT(FILE, profile.speedscope),
	[OPT_PROFILE_HTML] = AT(FILE, profile.html),
	/* Profiles for optimizers. */
	[OPT_PGO_PREFIX] = AT(FILE, pgo.prefix),
	[OPT_PGO_BOLT] = AT(FILE, pgo.bolt),
	[OPT_PGO_CLANG] = AT(FILE, pgo.clang),
	[OPT_PGO_PROFGEN] = AT(FILE, pgo.profgen),
	[OPT_PGO_AUTOFDO] = AT(FILE, pgo.autofdo),
	[OPT_EXPLAIN_FUNCTION] = AT(TEXT, explain.function),
	[OPT_EXPLAIN_BLOCKS] = AT(NUMBER, explain.blocks),
	[OPT_EXPLAIN_JSON] = AT(FLAG, explain.json),
	[OPT_EXPLAIN_HTML] = AT(FILE, explain.html),
	[OPT_BENCH_EXPLAIN] = AT(FLAG, bench.explain),
	[OPT_PGO_OBJECT] = AT(TEXT, pgo.object),
	[OPT_PGO_RUN_BOLT] = AT(FILE, pgo.run_bolt),
	/* The gate. */
	[OPT_GATE_CONFIG] = AT(TEXT, gate.config),
	[OPT_GATE_BASELINE] = AT(TEXT, gate.baseline),
	[OPT_GATE_AGAINST] = AT(TEXT, gate.against),
	[OPT_GATE_COMMIT_URL] = OWN(set_commit_url),
	[OPT_GATE_SAVE] = AT(FLAG, gate.save),
	[OPT_GATE_FOLDER] = AT(TEXT, gate.folder),
	[OPT_GATE_PIN_LIBS] = AT(TEXT, program.pins),
	[OPT_GATE_UPDATE] = AT(FLAG, gate.update),
	[OPT_GATE_EVENT] = OWN(set_gate_event),
	[OPT_GATE_STRICT] = AT(FLAG, gate.strict),
	[OPT_GATE_TOLERANCE] = AT(TEXT, gate.tolerance),
	[OPT_GATE_SHARD] = OWN(set_gate_shard),
	[OPT_GATE_JUNIT] = AT(TEXT, gate.junit),
	[OPT_GATE_GITHUB] = AT(FLAG, gate.github),
	[OPT_GATE_GITLAB] = AT(TEXT, gate.gitlab),
	[OPT_GATE_JSON] = AT(TEXT, gate.json),
	[OPT_GATE_SARIF] = AT(TEXT, gate.sarif),
	[OPT_GATE_MARKDOWN] = AT(TEXT, gate.markdown),
	/* Guests that are not the image. */
	[OPT_GUEST_PAGE] = AT(TEXT, guest.page),
	[OPT_LINUX_INITRD] = AT(TEXT, guest.initrd),
	[OPT_LINUX_APPEND] = AT(ANY_TEXT, guest.append),
	[OPT_LINUX_SHARE] = AT(TEXT, guest.share),
	[OPT_LINUX_MODULES] = AT(TEXT, guest.modules),
	/* There and back. */
	[OPT_THERE_FAST] = AT(FLAG, there.fast),
	[OPT_THERE_QUIET_DMA] = AT(FLAG, there.quiet_dma),
	[OPT_THERE_TIMEOUT] = AT(NUMBER, there.timeout),
	[OPT_THERE_KERNEL] = AT(TEXT, there.kernel),
	[OPT_THERE_INITRD] = AT(TEXT, there.initrd),
	[OPT_THERE_APPEND] = AT(ANY_TEXT, there.append),
	[OPT_THERE_SIGN] = AT(TEXT, there.key),
	[OPT_THERE_KEEP] = AT(NUMBER, there.keep),
	/* Programs. */
	[OPT_PROGRAM_FILE] = AT(WORDS, program.files),
	[OPT_PROGRAM_ROOT] = AT(TEXT, program.root),
	[OPT_PROGRAM_ENV] = OWN(set_program_env),
	[OPT_PROGRAM_KEEP_ENV] = AT(FLAG, program.keep_env),
	[OPT_PROGRAM_CWD] = AT(TEXT, program.cwd),
	[OPT_PROGRAM_STDIN] = AT(TEXT, program.input),
	[OPT_PROGRAM_BRING] = OWN(set_program_bring),
	[OPT_PROGRAM_PREFAULT] = AT(CONSTANT, program.prefault, .name = "1"),
	[OPT_PROGRAM_NO_PREFAULT] = AT(CONSTANT, program.prefault, .name = "0"),
	[OPT_PROGRAM_ALLOW_WX] = AT(FLAG, program.allow_wx),
	[OPT_PROGRAM_SEED] = OWN(set_program_seed),
	[OPT_PROGRAM_STATIC_ONLY] = AT(FLAG, program.static_only),
};
/* clang-format on */

static int set_text(const char **to, enum setting_kind kind, const char *value)
{
	*to = value;
	if (kind == SETTING_ANY_TEXT)
		return 0;
	return !*value || (kind == SETTING_FILE && !strcmp(value, "-")) ? -EINVAL : 0;
}

/* Returns the index of `value` in the choices; -EINVAL: it is none of them. */
static int find_choice(const struct setting *s, const char *value)
{
	for (int i = 0; i < CHOICES_MOST && s->choices[i]; i++)
		if (!strcmp(value, s->choices[i]))
			return i;
	return -EINVAL;
}

static int set_choice(void *to, const struct setting *s, const char *value)
{
	const int choice = find_choice(s, value);

	if (choice < 0)
		return choice;
	if (s->kind == SETTING_SWITCH)
		*(bool *)to = choice;
	else
		*(unsigned *)to = (unsigned)choice;
	return 0;
}

static int set_member(const struct setting *s, struct options *o, const char *value)
{
	void *to = (char *)o + s->at;

	switch (s->kind) {
	case SETTING_FLAG:
	case SETTING_CLEAR:
		*(bool *)to = s->kind == SETTING_FLAG;
		return 0;
	case SETTING_TEXT:
	case SETTING_ANY_TEXT:
	case SETTING_FILE:
		return set_text(to, s->kind, value);
	case SETTING_CONSTANT:
		return set_text(to, s->kind, s->name);
	case SETTING_NUMBER:
		*(uint32_t *)to = number_of(value);
		return 0;
	case SETTING_WORDS:
		return append_option(to, value);
	case SETTING_FORMAT:
		*(const struct out_format **)to = out_find(s->name);
		return 0;
	case SETTING_SWITCH:
	case SETTING_CHOICE:
		return set_choice(to, s, value);
	case SETTING_OWN:
		return s->set(o, value);
	case SETTING_NONE:
		break;
	}
	return 0;
}

static int set_value(struct options *o, enum option_id id, const char *value)
{
	const struct setting *s = &settings[id];

	if (s->gave)
		*(bool *)((char *)o + s->gave) = true;
	return set_member(s, o, value);
}

/* The state of sorting a command line. */
struct sorting {
	struct options *options;
	enum option_taker taker;
	const char **kept; /* words for the image, at most as many as were typed */
	size_t nkept;
	const char *cluster; /* the typed word of letters to which the last kept word belongs */
	struct buf letters;  /* kept letters of `cluster` */
};

/* Says which fault is wrong, and which ones there are. */
static int refuse_fault(const struct scanned *s, struct reason *why)
{
	struct vpmu_faults faults = {0};
	struct reason which = {""};

	faults_parse(s->value, &faults, &which);
	return refuse(why, EINVAL, "--fault: %s", which.text);
}

static int set_option(struct options *options, const struct scanned *s, struct reason *why)
{
	const struct option_row *row = option_row(s->id);
	char label[OPTION_LABEL_MAX];

	if (!set_value(options, s->id, s->value))
		return 0;
	if (s->id == OPT_FAULT)
		return refuse_fault(s, why);
	return refuse(why, EINVAL, "%s: '%s' is not %s", option_label(row, label), s->value,
		      row->what);
}

/*
 * Keeps a letter of a word such as "-gv". All letters of one word for the image stay in one word.
 */
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

/* Keeps an option with its full name. */
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
	case TAKER_DOCTOR:
		return IMAGE_DOCTOR;
	default:
		return 0;
	}
}

/* Notes the form of results, which the tool also has to know of a list of pieces. */
static void note_form(struct options *options, const struct scanned *s)
{
	if (s->id == OPT_STAT_JSON)
		options->bench.json = true;
	else if (s->id == OPT_SEPARATOR)
		options->bench.separator = s->value;
}

/* Kept words are allocated and never freed: they live as long as the command line. */
static int sort_option(void *ctx, const struct scanned *s, struct reason *why)
{
	const uint64_t takers = option_row(s->id)->takers;
	struct sorting *to = ctx;
	int err = takers & to->taker ? set_option(to->options, s, why) : 0;

	if (err || !(takers & image_takers(to->taker)))
		return err;
	if (to->taker == TAKER_BENCH)
		note_form(to->options, s);
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
					   TAKER_GATE | TAKER_BOOT | TAKER_QEMU_ARGS |
					   TAKER_PROFILE | TAKER_PGO | TAKER_EXPLAIN | TAKER_THERE);
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

static void set_defaults(struct options *options)
{
	*options = (struct options){.stream.command = ANY_COMMAND};
	for (unsigned id = 0; id < OPTIONS; id++)
		if (option_row((enum option_id)id)->fallback)
			set_member(&settings[id], options,
				   option_row((enum option_id)id)->fallback);
}

/* Sets what packing a program needs to know of the other options. */
static void settle_program(struct options *options)
{
	const struct machine_options *machine = &options->machine;

	options->program.cpu = machine->accel == ACCEL_TCG ? machine->cpu : NULL;
	options->program.verbose = options->output.verbose;
	options->program.asks_for_input = !machine->serial;
}

int tool_options_parse_beside(struct options *options, const struct options *base,
			      enum option_taker taker, const char **words, struct reason *why)
{
	int err;

	if (base)
		*options = *base;
	else
		set_defaults(options);
	/*
	 * These programs get no standard input: a shell's is its script, and that of the others
	 * belongs to the machine or to the keys.
	 */
	options->program.no_input = base || taker & (TAKER_ATTACH | TAKER_TOP | TAKER_GATE);
	err = take_options(options, taker, words, why);
	if (!err)
		err = machine_options_settle(&options->machine, why);
	settle_program(options);
	if (err || taker == TAKER_GATE)
		return err;
	return machine_options_read_files(&options->machine, why);
}

int tool_options_parse(struct options *options, enum option_taker taker, const char **words,
		       struct reason *why)
{
	return tool_options_parse_beside(options, NULL, taker, words, why);
}

void tool_options_free(struct options *options)
{
	free(options->program.files.word);
	free(options->program.env.word);
	free(options->program.brings.word);
	free(options->gate.events);
}
