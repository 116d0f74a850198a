// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_pmu.c - /sys/bus/event_source/devices: the PMUs, and those of their events that can be
 * opened. id[0] is the PMU, id[1] its format or event. The first read tries to open each event.
 */
#include "linux/proc/proc_parts.h"

#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "pmu/names/kinds.h"
#include "pmu/names/sysfs.h"
#include "rt/base/machine.h"
#include "linux/perf/perf.h"

#define EVENTS_MOST 64

/* Kinds of cores, as CPUID has them, whose PMU has a name of its own on a hybrid. */
enum { ANY_CORE = 0, SMALL_CORE = 0x20, LARGE_CORE = 0x40 };

struct pmu_row {
	const char *name;
	uint32_t type;
	bool is_core;
	uint8_t core; /* on a hybrid: the kind of core */
};

static const struct pmu_row fixed_rows[] = {
	{"cpu", PERF_TYPE_RAW, true, ANY_CORE},
	{"cpu_core", PERF_TYPE_RAW, true, LARGE_CORE},
	{"cpu_atom", PMU_TYPE_CPU_ATOM, true, SMALL_CORE},
	{"software", PERF_TYPE_SOFTWARE, false, ANY_CORE},
	{"tracepoint", PERF_TYPE_TRACEPOINT, false, ANY_CORE},
	{"breakpoint", PERF_TYPE_BREAKPOINT, false, ANY_CORE},
};
#define NFIXED (sizeof(fixed_rows) / sizeof(fixed_rows[0]))
#define NPMUS  64 /* of both kinds; more than there are */

static const struct pmu_row *fixed_of(uint64_t pmu)
{
	return pmu < NFIXED ? &fixed_rows[pmu] : NULL;
}

static const struct dynamic_pmu *dynamic_of(uint64_t pmu)
{
	return pmu >= NFIXED && pmu < NPMUS ? dynamic_pmu(pmu - NFIXED) : NULL;
}

/* The PMU of the core type `core`, whichever type this CPU has. */
static struct sysfs_core core_pmu(uint8_t core)
{
	const struct uarch *own = uarch_by_name(pmu_info()->uarch);
	const struct uarch *uarch = own ? own : uarch_find(machine_caps());
	const struct uarch *beside =
		core != ANY_CORE && machine_caps()->core_type != core ? uarch_beside(uarch) : NULL;

	return (struct sysfs_core){
		.uarch = beside ? beside : uarch,
		.select_bits = pmu_info()->select_bits,
	};
}

/* --- Events that can be opened --- */

static struct known_pmu {
	bool known;
	bool there;
	uint64_t events; /* a bit for each file of events/ */
} known[NPMUS];

/* Tries a task and this CPU; some PMUs only sample. With perf_lock(). */
static bool can_open(uint32_t type, uint64_t config, uint64_t period)
{
	const struct perf_event_attr attr = {
		.type = type,
		.config = config,
		.sample_period = period,
		.size = sizeof(attr),
		.disabled = 1,
		.exclude_kernel = 1,
	};
	struct perf_event_attr all = attr;

	all.exclude_kernel = 0;
	return perf_can_open(&attr, TASK_PID, -1) || perf_can_open(&all, TASK_PID, -1) ||
	       perf_can_open(&all, -1, (int)smp_cpu());
}

#define ANY_PERIOD (1 << 20)

/* On a hybrid, opens the event for cores of that kind. */
static void choose_kind(const struct pmu_row *row, struct sysfs_file *file)
{
	struct perf_event_attr attr = {.type = file->type, .config = file->config};

	if (row->core == ANY_CORE || !kinds_is_core(&attr))
		return;
	kinds_set(&attr, row->core);
	file->type = attr.type;
	file->config = attr.config;
}

static bool event_file(uint64_t pmu, size_t i, struct sysfs_file *file)
{
	const struct pmu_row *row = fixed_of(pmu);
	const struct dynamic_pmu *dynamic = dynamic_of(pmu);
	const struct sysfs_core core = core_pmu(row ? row->core : ANY_CORE);

	if (row) {
		if (!row->is_core || !sysfs_core_event(&core, i, file))
			return false;
		choose_kind(row, file);
		return true;
	}
	return dynamic && sysfs_event(dynamic, i, file);
}

