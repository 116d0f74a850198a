// SPDX-License-Identifier: BSD-2-Clause
/* proc_machine.c - files of /proc about the machine as a whole. */
#include "linux/proc/proc_parts.h"

#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "lib/printf.h"
#include "lib/time.h"
#include "pmu/api/pmu.h"
#include "rt/clock/watchdog_timer.h"
#include "rt/base/machine.h"
#include "linux/perf/perf.h"
#include "linux/tree/proc_text.h"
#include "linux/portable/release.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#define ULL(n)      ((unsigned long long)(n))
#define NS_PER_TICK (NSEC_PER_SEC / 100)

/* --- Names and settings --- */

#define SETTING(name, format, value)                                   \
	static int write_##name(const uint64_t *id, struct text *text) \
	{                                                              \
		(void)id;                                              \
		text_print(text, format "\n", value);                  \
		return 0;                                              \
	}
SETTING(cmdline, "%s", machine_arguments())
SETTING(hostname, "%s", SYSTEM_NODE)
SETTING(osrelease, "%s", SYSTEM_RELEASE)
SETTING(version, "%s",
	SYSTEM_NAME " version " SYSTEM_RELEASE " (" SYSTEM_NODE ") (gcc " __VERSION__
		    ") " SYSTEM_VERSION)
SETTING(sample_rate, "%llu", ULL(pmu_max_sample_rate()))
SETTING(cpu_percent, "%d", 50) /* % of the time between samples: pmu/core/rate.c */
SETTING(mlock_kb, "%d", 516)   /* as Linux has it: rings may be as large as memory allows */
SETTING(nmi_watchdog, "%d", pmu_watchdog_state().on)
SETTING(paranoid, "%d", perf_allows_system() ? -1 : 2)
SETTING(slice_ms, "%llu", ULL(sched_slice_ms()))
SETTING(huge_enabled, "%s", "always madvise [never]")
SETTING(huge_size, "%u", 2u << 20)
#undef SETTING

/* --- Memory --- */

static void put_kib(struct text *text, const char *name, uint64_t pages)
{
	char label[24];

	fmt_print(label, sizeof(label), "%s:", name);
	text_print(text, "%-15s %8llu kB\n", label, ULL(pages * (PAGE_SIZE / 1024)));
}

static void add_resident(struct task *t, void *pages)
{
	if (t->tid == t->pid && t->process && t->process->mm)
		*(uint64_t *)pages += t->process->mm->resident;
}

/* Without a disk no page of a file can be dropped: content of files counts as used memory. */
static int write_meminfo(const uint64_t *id, struct text *text)
{
	const uint64_t free = page_free_count(), kept = page_reserve_count();
	static const char *const none[] = {
		"Buffers", "Cached",    "SwapCached", "SwapTotal",    "SwapFree",
		"Dirty",   "Writeback", "Shmem",      "SReclaimable", "AnonHugePages"};
	uint64_t mapped = 0;

	(void)id;
	task_each(add_resident, &mapped);
	put_kib(text, "MemTotal", page_total_count());
	put_kib(text, "MemFree", free);
	put_kib(text, "MemAvailable", free > kept ? free - kept : 0);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		put_kib(text, none[i], 0);
	put_kib(text, "AnonPages", mapped);
	put_kib(text, "Mapped", mapped);
	put_kib(text, "CommitLimit", page_total_count());
	text_print(text, "HugePages_Total:       0\nHugePages_Free:        0\n");
	text_print(text, "HugePages_Rsvd:        0\nHugePages_Surp:        0\n");
	put_kib(text, "Hugepagesize", 512);
	return 0;
}

/* --- Times --- */

struct cpu_times {
	uint64_t user_ns, sys_ns, idle_ns;
};

struct running {
	unsigned cpu;
	struct cpu_times *times;
};

/* Adds the time since the task got its CPU. Only the current task's share of ring 0 is known;
 * that of another CPU counts as user time. */
static void add_running(struct task *t, void *arg)
{
	const struct running *r = arg;
	const uint64_t now = clock_ns();
	uint64_t sys = 0, ran;

	if (t->state != TASK_RUNNING || t->cpu != r->cpu)
		return;
	ran = now > t->since ? now - t->since : 0;
	if (t == sched_current())
		sys = usage_of_task(t).sys_ns + t->user_told > t->ran
			      ? usage_of_task(t).sys_ns + t->user_told - t->ran
			      : 0;
	sys = sys < ran ? sys : ran;
	r->times->sys_ns += sys;
	r->times->user_ns += ran - sys;
}

static struct cpu_times times_of(unsigned cpu)
{
	const struct sched_counts counts = sched_counts_of(cpu);
	struct cpu_times times = {.user_ns = counts.user_ns, .sys_ns = counts.sys_ns};
	uint64_t busy, now;

	task_each(add_running, &(struct running){cpu, &times});
	busy = times.user_ns + times.sys_ns;
	now = clock_ns();
	times.idle_ns = now > busy ? now - busy : 0;
	return times;
}

static struct cpu_times times_of_all(void)
{
	struct cpu_times sum = {0};

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
		const struct cpu_times times = times_of(cpu);

		sum.user_ns += times.user_ns;
		sum.sys_ns += times.sys_ns;
		sum.idle_ns += times.idle_ns;
	}
	return sum;
}

static void put_times(struct text *text, const struct cpu_times *t)
{
	text_print(text, " %llu 0 %llu %llu 0 0 0 0 0 0\n", ULL(t->user_ns / NS_PER_TICK),
		   ULL(t->sys_ns / NS_PER_TICK), ULL(t->idle_ns / NS_PER_TICK));
}

