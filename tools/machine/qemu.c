// SPDX-License-Identifier: BSD-2-Clause
/*
 * qemu.c - see qemu.h.
 *
 * With TCG and one CPU, -icount makes every guest instruction 16 ns of virtual time, the clock and
 * the seed are fixed, and nothing asynchronous is attached: the same command gives the same bytes.
 * The serial line is a pair of pipes and not a socket, because QEMU writes it byte by byte: a
 * pipe packs those, a socket would be full after a few hundred and QEMU would drop the rest.
 */
#include "tools/machine/qemu.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "include/perf0/handoff.h"
#include "include/perf0/programs.h"
#include "tools/util/artifact.h"
#include "tools/util/message.h"
#include "tools/machine/programs.h"
#include "tools/util/status.h"

#define PIPE_BYTES  (1 << 20)
#define MAX_ARGS    96
#define EXIT_PAUSES 100 /* of 10 ms */

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

struct launch {
	const char *firmware, *vars_from;
	char vars[32];         /* path of the private variable store */
	char esp[PATH_MAX];    /* the file system of the stick */
	char kernel[PATH_MAX]; /* what the firmware starts */
	struct buf load_options;
	char commands[32]; /* path of what the image is to run; "": none */
	char programs[32]; /* path of the pack of ELF files; "": none */
	int vars_fd, commands_fd, programs_fd;
};

static const struct launch no_launch = {.vars_fd = -1, .commands_fd = -1, .programs_fd = -1};

struct args {
	char *v[MAX_ARGS + 1];
	size_t n;
};