static bool format_file(uint64_t pmu, size_t i, struct sysfs_file *file)
{
	const struct pmu_row *row = fixed_of(pmu);
	const struct dynamic_pmu *dynamic = dynamic_of(pmu);
	const struct sysfs_core core = core_pmu(row ? row->core : ANY_CORE);

	if (row)
		return row->is_core && sysfs_core_format(&core, i, file);
	return dynamic && sysfs_format(dynamic, i, file);
}

static uint64_t find_events(uint64_t pmu)
{
	struct sysfs_file file;
	uint64_t events = 0;

	for (size_t i = 0; i < EVENTS_MOST && event_file(pmu, i, &file); i++)
		events |= (uint64_t)can_open(file.type, file.config, 0) << i;
	return events;
}

static bool is_hybrid(void)
{
	return machine_caps()->hybrid;
}

static bool has_core(uint8_t core)
{
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (smp_online(cpu)->core_type == core)
			return true;
	return false;
}

static bool core_is_there(const struct pmu_row *row)
{
	if (pmu_problem())
		return false;
	return row->core == ANY_CORE ? !is_hybrid() : is_hybrid() && has_core(row->core);
}

static bool find_pmu(uint64_t pmu, uint64_t events)
{
	const struct pmu_row *row = fixed_of(pmu);
	const struct dynamic_pmu *dynamic = dynamic_of(pmu);

	if (row)
		return row->is_core ? core_is_there(row) : true;
	return dynamic && (events || (!dynamic->events &&
				      (can_open(dynamic->type, dynamic->config, 0) ||
				       can_open(dynamic->type, dynamic->config, ANY_PERIOD))));
}

static const struct known_pmu *know(uint64_t pmu)
{
	struct known_pmu *k = &known[pmu];

	if (__atomic_load_n(&k->known, __ATOMIC_ACQUIRE))
		return k;
	perf_lock();
	if (!k->known) {
		k->events = find_events(pmu);
		k->there = find_pmu(pmu, k->events);
		__atomic_store_n(&k->known, true, __ATOMIC_RELEASE);
	}
	perf_unlock();
	return k;
}

/* --- Lists --- */

static bool next_pmu(const uint64_t *id, uint64_t *at)
{
	(void)id;
	for (; *at < NPMUS; ++*at)
		if (know(*at)->there)
			return true;
	return false;
}

static void name_pmu(const uint64_t *id, uint64_t at, struct text *name)
{
	const struct pmu_row *row = fixed_of(at);

	(void)id;
	text_print(name, "%s", row ? row->name : dynamic_of(at)->name);
}

static bool next_format(const uint64_t *id, uint64_t *at)
{
	struct sysfs_file file;

	return format_file(id[0], *at, &file);
}

static bool next_event(const uint64_t *id, uint64_t *at)
{
	const uint64_t events = know(id[0])->events;

	while (*at < EVENTS_MOST && !(events >> *at & 1))
		++*at;
	return *at < EVENTS_MOST;
}

static void name_format(const uint64_t *id, uint64_t at, struct text *name)
{
	struct sysfs_file file;

	if (format_file(id[0], at, &file))
		text_print(name, "%s", file.name);
}

static void name_event(const uint64_t *id, uint64_t at, struct text *name)
{
	struct sysfs_file file;

	if (event_file(id[0], at, &file))
		text_print(name, "%s", file.name);
}

static bool has_formats(const uint64_t *id)
{
	uint64_t first = 0;

	return next_format(id, &first);
}

static bool has_events(const uint64_t *id)
{
	return know(id[0])->events;
}

static bool is_core(const uint64_t *id)
{
	return fixed_of(id[0]) && fixed_of(id[0])->is_core;
}

static bool is_of_some_cores(const uint64_t *id)
{
	return is_core(id) && fixed_of(id[0])->core != ANY_CORE;
}

static bool is_shared(const uint64_t *id)
{
	const struct dynamic_pmu *dynamic = dynamic_of(id[0]);

	return dynamic && dynamic->scope != DYNAMIC_CPU;
}

/* --- Files --- */

static int write_type(const uint64_t *id, struct text *text)
{
	const struct pmu_row *row = fixed_of(id[0]);

	text_print(text, "%u\n", row ? row->type : dynamic_of(id[0])->type);
	return 0;
}

static int write_format(const uint64_t *id, struct text *text)
{
	struct sysfs_file file;

	if (!format_file(id[0], id[1], &file))
		return -ENOENT;
	text_print(text, "%s\n", file.text);
	return 0;
}

/* A unit and a scale end without a newline: perf prints and reads them as they are. */
static int write_event(const uint64_t *id, struct text *text)
{
	struct sysfs_file file;

	if (!event_file(id[0], id[1], &file))
		return -ENOENT;
	text_print(text, "%s\n", file.text);
	return 0;
}

