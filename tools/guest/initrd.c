// SPDX-License-Identifier: BSD-2-Clause
/* initrd.c - see initrd.h. */
#include "tools/guest/initrd.h"

#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "tools/guest/modules.h"
#include "tools/program/elfcheck.h"
#include "tools/program/pack_writer.h"
#include "tools/program/packing.h"
#include "tools/program/packing_priv.h"
#include "tools/util/child.h"
#include "tools/util/message.h"

#include <fcntl.h>

#define BUSYBOX "/perf0/busybox"

struct initrd {
	const struct options *options;
	struct program_options program;
	struct packing packing;
	struct buf run;         /* shell function that runs the command */
	struct buf modules;     /* names of modules, in load order */
	char command[PATH_MAX]; /* path of the command's program */
	const char *busybox;    /* path of busybox on this host */
	char share[PATH_MAX];   /* the shared folder; "": none */
};

/* --- The script --- */

/* The start of the script. busybox's applets come after all folders of PATH. */
static const char begins[] =
	"#!" BUSYBOX " sh\n"
	"b=" BUSYBOX "\n"
	"$b mkdir -p /proc /sys /dev /tmp /run /root /etc /perf0/bin\n"
	"$b --install -s /perf0/bin\n"
	"export PATH=/usr/bin:/bin:/perf0/bin\n"
	"mount -t proc proc /proc\n"
	"mount -t sysfs sys /sys\n"
	"mount -t devtmpfs dev /dev 2>/dev/null\n"
	"mkdir -p /dev/pts /dev/shm\n"
	"mount -t devpts pts /dev/pts 2>/dev/null\n"
	"mount -t tmpfs shm /dev/shm 2>/dev/null\n"
	"mount -t tracefs trace /sys/kernel/tracing 2>/dev/null\n"
	/* PAPI obeys this value even for root; Debian's default 3 allows nothing */
	"{ echo -1 >/proc/sys/kernel/perf_event_paranoid; } 2>/dev/null\n"
	"[ -e /bin/sh ] || { mkdir -p /bin; ln -s $b /bin/sh; }\n"
	"ip link set lo up 2>/dev/null\n"
	"for line in 1 2 3; do stty -F /dev/ttyS$line raw -echo 2>/dev/null; done\n"
	"say() { echo \"" INITRD_SAYS "$*\" 2>/dev/null >/dev/ttyS1; }\n"
	"end() { say \"$@\"; poweroff -f; }\n";

/*
 * The script waits for both cats, which pass on the rest of the pipes after the command has ended.
 */
static const char runs_command[] = "mkfifo /run/out /run/err\n"
				   "cat </run/out >/dev/ttyS2 & out=$!\n"
				   "cat </run/err >/dev/ttyS3 & err=$!\n"
				   "say " INITRD_RUNS "\n"
				   "run </dev/null >/run/out 2>/run/err\n"
				   "status=$?\n"
				   "wait $out $err\n"
				   "end " INITRD_STATUS "$status\n";

static const char runs_shell[] = "stty -F /dev/console rows 25 cols 80 2>/dev/null\n"
				 "say " INITRD_RUNS "\n"
				 "run\n"
				 "end " INITRD_STATUS "$?\n";

static void add_quoted(struct buf *out, const char *word)
{
	buf_printf(out, "'");
	for (; *word; word++)
		buf_printf(out, *word == '\'' ? "'\\''" : "%c", *word);
	buf_printf(out, "'");
}

static void add_modules(struct buf *out, struct buf *order)
{
	char *rest = (char *)buf_text(order), *name;

	while ((name = strsep(&rest, "\n")))
		if (*name)
			buf_printf(out, "insmod " MODULES_GUEST "/%s.ko 2>/dev/null\n", name);
}

static void add_share(struct buf *out, const char *folder)
{
	if (!*folder)
		return;
	buf_printf(out, "mkdir -p ");
	add_quoted(out, folder);
	buf_printf(out,
		   "\nmount -t 9p -o trans=virtio,version=9p2000.L,msize=131072 " INITRD_SHARE " ");
	add_quoted(out, folder);
	buf_printf(out,
		   " || end " INITRD_ERROR "--share: the kernel can not mount 9p by virtio: it "
		   "has neither that nor modules of it '(--modules)'\n");
}

/*
 * Writes the function run(): the command or a shell, in its folder, with the part of its
 * environment that is not in the tree.
 */
static void write_run(struct initrd *i, const char *const *words)
{
	struct buf *out = &i->run;
	const struct packing *p = &i->packing;
	const char *at = (const char *)p->environment.data;
	const char *end = at + p->environment.size;

	buf_printf(out, "run() {\ncd ");
	add_quoted(out, *i->share ? i->share : p->cwd);
	buf_printf(out, "\n%s env -i", *words ? "" : "setsid cttyhack");
	for (; at < end; at += strlen(at) + 1) {
		buf_printf(out, " ");
		add_quoted(out, at);
		if (!strncmp(at, "PATH=", 5))
			buf_printf(out, ":/perf0/bin");
	}
	buf_printf(out, " ");
	add_quoted(out, *words ? i->command : BUSYBOX);
	if (!*words)
		buf_printf(out, " sh");
	for (words += *words != NULL; *words; words++) {
		buf_printf(out, " ");
		add_quoted(out, *words);
	}
	buf_printf(out, "\n}\n");
}

static int put_script(struct initrd *i, const char *const *words, struct reason *why)
{
	struct buf script = {0};

	buf_printf(&script, "%s", begins);
	add_modules(&script, &i->modules);
	add_share(&script, i->share);
	buf_add(&script, i->run.data, i->run.size);
	buf_printf(&script, "%s", *words ? runs_command : runs_shell);
	return tree_script(&i->packing.tree, "/init", &script, why);
}

