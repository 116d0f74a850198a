// SPDX-License-Identifier: BSD-2-Clause
/* stick_image.c - see stick_image.h. The files are gathered in a temporary folder. */
#include "tools/stick/stick_image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/path.h"
#include "lib/format/xxh64.h"
#include "tools/program/elfcheck.h"
#include "tools/stick/config_check.h"
#include "tools/stick/gpt.h"
#include "tools/util/helper.h"
#include "tools/util/artifact.h"
#include "tools/util/buf.h"

#define LABEL          "PERF0"
#define CLUSTERS_LEAST 100000 /* the least number for which clusters grow; FAT32 needs 65525 */
#define CLUSTER_MOST   64     /* sectors */
#define FOLDER_MOST    (PATH_MAX - 32) /* bytes; leaves room for a name behind the folder */

static const char empty_config[] =
	"# perf0.cfg: what this machine runs by itself; docs/REAL-MACHINES.md has all of it.\r\n"
	"# Take a `#` away, or write your own lines: commands as at the prompt, one a line.\r\n"
	"#\r\n"
	"# timeout 5\r\n"
	"# repeat 3\r\n"
	"# then poweroff\r\n"
	"# stat -e instructions:u,cycles:u -- loop 100000000\r\n"
	"# record -e cycles:u -F 1000 -- hotcold 1000000\r\n"
	"#\r\n"
	"# [board \"X11*\"]\r\n"
	"# caps\r\n";

static const char readme[] =
	"This stick boots perf0, which measures programs with the counters of the CPU.\r\n"
	"\r\n"
	"perf0\\perf0.cfg   commands that run by themselves; empty: a prompt\r\n"
	"perf0\\bin\\        your programs for Linux, statically linked: stat /perf0/bin/NAME\r\n"
	"perf0\\metrics\\    your files with metrics: stat -M NAME (docs/METRICS.md)\r\n"
	"perf0\\results\\    what was measured, a folder for each start\r\n"
	"\r\n"
	"On a machine with Linux:  perf0 results FOLDER     tables of what was measured\r\n"
	"                          perf0 decode FILE.perf0  a perf.data for perf report\r\n";

/* A stick that is built in a temporary folder. */
struct build {
	char folder[FOLDER_MOST];
	const char *image;        /* file of the disk */
	char part[PATH_MAX + 32]; /* its partition, in the syntax of mtools */
	uint64_t seed;
};

/* --- Input files --- */

static int check_readable(const char *path, const char *what, struct reason *why)
{
	struct stat st;

	if (stat(path, &st) || access(path, R_OK))
		return refuse(why, errno, "%s %s: %s", what, path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return refuse(why, EINVAL, "%s %s: it is no file", what, path);
	return 0;
}

/* Checks that FAT can store the name, in upper or lower case. */
static int check_name(const char *path, struct reason *why)
{
	for (const char *c = path_name(path); *c; c++)
		if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f ||
		    strchr("\"*/:<>?\\|;'", *c))
			return refuse(why, EINVAL,
				      "--add %s: the name can not stand on the stick: letters, "
				      "digits and -_.+ can",
				      path);
	return 0;
}

static int check_program(const char *path, struct reason *why)
{
	struct elf_needs needs;
	struct reason what;
	int fd, err = check_readable(path, "--add", why);

	if (!err)
		err = check_name(path, why);
	if (err)
		return err;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	err = elfcheck_program(&needs, fd, &what);
	if (fd >= 0)
		close(fd);
	if (err)
		return refuse(why, EINVAL, "--add %s: %s", path, what.text);
	if (needs.interpreter[0])
		return refuse(why, EINVAL,
			      "--add %s: it is linked dynamically, and the stick has no libraries: "
			      "link it with -static",
			      path);
	return 0;
}

static int check_programs(const struct stick *stick, struct reason *why)
{
	for (size_t i = 0; i < stick->nadd; i++) {
		int err = check_program(stick->add[i], why);

		if (err)
			return err;
		for (size_t j = 0; j < i; j++)
			if (!strcasecmp(path_name(stick->add[i]), path_name(stick->add[j])))
				return refuse(why, EEXIST, "--add %s: %s has the same name",
					      stick->add[i], stick->add[j]);
	}
	return 0;
}