__attribute__((format(printf, 2, 3))) static void add_argument(struct args *args,
							       const char *format, ...)
{
	va_list ap;

	if (args->n == MAX_ARGS)
		errx(STATUS_MACHINE, "QEMU's command line has more than %d words", MAX_ARGS);
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

static void free_args(struct args *args)
{
	while (args->n)
		free(args->v[--args->n]);
}

/* An option whose last property, `key`, is `path`. A comma inside of a value is written twice. */
static void add_path(struct args *args, const char *option, const char *properties, const char *key,
		     const char *path)
{
	struct buf value = {0};

	buf_printf(&value, "%s,%s=", properties, key);
	for (; *path; path++)
		buf_printf(&value, *path == ',' ? ",," : "%c", *path);
	add_argument(args, "%s", option);
	add_argument(args, "%s", buf_text(&value));
	buf_free(&value);
}

static void add_drive(struct args *args, const char *properties, const char *file)
{
	add_path(args, "-drive", properties, "file", file);
}

bool qemu_is_exact(const struct options *o)
{
	return o->accel == ACCEL_TCG && o->smp == 1;
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

/* What the state of the machine depends on, but for what is in the files. */
static void add_machine(struct args *args, const struct options *o, const struct launch *launch)
{
	static const char *const machine[] = {
		"-machine",    "q35,smm=off",    "-global", "hpet.msi=on",
		"-nodefaults", "-display",       "none",    "-no-reboot",
		"-boot",       "menu=off",       "-device", "virtio-blk-pci,drive=esp,bootindex=1",
		"-serial",     "chardev:serial", NULL};
	/* One that is not master is not saved. */
	static const char *const shared[] = {"-device", "ivshmem-plain,memdev=shared,master=on",
					     NULL};

	add_words(args, machine);
	add_argument(args, "-m");
	add_argument(args, "%u", o->memory ? o->memory : OPTION_MEMORY_MIB);
	add_argument(args, "-cpu");
	add_argument(args, "%s", o->cpu);
	add_argument(args, "-smp");
	add_argument(args, "%u,sockets=1,cores=%u,threads=%u", o->smp, o->smp / o->threads,
		     o->threads);
	add_timers(args, o->smp);
	add_accel(args, o);
	if (!o->serial)
		add_words(args, shared);
	add_argument(args, "-append");
	add_argument(args, "%s", (const char *)launch->load_options.data);
}

static void add_files(struct args *args, const struct launch *launch)
{
	add_drive(args, "if=pflash,unit=0,format=raw,readonly=on", launch->firmware);
	add_drive(args, "if=pflash,unit=1,format=raw", launch->vars);
	add_drive(args, "if=none,id=esp,format=raw,readonly=on", launch->esp);
	add_argument(args, "-kernel");
	add_argument(args, "%s", launch->kernel);
}

/* The serial line, and the socket for QMP, of which QEMU inherits the number. */
static void add_lines(struct args *args, int monitor)
{
	static const char *const serial[] = {"-chardev", "stdio,id=serial,signal=off", NULL};

	add_words(args, serial);
	add_argument(args, "-chardev");
	add_argument(args, "socket,id=monitor,fd=%d", monitor);
	add_argument(args, "-mon");
	add_argument(args, "chardev=monitor,mode=control");
}

/* The memory of the device that add_machine() adds. */
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
	if (launch->commands[0])
		add_path(args, "-fw_cfg", "name=" PROGRAMS_COMMANDS, "file", launch->commands);
	if (launch->programs[0])
		add_path(args, "-fw_cfg", "name=" PROGRAMS_PACK, "file", launch->programs);
}

static void fill_args(struct args *args, const struct qemu_machine *machine,
		      const struct launch *launch, int monitor)
{
	add_argument(args, "%s", machine->options->qemu);
	add_lines(args, monitor);
	if (machine->shared)
		add_shared(args, machine->shared);
	add_machine(args, machine->options, launch);
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
		buf_printf(out, "uarch=%s ht=%s \\EFI\\BOOT\\BOOTX64.EFI ", o->uarch->name,
			   o->ht ? "on" : "off");
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
	launch->vars_fd = memfd_create("ovmf-vars", 0);
	if (launch->vars_fd < 0 ||
	    sendfile(launch->vars_fd, from, NULL, (size_t)st.st_size) != st.st_size)
		err = refuse(why, EIO, "%s: can not be copied: %s", vars, strerror(errno));
	snprintf(launch->vars, sizeof(launch->vars), "/proc/self/fd/%d", launch->vars_fd);
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
	launch->commands_fd = memfd_create("perf0-commands", 0);
	if (launch->commands_fd < 0 || write(launch->commands_fd, commands, n) != (ssize_t)n)
		return refuse(why, EIO, "the command line can not be handed over: %s",
			      strerror(errno));
	snprintf(launch->commands, sizeof(launch->commands), "/proc/self/fd/%d",
		 launch->commands_fd);
	return 0;
}

/* Likewise, the ELF files that it may run. */
static int keep_programs(struct launch *launch, const struct programs *programs, struct reason *why)
{
	if (!programs || !programs->n)
		return 0;
	launch->programs_fd = programs_pack(programs, why);
	if (launch->programs_fd < 0)
		return launch->programs_fd;
	snprintf(launch->programs, sizeof(launch->programs), "/proc/self/fd/%d",
		 launch->programs_fd);
	return 0;
}

static int prepare_launch(struct launch *launch, const struct options *o, struct reason *why)
{
	const char *kernel = o->vpmu ? ARTIFACT_VPMU : ARTIFACT_PERF0;
	int err = artifact_path(launch->kernel, sizeof(launch->kernel), kernel, why);

	if (!err)
		err = artifact_path(launch->esp, sizeof(launch->esp), ARTIFACT_ESP, why);
	if (!err)
		err = find_firmware(launch, why);
	qemu_load_options(&launch->load_options, o);
	buf_text(&launch->load_options);
	return err;
}

static void end_launch(struct launch *launch)
{
	buf_free(&launch->load_options);
	if (launch->vars_fd >= 0)
		close(launch->vars_fd);
	if (launch->commands_fd >= 0)
		close(launch->commands_fd);
	if (launch->programs_fd >= 0)
		close(launch->programs_fd);
}

/* In the child: becomes QEMU, or tells the parent why not. */
_Noreturn static void become_qemu(char **argv, pid_t parent, const int fds[3], const int kept[2],
				  int report)
{
	int error;

	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
	/* Of its own group, so that ^C on the terminal is ours to pass on. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(STATUS_MACHINE);
	for (int fd = 0; fd < 3; fd++)
		dup2(fds[fd], fd);
	for (int i = 0; i < 2; i++)
		fcntl(kept[i], F_SETFD, 0);
	execvp(argv[0], argv);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(STATUS_MACHINE + 1);
	_exit(STATUS_MACHINE);
}

enum { GUEST_IN, GUEST_OUT, MESSAGES, REPORT, NPIPES };

static void close_pipes(int pipes[NPIPES][2])
{
	for (int i = 0; i < NPIPES; i++)
		for (int end = 0; end < 2; end++)
			if (pipes[i][end] >= 0)
				close(pipes[i][end]);
}

static int make_pipes(int pipes[NPIPES][2], struct reason *why)
{
	memset(pipes, -1, sizeof(int[NPIPES][2]));
	for (int i = 0; i < NPIPES; i++)
		if (pipe2(pipes[i], O_CLOEXEC))
			return refuse(why, errno, "pipe: %s", strerror(errno));
	/* Best effort: a small pipe is slower, not wrong. */
	fcntl(pipes[GUEST_OUT][1], F_SETPIPE_SZ, PIPE_BYTES);
	return 0;
}

/* Keeps the parent's end of a pipe and forgets it in `pipes`. */
static int keep_end(int pipes[NPIPES][2], int which, int end)
{
	int fd = pipes[which][end];

	pipes[which][end] = -1;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return fd;
}

static int spawn_qemu(struct qemu *qemu, char **argv, const int kept[2], struct reason *why)
{
	int pipes[NPIPES][2], error = 0;
	pid_t parent = getpid();
	int err = make_pipes(pipes, why);

	if (err)
		goto out;
	qemu->pid = fork();
	if (qemu->pid < 0) {
		err = refuse(why, errno, "fork: %s", strerror(errno));
		goto out;
	}
	if (!qemu->pid) {
		const int fds[3] = {pipes[GUEST_IN][0], pipes[GUEST_OUT][1], pipes[MESSAGES][1]};

		become_qemu(argv, parent, fds, kept, pipes[REPORT][1]);
	}
	close(pipes[REPORT][1]);
	pipes[REPORT][1] = -1;
	if (read(pipes[REPORT][0], &error, sizeof(error)) == sizeof(error)) {
		waitpid(qemu->pid, NULL, 0);
		err = refuse(why, error, "%s: can not be started: %s", argv[0], strerror(error));
		goto out;
	}
	qemu->to_guest = keep_end(pipes, GUEST_IN, 1);
	qemu->from_guest = keep_end(pipes, GUEST_OUT, 0);
	qemu->messages = keep_end(pipes, MESSAGES, 0);
out:
	close_pipes(pipes);
	return err;
}

static void print_args(const struct args *args)
{
	struct buf line = {0};

	for (size_t i = 0; i < args->n; i++)
		buf_printf(&line, strpbrk(args->v[i], " \\'\"") ? "%s'%s'" : "%s%s", i ? " " : "",
			   args->v[i]);
	message("%s", buf_text(&line));
	buf_free(&line);
}

/* Our end of the socket for QMP stays in `qemu`, QEMU's is returned, or -E with the reason. */
static int open_monitor(struct qemu *qemu, struct reason *why)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return refuse(why, errno, "socketpair: %s", strerror(errno));
	fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
	qemu->qmp = (struct qmp){.fd = ends[0]};
	qemu->agreed = false;
	return ends[1];
}