/* --- The programs --- */

static bool is_static_program(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct elf_needs needs;
	struct reason ignored;
	bool is = fd >= 0 && !elfcheck_program(&needs, fd, &ignored) && !*needs.interpreter;

	if (fd >= 0)
		close(fd);
	return is;
}

static int put_busybox(struct initrd *i, struct reason *why)
{
	static const char *const places[] = {"/bin/busybox", "/usr/bin/busybox",
					     "/usr/local/bin/busybox"};

	for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++)
		if (is_static_program(places[k])) {
			i->busybox = places[k];
			return tree_put(&i->packing.tree, places[k], BUSYBOX, why);
		}
	return refuse(why, ENOENT,
		      "%s: there is no busybox that is linked statically; install the "
		      "package busybox-static, or give an --initrd",
		      places[0]);
}

/* Returns whether the host's kernel generates the file: the guest's kernel generates its own. */
static bool is_of_kernel(const char *path)
{
	static const uint32_t types[] = {PROC_SUPER_MAGIC,   SYSFS_MAGIC,        DEBUGFS_MAGIC,
					 TRACEFS_MAGIC,      BPF_FS_MAGIC,       SECURITYFS_MAGIC,
					 CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC};
	struct statfs fs;

	if (statfs(path, &fs))
		return false;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((uint32_t)fs.f_type == types[i])
			return true;
	return false;
}

/*
 * Adds the file of a word to the tree: the path of a file on the host, or the name of a program
 * that the command starts. The command itself reports missing files.
 */
static void put_named(struct initrd *i, const char *word)
{
	char path[PATH_MAX];
	struct reason ignored;
	struct stat st;

	if (!stat(word, &st) && S_ISREG(st.st_mode) && !is_of_kernel(word)) {
		packing_word(&i->packing, word);
		if (packing_absolute(i->packing.here, word, path))
			tree_host(&i->packing.tree, path, &ignored);
	} else if (!strchr(word, '/') && packing_finds(&i->packing, word, path)) {
		packing_start(&i->packing, word, path, &ignored);
	}
}

static bool busybox_has(const struct initrd *i, const char *name)
{
	char *const words[] = {(char *)i->busybox, (char *)"--list", NULL};
	struct buf list = {0};
	struct reason ignored;
	char *rest, *line;
	bool has = false;

	if (!child_output(words, environ, &list, &ignored))
		for (rest = (char *)buf_text(&list); !has && (line = strsep(&rest, "\n"));)
			has = !strcmp(line, name);
	buf_free(&list);
	return has;
}

/* Adds a busybox applet for a name that no program has. */
static int put_busybox_command(struct initrd *i, const char *name, struct reason *why)
{
	if (!busybox_has(i, name))
		return refuse(why, ENOENT,
			      "%s: no folder of PATH has such a program, nor is it one of "
			      "busybox's; install it, or give its path",
			      name);
	memccpy(i->command, name, 0, sizeof(i->command));
	return 0;
}

static int put_command(struct initrd *i, const char *const *words, struct reason *why)
{
	const char *slash = strchr(words[0], '/');
	int err = 0;

	if (slash || packing_finds(&i->packing, words[0], i->command))
		err = packing_start(&i->packing, words[0], i->command, why);
	else
		err = put_busybox_command(i, words[0], why);
	for (words++; *words && !err; words++)
		put_named(i, *words);
	return err;
}

static int put_programs(struct initrd *i, const char *const *words, struct reason *why)
{
	int err = packing_begin(&i->packing, &i->program, why);

	if (!err)
		err = put_busybox(i, why);
	if (!err)
		put_named(i, "perf");
	if (!err && *words)
		err = put_command(i, words, why);
	if (!err)
		write_run(i, words);
	return err ? err : packing_end(&i->packing, why);
}

static int find_share(struct initrd *i, struct reason *why)
{
	const char *folder = i->options->guest.share;
	struct stat st;

	if (!folder)
		return 0;
	if (stat(folder, &st) || !realpath(folder, i->share))
		return refuse(why, errno, "--share %s: %s", folder, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return 0;
	return refuse(why, ENOTDIR, "--share %s: %s", folder, strerror(ENOTDIR));
}

static int put_modules(struct initrd *i, const char *kernel, const char *version,
		       struct reason *why)
{
	const char *folder = i->options->guest.modules;
	char found[PATH_MAX];
	struct reason what;

	if (!folder && !modules_find(found, kernel, version)) {
		if (i->options->output.verbose)
			message("perf0: no modules of the kernel's version '%s' were found "
				"(--modules)",
				version);
		return 0;
	}
	if (!modules_pack(&i->packing.tree, folder ? folder : found, *i->share, &i->modules, &what))
		return 0;
	return refuse(why, EINVAL, "%s%s", folder ? "--modules " : "", what.text);
}

static int make_initrd(struct initrd *i, const char *kernel, const char *version,
		       const char *const *words, struct reason *why)
{
	int err = find_share(i, why);

	if (!err)
		err = put_programs(i, words, why);
	if (!err)
		err = put_modules(i, kernel, version, why);
	if (!err)
		err = put_script(i, words, why);
	return err ? err : pack_write_initrd(&i->packing.tree, why);
}

int initrd_make(const struct options *options, const char *kernel, const char *version,
		const char *const *words, struct reason *why)
{
	static struct initrd i;
	int fd;

	i = (struct initrd){.options = options, .program = options->program};
	i.program.no_input = true;
	fd = make_initrd(&i, kernel, version, words, why);
	packing_free(&i.packing);
	buf_free(&i.modules);
	buf_free(&i.run);
	return fd;
}
