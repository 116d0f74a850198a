// SPDX-License-Identifier: BSD-2-Clause
/*
 * main.c - the table of contents: initializes the parts in order, and then runs the commands. Each
 * line relies on those above it.
 */
#include "arch/x86/dev/acpi.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/cpu/dump.h"
#include "arch/x86/dev/fb.h"
#include "arch/x86/dev/hpet.h"
#include "arch/x86/insn.h"
#include "arch/x86/dev/ioapic.h"
#include "arch/x86/dev/nodes.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/dev/power.h"
#include "arch/x86/dev/shared_areas.h"
#include "arch/x86/dev/smbios.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/stack.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/dev/serial_find.h"
#include "arch/x86/portable/serial.h"
#include "arch/x86/cpu/user.h"
#include "arch/x86/world/world.h"
#include "include/perf0/handoff.h"
#include "lib/panic.h"
#include "lib/percpu.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/console/left_files.h"
#include "rt/console/await_host.h"
#include "rt/console/carry.h"
#include "rt/console/command.h"
#include "rt/console/console.h"
#include "rt/run/cpu_states.h"
#include "rt/clock/hrtimer.h"
#include "rt/home/home.h"
#include "rt/firmware/firmware_counters.h"
#include "rt/firmware/firmware_calls.h"
#include "rt/firmware/firmware_lines.h"
#include "rt/base/machine.h"
#include "rt/portable/boot_options.h"
#include "linux/perf/pmu_host.h"
#include "rt/run/progress.h"
#include "rt/console/keyboard.h"
#include "rt/console/lines_text.h"
#include "rt/console/menu.h"
#include "rt/print/print.h"
#include "rt/console/stick.h"
#include "linux/task/sched.h"
#include "linux/proc/proc_init.h"
#include "linux/syscall/syscall.h"
#include "linux/task/task.h"
#include "rt/base/tracepoints.h"
#include "rt/base/vectors.h"
#include "include/perf0/version.h"
#include "rt/clock/watchdog_timer.h"
#include "rt/wire/carrier.h"
#include "rt/wire/wire.h"

static PERCPU struct pmu_caps caps; /* hybrid parts have more than one kind of CPU */
static char args[HANDOFF_MAX_ARGS]; /* parsing changes it */
static char arguments[HANDOFF_MAX_ARGS];

const struct pmu_caps *machine_caps(void)
{
	return &caps;
}

const char *machine_arguments(void)
{
	return arguments;
}

const char *machine_pmu_problem(void)
{
	return pmu_problem();
}

static void start_watchdog(const struct boot_options *options)
{
	struct reason why;

	if (options->nmi_watchdog && watchdog_on(options->watchdog_thresh, &why))
		err("perf0: nmi_watchdog=1: %s\n", why.text);
}

/* Ends the stream, so that a host does not wait for more. */
static void say_bye_after_panic(const char *reason)
{
	(void)reason;
	wire_bye(STATUS_PANIC);
}

/* Initializes another CPU as the first one has initialized itself. */
static bool begin_cpu(void)
{
	pmu_caps_detect(&caps);
	hrtimer_init();
	user_init();
	sched_init(); /* before anything asks which CPU this is */
	pmu_host_init(&caps);
	progress_init();
	return true;
}

static void run_cpu(void)
{
	irq_enable();
	sched_loop(firmware_wants_cpus);
	firmware_returns_cpu();
}

static void start_cpus(const struct handoff *handoff, const struct boot_options *options)
{
	smp_start(&(struct smp_start){
		.handoff = handoff,
		.most = options->cpus,
		.begin = begin_cpu,
		.run = run_cpu,
	});
	cpus_say_problems();
}

/* Commands that came with the boot run at once. A stream that a host reads ends with them, and
 * Linux that has started the image is started again. */
static void run_boot_commands(const struct handoff *handoff, const struct boot_options *options,
			      char *commands)
{
	int status;

	home_begin(handoff, options->home_after, options->quiet_dma);
	if (*commands) {
		status = command_line(commands);
		if (options->framed) {
			wire_bye(status);
			power_halt();
		}
	}
	home_go();
}

