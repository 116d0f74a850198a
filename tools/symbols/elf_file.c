// SPDX-License-Identifier: BSD-2-Clause
/* elf_file.c - see elf_file.h. */
#include "tools/symbols/elf_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_regular(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

int elf_file_take(struct elf_file *file, int fd, const char *path, struct reason *why)
{
	int err = 0;

	*file = (struct elf_file){.fd = fd};
	elf_version(EV_CURRENT);
	if (!is_regular(fd))
		err = refuse(why, ENOEXEC, "%s: not a plain file", path);
	else if (!(file->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL)) ||
		 elf_kind(file->elf) != ELF_K_ELF)
		err = refuse(why, ENOEXEC, "%s: not an ELF file", path);
	if (!err)
		return 0;
	elf_end(file->elf);
	close(fd);
	*file = (struct elf_file){0};
	return err;
}

int elf_file_open(struct elf_file *file, const char *path, struct reason *why)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	*file = (struct elf_file){0};
	if (fd < 0)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	return elf_file_take(file, fd, path, why);
}

bool elf_file_of_memory(struct elf_file *file, struct buf *bytes)
{
	*file = (struct elf_file){.fd = -1, .memory = *bytes};
	*bytes = (struct buf){0};
	elf_version(EV_CURRENT);
	file->elf = elf_memory((char *)file->memory.data, file->memory.size);
	if (file->elf && elf_kind(file->elf) == ELF_K_ELF)
		return true;
	elf_file_close(file);
	return false;
}

void elf_file_close(struct elf_file *file)
{
	if (file->elf && file->fd >= 0)
		close(file->fd);
	elf_end(file->elf);
	buf_free(&file->memory);
	*file = (struct elf_file){0};
}

Elf_Scn *elf_file_section(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *own = gelf_getshdr(section, &header)
					  ? elf_strptr(elf, names, header.sh_name)
					  : NULL;

		if (own && !strcmp(own, name))
			return section;
	}
	return NULL;
}

bool elf_file_has_id(const struct elf_file *file, const void *id, size_t n)
{
	const void *own;

	return n && dwelf_elf_gnu_build_id(file->elf, &own) == (ssize_t)n && !memcmp(own, id, n);
}

const uint8_t *elf_file_code(const struct elf_file *file, uint64_t address, uint64_t *n)
{
	GElf_Phdr header;
	size_t size, nheaders;
	const char *bytes = elf_rawfile(file->elf, &size);

	if (!bytes || elf_getphdrnum(file->elf, &nheaders))
		return NULL;
	for (size_t i = 0; i < nheaders && gelf_getphdr(file->elf, (int)i, &header); i++) {
		const uint64_t at = address - header.p_vaddr;

		if (header.p_type != PT_LOAD || !(header.p_flags & PF_X) || at >= header.p_filesz ||
		    header.p_offset > size || header.p_filesz > size - header.p_offset)
			continue;
		*n = header.p_filesz - at;
		return (const uint8_t *)bytes + header.p_offset + at;
	}
	return NULL;
}
