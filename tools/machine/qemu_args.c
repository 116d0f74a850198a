// SPDX-License-Identifier: BSD-2-Clause
/*
 * qemu_args.c - see qemu_args.h.
 *
 * With TCG and one CPU, but for --clock host, -icount makes every guest instruction 16 ns of
 * virtual time, the clock and the seed are fixed, and nothing asynchronous is attached: the same
 * command gives the same bytes.
 */
#include "tools/machine/qemu_args.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/events_page.h"
#include "include/perf0/handoff.h"
#include "include/perf0/programs.h"
#include "tools/machine/programs.h"
#include "tools/machine/shared.h"
#include "tools/util/artifact.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)

/* Where distributions put the firmware: code, and the variable store that belongs to it. */
static const struct {
	const char *code, *vars;
} firmwares[] = {
	/* The smaller of Debian's two starts a tenth faster. */
	{"/usr/share/OVMF/OVMF_CODE.fd", "/usr/share/OVMF/OVMF_VARS.fd"},
	{"/usr/share/OVMF/OVMF_CODE_4M.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd"},
	{"/usr/share/edk2/ovmf/OVMF_CODE.fd", "/usr/share/edk2/ovmf/OVMF_VARS.fd"},
	{"/usr/share/edk2/x64/OVMF_CODE.4m.fd", "/usr/share/edk2/x64/OVMF_VARS.4m.fd"},
};

__attribute__((format(printf, 2, 3))) static void add_argument(struct args *args,
							       const char *format, ...)
{
	va_list ap;

	if (args->n == QEMU_ARGS_MOST)
		errx(STATUS_MACHINE, "QEMU's command line has more than %d words", QEMU_ARGS_MOST);
	va_start(ap, format);
	if (vasprintf(&args->v[args->n], format, ap) < 0)
		errx(STATUS_MACHINE, "out of memory");
	args->n++;
	va_end(ap);
}

static void add_words(struct args *args, const char *const *words)
{
	for (; *words; words++)
		add_argument(args, "%s", *words);
}

void qemu_args_free(struct args *args)
{
	while (args->n)
		free(args->v[--args->n]);
}

/* A comma inside of a value is written twice. */
static void add_drive(struct args *args, const char *properties, const char *path)
{
	struct buf value = {0};

	buf_printf(&value, "%s,file=", properties);
	for (; *path; path++)
		buf_printf(&value, *path == ',' ? ",," : "%c", *path);
	add_argument(args, "-drive");
	add_argument(args, "%s", buf_text(&value));
	buf_free(&value);
}

/* A file in memory, if there is one. */
static void add_memory(struct args *args, const char *option, const char *properties, int fd)
{
	if (fd < 0)
		return;
	add_argument(args, "%s", option);
	add_argument(args, "%s,file=/proc/self/fd/%d", properties, fd);
}

bool qemu_is_exact(const struct options *o)
{
	return o->clock == CLOCK_INSTRUCTIONS;
}

static void add_accel(struct args *args, const struct options *o)
{
	static const char *const exact[] = {
		"-icount", "shift=" STRING(QEMU_ICOUNT_SHIFT) ",sleep=off",
		"-rtc",    "base=2026-01-01,clock=vm",
		"-seed",   "1",
		NULL};
	static const char *const kvm[] = {"-accel", "kvm", NULL};
	static const char *const threads[] = {"-accel", "tcg,thread=multi", NULL};

	add_words(args, qemu_is_exact(o) ? exact : o->accel == ACCEL_KVM ? kvm : threads);
}

/* vpmu takes one comparator of the HPET for each CPU and leaves two; QEMU's HPET has 3 to 32. */
static void add_timers(struct args *args, unsigned cpus)
{
	const unsigned left = 2, most = 32;

	if (cpus == 1)
		return;
	add_argument(args, "-global");
	add_argument(args, "hpet.timers=%u", cpus + left < most ? cpus + left : most);
}

static unsigned memory_mib(const struct options *o)
{
	return o->memory ? o->memory : OPTION_MEMORY_MIB;
}

/*
 * The machine's memory, before that of any device, for QEMU numbers blocks of memory as they come:
 * QEMU 10.0 looks for pages that were written while a state is saved as if each block were the
 * first, and aborts where the first one is smaller than another.
 */
static void add_ram(struct args *args, const struct options *o)
{
	add_argument(args, "-object");
	add_argument(args, "memory-backend-ram,id=ram,size=%uM", memory_mib(o));
}