static void read_counts(void *counts)
{
	*(struct trap_counts *)counts = *trap_counts();
}

static struct trap_counts traps_of(unsigned cpu)
{
	struct trap_counts counts = {0};

	smp_call(cpu, read_counts, &counts);
	return counts;
}

static uint64_t interrupts_of_all(void)
{
	uint64_t sum = 0;

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
		const struct trap_counts counts = traps_of(cpu);

		sum += counts.irqs + counts.nmis;
	}
	return sum;
}

static void count_runnable(struct task *t, void *n)
{
	*(unsigned *)n += t->state != TASK_SLEEPING && t->state != TASK_ENDED;
}

static unsigned runnable(void)
{
	unsigned n = 0;

	task_each(count_runnable, &n);
	return n;
}

static int write_stat(const uint64_t *id, struct text *text)
{
	const struct cpu_times all = times_of_all();
	const unsigned ncpus = smp_ncpus();

	(void)id;
	text_print(text, "cpu ");
	put_times(text, &all);
	for (unsigned cpu = 0; cpu < ncpus; cpu++) {
		const struct cpu_times times = times_of(cpu);

		text_print(text, "cpu%u", cpu);
		put_times(text, &times);
	}
	text_print(text, "intr %llu\nctxt %llu\nbtime %llu\n", ULL(interrupts_of_all()),
		   ULL(sched_counts().switches), ULL(times_real_offset() / NSEC_PER_SEC));
	text_print(text, "processes %u\nprocs_running %u\nprocs_blocked 0\n", task_tree.last_tid,
		   runnable());
	text_print(text, "softirq 0 0 0 0 0 0 0 0 0 0 0\n");
	return 0;
}

static void put_seconds(struct text *text, uint64_t ns, const char *behind)
{
	const uint64_t ticks = ns / NS_PER_TICK;

	text_print(text, "%llu.%02llu%s", ULL(ticks / 100), ULL(ticks % 100), behind);
}

static int write_uptime(const uint64_t *id, struct text *text)
{
	(void)id;
	put_seconds(text, times_monotonic(), " ");
	put_seconds(text, times_of_all().idle_ns, "\n");
	return 0;
}

/* No timer samples the load: an average covers the time since its last read. */
static struct {
	struct lock lock;
	uint64_t load[3], at, busy;
} averages;

static void update_averages(uint64_t load[3])
{
	const struct cpu_times all = times_of_all();
	const uint64_t now = clock_ns(), busy = all.user_ns + all.sys_ns, flags = irq_save();
	uint64_t passed;

	lock_take(&averages.lock);
	passed = now > averages.at ? now - averages.at : 0;
	if (passed >= 5 * NSEC_PER_SEC) {
		const uint64_t used = busy > averages.busy ? busy - averages.busy : 0;

		proc_load_pass(averages.load, passed, (used << PROC_LOAD_BITS) / passed);
		averages.at = now;
		averages.busy = busy;
	}
	for (unsigned i = 0; i < 3; i++)
		load[i] = averages.load[i];
	lock_release(&averages.lock);
	irq_restore(flags);
}

static int write_loadavg(const uint64_t *id, struct text *text)
{
	uint64_t load[3];

	(void)id;
	update_averages(load);
	proc_text_load(text, load);
	text_print(text, "%u/%u %u\n", runnable(), task_tree.live, task_tree.last_tid);
	return 0;
}

/* --- Interrupts --- */

static int write_interrupts(const uint64_t *id, struct text *text)
{
	static const struct {
		const char *name, *what;
		size_t offset;
	} rows[] = {
		{"NMI", "Non-maskable interrupts", offsetof(struct trap_counts, nmis)},
		{"INT", "Interrupts of all vectors", offsetof(struct trap_counts, irqs)},
		{"SPU", "Spurious interrupts", offsetof(struct trap_counts, stray_irqs)},
		{"UNK", "Non-maskable interrupts of unknown origin",
		 offsetof(struct trap_counts, unknown_nmis)},
	};

	(void)id;
	text_print(text, "    ");
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		text_print(text, "       CPU%-4u", cpu);
	text_print(text, "\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		text_print(text, "%4s:", rows[i].name);
		for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
			const struct trap_counts counts = traps_of(cpu);

			text_print(text, " %10llu",
				   ULL(*(const uint64_t *)((const uint8_t *)&counts +
							   rows[i].offset)));
		}
		text_print(text, "   %s\n", rows[i].what);
	}
	return 0;
}

void proc_machine_init(void)
{
	synth_writers.proc_cmdline.write = write_cmdline;
	synth_writers.proc_hostname.write = write_hostname;
	synth_writers.proc_osrelease.write = write_osrelease;
	synth_writers.proc_version.write = write_version;
	synth_writers.proc_sample_rate.write = write_sample_rate;
	synth_writers.proc_cpu_percent.write = write_cpu_percent;
	synth_writers.proc_mlock_kb.write = write_mlock_kb;
	synth_writers.proc_nmi_watchdog.write = write_nmi_watchdog;
	synth_writers.proc_paranoid.write = write_paranoid;
	synth_writers.proc_slice_ms.write = write_slice_ms;
	synth_writers.huge_enabled.write = write_huge_enabled;
	synth_writers.huge_size.write = write_huge_size;
	synth_writers.proc_meminfo.write = write_meminfo;
	synth_writers.proc_stat.write = write_stat;
	synth_writers.proc_uptime.write = write_uptime;
	synth_writers.proc_loadavg.write = write_loadavg;
	synth_writers.proc_interrupts.write = write_interrupts;
}
