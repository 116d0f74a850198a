// SPDX-License-Identifier: BSD-2-Clause
/* packing.c - see packing.h: adds programs, and the files that they need to start.
 * packing_files.c adds all other files. */
#include "tools/program/packing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/programs.h"
#include "tools/program/elfcheck.h"
#include "tools/program/isa.h"
#include "tools/program/packing_priv.h"
#include "lib/script.h"
#include "tools/util/memory.h"

/* --- Paths --- */

static bool joins(char path[PATH_MAX], const char *folder, size_t n, const char *name)
{
	return (size_t)snprintf(path, PATH_MAX, "%.*s/%s", (int)n, folder, name) < PATH_MAX;
}

bool packing_absolute(const char *folder, const char *word, char path[PATH_MAX])
{
	if (*word == '/')
		return (size_t)snprintf(path, PATH_MAX, "%s", word) < PATH_MAX;
	while (word[0] == '.' && word[1] == '/')
		word += 1 + strspn(word + 1, "/");
	return joins(path, strcmp(folder, "/") ? folder : "", strlen(folder), word);
}

static bool is_host_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

static bool is_tree_program(const struct packing *p, const char *path)
{
	const struct tree_entry *entry = tree_find(&p->tree, path);

	return entry && entry->kind == TREE_FILE && entry->is_executable;
}

/* Finds the first program of that name in the folders of `list`, in the tree or on the host. */
static bool find_in_folders(const struct packing *p, const char *list, const char *name,
			    bool in_tree, char path[PATH_MAX])
{
	while (list && *list) {
		const size_t n = strcspn(list, ":");

		if (n && *list == '/' && joins(path, list, n, name) &&
		    (in_tree ? is_tree_program(p, path) : is_host_program(path)))
			return true;
		list += n + (list[n] == ':');
	}
	return false;
}

bool packing_finds(const struct packing *p, const char *name, char path[PATH_MAX])
{
	return find_in_folders(p, packing_variable(p, "PATH"), name, true, path) ||
	       find_in_folders(p, getenv("PATH"), name, false, path);
}

/* --- Libraries --- */

static bool is_musl(const char *interpreter)
{
	const char *slash = strrchr(interpreter, '/');

	return !strncmp(slash ? slash + 1 : interpreter, "ld-musl", sizeof("ld-musl") - 1);
}

/*
 * Notes a library's folder for the file with musl's search path. musl searches the folders below by
 * default.
 */
static void note_musl_folder(struct packing *p, const char *path)
{
	static const char *const there[] = {"/lib", "/usr/local/lib", "/usr/lib"};
	const char *slash = strrchr(path, '/');
	const size_t n = slash ? (size_t)(slash - path) : 0;

	for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++)
		if (strlen(there[i]) == n && !strncmp(there[i], path, n))
			return;
	buf_printf(&p->musl_path, "%.*s\n", (int)n, path);
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int packing_cache(struct packing *p, const char *name, const char *path, bool finds_itself,
		  struct reason *why)
{
	struct library *library;

	for (size_t i = 0; i < p->cached.n; i++) {
		library = &p->cached.library[i];
		if (strcmp(library->name, name))
			continue;
		if (finds_itself || same_file(library->path, path))
			return 0;
		return refuse(why, EEXIST,
			      "its library %s is %s, but %s for another program of the run", name,
			      path, library->path);
	}
	p->cached.library = memory_grow(p->cached.library, p->cached.n, sizeof(*p->cached.library));
	library = &p->cached.library[p->cached.n++];
	*library = (struct library){copy_text(name, strlen(name)), copy_text(path, strlen(path))};
	return 0;
}

static int add_library_file(struct packing *p, const struct library *library,
			    const char *interpreter, bool finds_itself, struct reason *why)
{
	const struct tree_entry *entry;

	if (tree_host(&p->tree, library->path, why))
		return -EIO;
	entry = tree_find(&p->tree, library->path);
	p->loaded += entry ? entry->bytes : 0;
	if (strchr(library->name, '/'))
		return 0;
	if (!is_musl(interpreter))
		return packing_cache(p, library->name, library->path, finds_itself, why);
	note_musl_folder(p, library->path);
	return 0;
}

/* Adds the unwinder from the folder of glibc's library. glibc loads it when a thread is
 * cancelled or ends, and for backtrace(3); a compiler's package puts it there. */
#define GLIBC    "libc.so.6"
#define UNWINDER "libgcc_s.so.1"