/* Checks that a PEM file (RFC 7468) has a line that contains `label`. */
static int check_pem(const char *path, const char *what, const char *label, struct reason *why)
{
	char line[256];
	bool found = false;
	FILE *file;
	int err = check_readable(path, what, why);

	if (err)
		return err;
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = !strncmp(line, "-----BEGIN ", 11) && strstr(line, label);
	if (file)
		fclose(file);
	return found ? 0
		     : refuse(why, EINVAL,
			      "%s %s has no line `-----BEGIN ... %s`: it is no PEM file "
			      "of one",
			      what, path, label);
}

int stick_check(const struct stick *stick, struct reason *why)
{
	struct buf text = {0};
	int err = check_programs(stick, why);

	if (!err && stick->key)
		err = check_pem(stick->key, "--sign: the key", "PRIVATE KEY-----", why);
	if (!err && stick->cert)
		err = check_pem(stick->cert, "--sign: the certificate", "CERTIFICATE-----", why);
	if (!err && stick->config)
		err = config_check(&text, stick->config, stick->add, stick->nadd, why);
	buf_free(&text);
	return err;
}

/* --- Files of the stick --- */

static int make_file(const struct build *b, const char *name, const void *bytes, size_t n,
		     struct reason *why)
{
	char path[PATH_MAX];
	bool whole;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", b->folder, name);
	file = fopen(path, "wbe");
	if (!file)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	whole = fwrite(bytes, 1, n, file) == n;
	if (fclose(file) || !whole)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	return 0;
}

static int make_texts(const struct build *b, const struct stick *stick, struct reason *why)
{
	struct buf config = {0};
	int err = 0;

	if (stick->config)
		err = config_check(&config, stick->config, stick->add, stick->nadd, why);
	else
		buf_add(&config, empty_config, sizeof(empty_config) - 1);
	if (!err)
		err = make_file(b, "perf0.cfg", config.data, config.size, why);
	buf_free(&config);
	return err ? err : make_file(b, "README.TXT", readme, sizeof(readme) - 1, why);
}

/* Makes the program that the firmware starts, at `path`. */
static int make_loader(const struct build *b, const struct stick *stick, char path[PATH_MAX],
		       struct reason *why)
{
	char built[PATH_MAX];
	int err = artifact_path(built, sizeof(built), ARTIFACT_PERF0, why);

	if (err)
		return err;
	if (!stick->key) {
		memcpy(path, built, sizeof(built));
		return 0;
	}
	snprintf(path, PATH_MAX, "%s/BOOTX64.EFI", b->folder);
	err = helper_run((const char *[]){"sbsign", "--key", stick->key, "--cert", stick->cert,
					  "--output", path, built, NULL},
			 "sbsigntool", why);
	if (err)
		return err;
	/* The key may belong to another certificate. */
	return helper_run((const char *[]){"sbverify", "--cert", stick->cert, path, NULL},
			  "sbsigntool", why);
}

static int make_esp_folders(const struct build *b, struct reason *why)
{
	return helper_run((const char *[]){"mmd", "-i", b->part, "::/EFI", "::/EFI/BOOT",
					   "::/perf0", "::/perf0/bin", "::/perf0/metrics",
					   "::/perf0/results", NULL},
			  "mtools", why);
}

static int copy_file(const struct build *b, const char *from, const char *to, struct reason *why)
{
	char target[NAME_MAX + 32];

	snprintf(target, sizeof(target), "::%s", to);
	return helper_run((const char *[]){"mcopy", "-i", b->part, from, target, NULL}, "mtools",
			  why);
}

static int copy_made(const struct build *b, const char *name, const char *to, struct reason *why)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", b->folder, name);
	return copy_file(b, path, to, why);
}

static int copy_programs(const struct build *b, const struct stick *stick, struct reason *why)
{
	int err = 0;

	for (size_t i = 0; i < stick->nadd && !err; i++) {
		char to[NAME_MAX + 16];

		snprintf(to, sizeof(to), "/perf0/bin/%s", path_name(stick->add[i]));
		err = copy_file(b, stick->add[i], to, why);
	}
	return err;
}

/* Copies the program that firmware of 32 bits starts. It is not signed: such firmware has no Secure
 * Boot as a rule. */
static int copy_refusal(const struct build *b, struct reason *why)
{
	char path[PATH_MAX];
	const int err = artifact_path(path, sizeof(path), ARTIFACT_IA32, why);

	return err ? err : copy_file(b, path, "/EFI/BOOT/BOOTIA32.EFI", why);
}

