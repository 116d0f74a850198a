// SPDX-License-Identifier: BSD-2-Clause
/* programs.c - see programs.h. */
#include "tools/machine/programs.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/layout.h"
#include "include/perf0/task.h"
#include "rt/portable/elf.h"

static bool is_elf(const char *path)
{
	FILE *file = fopen(path, "rbe");
	char magic[SELFMAG];
	bool is;

	if (!file)
		return false;
	is = fread(magic, sizeof(magic), 1, file) == 1 && !memcmp(magic, ELFMAG, SELFMAG);
	fclose(file);
	return is;
}

static bool is_program_listed(const struct programs *programs, const char *path)
{
	for (size_t i = 0; i < programs->n; i++)
		if (!strcmp(programs->path[i], path))
			return true;
	return false;
}

/* What the image says of the `size` bytes of the file; NULL: nothing, it would run them. */
static const char *refuse_elf(const void *file, size_t size)
{
	struct elf elf;

	return elf_read(&elf, file, size, WORKLOAD_ELF, WORKLOAD_ELF,
			WORKLOAD_ELF + WORKLOAD_ELF_BYTES);
}

/* NULL, or why the file that is open cannot be run. */
static const char *check_file(int fd)
{
	struct stat st;
	const char *why;
	void *file;

	if (fstat(fd, &st))
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? strerror(EISDIR) : "it is no plain file";
	if (!st.st_size)
		return "it is empty";
	file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		return strerror(errno);
	why = refuse_elf(file, (size_t)st.st_size);
	munmap(file, (size_t)st.st_size);
	return why;
}

int program_check(const char *path, struct reason *why)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const char *wrong = fd < 0 ? strerror(errno) : check_file(fd);

	if (fd >= 0)
		close(fd);
	return wrong ? refuse(why, EINVAL, "%s: %s", path, wrong) : 0;
}

int program_words_check(const char *const *words, struct reason *why)
{
	char *path = realpath(words[0], NULL);
	const size_t length = path ? strlen(path) : 0;
	size_t n = 0, bytes = length;

	free(path);
	if (length >= PROGRAM_PATH_MAX)
		return refuse(why, EINVAL, "%s: its whole path has %zu characters, more than %d",
			      words[0], length, PROGRAM_PATH_MAX - 1);
	for (; words[n]; n++)
		bytes += 1 + (n ? strlen(words[n]) : 0);
	if (n <= PROGRAM_WORDS_MAX && bytes <= WORKLOAD_ARGV_BYTES)
		return 0;
	return refuse(why, EINVAL, "%s has more than %d arguments, or more than %d bytes of them",
		      words[0], PROGRAM_WORDS_MAX - 1, WORKLOAD_ARGV_BYTES);
}

int programs_find(struct programs *programs, const char **words, struct reason *why)
{
	programs->n = 0;
	for (; *words; words++) {
		char *path;

		if (!strchr(*words, '/') || !is_elf(*words))
			continue;
		path = realpath(*words, NULL);
		if (!path)
			continue;
		*words = path;
		if (is_program_listed(programs, path))
			continue;
		if (programs->n == PROGRAMS_MAX)
			return refuse(why, E2BIG, "%s: only %d different programs can be run", path,
				      PROGRAMS_MAX);
		snprintf(programs->path[programs->n++], PATH_MAX, "%s", path);
	}
	return 0;
}
