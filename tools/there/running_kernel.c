// SPDX-License-Identifier: BSD-2-Clause
/* running_kernel.c - see running_kernel.h. */
#include "tools/there/running_kernel.h"

#include <asm/bootparam.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "include/perf0/programs.h"
#include "include/perf0/there.h"
#include "tools/there/initrd_whole.h"
#include "tools/util/ending.h"
#include "tools/util/wholefile.h"

#define ENTRIES      "/boot/loader/entries"
#define SECTOR       512
#define VERSION_64   0x20c      /* of the boot protocol: xloadflags */
#define HEADER_MAGIC 0x53726448 /* "HdrS" */
#define PARAGRAPH    16

struct search {
	const struct kernel_choice *choice;
	struct running_kernel *found;
	const char *release;
};

__attribute__((format(printf, 3, 4))) static bool try_file(struct search *s, char path[PATH_MAX],
							   const char *format, ...)
{
	char name[PATH_MAX];
	struct stat st;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(name) ||
	    (size_t)snprintf(path, PATH_MAX, "%s%s", s->choice->root, name) >= PATH_MAX ||
	    stat(path, &st) || !S_ISREG(st.st_mode))
		*path = '\0';
	return *path;
}

/* A path of a loader may begin with a device, and with the folder of /boot's file system. */
static bool try_path_of_loader(struct search *s, char to[PATH_MAX], const char *path)
{
	const char *name;

	if (*path == '(' && strchr(path, ')'))
		path = strchr(path, ')') + 1;
	path += strspn(path, "/");
	name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	return *name && (try_file(s, to, "/%s", path) || try_file(s, to, "/boot/%s", path) ||
			 try_file(s, to, "/efi/%s", path) || try_file(s, to, "/boot/%s", name));
}

/* --- The entries of a loader: The Boot Loader Specification, "Type #1" --- */

/* Copies the value of the first line with this key. */
static bool entry_value(const char *text, const char *key, char value[PATH_MAX])
{
	const size_t n = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		size_t length;

		line += strspn(line, "\n \t");
		if (strncmp(line, key, n) || !strchr(" \t", line[n]))
			continue;
		line += n + strspn(line + n, " \t");
		length = strcspn(line, " \t\r\n");
		if (!length || length >= PATH_MAX)
			return false;
		memcpy(value, line, length);
		value[length] = '\0';
		return true;
	}
	return false;
}

static bool is_of_release(const struct search *s, const char *text)
{
	char value[PATH_MAX];

	return (entry_value(text, "version", value) && !strcmp(value, s->release)) ||
	       (entry_value(text, "linux", value) && ends_in(value, s->release));
}

static void take_loader_entry(struct search *s, const char *text)
{
	char value[PATH_MAX];

	if (!is_of_release(s, text))
		return;
	if (!*s->found->kernel && entry_value(text, "linux", value))
		try_path_of_loader(s, s->found->kernel, value);
	if (!*s->found->initrd && entry_value(text, "initrd", value))
		try_path_of_loader(s, s->found->initrd, value);
}

static void take_entries(struct search *s)
{
	const struct dirent *entry;
	struct buf folder = {0};
	DIR *dir;

	buf_printf(&folder, "%s" ENTRIES, s->choice->root);
	dir = opendir(buf_text(&folder));
	while (dir && (entry = readdir(dir))) {
		struct buf path = {0}, text = {0};
		struct reason ignored;

		buf_printf(&path, "%s/%s", buf_text(&folder), entry->d_name);
		if (ends_in(entry->d_name, ".conf") &&
		    !text_file_read(&text, buf_text(&path), &ignored))
			take_loader_entry(s, buf_text(&text));
		buf_free(&path);
		buf_free(&text);
	}
	if (dir)
		closedir(dir);
	buf_free(&folder);
}

/* --- Kernel and initial ram disk --- */

static bool try_boot_image(struct search *s)
{
	static const char key[] = "BOOT_IMAGE=";
	const char *word = strstr(buf_text(&s->found->command_line), key);
	char path[PATH_MAX];
	size_t n;

	if (!word)
		return false;
	word += sizeof(key) - 1;
	n = strcspn(word, " ");
	if (n >= sizeof(path))
		return false;
	memcpy(path, word, n);
	path[n] = '\0';
	return try_path_of_loader(s, s->found->kernel, path);
}

static int find_kernel_file(struct search *s, struct reason *why)
{
	char *to = s->found->kernel;

	if (s->choice->kernel) {
		snprintf(to, PATH_MAX, "%s", s->choice->kernel);
		return 0;
	}
	if (try_file(s, to, "/boot/vmlinuz-%s", s->release) || try_boot_image(s) ||
	    try_file(s, to, "/usr/lib/modules/%s/vmlinuz", s->release) ||
	    try_file(s, to, "/lib/modules/%s/vmlinuz", s->release))
		return 0;
	take_entries(s);
	if (*to)
		return 0;
	return refuse(
		why, ENOENT,
		"the kernel that runs, %s, is not in /boot, nor in /usr/lib/modules, nor where "
		"BOOT_IMAGE of /proc/cmdline says; give its bzImage by --kernel FILE",
		s->release);
}