static int add_unwinder(struct packing *p, const struct libraries *libraries,
			const char *interpreter, struct reason *why)
{
	const char *folder = NULL, *slash;
	char path[PATH_MAX];

	for (size_t i = 0; i < libraries->n; i++) {
		if (!strcmp(libraries->library[i].name, UNWINDER))
			return 0;
		if (!strcmp(libraries->library[i].name, GLIBC))
			folder = libraries->library[i].path;
	}
	slash = folder ? strrchr(folder, '/') : NULL;
	if (!slash || !joins(path, folder, (size_t)(slash - folder), UNWINDER) ||
	    access(path, R_OK))
		return 0;
	return add_library_file(p, &(struct library){(char *)UNWINDER, path}, interpreter, false,
				why);
}

/*
 * Checks whether the machine's CPU can run the libraries. The interpreter refuses unreadable ones.
 */
static int check_libraries(const struct packing *p, const struct libraries *libraries,
			   struct reason *why)
{
	struct reason what;
	int err = 0;

	for (size_t i = 0; i < libraries->n && !err; i++) {
		const char *path = libraries->library[i].path;
		const int fd = open(path, O_RDONLY | O_CLOEXEC);
		struct elf_needs needs;

		if (fd >= 0 && !elfcheck_library(&needs, fd, &what))
			err = isa_check(needs.isa, p->options->cpu, &what);
		if (fd >= 0)
			close(fd);
		if (err)
			refuse(why, EINVAL, "its library %s: %s", path, what.text);
	}
	return err;
}

int packing_libraries(struct packing *p, const char *path, const char *interpreter,
		      const struct elf_needs *needs, struct reason *why)
{
	struct libraries libraries = {0};
	int err;

	if (!tree_find(&p->tree, interpreter) && tree_host(&p->tree, interpreter, why))
		return refuse(why, ENOENT, "its interpreter %s is missing", interpreter);
	if (access(interpreter, F_OK))
		return 0;
	err = libraries_find(&libraries, path, needs->run_path, interpreter,
			     (char *const *)p->listed.word, why);
	if (!err)
		err = check_libraries(p, &libraries, why);
	for (size_t i = 0; i < libraries.n && !err; i++)
		err = add_library_file(p, &libraries.library[i], interpreter, *needs->run_path,
				       why);
	if (!err)
		err = add_unwinder(p, &libraries, interpreter, why);
	libraries_free(&libraries);
	return err;
}

/* --- Programs --- */

static int add_program(struct packing *p, const char *path, unsigned depth, struct reason *why);

static int add_elf(struct packing *p, const struct tree_entry *entry, int fd, bool is_new,
		   struct reason *why)
{
	struct elf_needs needs;

	if (elfcheck_program(&needs, fd, why))
		return -EINVAL;
	if (isa_check(needs.isa, p->options->cpu, why))
		return -EINVAL;
	if (*needs.interpreter && p->options->static_only)
		return refuse(why, EINVAL,
			      "it is linked dynamically (its interpreter is %s), which "
			      "--static-only refuses",
			      needs.interpreter);
	if (__builtin_add_overflow(p->loaded, needs.loaded, &p->loaded))
		p->loaded = UINT64_MAX;
	if (!*needs.interpreter || !is_new)
		return 0;
	if (*needs.interpreter != '/')
		return refuse(why, EINVAL, "its interpreter %s is no absolute path",
			      needs.interpreter);
	return packing_libraries(p, entry->source, needs.interpreter, &needs, why);
}

static int add_of_env(struct packing *p, const char *name, unsigned depth, struct reason *why)
{
	const char *folders = packing_variable(p, "PATH");
	char path[PATH_MAX];
	struct reason what;

	if (strchr(name, '/'))
		snprintf(path, sizeof(path), "%s", name);
	else if (!find_in_folders(p, folders, name, true, path) &&
		 !find_in_folders(p, folders, name, false, path))
		return refuse(
			why, ENOENT,
			"its interpreter env would find no %s in PATH=%s, which --env can set",
			name, folders ? folders : "");
	if (add_program(p, path, depth, &what))
		return refuse(why, EINVAL, "its interpreter %s: %s", path, what.text);
	return 0;
}

static int add_script(struct packing *p, const char *head, size_t n, unsigned depth,
		      struct reason *why)
{
	struct script script;
	struct reason what;
	char name[SCRIPT_HEAD], path[PATH_MAX];