/* What the state of the machine depends on, but for what is in the files. */
void qemu_args_machine(struct args *args, const struct qemu_machine *m, const struct launch *launch)
{
	static const char *const machine[] = {"-machine",    "q35,smm=off,memory-backend=ram",
					      "-global",     "hpet.msi=on",
					      "-nodefaults", "-display",
					      "none",        "-no-reboot",
					      "-boot",       "menu=off",
					      "-device",     "virtio-blk-pci,drive=esp,bootindex=1",
					      "-serial",     "chardev:serial",
					      NULL};
	/* One that is not master is not saved. */
	static const char *const shared[] = {"-device", "ivshmem-plain,memdev=shared,master=on",
					     NULL};
	static const char *const events[] = {"-device", "ivshmem-plain,memdev=events,master=on",
					     NULL};
	const struct options *o = m->options;

	add_words(args, machine);
	add_argument(args, "-m");
	add_argument(args, "%u", memory_mib(o));
	add_argument(args, "-cpu");
	add_argument(args, "%s", o->cpu);
	add_argument(args, "-smp");
	add_argument(args, "%u,sockets=1,cores=%u,threads=%u", o->smp, o->smp / o->threads,
		     o->threads);
	add_timers(args, o->smp);
	add_accel(args, o);
	if (!o->serial)
		add_words(args, shared);
	if (m->counting->fd >= 0)
		add_words(args, events);
	add_argument(args, "-append");
	add_argument(args, "%s", (const char *)launch->load_options.data);
}

static void add_files(struct args *args, const struct launch *launch)
{
	add_drive(args, "if=pflash,unit=0,format=raw,readonly=on", launch->firmware);
	add_memory(args, "-drive", "if=pflash,unit=1,format=raw", launch->vars);
	add_drive(args, "if=none,id=esp,format=raw,readonly=on", launch->esp);
	add_argument(args, "-kernel");
	add_argument(args, "%s", launch->kernel);
}

/* The serial line, and the socket for QMP, of which QEMU inherits the number. */
static void add_serial_lines(struct args *args, int monitor)
{
	static const char *const serial[] = {"-chardev", "stdio,id=serial,signal=off", NULL};

	add_words(args, serial);
	add_argument(args, "-chardev");
	add_argument(args, "socket,id=monitor,fd=%d", monitor);
	add_argument(args, "-mon");
	add_argument(args, "chardev=monitor,mode=control");
}

/* A comma inside of a value is written twice. */
static void add_plugin(struct args *args, const struct counting *counting)
{
	struct buf value = {0};

	for (const char *path = counting->plugin; *path; path++)
		buf_printf(&value, *path == ',' ? ",," : "%c", *path);
	add_argument(args, "-plugin");
	add_argument(args, "file=%s,page=/proc/self/fd/%d%s%s", (const char *)buf_text(&value),
		     counting->fd, counting->models ? ",level=model" : "",
		     counting->prefetches ? "" : ",prefetch=off");
	buf_free(&value);
	add_argument(args, "-object");
	add_argument(args,
		     "memory-backend-file,id=events,mem-path=/proc/self/fd/%d,size=%u,share=on",
		     counting->fd, EVENTS_PAGE_BYTES);
}

/* The memory of the device that qemu_args_machine() adds. */
static void add_shared(struct args *args, const struct shared *shared)
{
	add_argument(args, "-object");
	add_argument(args,
		     "memory-backend-file,id=shared,mem-path=/proc/self/fd/%d,size=%u,share=on",
		     shared->fd, SHARED_BYTES);
}

/* A machine that is restored sees these, too, as they are now. */
static void add_commands(struct args *args, const struct launch *launch)
{
	add_memory(args, "-fw_cfg", "name=" PROGRAMS_COMMANDS, launch->commands);
	add_memory(args, "-fw_cfg", "name=" PROGRAMS_PACK, launch->programs);
}

void qemu_args_all(struct args *args, const struct qemu_machine *machine,
		   const struct launch *launch, int monitor)
{
	add_argument(args, "%s", machine->options->qemu);
	add_serial_lines(args, monitor);
	add_ram(args, machine->options);
	if (machine->shared)
		add_shared(args, machine->shared);
	if (machine->counting->fd >= 0)
		add_plugin(args, machine->counting);
	qemu_args_machine(args, machine, launch);
	add_files(args, launch);
	add_commands(args, launch);
	if (machine->state >= 0) {
		add_argument(args, "-incoming");
		add_argument(args, "fd:%d", machine->state);
	}
}