/* Prints the state of the machine for a person: it may have no line, no keyboard, or neither. */
static void tell_machine(const struct handoff *handoff)
{
	if (carry_is_on())
		out("Results stay in memory; behind `reboot` the next start of perf0 writes them.\n");
	if (!world_is_lent())
		return;
	out("Serial lines: %s.\n", lines_text());
	out("Keyboards: %u. Screens: %u. The firmware lends this machine: `exit` gives it back.\n",
	    handoff->keyboards, fb_count());
	if (handoff->keyboards && !keyboard_is_heard())
		out("While a command runs no keyboard is heard, and a workload ends by its --timeout, "
		    "which is 60000 (a minute) where none is typed.%s\n",
		    serial_count()
			    ? " Once something was typed at a serial line, ^C there ends it, "
			      "and there is no such limit."
			    : "");
	stick_save();
	stick_tell();
	menu_tell();
}

static void tell_odd_screens(const struct handoff *handoff)
{
	if (handoff->odd_screens && !handoff->nscreens)
		err("perf0: no screen has a framebuffer that can be drawn on: %s\n",
		    world_is_lent() ? "the firmware shows the text, between commands"
				    : "it stays dark (mode=borrow has the firmware show the text)");
}

static void tell_idle(void)
{
	if (apic.halt_stops_timer)
		err("perf0: C1E cannot be switched off: idle CPUs do not halt\n");
}

/* Tells what the firmware has and the image does not use. */
static void tell_unused_memory(const struct handoff *handoff)
{
	if (handoff->unreached)
		err("perf0: %llu MiB of memory lie at 2^47 and beyond, which ring 0 does not reach: they are "
		    "not used\n",
		    (unsigned long long)(handoff->unreached >> (20 - 12)));
	if (handoff->dropped)
		err("perf0: the memory map has %u ranges more than the %u that are kept: their memory is not "
		    "used\n",
		    handoff->dropped, HANDOFF_MAX_MEM);
}

static void start_linux(void)
{
	sched_init();
	proc_init();
	syscall_init();
	task_init();
}

/* Optional devices report their absence where they are used. */
void rt_start(const struct handoff *handoff)
{
	struct boot_options options;
	struct options_error bad;
	char *commands;

	memcpy(args, handoff->args, sizeof(args));
	memcpy(arguments, handoff->args, sizeof(arguments));
	commands = options_parse(args, &options, &bad);
	serial_init(options.baud, options.flow);
	if (!options.firmware_lines)
		serial_find_ports();
	print_framed(options.framed);
	trap_init();
	paging_init(handoff);
	stack_init(handoff);
	world_init(handoff->firmware_root);
	home_init(handoff);
	shared_init();
	line_init();
	fb_init(handoff->screens, handoff->nscreens);
	acpi_init(handoff->acpi_rsdp);
	if (!options.firmware_lines)
		serial_find_more();
	nodes_init();
	smbios_init(handoff->smbios);
	hpet_init();
	pmu_caps_detect(&caps);
	tsc_init(&caps);
	if (apic_init(&caps))
		panic("this CPU has no local APIC that can be used");
	ioapic_init();
	smp_init(VECTOR_CALL, VECTOR_RESCHEDULE);
	hrtimer_init();
	user_init();
	wire_init(handoff);
	if (options.framed)
		dump_set_end(say_bye_after_panic);
	console_init();
	keyboard_init();
	trace_start();
	pmu_host_init(&caps);
	progress_init();
	start_linux();
	irq_enable();
	start_cpus(handoff, &options);

	firmware_lines_init();
	lines_tell_polled();
	if (bad.word)
		err("perf0: '%s' %s\n", bad.word, bad.reason);
	tell_unused_memory(handoff);
	tell_odd_screens(handoff);
	tell_idle();
	if (options.await)
		commands = await_commands(args, sizeof(args));
	firmware_counters_tell(err);
	if (options.halts_usb)
		firmware_halts_usb();
	left_files_init(handoff);
	stick_init(handoff);
	start_watchdog(&options); /* after the wait: no timer and no counter may run in it */
	run_boot_commands(handoff, &options, commands);
	out("perf0 %s; `help` lists the commands\n", PERF0_VERSION);
	tell_machine(handoff);
	stick_run_config(true);
	console_loop();
}
