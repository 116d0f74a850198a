// SPDX-License-Identifier: BSD-2-Clause
/* doctor_parts.c - see doctor_parts.h. */
#include "tools/doctor/doctor_parts.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/version.h"
#include "lib/plain.h"
#include "tools/doctor/doctor_host.h"
#include "tools/doctor/doctor_said.h"
#include "tools/doctor/version_text.h"
#include "tools/saved/cache.h"
#include "tools/machine/counting.h"
#include "tools/machine/qemu_args.h"
#include "tools/machine/qemu_version.h"
#include "tools/saved/trust.h"
#include "tools/util/artifact.h"
#include "tools/util/helper.h"
#include "tools/util/status.h"

/* The host, as the checks see it. */
struct here {
	const struct machine_options *options;
	bool is_private;
	char qemu[PATH_MAX]; /* "": there is none */
};

/* --- Parts without which no machine runs --- */

static enum verdict look_at_qemu(const struct here *here, struct said *said)
{
	if (!*here->qemu) {
		say(&said->is, "not found: no machine runs");
		package_advice_here(&said->mend, "qemu-system-x86");
		return FAILS;
	}
	if (!version_of_qemu(&said->is, here->qemu)) {
		say(&said->is, "tells no version: it does not start");
		return FAILS;
	}
	say(&said->is, ", ");
	version_add_path(&said->is, here->qemu, here->is_private);
	if (qemu_is_since(here->qemu, 8, 2))
		return FINE;
	say(&said->mend,
	    "QEMU 8.2 or later: CPUs of --smp run at the same time, and events begin to count "
	    "without a new machine; from 10.0 on an access of 16 bytes is one");
	return NOTED;
}

static enum verdict look_at_firmware(const struct here *here, struct said *said)
{
	struct reason ignored;
	const struct firmware *firmware = firmware_find(&ignored);

	(void)here;
	if (firmware) {
		say(&said->is, "%s", firmware->code);
		return FINE;
	}
	say(&said->is, "not found: no machine boots");
	package_advice_here(&said->mend, "ovmf");
	return FAILS;
}

static enum verdict look_at_images(const struct here *here, struct said *said)
{
	static const char *const names[] = {"esp.img", "perf0.efi", "perf0.elf", "vpmu.efi"};
	char path[PATH_MAX];
	struct reason ignored;

	(void)here;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (artifact_path(path, sizeof(path), names[i], &ignored))
			say(&said->is, "%s%s", said->is.size ? ", " : "not found: ", names[i]);
	if (!said->is.size) {
		say(&said->is, "all are there");
		return FINE;
	}
	say(&said->mend, "`make` in a clone, or the package perf0-images");
	return FAILS;
}

/* --- Parts that make counts exact, or runs fast --- */

static enum verdict look_at_counting(const struct here *here, struct said *said)
{
	struct counting counting;
	struct reason why;
	const int err = *here->qemu ? counting_begin(&counting, here->options, &why)
				    : refuse(&why, ENOENT, "there is no QEMU");

	if (!err) {
		counting_end(&counting);
		say(&said->is, "QEMU takes it: counts are exact");
		return FINE;
	}
	say(&said->is, "events are ratios, and there are no profiles");
	if (!here->is_private)
		say(&said->is, ": %s", why.text);
	say(&said->mend,
	    "a QEMU before 11.1, configured with --enable-plugins, and all of the package perf0");
	return NOTED;
}

static enum verdict look_at_shared_memory(const struct here *here, struct said *said)
{
	struct buf devices = {0};
	const bool is_there = *here->qemu && qemu_says(&devices, here->qemu, "-device", "help") &&
			      strstr(buf_text(&devices), "\"ivshmem-plain\"");

	buf_free(&devices);
	say(&said->is,
	    is_there ? "QEMU has it"
		     : "QEMU has none: nothing counts exactly, and records go over a serial line");
	if (is_there)
		return FINE;
	say(&said->mend, "--serial --events ratios, or another QEMU");
	return NOTED;
}

static enum verdict look_at_libpfm(const struct here *here, struct said *said)
{
	(void)here;
	version_of_libpfm(&said->is);
	return FINE;
}

static enum verdict look_at_cpus(const struct here *here, struct said *said)
{
	cpu_set_t set;
	const int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	(void)here;
	say(&said->is, "%d", n);
	if (n > 1)
		return FINE;
	say(&said->is, ": the host tool waits for the machine, and CPUs of --smp take turns");
	return NOTED;
}

/* The folder of saved machines, or the nearest one above it that exists. */
static bool may_write(char folder[PATH_MAX])
{
	struct stat st;
	char *slash;

	while (access(folder, F_OK) && (slash = strrchr(folder, '/')) && slash != folder)
		*slash = '\0';
	return !access(folder, W_OK) && !stat(folder, &st) && S_ISDIR(st.st_mode);
}

/* A saved machine has a place and a key, which the first command makes. */
static enum verdict look_at_cache(const struct here *here, struct said *said)
{
	char folder[PATH_MAX];
	struct trust_key key;
	struct reason why;

