// SPDX-License-Identifier: BSD-2-Clause
/* packages.c - the packages of distributions that have the programs and files of others: see
 * helper.h. */
#include <errno.h>
#include <string.h>

#include "tools/util/helper.h"
#include "tools/util/wholefile.h"

#define OS_RELEASE      "/etc/os-release"
#define OS_RELEASE_MOST (1u << 16)

enum distribution { DEBIAN, FEDORA, ARCH, SUSE, DISTRIBUTIONS };

/* Each distribution by the words that ID and ID_LIKE of os-release(5) have. */
static const struct {
	const char *name;   /* for people */
	const char *ids[5]; /* NULL behind the last one */
} distributions[DISTRIBUTIONS] = {
	[DEBIAN] = {"Debian, Ubuntu", {"debian", "ubuntu"}},
	[FEDORA] = {"Fedora", {"fedora", "rhel", "centos"}},
	[ARCH] = {"Arch", {"arch"}},
	[SUSE] = {"openSUSE", {"suse", "opensuse", "opensuse-leap", "opensuse-tumbleweed"}},
};

/* Packages; a package that is not in a row has the same name everywhere. */
static const char *const packages[][DISTRIBUTIONS] = {
	{"qemu-system-x86", "qemu-system-x86-core", "qemu-system-x86", "qemu-x86"},
	{"ovmf", "edk2-ovmf", "edk2-ovmf", "qemu-ovmf-x86_64"},
	{"linux-perf", "perf", "perf", "perf"},
	{"librsvg2-bin", "librsvg2-tools", "librsvg", "rsvg-convert"},
	{"sbsigntool", "sbsigntools", "sbsigntools", "sbsigntools"},
	{"xz-utils", "xz", "xz", "xz"},
	{"busybox-static", "busybox", "busybox", "busybox-static"},
	{"bolt-16", "llvm-bolt", "llvm-bolt", "llvm-bolt"},
};
#define PACKAGES (sizeof(packages) / sizeof(packages[0]))

static const char *package_in(enum distribution distribution, const char *debian)
{
	for (size_t i = 0; i < PACKAGES; i++)
		if (!strcmp(packages[i][DEBIAN], debian))
			return packages[i][distribution];
	return debian;
}

/* Returns the distribution whose word `id` is, of `n` bytes. */
static enum distribution distribution_with(const char *id, size_t n)
{
	for (int d = 0; d < DISTRIBUTIONS; d++)
		for (const char *const *is = distributions[d].ids; *is; is++)
			if (strlen(*is) == n && !memcmp(*is, id, n))
				return (enum distribution)d;
	return DISTRIBUTIONS;
}

/* Looks at the words of a value, which may stand in quotes. */
static enum distribution distribution_of_value(const char *value, const char *end)
{
	enum distribution found = DISTRIBUTIONS;

	while (value < end && found == DISTRIBUTIONS) {
		const size_t n = strcspn(value, " \"'\n");

		found = distribution_with(value, n);
		value += n + 1;
	}
	return found;
}

/* Returns what os-release tells, by ID or else by ID_LIKE. */
static enum distribution distribution_of(const char *os_release)
{
	static const char *const keys[] = {"ID=", "ID_LIKE="};

	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		for (const char *line = os_release; *line;) {
			const char *end = line + strcspn(line, "\n");
			enum distribution found = DISTRIBUTIONS;

			if (!strncmp(line, keys[k], strlen(keys[k])))
				found = distribution_of_value(line + strlen(keys[k]), end);
			if (found != DISTRIBUTIONS)
				return found;
			line = end + (*end == '\n');
		}
	}
	return DISTRIBUTIONS;
}

void package_advice(struct buf *out, const char *debian, const char *os_release)
{
	const enum distribution here = distribution_of(os_release);

	if (here != DISTRIBUTIONS || !strcmp(package_in(FEDORA, debian), debian)) {
		buf_printf(out, "install the package %s",
			   here == DISTRIBUTIONS ? debian : package_in(here, debian));
		return;
	}
	buf_printf(out, "install the package ");
	for (int d = 0; d < DISTRIBUTIONS; d++)
		buf_printf(out, "%s%s (%s)",
			   !d                      ? ""
			   : d + 1 < DISTRIBUTIONS ? ", "
						   : " or ",
			   package_in((enum distribution)d, debian), distributions[d].name);
}

void package_advice_here(struct buf *out, const char *debian)
{
	struct buf file = {0};
	struct reason ignored;

	if (whole_file_read(&file, OS_RELEASE, OS_RELEASE_MOST, &ignored))
		file.size = 0;
	package_advice(out, debian, buf_text(&file));
	buf_free(&file);
}

int refuse_missing(struct reason *why, const char *name, const char *debian)
{
	struct buf advice = {0};
	int err;

	package_advice_here(&advice, debian);
	err = refuse(why, ENOENT, "%s: not found: %s", name, buf_text(&advice));
	buf_free(&advice);
	return err;
}
