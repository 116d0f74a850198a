// SPDX-License-Identifier: BSD-2-Clause
/* debugfile.c - see debugfile.h. */
#include "tools/symbols/debugfile.h"

#include <elfutils/libdwelf.h>
#include <limits.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/symbols/debuginfod.h"

#define DEBUG_FOLDERS "/usr/lib/debug"

/* The debug file to find. */
struct sought {
	const uint8_t *id;
	size_t id_size;   /* 0: it has no build-id */
	const char *link; /* the name in .gnu_debuglink; NULL: none */
	GElf_Word crc;    /* checksum of the file with that name */
};

/* --- Checks of a candidate --- */

/* Computes the CRC-32 of IEEE 802.3, which objcopy --add-gnu-debuglink uses. */
static uint32_t crc_of_file(int fd)
{
	static uint8_t bytes[65536];
	uint32_t crc = 0;
	off_t at = 0;
	ssize_t n;

	for (; (n = pread(fd, bytes, sizeof(bytes), at)) > 0; at += n)
		crc = lzma_crc32(bytes, (size_t)n, crc);
	return crc;
}

static bool is_sought(const struct elf_file *file, const struct sought *sought)
{
	const void *id;

	if (sought->id_size && dwelf_elf_gnu_build_id(file->elf, &id) > 0)
		return elf_file_has_id(file, sought->id, sought->id_size);
	return sought->link && crc_of_file(file->fd) == sought->crc;
}

__attribute__((format(printf, 3, 4))) static bool try_path(struct elf_file *found,
							   const struct sought *sought,
							   const char *format, ...)
{
	char path[PATH_MAX];
	struct reason ignored;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(path) || elf_file_open(found, path, &ignored))
		return false;
	if (is_sought(found, sought))
		return true;
	elf_file_close(found);
	return false;
}

/* --- Places to search --- */

/* Calls `look` for each folder of debug files, until it finds the file. */
static bool look_in_folders(struct elf_file *found, const struct sought *sought, const char *arg,
			    bool (*look)(struct elf_file *found, const struct sought *sought,
					 const char *folder, const char *arg))
{
	const char *folders = getenv(DEBUGFILE_VARIABLE);
	bool is_found = false;

	for (const char *at = folders ? folders : DEBUG_FOLDERS; *at && !is_found;) {
		const size_t n = strcspn(at, ":");
		char *folder = copy_text(at, n);

		is_found = *folder && look(found, sought, folder, arg);
		free(folder);
		at += n + (at[n] == ':');
	}
	return is_found;
}

/* Makes "ab/cdef...", the path in a tree of build-ids. */
static const char *id_path(struct buf *text, const uint8_t *id, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(text, i == 1 ? "/%02x" : "%02x", id[i]);
	return buf_text(text);
}

static bool look_by_id(struct elf_file *found, const struct sought *sought, const char *folder,
		       const char *id)
{
	return try_path(found, sought, "%s/.build-id/%s.debug", folder, id);
}

static bool find_by_id(struct elf_file *found, const struct sought *sought)
{
	const char *home = getenv("HOME");
	struct buf text = {0};
	bool is_found = false;

	if (sought->id_size > 1) {
		const char *id = id_path(&text, sought->id, sought->id_size);

		is_found =
			look_in_folders(found, sought, id, look_by_id) ||
			(home && try_path(found, sought, "%s/.debug/.build-id/%s/debug", home, id));
	}
	buf_free(&text);
	return is_found;
}

static bool look_by_link(struct elf_file *found, const struct sought *sought, const char *folder,
			 const char *of)
{
	return try_path(found, sought, "%s%s/%s", folder, of, sought->link);
}

/* Accepts a plain name. A slash would lead elsewhere, and no tool writes one. */
static bool is_file_name(const char *name)
{
	return name && *name && strlen(name) <= NAME_MAX && !strchr(name, '/');
}

/* Returns the folder of the resolved path, because a link to the file may lie anywhere. */
static char *folder_of(const char *path)
{
	char *folder = realpath(path, NULL), *slash = folder ? strrchr(folder, '/') : NULL;

	if (slash)
		*slash = '\0';
	return folder;
}

static bool find_by_link(struct elf_file *found, const struct sought *sought, const char *path)
{
	char *folder = is_file_name(sought->link) ? folder_of(path) : NULL;
	bool is_found = folder && (try_path(found, sought, "%s/%s", folder, sought->link) ||
				   try_path(found, sought, "%s/.debug/%s", folder, sought->link) ||
				   look_in_folders(found, sought, folder, look_by_link));

	free(folder);
	return is_found;
}

static bool ask_servers(struct elf_file *found, const struct sought *sought, const char *path)
{
	struct reason ignored;
	int fd = sought->id_size ? debuginfod_fetch(sought->id, sought->id_size, path) : -1;

	if (fd < 0 || elf_file_take(found, fd, path, &ignored))
		return false;
	if (elf_file_has_id(found, sought->id, sought->id_size))
		return true;
	elf_file_close(found);
	return false;
}

bool debugfile_open(struct elf_file *found, const char *path, Elf *elf)
{
	struct sought sought = {0};
	const void *id;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);

	if (n > 0) {
		sought.id = id;
		sought.id_size = (size_t)n;
	}
	sought.link = dwelf_elf_gnu_debuglink(elf, &sought.crc);
	return find_by_id(found, &sought) || find_by_link(found, &sought, path) ||
	       ask_servers(found, &sought, path);
}

/* --- The file that several debug files share --- */

int debugfile_open_alt(struct elf_file *found, const char *path, Dwarf *dwarf)
{
	struct sought sought = {0};
	const void *id;
	const char *name;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id);
	char *folder;
	bool is_found;

	if (n <= 0)
		return n ? -1 : 0;
	sought.id = id;
	sought.id_size = (size_t)n;
	if (find_by_id(found, &sought))
		return 1;
	if (*name == '/')
		return try_path(found, &sought, "%s", name) ? 1 : -1;
	folder = folder_of(path);
	is_found = folder && try_path(found, &sought, "%s/%s", folder, name);
	free(folder);
	return is_found ? 1 : -1;
}
