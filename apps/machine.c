// SPDX-License-Identifier: BSD-2-Clause
/* machine.c - `machine`: prints what disturbs measurements on this machine, and the registers
 * ("knobs") that reduce it. The command tries each register: it sets the quiet value, notes whether
 * the CPU accepts it, and restores the value before. */
#include "apps/measure/quiet_mode.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/dev/tsc.h"
#include "apps/measure/nodes_text.h"
#include "arch/x86/smp/smp.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "rt/firmware/firmware_counters.h"
#include "rt/base/machine.h"

/* Returns the first CPU after `first` whose value of knob `k` differs. */
static unsigned same_until(size_t k, unsigned first)
{
	const struct knob_value *v = &quiet_states(first)[k];
	unsigned cpu = first + 1;

	while (cpu < smp_ncpus() && !memcmp(&quiet_states(cpu)[k], v, sizeof(*v)))
		cpu++;
	return cpu;
}

static void print_knob(size_t k, unsigned first, unsigned end)
{
	const struct knob *knob = knob_row(k);
	const struct knob_value *v = &quiet_states(first)[k];
	char cpus[16], value[20], quiet[20];

	if (v->state == KNOB_ABSENT)
		return;
	if (end - first > 1)
		fmt_print(cpus, sizeof(cpus), "%u-%u", first, end - 1);
	else
		fmt_print(cpus, sizeof(cpus), "%u", first);
	fmt_print(value, sizeof(value), "%llx", (unsigned long long)v->before);
	fmt_print(quiet, sizeof(quiet), "%llx", (unsigned long long)v->now);
	out("  %-24s %8x %-8s %18s %18s  %s\n", knob->title, knob->msr, cpus,
	    v->state == KNOB_REFUSED ? "-" : value, v->state == KNOB_SET ? quiet : "-",
	    knob_state_name((enum knob_state)v->state));
}

static void print_knobs(void)
{
	out("  %-24s %8s %-8s %18s %18s  %s\n", "register", "MSR", "CPUs", "is", "for quiet",
	    "tried");
	for (size_t k = 0; knob_row(k); k++)
		for (unsigned cpu = 0, end; cpu < smp_ncpus(); cpu = end) {
			end = same_until(k, cpu);
			print_knob(k, cpu, end);
		}
}

static void print_knob_json(size_t k, unsigned cpu)
{
	const struct knob_value *v = &quiet_states(cpu)[k];

	out("{\"cpu\": %u, \"is\": %llu, \"quiet\": %llu, \"tried\": ", cpu,
	    (unsigned long long)v->before, (unsigned long long)v->now);
	print_json_text(knob_state_name((enum knob_state)v->state));
	out("}");
}

/* A knob that no CPU has is left out, and so is a CPU without the knob. */
static void print_knobs_json(void)
{
	const char *before_knob = "";

	out("  \"registers\": [");
	for (size_t k = 0; knob_row(k); k++) {
		const char *before_cpu = "";

		for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
			if (quiet_states(cpu)[k].state == KNOB_ABSENT)
				continue;
			if (!*before_cpu)
				out("%s\n    {\"key\": \"%s\", \"msr\": %u, \"cpus\": [",
				    before_knob, knob_row(k)->key, knob_row(k)->msr);
			out("%s", before_cpu);
			print_knob_json(k, cpu);
			before_cpu = ", ";
		}
		if (*before_cpu) {
			out("]}");
			before_knob = ",";
		}
	}
	out("\n  ]\n");
}

static void print_machine(const struct noise_certificate *c)
{
	out("%s\n", machine_caps()->brand);
	out("TSC: %u kHz by %s; timer: %s\n", tsc_khz(), tsc_source(), apic_timer_name());
	firmware_counters_tell(out);
	out("\n");
	hush_print(c);
	nodes_print();
	print_knobs();
}

static void print_machine_json(const struct noise_certificate *c)
{
	out("{\n  \"cpu\": ");
	print_json_text(machine_caps()->brand);
	out(",\n  \"noise\": {");
	hush_print_json(c);
	out("},\n");
	nodes_print_json();
	out(",\n");
	print_knobs_json();
	out("}\n");
}

static int run_machine(int argc, char **argv)
{
	struct hush hush = {0};
	struct noise_certificate certificate;
	struct reason why;
	bool as_json = false;
	const struct option_target targets[] = {{OPT_MACHINE_JSON, &as_json},
						{OPT_PREFETCHERS, &hush.prefetchers}};
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};

	if (options_read(IMAGE_MACHINE, argc, argv, sets, 1) < 0 || hush_check(&hush, argv[0]))
		return STATUS_USAGE;
	if (quiet_begin(true, &hush.choice, &why)) {
		err("machine: %s\n", why.text);
		return STATUS_FAILED;
	}
	quiet_look(&certificate);
	if (as_json)
		print_machine_json(&certificate);
	else
		print_machine(&certificate);
	return hush_restore(argv[0]) ? STATUS_FAILED : 0;
}

static const struct command machine = {
	.name = "machine",
	.usage = "[-j] [--prefetchers on|off|MASK]",
	.summary = "sources of disturbance in this machine, and the settings against them",
	.help = "Sets the registers that --quiet-machine sets, tells what became of each, and puts\n"
		"all of them back. Numbers of registers and what is in them are hexadecimal.\n",
	.options = IMAGE_MACHINE,
	.run = run_machine,
};
COMMAND(machine);
