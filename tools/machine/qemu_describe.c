// SPDX-License-Identifier: BSD-2-Clause
/* qemu_describe.c - what the state of a machine depends on: see qemu_describe() in qemu.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/machine/qemu_args.h"
#include "tools/util/filehash.h"

static int describe_file(struct buf *out, const char *what, const char *path, struct reason *why)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	uint64_t hash;
	int err;

	if (fd < 0)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	err = fstat(fd, &st) ? -errno : file_hash(fd, 0, (uint64_t)st.st_size, &hash);
	close(fd);
	if (err)
		return refuse(why, -err, "%s: %s", path, strerror(-err));
	buf_printf(out, "%s: %lld bytes, %016llx\n", what, (long long)st.st_size,
		   (unsigned long long)hash);
	return 0;
}

/* It is large: a QEMU of another version is another file. */
static int describe_qemu(struct buf *out, const char *name, struct reason *why)
{
	char path[PATH_MAX];
	struct stat st;

	if (!counting_find_program(path, name) || stat(path, &st))
		return refuse(why, ENOENT, "%s: not found", name);
	buf_printf(out, "QEMU: %s, file %llu, %lld bytes, of %lld.%09ld\n", path,
		   (unsigned long long)st.st_ino, (long long)st.st_size,
		   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	return 0;
}

static void describe_title(struct buf *out, const struct options *o)
{
	if (o->vpmu)
		buf_printf(out, "%s, ht=%s%s%s%s%s%s%s", o->uarch->name, o->ht ? "on" : "off",
			   o->ipc1 ? ", timing=ipc1" : "",
			   o->hides_hypervisor ? ", hypervisor=off" : "",
			   o->counters ? ", counters=" : "", o->counters ? o->counters : "",
			   o->fault ? ", fault=" : "", o->fault ? o->fault : "");
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

static void describe_args(struct buf *out, const struct qemu_machine *machine,
			  const struct launch *launch)
{
	struct args args = {0};

	qemu_args_machine(&args, machine, launch);
	for (size_t i = 0; i < args.n; i++)
		buf_printf(out, "%s\n", args.v[i]);
	qemu_args_free(&args);
}

int qemu_describe(struct buf *out, const struct qemu_machine *machine, struct reason *why)
{
	const struct options *options = machine->options;
	struct launch launch;
	int err = launch_find(&launch, options, why);

	if (!err) {
		describe_title(out, options);
		describe_args(out, machine, &launch);
		err = describe_qemu(out, options->qemu, why);
	}
	if (!err)
		err = describe_file(out, "started", launch.kernel, why);
	if (machine->counting->fd >= 0)
		buf_printf(out, "%s\n", machine->counting->models ? "model" : "counts");
	if (!err && machine->counting->fd >= 0)
		err = describe_file(out, "plugin", machine->counting->plugin, why);
	if (!err)
		err = describe_file(out, "stick", launch.esp, why);
	if (!err)
		err = describe_file(out, "firmware", launch.firmware->code, why);
	if (!err)
		err = describe_file(out, "variables", launch.firmware->vars, why);
	launch_end(&launch);
	return err;
}
