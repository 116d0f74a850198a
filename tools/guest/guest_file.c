// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_file.c - see guest_file.h. Layouts: PE Format, "MS-DOS Stub", "COFF File Header", "Optional
 * Header"; The Linux/x86 Boot Protocol, "The Real-Mode Kernel Header".
 */
#include "tools/guest/guest_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DOS_BYTES      64u
#define DOS_PE_AT      0x3cu
#define PE_BYTES       24u /* signature and COFF header */
#define PE32_PLUS      0x20bu
#define SUBSYSTEM_AT   68u /* offset in the optional header */
#define OPTIONAL_BYTES 70u

#define SUBSYSTEM_APPLICATION 10u

#define SETUP_MAGIC_AT   0x202u /* offset of "HdrS" */
#define SETUP_VERSION_AT 0x20eu /* pointer to the version's text, from 0x200 on */
#define SETUP_BASE       0x200u

static const struct machine {
	uint16_t number;
	const char *name;
} machines[] = {
	{0x8664, "x86-64"}, {0x014c, "32-bit x86"}, {0xaa64, "aarch64"},     {0x01c2, "32-bit ARM"},
	{0x5064, "RISC-V"}, {0x0200, "Itanium"},    {0x6264, "LoongArch64"},
};

static const char *const subsystems[] = {
	[10] = "an application", [11] = "a driver of the boot services", [12] = "a runtime driver"};

static unsigned get_le16(const uint8_t *at)
{
	return at[0] | (unsigned)at[1] << 8;
}

static uint32_t get_le32(const uint8_t *at)
{
	return get_le16(at) | (uint32_t)get_le16(at + 2) << 16;
}

static bool has_bytes(int fd, void *bytes, size_t n, uint64_t at)
{
	return pread(fd, bytes, n, (off_t)at) == (ssize_t)n;
}

static int refuse_machine(unsigned number, struct reason *why)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].number == number)
			return refuse(why, EINVAL, "it is for %s; vpmu's machines are x86-64",
				      machines[i].name);
	return refuse(why, EINVAL, "it is for machine %#x; vpmu's machines are x86-64 (0x8664)",
		      number);
}

static int refuse_subsystem(unsigned number, struct reason *why)
{
	if (number < sizeof(subsystems) / sizeof(subsystems[0]) && subsystems[number])
		return refuse(why, EINVAL, "it is %s of UEFI, and not an application",
			      subsystems[number]);
	return refuse(why, EINVAL, "it is a program of subsystem %u, and not of UEFI (10)", number);
}

/* Checks a program. `kind` names the expected kind of file in the reason. */
static int check_program(int fd, const char *kind, struct reason *why)
{
	uint8_t dos[DOS_BYTES], pe[PE_BYTES], optional[OPTIONAL_BYTES];
	uint64_t at;

	if (!has_bytes(fd, dos, sizeof(dos), 0) || memcmp(dos, "MZ", 2))
		return refuse(why, EINVAL, "it is no %s: it has no DOS header (MZ)", kind);
	at = get_le32(dos + DOS_PE_AT);
	if (!has_bytes(fd, pe, sizeof(pe), at) || memcmp(pe, "PE\0", 4))
		return refuse(why, EINVAL, "it is no %s: it has no PE header", kind);
	if (get_le16(pe + 4) != machines[0].number)
		return refuse_machine(get_le16(pe + 4), why);
	if (!has_bytes(fd, optional, sizeof(optional), at + PE_BYTES) ||
	    get_le16(optional) != PE32_PLUS)
		return refuse(why, EINVAL, "it is no %s: it is no PE32+ file", kind);
	if (get_le16(optional + SUBSYSTEM_AT) != SUBSYSTEM_APPLICATION)
		return refuse_subsystem(get_le16(optional + SUBSYSTEM_AT), why);
	return 0;
}

static bool is_compressed(const uint8_t *begin)
{
	static const struct {
		const char *bytes;
		size_t n;
	} magics[] = {{"\x1f\x8b", 2},
		      {"\xfd"
		       "7zXZ",
		       5},
		      {"\x28\xb5\x2f\xfd", 4},
		      {"BZh", 3}};

	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (!memcmp(begin, magics[i].bytes, magics[i].n))
			return true;
	return false;
}

static void read_version(int fd, char version[KERNEL_VERSION_MOST])
{
	uint8_t pointer[2];

	version[0] = '\0';
	if (!has_bytes(fd, pointer, sizeof(pointer), SETUP_VERSION_AT) || !get_le16(pointer) ||
	    !has_bytes(fd, version, KERNEL_VERSION_MOST - 1, SETUP_BASE + get_le16(pointer)))
		return;
	version[KERNEL_VERSION_MOST - 1] = '\0';
	version[strcspn(version, " \t\n")] = '\0';
	if (strchr(version, '/') || version[0] == '.')
		version[0] = '\0';
}

static int check_kernel(int fd, char version[KERNEL_VERSION_MOST], struct reason *why)
{
	uint8_t begin[8] = {0}, magic[4];
	bool is_kernel = has_bytes(fd, magic, sizeof(magic), SETUP_MAGIC_AT) &&
			 !memcmp(magic, "HdrS", sizeof(magic));

	if (!has_bytes(fd, begin, sizeof(begin), 0))
		return refuse(why, EINVAL, "it is no kernel: it has fewer than 8 bytes");
	if (!memcmp(begin, "\177ELF", 4))
		return refuse(why, EINVAL,
			      "it is an ELF file; firmware starts bzImage, which lies "
			      "in arch/x86/boot of a kernel that was built");
	if (is_compressed(begin))
		return refuse(why, EINVAL, "it is compressed; unpack it first");
	if (is_kernel && memcmp(begin, "MZ", 2))
		return refuse(why, EINVAL,
			      "it is a kernel without EFI stub (CONFIG_EFI_STUB): firmware can not "
			      "start it");
	if (check_program(fd, "kernel of Linux", why))
		return -EINVAL;
	if (!is_kernel)
		return refuse(why, EINVAL,
			      "it is a program of UEFI, and no kernel of Linux for "
			      "x86; `perf0 boot` starts it");
	read_version(fd, version);
	return 0;
}

static int open_plain_file(const char *path, struct reason *why)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return refuse(why, errno, "%s", strerror(errno));
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	refuse(why, EINVAL, "%s", S_ISDIR(st.st_mode) ? "it is a folder" : "it is no plain file");
	close(fd);
	return -EINVAL;
}

static int open_guest(const char *path, bool is_kernel, char version[KERNEL_VERSION_MOST],
		      struct reason *why)
{
	struct reason what;
	const int fd = open_plain_file(path, &what);
	int err = fd < 0 ? fd : 0;

	if (!err)
		err = is_kernel ? check_kernel(fd, version, &what)
				: check_program(fd, "program of UEFI", &what);
	if (!err)
		return fd;
	if (fd >= 0)
		close(fd);
	return refuse(why, -err, "%s%s: %s", is_kernel ? "kernel " : "", path, what.text);
}

int guest_program_open(const char *path, struct reason *why)
{
	return open_guest(path, false, NULL, why);
}

int guest_kernel_open(const char *path, char version[KERNEL_VERSION_MOST], struct reason *why)
{
	return open_guest(path, true, version, why);
}
