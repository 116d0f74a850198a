// SPDX-License-Identifier: BSD-2-Clause
/* programs.c - see programs.h. */
#include "tools/machine/programs.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/layout.h"
#include "include/perf0/programs.h"
#include "include/perf0/task.h"
#include "rt/portable/elf.h"
#include "tools/util/buf.h"

#define MIB        (UINT64_C(1) << 20)
#define PAGE_BYTES 4096ull

/* Memory of machines, and what image, vpmu, firmware and rings may take of it. */
static const uint32_t machines_mib[] = {256, 512, 1024, 2048, 4096};
#define TAKEN_MIB 112

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

/* --- Which there are --- */

static struct program_file *find_listed(const struct programs *programs, const char *path)
{
	for (size_t i = 0; i < programs->n; i++)
		if (!strcmp(programs->file[i].path, path))
			return &programs->file[i];
	return NULL;
}

/* Of headers that make no sense the image says what is wrong: here they count as nothing. */
static uint64_t loaded_bytes(int fd)
{
	uint64_t bytes = 0;
	Elf64_Ehdr h;
	Elf64_Phdr p;

	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) || h.e_phentsize != sizeof(p))
		return 0;
	for (unsigned i = 0; i < h.e_phnum; i++) {
		const off_t at = (off_t)(h.e_phoff + i * sizeof(p));

		if (pread(fd, &p, sizeof(p), at) != sizeof(p))
			return 0;
		if (p.p_type == PT_LOAD && __builtin_add_overflow(bytes, p.p_memsz, &bytes))
			return UINT64_MAX;
	}
	return bytes;
}

static int measure_file(struct program_file *file, struct reason *why)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		refuse(why, errno, "%s: %s", file->path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -EIO;
	}
	file->bytes = (uint64_t)st.st_size;
	file->loaded = loaded_bytes(fd);
	close(fd);
	if (file->bytes > PROGRAM_MOST)
		return refuse(
			why, EFBIG, "%s: it has %" PRIu64 " MiB, more than a program may (%u)",
			file->path, (file->bytes + MIB - 1) / MIB, (unsigned)(PROGRAM_MOST / MIB));
	if (strlen(file->path) >= PROGRAM_PATH_MAX)
		return refuse(why, ENAMETOOLONG, "%s: its path has more than %d characters",
			      file->path, PROGRAM_PATH_MAX - 1);
	return 0;
}

/* Takes `path` over. */
static int add_file(struct programs *programs, char *path, struct reason *why)
{
	struct program_file *file = realloc(programs->file, (programs->n + 1) * sizeof(*file));

	if (!file)
		return refuse(why, ENOMEM, "out of memory");
	programs->file = file;
	file += programs->n++;
	*file = (struct program_file){.path = path};
	return measure_file(file, why);
}

/* A word is an ELF file's: it becomes its real path. NULL: it is not. */
static const struct program_file *take_word(struct programs *programs, const char **word,
					    struct reason *why)
{
	char *path = strchr(*word, '/') && is_elf(*word) ? realpath(*word, NULL) : NULL;

	struct program_file *file = path ? find_listed(programs, path) : NULL;

	if (!path)
		return NULL;
	if (file)
		free(path);
	else if (add_file(programs, path, why))
		return NULL;
	else
		file = &programs->file[programs->n - 1];
	*word = file->path;
	return file;
}