static int launch_qemu(struct qemu *qemu, const struct qemu_machine *machine,
		       const struct launch *launch, struct reason *why)
{
	struct args args = {0};
	int monitor = open_monitor(qemu, why), err;

	if (monitor < 0)
		return monitor;
	fill_args(&args, machine, launch, monitor);
	if (machine->options->verbose)
		print_args(&args);
	err = spawn_qemu(qemu, args.v, (const int[]){monitor, machine->state}, why);
	free_args(&args);
	close(monitor);
	if (err)
		close(qemu->qmp.fd);
	return err;
}

int qemu_start(struct qemu *qemu, const struct qemu_machine *machine, struct reason *why)
{
	struct launch launch = no_launch;
	int err = prepare_launch(&launch, machine->options, why);

	if (!err)
		err = copy_vars(&launch, why);
	if (!err)
		err = keep_commands(&launch, machine->commands, why);
	if (!err && machine->shared)
		err = shared_begin(machine->shared, why);
	if (!err)
		err = keep_programs(&launch, machine->options->programs, why);
	if (!err)
		err = launch_qemu(qemu, machine, &launch, why);
	end_launch(&launch);
	return err;
}

/* --- What a state depends on --- */

static int describe_file(struct buf *out, const char *what, const char *path, struct reason *why)
{
	struct stat st;
	void *bytes;
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	fstat(fd, &st);
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (bytes == MAP_FAILED) {
		err = refuse(why, errno, "%s: %s", path, strerror(errno));
	} else {
		buf_printf(out, "%s: %lld bytes, %016llx\n", what, (long long)st.st_size,
			   (unsigned long long)XXH3_64bits(bytes, (size_t)st.st_size));
		munmap(bytes, (size_t)st.st_size);
	}
	close(fd);
	return err;
}

