// SPDX-License-Identifier: BSD-2-Clause
/*
 * qemu_version.c - see qemu_version.h. A QEMU prints its version from one string constant, with
 * nothing to insert. So the ELF file has the answer, and QEMU, whose start takes longer, is not
 * run. A file that is no ELF file may be a script, which starts another file.
 */
#include "tools/machine/qemu_version.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/machine/counting.h"
#include "tools/machine/qemu_args.h"
#include "tools/util/child.h"
#include "tools/util/helper.h"

#define SAYS "QEMU emulator version "

static bool says_since(const char *text, unsigned major, unsigned minor)
{
	const char *said = strstr(text, SAYS);
	unsigned has_major, has_minor;

	if (!said || sscanf(said, SAYS "%u.%u", &has_major, &has_minor) != 2)
		return false;
	return has_major > major || (has_major == major && has_minor >= minor);
}

bool qemu_says(struct buf *said, const char *path, const char *option, const char *value)
{
	char *words[] = {(char *)path, (char *)option, (char *)value, NULL};
	struct reason ignored;

	return child_output(words, environ, said, &ignored) == 0;
}

/* --- The version in an ELF file --- */

/* Adds the strings in `text` that begin with SAYS and a digit. Returns their number. */
static unsigned find_versions(struct buf *said, const char *text, size_t n)
{
	const char *end = text + n, *at;
	unsigned found = 0;

	while ((at = memmem(text, (size_t)(end - text), SAYS, strlen(SAYS)))) {
		text = at + strlen(SAYS);
		if (text == end || *text < '0' || *text > '9')
			continue;
		buf_add(said, at, strnlen(at, (size_t)(end - at)));
		found++;
	}
	return found;
}

static bool holds_constants(const GElf_Shdr *h)
{
	return h->sh_type == SHT_PROGBITS &&
	       (h->sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) == SHF_ALLOC;
}

static unsigned find_in_sections(struct buf *said, Elf *elf)
{
	unsigned found = 0;
	GElf_Shdr h;

	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		const bool is_read = gelf_getshdr(s, &h) && holds_constants(&h);
		const Elf_Data *data = is_read ? elf_getdata(s, NULL) : NULL;

		if (data && data->d_buf)
			found += find_versions(said, data->d_buf, data->d_size);
	}
	return found;
}

/* Returns whether the file has one version. Of two, only QEMU knows which it prints. */
static bool read_version(struct buf *said, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_found;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	is_found = elf_kind(elf) == ELF_K_ELF && find_in_sections(said, elf) == 1;
	elf_end(elf);
	close(fd);
	return is_found;
}

/* Finds what the QEMU says to --version; leaves `said` empty if it does not answer. */
static void find_answer(struct buf *said, const char *name)
{
	char path[PATH_MAX];

	if (!counting_find_program(path, name) || read_version(said, path))
		return;
	said->size = 0;
	if (!qemu_says(said, path, "--version", NULL))
		said->size = 0;
}

/* --- Questions --- */

bool qemu_is_since(const char *name, unsigned major, unsigned minor)
{
	struct buf said = {0};
	bool is;

	find_answer(&said, name);
	is = says_since(buf_text(&said), major, minor);
	buf_free(&said);
	return is;
}

void qemu_version_text(struct buf *out, const char *name)
{
	struct buf said = {0};
	const char *version;

	find_answer(&said, name);
	version = strstr(buf_text(&said), SAYS);
	if (version)
		buf_printf(out, "%.*s", (int)strcspn(version + strlen(SAYS), " (\n"),
			   version + strlen(SAYS));
	buf_free(&said);
}

int qemu_find(char path[PATH_MAX], const char *name, struct reason *why)
{
	if (counting_find_program(path, name))
		return 0;
	if (strchr(name, '/'))
		return refuse(why, errno, "%s: can not be started: %s", name, strerror(errno));
	return refuse_missing(why, name, "qemu-system-x86");
}

int machine_check_host(const struct machine_options *options, struct reason *why)
{
	char path[PATH_MAX];
	const int err = qemu_find(path, options->qemu, why);

	if (err)
		return err;
	return options->firmware != MACHINE_OVMF || firmware_find(why) ? 0 : -ENOENT;
}
