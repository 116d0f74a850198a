// SPDX-License-Identifier: BSD-2-Clause
/* packing_files.c - see packing.h: adds files of options, and the tool's standard input. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "include/perf0/programs.h"
#include "tools/program/ldcache.h"
#include "tools/program/packing_priv.h"
#include "tools/program/pinned.h"
#include "tools/util/message.h"

#define DEFAULT_INTERPRETER "/lib64/ld-linux-x86-64.so.2"
#define MUSL_PATH           "/etc/ld-musl-x86_64.path"
#define INPUT_PATIENCE_MS   1000

static int pack_text(struct packing *p, const char *name, const char *text, struct reason *why)
{
	struct buf bytes = {0};

	buf_add(&bytes, text, strlen(text));
	return tree_content(&p->tree, name, &bytes, why);
}

/* --- Working folder --- */

static int find_cwd(struct packing *p, struct reason *why)
{
	const struct program_options *options = p->options;

	if (!getcwd(p->here, sizeof(p->here)))
		return refuse(why, errno, "the working directory: %s", strerror(errno));
	if (!packing_absolute(p->here, options->cwd ? options->cwd : "", p->cwd))
		return refuse(why, ENAMETOOLONG, "--cwd: %s", strerror(ENAMETOOLONG));
	if (!options->cwd)
		strcpy(p->cwd, p->here);
	return 0;
}

/* Adds the folder from the host, or else makes it. */
static int add_cwd(struct packing *p, struct reason *why)
{
	const struct tree_entry *entry = tree_find(&p->tree, p->cwd);
	struct stat st;

	if (!entry && strcmp(p->cwd, "/") && !stat(p->cwd, &st) && S_ISDIR(st.st_mode))
		return tree_host(&p->tree, p->cwd, why);
	if (entry && entry->kind == TREE_FILE)
		return refuse(why, ENOTDIR, "--cwd %s: %s", p->cwd, strerror(ENOTDIR));
	return entry ? 0 : tree_folder(&p->tree, p->cwd, why);
}

int packing_begin(struct packing *p, const struct program_options *options, struct reason *why)
{
	int err;

	*p = (struct packing){.options = options, .tree.verbose = options->verbose};
	err = find_cwd(p, why);
	if (!err)
		err = packing_environment(p, why);
	if (!err && options->root)
		err = tree_put(&p->tree, options->root, "/", why);
	return err;
}

/* --- Files --- */