	if (depth == SCRIPT_DEPTH)
		return refuse(why, ELOOP, "interpreters are scripts, more than %d deep",
			      SCRIPT_DEPTH - 1);
	if (script_read(&script, head, n, why))
		return -EINVAL;
	if (!packing_absolute(p->here, script.interpreter, path))
		return refuse(why, ENAMETOOLONG, "%s", strerror(ENAMETOOLONG));
	if (add_program(p, path, depth + 1, &what))
		return refuse(why, EINVAL, "its interpreter %s: %s", script.interpreter, what.text);
	return script_env_names(&script, name) ? add_of_env(p, name, depth + 1, why) : 0;
}

static int add_open(struct packing *p, const struct tree_entry *entry, int fd, bool is_new,
		    unsigned depth, struct reason *why)
{
	char head[SCRIPT_HEAD];
	const ssize_t n = pread(fd, head, sizeof(head), 0);

	if (n < 0)
		return refuse(why, errno, "%s", strerror(errno));
	if (!n)
		return refuse(why, EINVAL, "it is empty");
	if (elfcheck_is(fd))
		return add_elf(p, entry, fd, is_new, why);
	if (script_is(head, (size_t)n))
		return add_script(p, head, (size_t)n, depth, why);
	return refuse(why, EINVAL,
		      "it is no ELF file, and no script that begins with #! and an interpreter");
}

static const struct tree_entry *add_file_at(struct packing *p, const char *path, bool *is_new,
					    struct reason *why)
{
	const struct tree_entry *entry = tree_find(&p->tree, path);
	struct stat st;

	*is_new = !entry;
	if (entry)
		return entry;
	if (stat(path, &st)) {
		refuse(why, errno, "%s", strerror(errno));
		return NULL;
	}
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		refuse(why, EINVAL, "it is no plain file");
		return NULL;
	}
	return tree_host(&p->tree, path, why) ? NULL : tree_find(&p->tree, path);
}

/*
 * Adds the program at `path` of the image. The tree has it already, or gets it from the same path
 * of the host.
 */
static int add_program(struct packing *p, const char *path, unsigned depth, struct reason *why)
{
	bool is_new;
	const struct tree_entry *entry = add_file_at(p, path, &is_new, why);
	int fd, err;

	if (!entry)
		return -ENOENT;
	if (entry->kind == TREE_DIRECTORY)
		return refuse(why, EISDIR, "%s", strerror(EISDIR));
	fd = entry->source ? open(entry->source, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	if (fd < 0)
		return refuse(why, errno, "%s", strerror(errno));
	err = add_open(p, entry, fd, is_new, depth, why);
	close(fd);
	if (!err && !entry->is_executable)
		err = refuse(why, EACCES, "%s: it may not be executed (chmod +x)",
			     strerror(EACCES));
	return err;
}

/*
 * Returns whether the image finds the program by the typed word. Otherwise it gets the full path.
 */
static bool starts_as_typed(const struct packing *p, const char *word)
{
	return strchr(word, '/') && (*word == '/' || !strcmp(p->here, p->cwd));
}

int packing_start(struct packing *p, const char *word, char path[PATH_MAX], struct reason *why)
{
	struct reason what;

	if (!strchr(word, '/') ? !packing_finds(p, word, path)
			       : !packing_absolute(p->here, word, path))
		return refuse(why, ENOENT, "%s: %s", word, strerror(ENOENT));
	p->programs++;
	if (add_program(p, path, 0, &what))
		return refuse(why, EINVAL, "%s: %s", word, what.text);
	if (starts_as_typed(p, word))
		strcpy(path, word);
	return 0;
}

void packing_word(struct packing *p, const char *word)
{
	char path[PATH_MAX];
	struct reason ignored;

	if (strchr(word, '/') && packing_absolute(p->here, word, path) && is_host_program(path) &&
	    !add_program(p, path, 0, &ignored))
		p->programs++;
}

int packing_arguments(struct packing *p, const char *path, const char *const *words,
		      const char **name, struct reason *why)
{
	struct buf list = {0};
	char number[32];
	int err;

	buf_add(&list, path, strlen(path) + 1);
	for (; *words; words++)
		buf_add(&list, *words, strlen(*words) + 1);
	snprintf(number, sizeof(number), PROGRAMS_ARGV "%u", p->arguments++);
	err = tree_content(&p->tree, number, &list, why);
	if (!err)
		*name = tree_find(&p->tree, number)->path;
	return err;
}