/* The file that execvp() would start. */
static bool find_program(char path[PATH_MAX], const char *name)
{
	const char *folders = getenv("PATH");

	if (strchr(name, '/') || !folders) {
		snprintf(path, PATH_MAX, "%s", name);
		return !access(path, X_OK);
	}
	while (*folders) {
		const int n = (int)strcspn(folders, ":");

		snprintf(path, PATH_MAX, "%.*s/%s", n, n ? folders : ".", name);
		if (!access(path, X_OK))
			return true;
		folders += n + (folders[n] == ':');
	}
	return false;
}

/* It is large: a QEMU of another version is another file. */
static int describe_qemu(struct buf *out, const char *name, struct reason *why)
{
	char path[PATH_MAX];
	struct stat st;

	if (!find_program(path, name) || stat(path, &st))
		return refuse(why, ENOENT, "%s: not found", name);
	buf_printf(out, "QEMU: %s, file %llu, %lld bytes, of %lld.%09ld\n", path,
		   (unsigned long long)st.st_ino, (long long)st.st_size,
		   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	return 0;
}

static void describe_title(struct buf *out, const struct options *o)
{
	if (o->vpmu)
		buf_printf(out, "%s, ht=%s", o->uarch->name, o->ht ? "on" : "off");
	else
		buf_printf(out, "without vpmu");
	buf_printf(out, ", %u CPU%s", o->smp, o->smp == 1 ? "" : "s");
	if (o->threads > 1)
		buf_printf(out, ", threads=%u", o->threads);
	if (o->memory && o->memory != OPTION_MEMORY_MIB)
		buf_printf(out, ", %u MiB", o->memory);
	buf_printf(out, ", %s%s", o->cpu, o->watchdog ? ", watchdog" : "");
	if (o->boot_options && *o->boot_options)
		buf_printf(out, ", %s", o->boot_options);
	buf_printf(out, "\n");
}

static void describe_args(struct buf *out, const struct options *o, const struct launch *launch)
{
	struct args args = {0};

	add_machine(&args, o, launch);
	for (size_t i = 0; i < args.n; i++)
		buf_printf(out, "%s\n", args.v[i]);
	free_args(&args);
}

int qemu_describe(struct buf *out, const struct options *options, struct reason *why)
{
	struct launch launch = no_launch;
	int err = prepare_launch(&launch, options, why);

	if (!err) {
		describe_title(out, options);
		describe_args(out, options, &launch);
		err = describe_qemu(out, options->qemu, why);
	}
	if (!err)
		err = describe_file(out, "started", launch.kernel, why);
	if (!err)
		err = describe_file(out, "stick", launch.esp, why);
	if (!err)
		err = describe_file(out, "firmware", launch.firmware, why);
	if (!err)
		err = describe_file(out, "variables", launch.vars_from, why);
	end_launch(&launch);
	return err;
}

/* Has the process ended, within the time that closing its last file and exiting may take? */
static bool exits_by_itself(struct qemu *qemu, int *status)
{
	static const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};

	for (int i = 0; i < EXIT_PAUSES; i++) {
		if (waitpid(qemu->pid, status, WNOHANG) == qemu->pid)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

int qemu_end(struct qemu *qemu, bool is_gone)
{
	int status = 0;

	if (is_gone && exits_by_itself(qemu, &status))
		goto out;
	kill(qemu->pid, SIGKILL);
	while (waitpid(qemu->pid, &status, 0) < 0 && errno == EINTR)
		;
out:
	close(qemu->to_guest);
	close(qemu->from_guest);
	close(qemu->messages);
	close(qemu->qmp.fd);
	qmp_end(&qemu->qmp);
	return status;
}