/* Splits HOST:GUEST. A file whose own name contains a colon is HOST alone. */
static const char *split_operand(const char *operand, char host[PATH_MAX])
{
	const char *colon = strrchr(operand, ':');

	snprintf(host, PATH_MAX, "%s", operand);
	if (!colon || !access(operand, F_OK))
		return NULL;
	snprintf(host, PATH_MAX, "%.*s", (int)(colon - operand), operand);
	return colon + 1;
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Adds the files that a program or a library needs. */
static int add_needs_of(struct packing *p, const char *path, struct reason *why)
{
	const struct tree_entry *entry = tree_find(&p->tree, path);
	const bool is_file = entry && entry->kind == TREE_FILE && entry->source;
	const int fd = is_file ? open(entry->source, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct elf_needs needs;
	struct reason ignored;
	int err = 0;

	if (fd < 0)
		return 0;
	if (!elfcheck_library(&needs, fd, &ignored) && (needs.is_library || *needs.interpreter))
		err = packing_libraries(
			p, entry->source,
			*needs.interpreter ? needs.interpreter : DEFAULT_INTERPRETER, &needs, why);
	if (!err && fd >= 0 && needs.is_library)
		err = packing_cache(p, *needs.soname ? needs.soname : last_name(path), entry->path,
				    true, why);
	close(fd);
	return err;
}

/* Returns whether the image generates the file's contents itself. */
static bool is_of_image(const char *guest)
{
	static const char *const folders[] = {"/proc", "/sys"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		const size_t n = strlen(folders[i]);

		if (!strncmp(guest, folders[i], n) && (!guest[n] || guest[n] == '/'))
			return true;
	}
	return false;
}

static int put_file_option(struct packing *p, const char *operand, struct reason *why)
{
	char host[PATH_MAX], guest[PATH_MAX];
	const char *as = split_operand(operand, host);
	struct buf named = {0};
	bool fits;

	buf_printf(&named, "%s", as ? as : host);
	if (as && (!*as || as[strlen(as) - 1] == '/'))
		buf_printf(&named, "%s", last_name(host));
	fits = packing_absolute(p->cwd, buf_text(&named), guest);
	buf_free(&named);
	if (!fits)
		return refuse(why, ENAMETOOLONG, "%s", strerror(ENAMETOOLONG));
	if (is_of_image(guest))
		return refuse(why, EINVAL,
			      "%s is of /proc and /sys, whose files the image itself writes",
			      guest);
	return tree_put(&p->tree, host, guest, why) ? -EIO : add_needs_of(p, guest, why);
}

static int put_file_options(struct packing *p, struct reason *why)
{
	struct reason what;

	for (size_t i = 0; i < p->options->files.n; i++)
		if (put_file_option(p, p->options->files.word[i], &what))
			return refuse(why, EIO, "--file %s: %s", p->options->files.word[i],
				      what.text);
	return 0;
}

/* --- Files of interpreters --- */

static int add_interpreter_files(struct packing *p, struct reason *why)
{
	struct buf cache = {0};
	int err = 0;

	if (p->cached.n && !tree_find(&p->tree, LDCACHE_PATH)) {
		ldcache_add(&cache, &p->cached);
		err = tree_content(&p->tree, LDCACHE_PATH, &cache, why);
	}
	if (!err && p->musl_path.size && !tree_find(&p->tree, MUSL_PATH)) {
		buf_printf(&p->musl_path, "/lib\n/usr/local/lib\n/usr/lib\n");
		err = tree_content(&p->tree, MUSL_PATH, &p->musl_path, why);
	}
	return err;
}

/* --- Standard input --- */

/*
 * Kinds of the tool's own standard input, which decide when it is read. A file can be read at any
 * time; its position advances by the bytes that the program has read. A pipe or terminal is read
 * when the program asks; if the machine cannot ask, it is read before the machine starts.
 */
enum own_input { INPUT_NONE, INPUT_FILE, INPUT_ASKED, INPUT_WHOLE };

static void tell_of_waiting(int fd)
{
	struct pollfd input = {.fd = fd, .events = POLLIN};

	if (!poll(&input, 1, INPUT_PATIENCE_MS))
		message("perf0: reading standard input to its end, for the program "
			"(</dev/null: there is none)");
}

static int read_input(int fd, struct buf *bytes, const char *name, struct reason *why)
{
	static uint8_t piece[1 << 16];
	ssize_t n;

	while ((n = read(fd, piece, sizeof(piece))) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0)
			buf_add(bytes, piece, (size_t)n);
		if (bytes->size > PROGRAMS_PACK_MOST)
			return refuse(why, EFBIG, "%s: it has more than 4 GiB", name);
	}
	return n < 0 ? refuse(why, errno, "%s: %s", name, strerror(errno)) : 0;
}

static int add_input(struct packing *p, int fd, const char *name, struct reason *why)
{
	struct buf bytes = {0};
	int err = read_input(fd, &bytes, name, why);

	if (!err && bytes.size)
		err = tree_content(&p->tree, PROGRAMS_STDIN, &bytes, why);
	buf_free(&bytes);
	return err;
}

/* Returns whether standard input is the null device, which counts as no input. */
static bool is_null_device(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

/* Returns the kind of standard input. A closed one counts as empty. */
static enum own_input own_input(const struct packing *p)
{
	const int flags = fcntl(STDIN_FILENO, F_GETFL);
	struct stat st;

	if (!p->programs || p->options->no_input || flags < 0 || (flags & O_ACCMODE) == O_WRONLY ||
	    fstat(STDIN_FILENO, &st) || is_null_device(&st))
		return INPUT_NONE;
	if (S_ISREG(st.st_mode))
		return INPUT_FILE;
	if (p->options->asks_for_input)
		return INPUT_ASKED;
	return isatty(STDIN_FILENO) ? INPUT_NONE : INPUT_WHOLE;
}

/* Adds the file from its current position, which stays unchanged. */
static int add_own_file(struct packing *p, struct reason *why)
{
	const off_t begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
	int err = add_input(p, STDIN_FILENO, "standard input", why);

	if (!err && lseek(STDIN_FILENO, begin, SEEK_SET) < 0)
		err = refuse(why, errno, "standard input: %s", strerror(errno));
	return err;
}

static int add_own_input(struct packing *p, struct reason *why)
{
	switch (own_input(p)) {
	case INPUT_FILE:
		return add_own_file(p, why);
	case INPUT_ASKED:
		return pack_text(p, PROGRAMS_INPUT, "1", why);
	case INPUT_WHOLE:
		tell_of_waiting(STDIN_FILENO);
		return add_input(p, STDIN_FILENO, "standard input", why);
	case INPUT_NONE:
		break;
	}
	return 0;
}

static int add_input_option(struct packing *p, struct reason *why)
{
	const char *path = p->options->input;
	int fd, err;

	if (!path)
		return add_own_input(p, why);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return refuse(why, errno, "--stdin %s: %s", path, strerror(errno));
	err = add_input(p, fd, path, why);
	close(fd);
	return err;
}

/* --- Files that describe the run --- */

/* Adds the paths of --bring, without HOST of GUEST:HOST, which the tool keeps for itself. */
static int add_brings(struct packing *p, struct reason *why)
{
	const struct option_values *brings = &p->options->brings;
	struct buf paths = {0};

	for (size_t i = 0; i < brings->n; i++) {
		const char *guest = brings->word[i];

		buf_printf(&paths, "%.*s", (int)strcspn(guest, ":"), guest);
		buf_add(&paths, "", 1);
	}
	return brings->n ? tree_content(&p->tree, PROGRAMS_BRING, &paths, why) : 0;
}

static int add_seed(struct packing *p, struct reason *why)
{
	struct buf text = {0};

	buf_printf(&text, "%" PRIu64, p->options->seed);
	return tree_content(&p->tree, PROGRAMS_SEED, &text, why);
}

static int add_run(struct packing *p, struct reason *why)
{
	const struct program_options *options = p->options;
	int err = pack_text(p, PROGRAMS_CWD, p->cwd, why);

	if (!err)
		err = tree_content(&p->tree, PROGRAMS_ENV, &p->environment, why);
	if (!err && options->has_seed)
		err = add_seed(p, why);
	if (!err && options->prefault)
		err = pack_text(p, PROGRAMS_PREFAULT, options->prefault, why);
	if (!err && options->allow_wx)
		err = pack_text(p, PROGRAMS_ALLOW_WX, "1", why);
	return err ? err : add_brings(p, why);
}

int packing_end(struct packing *p, struct reason *why)
{
	int err = put_file_options(p, why);

	if (!err)
		err = add_cwd(p, why);
	if (!err)
		err = add_interpreter_files(p, why);
	if (!err && p->options->pins)
		err = pinned_apply(&p->tree, p->options->pins, p->options->adds_pins, why);
	if (!err)
		err = add_input_option(p, why);
	return err ? err : add_run(p, why);
}

bool packing_is_asked(const struct program_options *options)
{
	return options->root || options->files.n || options->brings.n || options->input ||
	       options->cwd || options->env.n || options->keep_env || options->has_seed ||
	       options->prefault || options->allow_wx;
}

void packing_free(struct packing *p)
{
	tree_free(&p->tree);
	libraries_free(&p->cached);
	for (size_t i = 0; i < p->listed.n; i++)
		free((char *)p->listed.word[i]);
	free(p->listed.word);
	buf_free(&p->environment);
	buf_free(&p->musl_path);
	*p = (struct packing){0};
}
