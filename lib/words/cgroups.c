// SPDX-License-Identifier: BSD-2-Clause
/* cgroups.c - see cgroups.h. */
#include "lib/words/cgroups.h"

#include "lib/string.h"

#include <linux/errno.h>
#include <stddef.h>

#define PART_MOST 255       /* bytes of a directory's name */
#define OWN_FILES "cgroup." /* the prefix of the files that each group has */
#define PATTERNS  "{}[]()|*+?^$"

const char *cgroup_path_next(const char **at, unsigned *length)
{
	const char *part;

	while (**at == '/')
		++*at;
	part = *at;
	while (**at && **at != '/')
		++*at;
	*length = (unsigned)(*at - part);
	return *length ? part : NULL;
}

static bool is_part(const char *part, unsigned length)
{
	const size_t own = sizeof(OWN_FILES) - 1;

	if (length >= own && !memcmp(part, OWN_FILES, own))
		return false;
	return length > 2 || memcmp(part, "..", length) != 0;
}

static bool has_controls(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			return true;
	return false;
}

static bool is_pattern(const char *list)
{
	for (; *list; list++)
		if (strchr(PATTERNS, *list))
			return true;
	return false;
}

static bool is_cgroup_path(const char *name)
{
	const char *at = name, *part;
	unsigned length;

	while ((part = cgroup_path_next(&at, &length)))
		if (!is_part(part, length))
			return false;
	return !has_controls(name);
}

_Static_assert(CGROUP_NAME_MAX <= PART_MOST, "no part of a name is longer than a directory's");

/* Adds a name; "" is stored as no group. */
static int add_name(struct cgroup_names *names, const char *name, size_t n, struct reason *why)
{
	char *to;

	if (names->n == CGROUP_NAMES_MOST)
		return refuse(why, EINVAL, "more than %d groups", CGROUP_NAMES_MOST);
	if (n >= CGROUP_NAME_MAX)
		return refuse(why, EINVAL,
			      "'%.*s...' is longer than the %d bytes of a group's name", 20, name,
			      CGROUP_NAME_MAX - 1);
	to = names->name[names->n];
	memcpy(to, name, n);
	to[n] = '\0';
	if (!is_cgroup_path(to))
		return refuse(why, EINVAL, "'%s' can be no group's name", to);
	names->n++;
	return 0;
}

static size_t name_length(const char *list)
{
	size_t n = 0;

	while (list[n] && list[n] != ',')
		n++;
	return n;
}

int cgroup_names_for_events(struct cgroup_names *names, const char *list, unsigned nevents,
			    struct reason *why)
{
	const char *at = list;
	size_t n;

	if (!nevents)
		return refuse(why, EINVAL, "-G %s: no event is before it", list);
	do {
		n = name_length(at);
		if (names->n == nevents)
			return refuse(why, EINVAL,
				      "-G %s: more groups than the %u event%s before it", list,
				      nevents, nevents > 1 ? "s" : "");
		if (add_name(names, at, n, why))
			return -EINVAL;
		at += n + 1;
	} while (at[-1]);
	return 0;
}

const char *cgroup_name_of(const struct cgroup_names *names, unsigned i)
{
	if (names->n == 1)
		i = 0;
	return i < names->n && names->name[i][0] ? names->name[i] : NULL;
}

int cgroup_names_for_each(struct cgroup_names *names, const char *list, struct reason *why)
{
	const char *at = list;
	size_t n;

	names->n = 0;
	if (is_pattern(list))
		return refuse(
			why, EINVAL,
			"--for-each-cgroup %s: a pattern has nothing to match, for groups are "
			"made by their names",
			list);
	do {
		n = name_length(at);
		if (n && add_name(names, at, n, why))
			return -EINVAL;
		at += n + 1;
	} while (at[-1]);
	return names->n ? 0 : refuse(why, EINVAL, "--for-each-cgroup %s: no group is named", list);
}

int cgroup_names_times(const struct cgroup_names *names, unsigned nevents, unsigned most,
		       struct reason *why)
{
	if (nevents * names->n <= most)
		return 0;
	return refuse(why, EINVAL, "%u events of each of %u groups are more than %u", nevents,
		      names->n, most);
}