static int copy_files(const struct build *b, const struct stick *stick, struct reason *why)
{
	char loader[PATH_MAX];
	int err = make_texts(b, stick, why);

	if (!err)
		err = make_loader(b, stick, loader, why);
	if (!err)
		err = make_esp_folders(b, why);
	if (!err)
		err = copy_file(b, loader, "/EFI/BOOT/BOOTX64.EFI", why);
	if (!err)
		err = copy_refusal(b, why);
	if (!err)
		err = copy_made(b, "perf0.cfg", "/perf0/perf0.cfg", why);
	if (!err)
		err = copy_made(b, "README.TXT", "/README.TXT", why);
	return err ? err : copy_programs(b, stick, why);
}

/* --- The disk --- */

static unsigned cluster_sectors(uint64_t bytes)
{
	unsigned sectors = 1;

	while (sectors < CLUSTER_MOST && bytes / (sectors * 2 * GPT_SECTOR) >= CLUSTERS_LEAST)
		sectors *= 2;
	return sectors;
}

static int make_partition(const struct build *b, uint64_t bytes, struct reason *why)
{
	char total[32], hidden[32], cluster[16], serial[16];

	snprintf(total, sizeof(total), "%llu", (unsigned long long)(bytes / GPT_SECTOR));
	snprintf(hidden, sizeof(hidden), "%llu", (unsigned long long)(GPT_ALIGN / GPT_SECTOR));
	snprintf(cluster, sizeof(cluster), "%u", cluster_sectors(bytes));
	snprintf(serial, sizeof(serial), "%08x", (unsigned)b->seed);
	return helper_run((const char *[]){"mformat", "-i",   b->part, "-F",    "-T",
					   total,     "-h",   "255",   "-s",    "63",
					   "-H",      hidden, "-c",    cluster, "-v",
					   LABEL,     "-N",   serial,  "::",    NULL},
			  "mtools", why);
}

/* Creates a file of zeros without allocated blocks. */
static int make_disk(const char *path, uint64_t disk, uint64_t bytes, uint64_t seed,
		     struct reason *why)
{
	const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int err = 0;

	if (fd < 0 || ftruncate(fd, (off_t)disk))
		err = refuse(why, errno, "%s: %s", path, strerror(errno));
	if (!err)
		err = gpt_write(fd, disk, bytes, seed, why);
	if (fd >= 0)
		close(fd);
	return err;
}

/* Returns a seed that depends on the size of perf0's program and on the sizes of the stick. */
static uint64_t seed_of(uint64_t disk, uint64_t bytes)
{
	char path[PATH_MAX];
	struct stat st = {0};
	struct reason ignored;
	uint64_t words[4] = {disk, bytes};

	if (!artifact_path(path, sizeof(path), ARTIFACT_PERF0, &ignored) && !stat(path, &st))
		words[2] = (uint64_t)st.st_size;
	return xxh64(words, sizeof(words));
}

static void remove_folder(const struct build *b)
{
	static const char *const names[] = {"perf0.cfg", "README.TXT", "BOOTX64.EFI"};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", b->folder, names[i]);
		unlink(path);
	}
	rmdir(b->folder);
}

int stick_make(const struct stick *stick, const char *path, uint64_t disk, uint64_t bytes,
	       struct reason *why)
{
	const char *tmp = getenv("TMPDIR");
	struct build b = {.seed = seed_of(disk, bytes)};
	int err;

	if (snprintf(b.folder, sizeof(b.folder), "%s/perf0-XXXXXX", tmp ? tmp : "/tmp") >=
	    FOLDER_MOST)
		return refuse(why, ENAMETOOLONG, "TMPDIR: %s", strerror(ENAMETOOLONG));
	snprintf(b.part, sizeof(b.part), "%s@@%llu", path, (unsigned long long)GPT_ALIGN);
	if (!mkdtemp(b.folder))
		return refuse(why, errno, "%s: %s", b.folder, strerror(errno));
	err = make_disk(path, disk, bytes, b.seed, why);
	if (!err)
		err = make_partition(&b, bytes, why);
	if (!err)
		err = copy_files(&b, stick, why);
	remove_folder(&b);
	return err;
}