void qemu_load_options(struct buf *out, const struct options *o)
{
	if (o->vpmu)
		buf_printf(out, "uarch=%s ht=%s %s%s%s%s\\EFI\\BOOT\\BOOTX64.EFI ", o->uarch->name,
			   o->ht ? "on" : "off", o->ipc1 ? "timing=ipc1 " : "",
			   o->fault ? "fault=" : "", o->fault ? o->fault : "", o->fault ? " " : "");
	if (o->line.baud)
		buf_printf(out, "baud=%u ", o->line.baud);
	if (o->line.flow)
		buf_printf(out, "flow=%s ", live_flow_name(o->line.flow));
	buf_printf(out, "text=framed await=1%s", o->watchdog ? " nmi_watchdog=1" : "");
	if (o->boot_options && *o->boot_options)
		buf_printf(out, " %s", o->boot_options);
}

/* Puts a copy of the variable store into memory, where QEMU opens it through /proc. */
static int copy_vars(struct launch *launch, struct reason *why)
{
	const char *vars = launch->vars_from;
	struct stat st;
	int from = open(vars, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (from < 0 || fstat(from, &st))
		return refuse(why, errno, "%s: %s", vars, strerror(errno));
	launch->vars = memfd_create("ovmf-vars", 0);
	if (launch->vars < 0 ||
	    sendfile(launch->vars, from, NULL, (size_t)st.st_size) != st.st_size)
		err = refuse(why, EIO, "%s: can not be copied: %s", vars, strerror(errno));
	close(from);
	return err;
}

static int find_firmware(struct launch *launch, struct reason *why)
{
	for (size_t i = 0; i < sizeof(firmwares) / sizeof(firmwares[0]); i++) {
		if (access(firmwares[i].code, R_OK))
			continue;
		launch->firmware = firmwares[i].code;
		launch->vars_from = firmwares[i].vars;
		return 0;
	}
	return refuse(why, ENOENT, "%s: not found: install the package ovmf", firmwares[0].code);
}

/* What the image is to run, in memory, where QEMU opens it through /proc. */
static int keep_commands(struct launch *launch, const char *commands, struct reason *why)
{
	const size_t n = strlen(commands);

	if (n > COMMAND_LINE_MAX)
		return refuse(why, E2BIG, "the command line is %zu bytes, more than %d", n,
			      COMMAND_LINE_MAX);
	if (!n)
		return 0;
	launch->commands = memfd_create("perf0-commands", 0);
	if (launch->commands < 0 || write(launch->commands, commands, n) != (ssize_t)n)
		return refuse(why, EIO, "the command line can not be handed over: %s",
			      strerror(errno));
	return 0;
}

/* Likewise, the ELF files that it may run. */
static int keep_programs(struct launch *launch, const struct programs *programs, struct reason *why)
{
	if (!programs || !programs->n)
		return 0;
	launch->programs = programs_pack(programs, why);
	return launch->programs < 0 ? launch->programs : 0;
}

int launch_find(struct launch *launch, const struct options *o, struct reason *why)
{
	const char *kernel = o->vpmu ? ARTIFACT_VPMU : ARTIFACT_PERF0;
	int err;

	*launch = (struct launch){.vars = -1, .commands = -1, .programs = -1};
	err = artifact_path(launch->kernel, sizeof(launch->kernel), kernel, why);

	if (!err)
		err = artifact_path(launch->esp, sizeof(launch->esp), ARTIFACT_ESP, why);
	if (!err)
		err = find_firmware(launch, why);
	qemu_load_options(&launch->load_options, o);
	buf_text(&launch->load_options);
	return err;
}

int launch_open(struct launch *launch, const struct qemu_machine *machine, struct reason *why)
{
	int err = copy_vars(launch, why);

	if (!err)
		err = keep_commands(launch, machine->commands, why);
	return err ? err : keep_programs(launch, machine->options->programs, why);
}

void launch_end(struct launch *launch)
{
	const int files[] = {launch->vars, launch->commands, launch->programs};

	buf_free(&launch->load_options);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (files[i] >= 0)
			close(files[i]);
}

void qemu_args_print(const struct args *args)
{
	struct buf line = {0};

	for (size_t i = 0; i < args->n; i++)
		buf_printf(&line, strpbrk(args->v[i], " \\'\"") ? "%s'%s'" : "%s%s", i ? " " : "",
			   args->v[i]);
	message("%s", buf_text(&line));
	buf_free(&line);
}
