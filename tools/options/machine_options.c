// SPDX-License-Identifier: BSD-2-Clause
/* machine_options.c - see machine_options.h. */
#include "tools/options/machine_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/words/shape_words.h"
#include "tools/program/isa.h"
#include "tools/util/memory.h"

#define TCG_CPU_DEFAULT "EPYC"
#define KVM_CPU_DEFAULT "host,pmu=on"

static int settle_clock(struct machine_options *o, struct reason *why)
{
	const bool is_possible = o->accel == ACCEL_TCG && o->smp == 1;

	if (o->gave_clock && o->clock != CLOCK_HOST && !is_possible)
		return refuse(why, EINVAL, "--clock %s is for one CPU, without KVM",
			      o->clock == CLOCK_MODEL ? "model" : "instructions");
	if (o->clock == CLOCK_MODEL &&
	    (!o->has_vpmu || o->vpmu.ipc1 || o->vpmu.events != EVENTS_MODEL))
		return refuse(why, EINVAL,
			      "--clock model needs the model of a core: vpmu, "
			      "--events model and --timing model");
	if (!is_possible)
		o->clock = CLOCK_HOST;
	return 0;
}

static int check_counter_shape(const struct vpmu_options *o, struct reason *why)
{
	struct reason what;

	if (!shape_check(&o->shape, o->uarch->name, &what))
		return 0;
	return refuse(why, EINVAL, "--counters %s, --uarch %s: %s", o->counters, o->uarch->name,
		      what.text);
}

/* Returns the first given option that needs vpmu; NULL: none. */
static const char *option_that_needs_vpmu(const struct vpmu_options *o)
{
	const struct {
		bool is_given;
		const char *name;
	} rows[] = {
		{o->gave_uarch, "--uarch"},
		{o->gave_ht, "--ht"},
		{o->gave_events && o->events != EVENTS_RATIOS, "--events"},
		{o->ipc1, "--timing"},
		{o->hides_hypervisor, "--hypervisor-bit"},
		{o->program_level, "--cpu-features"},
		{o->counters, "--counters"},
		{o->fault, "--fault"},
		{o->gave_prefetch, "--prefetch"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].is_given)
			return rows[i].name;
	return NULL;
}

/* A CPU model that is not known is checked by vpmu. */
int machine_options_check_level(const struct machine_options *o, struct reason *why)
{
	const unsigned level = o->vpmu.program_level, has = isa_of_cpu(o->cpu);

	if (level && !o->has_vpmu)
		return refuse(why, EINVAL, "--cpu-features needs vpmu, and this machine has none");
	if (level == ISA_LEVELS)
		return refuse(
			why, EINVAL,
			"--cpu-features %s: no CPU that QEMU emulates has AVX-512; %s is the highest",
			isa_level_name(level), isa_level_name(level - 1));
	if (has && level > has)
		return refuse(why, EINVAL, "--cpu-features %s: --cpu %s is %s",
			      isa_level_name(level), o->cpu, isa_level_name(has));
	return 0;
}

int machine_options_settle(struct machine_options *o, struct reason *why)
{
	const char *name = option_that_needs_vpmu(&o->vpmu);

	if (!o->gave_vpmu)
		o->has_vpmu = o->accel == ACCEL_TCG;
	if (!o->gave_cpu)
		o->cpu = o->accel == ACCEL_KVM ? KVM_CPU_DEFAULT : TCG_CPU_DEFAULT;
	if (o->pin && o->accel != ACCEL_KVM)
		return refuse(why, EINVAL,
			      "--pin needs --kvm: CPUs of TCG count what they execute");
	if (!o->has_vpmu && name)
		return refuse(why, EINVAL, "%s needs vpmu, which is %s", name,
			      o->gave_vpmu ? "taken away by --no-vpmu" : "off with --accel kvm");
	if (check_counter_shape(&o->vpmu, why) || machine_options_check_level(o, why))
		return -EINVAL;
	return settle_clock(o, why);
}

/* The files are never freed: they live as long as the command line. */
int machine_options_read_files(struct machine_options *o, struct reason *why)
{
	struct vpmu_options *vpmu = &o->vpmu;
	struct guest_uarch *uarch;
	struct evfiles *files;
	int err;

	if (!vpmu->nevent_files || vpmu->uarch->files)
		return 0;
	if (!o->has_vpmu)
		return refuse(why, EINVAL,
			      "--event-file needs vpmu: which cores another machine has "
			      "is not known");
	files = memory_checked(calloc(1, sizeof(*files)));
	err = evfiles_read(files, vpmu->event_file, vpmu->nevent_files,
			   uarch_by_name(vpmu->uarch->name), why);
	if (err) {
		free(files);
		return err;
	}
	uarch = memory_checked(calloc(1, sizeof(*uarch)));
	*uarch = *vpmu->uarch;
	uarch->files = files;
	/* the first CPU is a large core */
	uarch->core = o->smp == 1 && files->of[0].core ? UARCH_CORE : 0;
	vpmu->uarch = uarch;
	return 0;
}

/* Compares texts that may be NULL; an absent text equals an empty one. */
static bool is_same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool is_same_vpmu(const struct vpmu_options *a, const struct vpmu_options *b)
{
	return !strcmp(a->uarch->name, b->uarch->name) && a->ht == b->ht &&
	       a->events == b->events && a->prefetch == b->prefetch && a->ipc1 == b->ipc1 &&
	       a->hides_hypervisor == b->hides_hypervisor && a->program_level == b->program_level &&
	       is_same_text(a->counters, b->counters) && is_same_text(a->fault, b->fault);
}

bool machine_options_same(const struct machine_options *a, const struct machine_options *b)
{
	return a->has_vpmu == b->has_vpmu && is_same_vpmu(&a->vpmu, &b->vpmu) &&
	       a->accel == b->accel && a->firmware == b->firmware && a->clock == b->clock &&
	       a->smp == b->smp && a->threads == b->threads && a->watchdog == b->watchdog &&
	       a->memory == b->memory && a->cold == b->cold && a->profile == b->profile &&
	       a->line.baud == b->line.baud && a->line.flow == b->line.flow &&
	       is_same_text(a->boot_options, b->boot_options) && is_same_text(a->pin, b->pin) &&
	       !strcmp(a->cpu, b->cpu) && !strcmp(a->qemu, b->qemu);
}