static uint64_t add_up(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* All files of one command are there at once, and what has started of them. */
int programs_find(struct programs *programs, const char **words, struct reason *why)
{
	uint64_t memory = 0, loaded = 0;

	*why = (struct reason){0};
	for (; *words; words++) {
		const struct program_file *file = take_word(programs, words, why);

		if (why->text[0])
			return -EFBIG;
		if (!strcmp(*words, ";"))
			memory = loaded = 0;
		if (file)
			memory = add_up(memory, add_up(file->bytes, file->loaded));
		if (file)
			loaded = add_up(loaded, file->loaded);
		if (memory > programs->memory)
			programs->memory = memory;
		if (loaded > programs->loaded)
			programs->loaded = loaded;
	}
	return 0;
}

int programs_machine(const struct programs *programs, uint32_t *mib, struct reason *why)
{
	const size_t sizes = sizeof(machines_mib) / sizeof(machines_mib[0]);
	const uint32_t most = machines_mib[sizes - 1];

	for (size_t i = 0; i < sizes; i++) {
		*mib = machines_mib[i];
		if (programs->memory <= (*mib - TAKEN_MIB) * MIB)
			return 0;
	}
	return refuse(why, EFBIG,
		      "the programs of one command take %" PRIu64
		      " MiB of memory, for which the largest machine (%u MiB) has no room",
		      programs->memory / MIB, most);
}

bool programs_fit(const struct programs *programs, uint32_t mib)
{
	const uint64_t whole = mib * MIB, kept = whole / PROGRAMS_KEPT_SHARE;
	uint64_t files = 0;

	for (size_t i = 0; i < programs->n; i++)
		files = add_up(files, programs->file[i].bytes);
	return files <= (whole - whole / 8) / PROGRAMS_SENT_SHARE &&
	       add_up(add_up(files, programs->loaded), kept + TAKEN_MIB * MIB) <= whole;
}

/* --- The pack --- */

static bool write_whole(int fd, const void *bytes, size_t n)
{
	return write(fd, bytes, n) == (ssize_t)n;
}

/* Files and their sizes; false: all together are too large. */
static bool lay_out(const struct programs *programs, struct buf *directory)
{
	const struct programs_head head = {.n = (uint32_t)programs->n};
	uint64_t at = sizeof(head) + programs->n * sizeof(struct programs_row);

	buf_add(directory, &head, sizeof(head));
	for (size_t i = 0; i < programs->n; i++) {
		struct programs_row row = {.offset = at, .bytes = programs->file[i].bytes};

		snprintf(row.path, sizeof(row.path), "%s", programs->file[i].path);
		buf_add(directory, &row, sizeof(row));
		at += row.bytes;
	}
	return at <= PROGRAMS_PACK_MOST;
}

static int copy_file(int to, const struct program_file *file, struct reason *why)
{
	int from = open(file->path, O_RDONLY | O_CLOEXEC);
	uint64_t left = file->bytes;
	ssize_t n = 1;

	while (from >= 0 && left && n > 0) {
		n = sendfile(to, from, NULL, left);
		left -= n > 0 ? (uint64_t)n : 0;
	}
	if (from < 0 || n < 0)
		refuse(why, errno, "%s: %s", file->path, strerror(errno));
	else if (left)
		refuse(why, EIO, "%s: it became shorter while it was read", file->path);
	if (from >= 0)
		close(from);
	return from < 0 || left ? -EIO : 0;
}

static int fill_pack(int fd, const struct programs *programs, struct reason *why)
{
	struct buf directory = {0};
	int err = 0;

	if (!lay_out(programs, &directory))
		err = refuse(why, EFBIG, "all programs together have more than 4 GiB");
	else if (!write_whole(fd, directory.data, directory.size))
		err = refuse(why, EIO, "the programs can not be handed over: %s", strerror(errno));
	for (size_t i = 0; i < programs->n && !err; i++)
		err = copy_file(fd, &programs->file[i], why);
	buf_free(&directory);
	return err;
}

int programs_pack(const struct programs *programs, struct reason *why)
{
	int fd = memfd_create("perf0-programs", 0), err;

	if (fd < 0)
		return refuse(why, errno, "the programs can not be handed over: %s",
			      strerror(errno));
	err = fill_pack(fd, programs, why);
	if (!err)
		return fd;
	close(fd);
	return err;
}

void programs_free(struct programs *programs)
{
	for (size_t i = 0; i < programs->n; i++)
		free(programs->file[i].path);
	free(programs->file);
	*programs = (struct programs){0};
}