	(void)here;
	if (cache_folder(folder, &why) || !may_write(folder)) {
		say(&said->is,
		    "can not be written: each command boots a machine, which takes some 4 s");
		say(&said->mend, "XDG_CACHE_HOME=DIR");
		return NOTED;
	}
	if (trust_find_key(&key, &why)) {
		say(&said->is, "have no key: each command boots a machine, which takes some 4 s");
		if (!strchr(why.text, '/')) /* a report has no paths */
			say(&said->is, ": %s", why.text);
		say(&said->mend,
		    "XDG_STATE_HOME=DIR, or " TRUST_KEY_VARIABLE " with 16 characters or more");
		return NOTED;
	}
	say(&said->is, "can be written");
	return FINE;
}

static const struct part {
	const char *title;
	enum verdict (*look)(const struct here *here, struct said *said);
} parts[] = {
	{"QEMU", look_at_qemu},
	{"firmware", look_at_firmware},
	{"images", look_at_images},
	{"plugin", look_at_counting},
	{"ivshmem", look_at_shared_memory},
	{"libpfm4", look_at_libpfm},
	{"CPUs", look_at_cpus},
	{"saved machines", look_at_cache},
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

/* --- Programs of others that some commands run --- */

static const struct {
	const char *program, *package, *without; /* package: Debian's */
} programs[] = {
	{"as", "binutils", "no `bench --asm`, no `latency`"},
	{"ld", "binutils", "no `bench`, no `latency`"},
	{"gcc", "gcc", "no `bench --c`"},
	{"git", "git", "no `gate --against`, no `gate --save`"},
	{"mformat", "mtools", "no `usb`"},
	{"perf", "linux-perf", "recordings are read elsewhere"},
	{"rsvg-convert", "librsvg2-bin", "`--plot` writes no PNG, but SVG"},
	{"sbsign", "sbsigntool", "no `usb --sign`"},
	{"busybox", "busybox-static", "no COMMAND for `linux`"},
};
#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

static enum verdict put_program(struct said_list *list, size_t i)
{
	char path[PATH_MAX];
	struct said said = {0};
	const enum verdict verdict = helper_find(path, programs[i].program) ? FINE : NOTED;

	if (verdict == FINE)
		say(&said.is, "is there");
	else
		say(&said.is, "not found: %s", programs[i].without);
	if (verdict != FINE)
		package_advice_here(&said.mend, programs[i].package);
	said_put(list, verdict, programs[i].program, &said);
	return verdict;
}

/* --- The report --- */

/* The first line of os-release(5) with the key, without its quotes. */
static void add_distribution(struct buf *out)
{
	char line[HOST_TEXT_MAX] = "";
	FILE *file = fopen("/etc/os-release", "re");
	static const char key[] = "PRETTY_NAME=";

	while (file && fgets(line, sizeof(line), file) && strncmp(line, key, sizeof(key) - 1) != 0)
		line[0] = '\0';
	if (file)
		fclose(file);
	for (const char *c = *line ? line + sizeof(key) - 1 : "not told"; *c && *c != '\n'; c++)
		if (*c != '"')
			buf_add(out, c, 1);
}

static void put_report(const struct here *here)
{
	struct buf distribution = {0};
	struct host host;

	host_read(&host, "");
	add_distribution(&distribution);
	puts("perf0 version " PERF0_VERSION);
	version_put(here->options->qemu, here->is_private);
	printf("  %-12s %s\n", "distribution", PLAIN(buf_text(&distribution)));
	printf("  %-12s Linux %u.%u\n", "kernel", host.version[0], host.version[1]);
	printf("  %-12s %s%s\n", "CPU", PLAIN(host.brand),
	       host.is_guest ? ", in a hypervisor" : "");
	printf("  %-12s %s\n", "LD_BIND_NOW", getenv("LD_BIND_NOW") ? "is set" : "is not set");
	buf_free(&distribution);
}

int doctor_parts(struct said_list *list, const struct machine_options *options, bool is_report)
{
	struct here here = {.options = options, .is_private = is_report};
	unsigned n[DOCTOR_VERDICTS] = {0};
	struct reason ignored;

	if (qemu_find(here.qemu, options->qemu, &ignored))
		here.qemu[0] = '\0';
	if (is_report)
		put_report(&here);
	for (size_t i = 0; i < PARTS; i++) {
		struct said said = {0};
		const enum verdict verdict = parts[i].look(&here, &said);

		said_put(list, verdict, parts[i].title, &said);
		n[verdict]++;
	}
	for (size_t i = 0; i < PROGRAMS; i++)
		n[put_program(list, i)]++;
	if (n[FAILS])
		printf("Machines can not run here: %u of %zu checks fail.\n", n[FAILS],
		       PARTS + PROGRAMS);
	else
		printf("Machines can run here%s\n",
		       n[NOTED] ? "; what is noted is slower, less exact, or a command less."
				: ".");
	return n[FAILS] ? STATUS_FAILED : 0;
}
