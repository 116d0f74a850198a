// SPDX-License-Identifier: BSD-2-Clause
/* vpmu_take.c - see vpmu_take.h. */
#include "boot/vpmu_take.h"

#include "boot/relocate.h"
#include "boot/sleep.h"
#include "boot/vpmu_options.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/isa_level.h"

#include <linux/errno.h>
#include <stdarg.h>

#define BELOW_4G     (1ull << 32)
#define BELOW_640K   0xa0000ull
#define PAGE_SIZE    4096u
#define MESSAGE_MOST 1024

extern char __image_end[] __attribute__((visibility("hidden")));

static void tell_start(const struct vpmu_platform *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void tell_start(const struct vpmu_platform *p, const char *format, ...)
{
	char text[MESSAGE_MOST];
	va_list args;

	va_start(args, format);
	fmt_vprint(text, sizeof(text), format, args);
	va_end(args);
	p->print(text);
}

/* Reserves pages below `end`; 0: there are none, or none are wanted. */
static uint64_t reserve(const struct vpmu_platform *p, uint64_t end, uint64_t bytes)
{
	const uint64_t pages = (bytes + PAGE_SIZE - 1) / PAGE_SIZE;

	return pages ? p->reserve(end, pages) : 0;
}

/* A copy of this image in memory that no operating system will reuse; 0: there is none. */
static uint64_t make_copy(const struct vpmu_platform *p)
{
	const size_t size = (size_t)(__image_end - ImageBase);
	const uint64_t base = reserve(p, BELOW_4G, size);

	if (!base)
		return 0;
	memcpy((void *)base, ImageBase, size);
	relocate_again((char *)base, base - (uint64_t)ImageBase);
	return base;
}

/* The address in the copy of `here`, which is an address in this image. */
static void *in_copy(uint64_t copy, const void *here)
{
	return (void *)((uint64_t)here - (uint64_t)ImageBase + copy);
}

/* The machine's other CPUs come under vpmu when the guest starts them. */
static void prepare_other_cpus(const struct vpmu_platform *p, struct vpmu_config *config)
{
	config->cpus = p->others + 1;
	config->apic_ids = p->apic_ids;
	config->memory = (void *)reserve(p, BELOW_4G, p->others * vpmu_cpu_bytes());
	config->start_page = config->memory ? reserve(p, BELOW_640K, PAGE_SIZE) : 0;
	if (p->others && !config->start_page)
		tell_start(p, "vpmu: no memory for other CPUs: they have no PMU\n");
}

static void tell_cpus(const struct vpmu_platform *p, const struct vpmu_config *config)
{
	const unsigned most = vpmu_max_cpus();

	if (!config->start_page || config->cpus <= most)
		return;
	tell_start(
		p,
		"vpmu: %u CPUs, but only %u comparators of the HPET for them; on the others what "
		"QEMU's plugin does not stop at overflows late (QEMU: -global hpet.timers=N)\n",
		config->cpus, most);
}

static void tell_launch(const struct vpmu_platform *p, const struct vpmu_config *config,
			const char *estimates)
{
	tell_start(p, "vpmu: %s, ht=%s", config->uarch, config->ht_on ? "on" : "off");
	if (estimates)
		tell_start(p, "; %s, so counts are estimates, of an instruction for each %lu ticks",
			   estimates, (unsigned long)config->ticks_per_insn);
	if ((config->own_clock || config->model_clock) && !config->exact)
		tell_start(p,
			   "; clock=%s needs a clock that goes by instructions, so the guest has "
			   "the machine's",
			   config->own_clock ? "own" : "model");
	tell_start(p, "\n");
	tell_cpus(p, config);
}

/* A clock that goes by instructions stands still in S3, and nothing would end it. */
static int launched(const struct vpmu_platform *p, const struct vpmu_config *config,
		    const char *estimates)
{
	if (!config->wake_page || config->exact)
		sleep_hide_s3(p->rsdp);
	tell_launch(p, config, estimates);
	return 0;
}

/* Where CPUs run in parallel, the time of one CPU includes the instructions of all. */
static void measure_rate(struct vpmu_config *config)
{
	config->ticks_per_insn = vpmu_measure_ticks();
	config->exact = config->ticks_per_insn && config->cpus == 1;
	if (!config->ticks_per_insn)
		config->ticks_per_insn = vpmu_estimate_ticks();
}

static const char *why_estimates(const struct vpmu_config *config)
{
	if (config->events)
		return "QEMU's plugin does not count as it should";
	return config->cpus > 1 ? "the TSC is that of several CPUs"
				: "the TSC does not count instructions here";
}

int vpmu_take_machine(const struct vpmu_platform *p, struct vpmu_config *config)
{
	enum vpmu_verdict (*launch)(const struct vpmu_config *);
	uint64_t copy = make_copy(p);
	static struct reason why;

	if (!copy) {
		tell_start(p, "vpmu: no reserved memory below 4 GiB\n");
		return -ENOMEM;
	}
	config->why = &why;
	prepare_other_cpus(p, config);
	if (sleep_find(p->rsdp, config))
		config->wake_page = reserve(p, BELOW_640K, PAGE_SIZE);
	measure_rate(config);
	config->events = vpmu_events_find(copy, config->uarch);
	launch = in_copy(copy, (const void *)vpmu_launch);
	switch (launch(config)) {
	case VPMU_LAUNCHED:
		return launched(p, config, NULL);
	case VPMU_LAUNCHED_RATIOS:
		tell_start(p, "vpmu: QEMU's plugin does not count as it should; events are ratios "
			      "of instructions and cycles\n");
		return launched(p, config, NULL);
	case VPMU_LAUNCHED_COUNTED:
		config->exact = false;
		return launched(p, config, NULL);
	case VPMU_LAUNCHED_INEXACT:
		config->exact = false;
		return launched(p, config, why_estimates(config));
	case VPMU_NO_SVM:
		tell_start(p, "vpmu: this CPU has no SVM; starting the image without\n");
		return 0;
	case VPMU_RUNS_ALREADY:
		tell_start(p, "vpmu: runs already; starting the image\n");
		return 0;
	case VPMU_NO_HPET:
		tell_start(p, "vpmu: no HPET comparator 2 with FSB delivery; starting the image "
			      "without (QEMU: -global hpet.msi=on)\n");
		return 0;
	case VPMU_BAD_SHAPE:
		tell_start(p, "vpmu: counters=: %s\n", why.text);
		return -EINVAL;
	case VPMU_BAD_LEVEL:
		tell_start(p, "vpmu: features=%s: this CPU has not all of them\n",
			   isa_level_name(config->program_level));
		return -EINVAL;
	case VPMU_BAD_UARCH:
		break;
	}
	tell_start(p, "vpmu: unknown uarch '%s'; %s\n", config->uarch, VPMU_USAGE);
	return -EINVAL;
}