static int find_initrd_file(struct search *s, struct reason *why)
{
	char *to = s->found->initrd;

	if (s->choice->initrd) {
		if (strcmp(s->choice->initrd, INITRD_NONE) != 0)
			snprintf(to, PATH_MAX, "%s", s->choice->initrd);
		return 0;
	}
	if (try_file(s, to, "/boot/initrd.img-%s", s->release) ||
	    try_file(s, to, "/boot/initramfs-%s.img", s->release) ||
	    try_file(s, to, "/boot/initrd-%s", s->release))
		return 0;
	take_entries(s);
	if (*to)
		return 0;
	return refuse(why, ENOENT,
		      "the initial ram disk of %s is not in /boot; give it by --initrd FILE, or "
		      "--initrd " INITRD_NONE " if the kernel starts without one",
		      s->release);
}

/* --- Checks --- */

static int check_header(struct running_kernel *k, const struct setup_header *h, uint64_t bytes,
			struct reason *why)
{
	const uint64_t setup = (uint64_t)(h->setup_sects ? h->setup_sects : 4) * SECTOR + SECTOR;

	if (h->header != HEADER_MAGIC || h->version < VERSION_64 ||
	    !(h->xloadflags & XLF_KERNEL_64))
		return refuse(why, EINVAL,
			      "%s is no bzImage with an entry for 64 bits; give the kernel's "
			      "bzImage by --kernel FILE",
			      k->kernel);
	if (setup + (uint64_t)h->syssize * PARAGRAPH > bytes)
		return refuse(why, EINVAL,
			      "%s is cut off: it has %llu bytes, and its header says %llu; install "
			      "the kernel again",
			      k->kernel, (unsigned long long)bytes,
			      (unsigned long long)(setup + (uint64_t)h->syssize * PARAGRAPH));
	k->init_bytes = h->init_size;
	k->command_line_max = h->cmdline_size;
	return 0;
}

static int check_kernel_file(struct running_kernel *k, struct reason *why)
{
	const int fd = open(k->kernel, O_RDONLY | O_CLOEXEC);
	struct setup_header header = {0};
	struct stat st;
	int err = 0;

	if (fd < 0 || fstat(fd, &st) ||
	    pread(fd, &header, sizeof(header), offsetof(struct boot_params, hdr)) < 0)
		err = refuse(why, errno, "the kernel %s: %s", k->kernel, strerror(errno));
	else
		err = check_header(k, &header, (uint64_t)st.st_size, why);
	if (fd >= 0)
		close(fd);
	return err;
}

static int check_initrd(const struct running_kernel *k, struct reason *why)
{
	const int fd = open(k->initrd, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *bytes = NULL;
	int err;

	if (fd < 0 || fstat(fd, &st))
		err = refuse(why, errno, "the initial ram disk %s: %s", k->initrd, strerror(errno));
	else if (st.st_size < PROGRAMS_PAGE)
		err = refuse(
			why, EINVAL,
			"%s has %lld bytes, which is no initial ram disk; give another --initrd",
			k->initrd, (long long)st.st_size);
	else if ((bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)) ==
		 MAP_FAILED)
		err = refuse(why, errno, "the initial ram disk %s: %s", k->initrd, strerror(errno));
	else
		err = initrd_check_whole(k->initrd, bytes, (size_t)st.st_size, why);
	if (bytes && bytes != MAP_FAILED)
		munmap(bytes, (size_t)st.st_size);
	if (fd >= 0)
		close(fd);
	return err;
}

/* --- The command line --- */

/* Removes the mark of an earlier return. */
static void drop_mark(struct buf *line)
{
	char *text = (char *)buf_text(line), *mark;
	const size_t n = sizeof(THERE_MARK) - 1;

	while ((mark = strstr(text, THERE_MARK))) {
		char *from = mark > text && mark[-1] == ' ' ? mark - 1 : mark;

		memmove(from, mark + n, strlen(mark + n) + 1);
	}
	line->size = strlen(text);
}

static int read_command_line(struct search *s, struct reason *why)
{
	struct buf *line = &s->found->command_line, path = {0};
	int err = 0;

	if (s->choice->command_line) {
		buf_printf(line, "%s", s->choice->command_line);
		return 0;
	}
	buf_printf(&path, "%s/proc/cmdline", s->choice->root);
	err = text_file_read(line, buf_text(&path), why);
	buf_free(&path);
	while (!err && line->size && strchr("\n ", line->data[line->size - 1]))
		line->size--;
	if (!err)
		drop_mark(line);
	return err;
}

static int check_command_line(const struct running_kernel *k, struct reason *why)
{
	const size_t n = k->command_line.size + 1 + sizeof(THERE_MARK) - 1;

	return n <= k->command_line_max
		       ? 0
		       : refuse(why, E2BIG,
				"the kernel takes a command line of %u bytes, and needs %zu; give a "
				"shorter one by --append",
				k->command_line_max, n);
}

int running_kernel_find(struct running_kernel *found, const struct kernel_choice *choice,
			struct reason *why)
{
	struct utsname name;
	struct search s = {.choice = choice, .found = found, .release = name.release};
	int err;

	*found = (struct running_kernel){0};
	if (uname(&name))
		return refuse(why, errno, "uname: %s", strerror(errno));
	err = read_command_line(&s, why);
	if (!err)
		err = find_kernel_file(&s, why);
	if (!err)
		err = check_kernel_file(found, why);
	if (!err)
		err = find_initrd_file(&s, why);
	if (!err && *found->initrd)
		err = check_initrd(found, why);
	return err ? err : check_command_line(found, why);
}

void running_kernel_free(struct running_kernel *found)
{
	buf_free(&found->command_line);
}
