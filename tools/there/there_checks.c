// SPDX-License-Identifier: BSD-2-Clause
/* there_checks.c - see there_checks.h. */
#include "tools/there/there_checks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tools/util/buf.h"
#include "tools/util/wholefile.h"

#define IMAGE_BYTES (160ull << 20) /* of perf0: the image, rings, and room for results */

int there_check_root(struct reason *why)
{
	return geteuid()
		       ? refuse(why, EPERM, "only root may leave Linux by kexec; run it with sudo")
		       : 0;
}

/* --- Files of the kernel --- */

static bool exists(const char *root, const char *path)
{
	struct buf name = {0};
	bool is;

	buf_printf(&name, "%s%s", root, path);
	is = !access(buf_text(&name), F_OK);
	buf_free(&name);
	return is;
}

/* Reads a file; false: it is not there. The caller frees the text. */
static bool read_machine_text(const char *root, const char *path, struct buf *text)
{
	struct buf name = {0};
	struct reason ignored;
	bool is;

	buf_printf(&name, "%s%s", root, path);
	is = !text_file_read(text, buf_text(&name), &ignored);
	buf_free(&name);
	return is;
}

static bool begins_with(const char *root, const char *path, const char *what)
{
	struct buf text = {0};
	const bool is = read_machine_text(root, path, &text) &&
			!strncmp(buf_text(&text), what, strlen(what));

	buf_free(&text);
	return is;
}

static bool has_text(const char *root, const char *path, const char *what)
{
	struct buf text = {0};
	const bool is = read_machine_text(root, path, &text) && strstr(buf_text(&text), what);

	buf_free(&text);
	return is;
}

/* --- kexec --- */

static int check_kexec(const char *root, struct reason *why)
{
	if (!exists(root, "/sys/kernel/kexec_loaded"))
		return refuse(why, ENOSYS,
			      "this kernel has no kexec; boot one that has CONFIG_KEXEC_FILE, or "
			      "measure from a stick (`perf0 usb`)");
	if (begins_with(root, "/proc/sys/kernel/kexec_load_disabled", "1"))
		return refuse(why, EPERM,
			      "kexec is forbidden until the next boot: kernel.kexec_load_disabled "
			      "is 1; remove that from /etc/sysctl.d and boot again");
	if (begins_with(root, "/sys/kernel/kexec_loaded", "1"))
		return refuse(why, EBUSY,
			      "another kernel is loaded for kexec; `kexec -u` unloads it");
	return 0;
}

static int check_lockdown(const char *root, bool has_key, struct reason *why)
{
	const char *file = "/sys/kernel/security/lockdown";

	if (has_key ||
	    (!has_text(root, file, "[integrity]") && !has_text(root, file, "[confidentiality]")))
		return 0;
	return refuse(
		why, EPERM,
		"the kernel is locked down (Secure Boot), and starts only what is signed; give a "
		"key that it trusts by --sign KEY CERT");
}

/* --- Guests --- */

static bool has_cpu_flag(const char *root, const char *flag)
{
	struct buf text = {0}, word = {0};
	bool is = false;

	buf_printf(&word, " %s ", flag);
	if (read_machine_text(root, "/proc/cpuinfo", &text)) {
		char *flags = strstr(buf_text(&text), "\nflags"), *end;

		if (flags && (end = strchr(flags + 1, '\n'))) {
			*end = ' ';
			end[1] = '\0';
			is = strstr(flags, buf_text(&word));
		}
	}
	buf_free(&text);
	buf_free(&word);
	return is;
}

static bool is_encrypted_guest(const char *root)
{
	return has_cpu_flag(root, "tdx_guest") || exists(root, "/dev/tdx_guest") ||
	       exists(root, "/dev/sev-guest") ||
	       (has_cpu_flag(root, "hypervisor") && has_cpu_flag(root, "sev"));
}

static int check_guest(const char *root, struct reason *why)
{
	if (is_encrypted_guest(root))
		return refuse(
			why, ENOTSUP,
			"this is a guest with encrypted memory (SEV or TDX), which perf0 cannot "
			"run in; measure on a machine or in a guest without that");
	if (begins_with(root, "/sys/hypervisor/type", "xen"))
		return refuse(why, ENOTSUP,
			      "Linux runs under Xen here, which kexec would restart; boot Linux "
			      "without Xen");
	return 0;
}

int there_check_machine(const char *root, bool has_key, struct reason *why)
{
	int err = check_guest(root, why);

	if (!err)
		err = check_kexec(root, why);
	return err ? err : check_lockdown(root, has_key, why);
}

/* --- Memory --- */

static uint64_t meminfo_bytes(const char *root, const char *key)
{
	struct buf text = {0};
	uint64_t bytes = 0;

	if (read_machine_text(root, "/proc/meminfo", &text)) {
		const char *line = strstr(buf_text(&text), key);

		bytes = line ? strtoull(line + strlen(key), NULL, 10) << 10 : 0;
	}
	buf_free(&text);
	return bytes;
}

int there_check_memory(const char *root, uint64_t bytes, struct reason *why)
{
	const uint64_t needed = bytes + IMAGE_BYTES, all = meminfo_bytes(root, "MemTotal:");

	if (needed <= all)
		return 0;
	return refuse(
		why, ENOMEM,
		"there and back takes %llu MiB of memory for the programs, the kernel and its "
		"initial ram disk, and this machine has %llu; measure a smaller program",
		(unsigned long long)(needed >> 20), (unsigned long long)(all >> 20));
}

int there_lock(const char *path, struct reason *why)
{
	const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	close(fd);
	return refuse(
		why, EBUSY,
		"another `perf0 there-and-back` is about to leave; wait until this machine is "
		"back from it");
}
