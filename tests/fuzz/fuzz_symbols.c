// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_symbols.c - any bytes as an ELF file with symbols, as a name, and as a perf map. No debug
 * file is found for them, because none has their build-id or their checksum.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/symbols/debugfile.h"
#include "tools/symbols/demangle.h"
#include "tools/symbols/minidebug.h"
#include "tools/symbols/symbols.h"

#define DEMANGLED_MOST 65536 /* bytes, of tools/symbols/demangle.h */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_for_files(const uint8_t *data, size_t size)
{
	struct elf_file file, found;
	struct buf bytes = {0};

	buf_add(&bytes, data, size);
	if (!elf_file_of_memory(&file, &bytes))
		return;
	if (debugfile_open(&found, "/nosuch", file.elf))
		abort();
	if (minidebug_open(&found, file.elf))
		elf_file_close(&found);
	elf_file_close(&file);
}

static void demangle_any(const char *name)
{
	const char *plain = demangle(name);

	if (plain != name && strlen(plain) > DEMANGLED_MOST)
		abort();
}

/* A symbol that is found contains the address. */
static void read_any_map(const uint8_t *data, size_t size)
{
	int fd = memfd_create("map", MFD_CLOEXEC);
	const struct symbol *symbol;
	struct symbols *map;
	struct reason why;
	char path[32];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	map = symbols_open_perfmap(path, &why);
	symbol = symbols_find(map, 0x1000);
	if (!map || (symbol && (symbol->start > 0x1000 || symbol->end <= 0x1000)))
		abort();
	symbols_close(map);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name = malloc(size + 1);

	unsetenv("DEBUGINFOD_URLS");
	setenv(DEBUGFILE_VARIABLE, "/nosuch", 1);
	memcpy(name, data, size);
	name[size] = '\0';
	look_for_files(data, size);
	demangle_any(name);
	read_any_map(data, size);
	free(name);
	return 0;
}