/* The CPUs on which events of the PMU are opened: the first of those that share it. */
static int write_cpumask(const uint64_t *id, struct text *text)
{
	const uint32_t type = dynamic_of(id[0])->type;
	struct cpumask cpus = {0};

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
		unsigned other = 0;

		while (other < cpu && !pmu_cpus_share(type, cpu, other))
			other++;
		if (other == cpu)
			cpumask_add(&cpus, cpu);
	}
	cpu_text_list(text, &cpus);
	text_print(text, "\n");
	return 0;
}

static int write_cpus(const uint64_t *id, struct text *text)
{
	struct cpumask cpus = {0};

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (smp_online(cpu)->core_type == fixed_of(id[0])->core)
			cpumask_add(&cpus, cpu);
	cpu_text_list(text, &cpus);
	text_print(text, "\n");
	return 0;
}

static int write_precise(const uint64_t *id, struct text *text)
{
	(void)id;
	text_print(text, "%u\n", pmu_info()->max_precise);
	return 0;
}

static int write_name(const uint64_t *id, struct text *text)
{
	(void)id;
	text_print(text, "%s\n", pmu_info()->uarch);
	return 0;
}

static bool is_of_intel(const uint64_t *id)
{
	return is_core(id) && machine_caps()->vendor == CPU_VENDOR_INTEL;
}

static bool has_forced_aborts(const uint64_t *id)
{
	return is_core(id) && pmu_tfa_counters();
}

#define FIXED_NUMBER(name, value)                                      \
	static int write_##name(const uint64_t *id, struct text *text) \
	{                                                              \
		(void)id;                                              \
		text_print(text, "%u\n", (unsigned)(value));           \
		return 0;                                              \
	}
FIXED_NUMBER(rdpmc, 1)         /* RDPMC needs an event whose control page is mapped */
FIXED_NUMBER(freeze_on_smi, 0) /* counters count in system management mode, too */
FIXED_NUMBER(allow_tfa, pmu_tfa_aborts())
FIXED_NUMBER(mux_interval, perf_mux_interval_ms())
#undef FIXED_NUMBER

/* One interval applies to all PMUs. */
static int store_mux_interval(const uint64_t *id, const char *bytes, size_t n)
{
	uint64_t ms = 0;
	size_t i = 0;

	(void)id;
	for (; i < n && bytes[i] >= '0' && bytes[i] <= '9' && ms < UINT32_MAX; i++)
		ms = ms * 10 + (uint64_t)(bytes[i] - '0');
	if (!i || (i < n && bytes[i] != '\n'))
		return -EINVAL;
	return perf_set_mux_interval_ms(ms);
}

static int write_link(const uint64_t *id, struct text *text)
{
	text_print(text, "../bus/event_source/devices/");
	name_pmu(NULL, id[0], text);
	return 0;
}

void sys_pmu_init(void)
{
	synth_writers.pmu_allow_tfa =
		(struct synth_writer){.write = write_allow_tfa, .there = has_forced_aborts};
	synth_writers.pmu_freeze_on_smi =
		(struct synth_writer){.write = write_freeze_on_smi, .there = is_of_intel};
	synth_writers.pmu_rdpmc = (struct synth_writer){.write = write_rdpmc, .there = is_core};
	synth_writers.pmu_mux_interval =
		(struct synth_writer){.write = write_mux_interval, .store = store_mux_interval};
	synth_writers.pmu_link.write = write_link;
	synth_domains.pmu = (struct synth_domain){next_pmu, name_pmu};
	synth_domains.format = (struct synth_domain){next_format, name_format};
	synth_domains.event = (struct synth_domain){next_event, name_event};
	synth_writers.pmu_type.write = write_type;
	synth_writers.pmu_format =
		(struct synth_writer){.write = write_format, .there = has_formats};
	synth_writers.pmu_event = (struct synth_writer){.write = write_event, .there = has_events};
	synth_writers.pmu_cpumask =
		(struct synth_writer){.write = write_cpumask, .there = is_shared};
	synth_writers.pmu_cpus =
		(struct synth_writer){.write = write_cpus, .there = is_of_some_cores};
	synth_writers.pmu_caps_precise =
		(struct synth_writer){.write = write_precise, .there = is_core};
	synth_writers.pmu_caps_name = (struct synth_writer){.write = write_name, .there = is_core};
}
