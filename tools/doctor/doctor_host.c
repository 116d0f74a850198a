// SPDX-License-Identifier: BSD-2-Clause
/* doctor_host.c - see doctor_host.h. */
#include "tools/doctor/doctor_host.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/buf.h"
#include "tools/util/wholefile.h"

#define CPUINFO_MOST (16 << 20)

static const char *path_below(const struct host *host, const char *path, struct buf *whole)
{
	buf_printf(whole, "%s%s", host->root, path);
	return buf_text(whole);
}

static bool is_accessible(const struct host *host, const char *path, int mode)
{
	struct buf whole = {0};
	const bool is = !faccessat(AT_FDCWD, path_below(host, path, &whole), mode, AT_EACCESS);

	buf_free(&whole);
	return is;
}

bool host_has(const struct host *host, const char *path)
{
	return is_accessible(host, path, F_OK);
}

bool host_may(const struct host *host, const char *path)
{
	return is_accessible(host, path, R_OK | W_OK);
}

static bool read_host_file(const struct host *host, const char *path, struct buf *to)
{
	struct buf whole = {0};
	struct reason ignored;
	const int err = whole_file_read(to, path_below(host, path, &whole), CPUINFO_MOST, &ignored);

	buf_free(&whole);
	return !err;
}

bool host_text(const struct host *host, const char *path, char text[HOST_TEXT_MAX])
{
	struct buf file = {0};
	const bool is_there = read_host_file(host, path, &file);

	if (is_there)
		snprintf(text, HOST_TEXT_MAX, "%.*s", (int)strcspn(buf_text(&file), "\n"),
			 buf_text(&file));
	buf_free(&file);
	return is_there;
}

bool host_number(const struct host *host, const char *path, long *number)
{
	char text[HOST_TEXT_MAX], *end;

	if (!host_text(host, path, text))
		return false;
	*number = strtol(text, &end, 10);
	return end != text;
}

bool host_is_since(const struct host *host, unsigned major, unsigned minor)
{
	return host->version[0] > major || (host->version[0] == major && host->version[1] >= minor);
}

/* --- /proc/cpuinfo: "key<blanks>: value", of the first CPU --- */

static const char *find_key(const char *text, const char *key)
{
	const size_t n = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, n) && (line[n] == '\t' || line[n] == ':'))
			return line + n + strcspn(line + n, ":\n");
		if (!*line)
			break;
	}
	return NULL;
}

/* The value, allocated; empty: there is none. */
static char *cpuinfo_value(const char *text, const char *key)
{
	const char *value = find_key(text, key);

	if (!value || *value != ':')
		return copy_text("", 0);
	value += 1 + strspn(value + 1, " ");
	return copy_text(value, strcspn(value, "\n"));
}

static bool is_word_of(const char *words, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += n)
		if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

static enum host_vendor vendor_of(const char *id)
{
	if (!strcmp(id, "GenuineIntel"))
		return HOST_INTEL;
	return !strcmp(id, "AuthenticAMD") || !strcmp(id, "HygonGenuine") ? HOST_AMD : HOST_OTHER;
}

static void read_cpu(struct host *host, const char *cpuinfo)
{
	char *vendor = cpuinfo_value(cpuinfo, "vendor_id"),
	     *brand = cpuinfo_value(cpuinfo, "model name"),
	     *flags = cpuinfo_value(cpuinfo, "flags");

	host->vendor = vendor_of(vendor);
	snprintf(host->brand, sizeof(host->brand), "%s", brand);
	host->has_virtualization = is_word_of(flags, "vmx") || is_word_of(flags, "svm");
	host->is_guest = is_word_of(flags, "hypervisor");
	free(vendor);
	free(brand);
	free(flags);
}

void host_read(struct host *host, const char *root)
{
	struct buf cpuinfo = {0};

	*host = (struct host){.root = root, .vendor = HOST_OTHER};
	if (read_host_file(host, "/proc/cpuinfo", &cpuinfo))
		read_cpu(host, buf_text(&cpuinfo));
	buf_free(&cpuinfo);
	if (host_text(host, "/proc/sys/kernel/osrelease", host->kernel))
		sscanf(host->kernel, "%u.%u", &host->version[0], &host->version[1]);
}
