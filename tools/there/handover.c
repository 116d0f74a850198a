// SPDX-License-Identifier: BSD-2-Clause
/* handover.c - see handover.h. kexec_file_load(2), reboot(2). */
#include "tools/there/handover.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "include/perf0/there.h"
#include "tools/program/pack_tree.h"
#include "tools/program/pack_writer.h"
#include "tools/util/artifact.h"
#include "tools/util/helper.h"
#include "tools/util/message.h"
#include "tools/util/wholefile.h"

#ifndef KEXEC_FILE_UNLOAD
#define KEXEC_FILE_UNLOAD 1
#endif

#define REMOUNT_TENTHS 100 /* a tenth of a second each */
#define TENTH_NS       100000000

/* --- The initial ram disk --- */

static int put_programs(struct tree *tree, int programs, struct reason *why)
{
	char path[64];

	if (programs < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", programs);
	return tree_put(tree, path, THERE_PROGRAMS, why);
}

static int put_files(struct tree *tree, const struct handover *h, struct reason *why)
{
	struct buf line = {0};
	int err = put_programs(tree, h->programs, why);

	if (!err)
		err = tree_put(tree, h->home->kernel, THERE_KERNEL, why);
	if (!err && *h->home->initrd)
		err = tree_put(tree, h->home->initrd, THERE_INITRD, why);
	buf_add(&line, h->home->command_line.data, h->home->command_line.size);
	if (!err)
		err = tree_content(tree, THERE_COMMAND_LINE, &line, why);
	buf_free(&line);
	return err;
}

/* Returns the descriptor of a file in memory, or -E with the reason. */
static int make_ram_disk(const struct handover *h, struct reason *why)
{
	struct tree tree = {0};
	int err = put_files(&tree, h, why);

	if (!err)
		err = pack_write(&tree, why);
	tree_free(&tree);
	return err;
}

/* --- Loading --- */

/* Signs the image into a file in `folder`, and checks that the key belongs to the certificate. */
static int sign_image(const struct handover *h, const char *built, const char *to,
		      struct reason *why)
{
	int err = helper_run((const char *[]){"sbsign", "--key", h->key, "--cert", h->cert,
					      "--output", to, built, NULL},
			     "sbsigntool", why);

	return err ? err
		   : helper_run((const char *[]){"sbverify", "--cert", h->cert, to, NULL},
				"sbsigntool", why);
}

static int open_signed(const struct handover *h, const char *built, struct reason *why)
{
	char to[] = "/run/perf0-signed-XXXXXX";
	int fd = mkstemp(to), err;

	if (fd < 0)
		return refuse(why, errno, "%s: %s", to, strerror(errno));
	close(fd);
	err = sign_image(h, built, to, why);
	fd = err ? err : open(to, O_RDONLY | O_CLOEXEC);
	if (!err && fd < 0)
		fd = refuse(why, errno, "%s: %s", to, strerror(errno));
	unlink(to);
	return fd;
}

static int open_image(const struct handover *h, struct reason *why)
{
	char built[PATH_MAX];
	int err = artifact_path(built, sizeof(built), ARTIFACT_PERF0_BZ, why), fd;

	if (err)
		return err;
	if (h->key)
		return open_signed(h, built, why);
	fd = open(built, O_RDONLY | O_CLOEXEC);
	return fd >= 0 ? fd : refuse(why, errno, "%s: %s", built, strerror(errno));
}

static int refuse_load(int error, struct reason *why)
{
	switch (error) {
	case ENOSYS:
		return refuse(why, error,
			      "this kernel has no kexec_file_load(2); boot one that has "
			      "CONFIG_KEXEC_FILE");
	case EPERM:
		return refuse(
			why, error,
			"the kernel does not let this process load another one: in a container "
			"that needs the capability CAP_SYS_BOOT");
	case EKEYREJECTED:
	case ENOKEY:
	case ENODATA:
		return refuse(
			why, error,
			"the kernel starts only images that are signed with a key that it trusts; "
			"give one by --sign KEY CERT");
	case ENOMEM:
	case EADDRNOTAVAIL:
		return refuse(
			why, error,
			"the kernel has no free memory for the image and its initial ram disk; "
			"end other programs first");
	default:
		return refuse(why, error, "the kernel does not load perf0.bz: %s", strerror(error));
	}
}

static int load_image(int image, int disk, const char *line, struct reason *why)
{
	if (!syscall(SYS_kexec_file_load, image, disk, strlen(line) + 1, line, 0ul))
		return 0;
	return refuse_load(errno, why);
}

int handover_load(const struct handover *h, struct reason *why)
{
	int err, image = -1, disk = make_ram_disk(h, why);

	if (disk < 0)
		return disk;
	image = open_image(h, why);
	err = image < 0 ? image : load_image(image, disk, h->command_line, why);
	if (image >= 0)
		close(image);
	close(disk);
	return err;
}

void handover_drop(void)
{
	syscall(SYS_kexec_file_load, -1, -1, 0ul, NULL, (unsigned long)KEXEC_FILE_UNLOAD);
}

/* --- Leaving --- */

int handover_check_way(bool fast, struct reason *why)
{
	if (fast || !access("/run/systemd/system", F_OK))
		return 0;
	return refuse(
		why, ENOTSUP,
		"this machine was not started by systemd, which would stop its services; stop "
		"them yourself, and give --fast");
}

/* A file system on a disk that programs can still write to. */
static bool is_writable_disk(const char *line)
{
	char device[256], options[256];

	return sscanf(line, "%255s %*s %*s %255s", device, options) == 2 && *device == '/' &&
	       !strncmp(options, "rw", 2) && (!options[2] || options[2] == ',');
}

static bool are_disks_writable(void)
{
	FILE *mounts = fopen("/proc/self/mounts", "re");
	char line[4096];
	bool is = false;

	while (mounts && !is && fgets(line, sizeof(line), mounts))
		is = is_writable_disk(line);
	if (mounts)
		fclose(mounts);
	return is;
}

static int write_key(const char *key, struct reason *why)
{
	const int fd = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC);
	const bool ok = fd >= 0 && write(fd, key, 1) == 1;

	if (!ok)
		refuse(why, errno,
		       "/proc/sysrq-trigger: %s: the file systems cannot be made read-only",
		       strerror(errno));
	if (fd >= 0)
		close(fd);
	return ok ? 0 : -EIO;
}

/* SysRq-U remounts all file systems in the background. */
static int make_disks_read_only(struct reason *why)
{
	int err = write_key("u", why);

	for (int i = 0; !err && are_disks_writable() && i < REMOUNT_TENTHS; i++)
		nanosleep(&(struct timespec){.tv_nsec = TENTH_NS}, NULL);
	if (!err && are_disks_writable())
		message("perf0 there-and-back: a file system stays writable; what is written to it from "
			"now on may be lost");
	return err;
}

static int go_fast(struct reason *why)
{
	int err;

	sync();
	err = are_disks_writable() ? make_disks_read_only(why) : 0;
	if (err)
		return err;
	sync();
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC, NULL);
	return refuse(why, errno, "the kernel does not start what it has loaded: %s",
		      strerror(errno));
}

/* systemd answers at once, stops its services, and then this program. */
static int go_orderly(struct reason *why)
{
	const int err = helper_run((const char *[]){"systemctl", "kexec", NULL}, "systemd", why);

	while (!err)
		pause();
	return err;
}

int handover_go(bool fast, struct reason *why)
{
	return fast ? go_fast(why) : go_orderly(why);
}
