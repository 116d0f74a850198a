// SPDX-License-Identifier: BSD-2-Clause
/* modifiers.c - see modifiers.h. */
#include "pmu/names/modifiers.h"

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

#define PRECISE_MAX 3

static const struct {
	char letter;
	uint8_t most;        /* how often it may occur */
	char contradicts;    /* another letter, or 0: none */
	const char *refusal; /* NULL: it is supported */
} rows[] = {
	{'u', 1, 0, NULL},
	{'k', 1, 0, NULL},
	{'h', 1, 0, NULL},
	{'G', 1, 0, NULL},
	{'H', 1, 0, NULL},
	{'p', PRECISE_MAX, 'P', NULL},
	{'P', 1, 'p', NULL},
	{'D', 1, 0, NULL},
	{'e', 1, 0, NULL},
	{'S', 1, 0, NULL},
	{'W', 1, 0, NULL},
	{'I', 1, 0, NULL},
	{'b', 0, 0, "modifier 'b' (count by BPF) is not supported: there is no BPF"},
};

unsigned modifiers_given(const struct modifiers *m, char letter)
{
	unsigned n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += m->letters[i] == letter;
	return n;
}

/* Checks one more letter, found at `where`. */
static bool check_modifier(struct scan *s, const char *where, char letter,
			   const struct modifiers *m)
{
	for (size_t i = 0; i < LENGTH(rows); i++) {
		if (rows[i].letter != letter)
			continue;
		if (rows[i].refusal)
			return scan_fail(s, where, "%s", rows[i].refusal);
		if (modifiers_given(m, letter) == rows[i].most)
			return scan_fail(s, where, "modifier '%c' is given too often", letter);
		if (rows[i].contradicts && modifiers_given(m, rows[i].contradicts))
			return scan_fail(s, where, "modifiers '%c' and '%c' contradict each other",
					 rows[i].contradicts, letter);
		return true;
	}
	return scan_fail(s, where, "there is no modifier '%c'", letter);
}

static void append_modifier(struct modifiers *m, char letter)
{
	m->letters[m->n++] = letter;
	m->letters[m->n] = '\0';
}

bool modifiers_end(const struct scan *s)
{
	switch (*s->at) {
	case '\0':
	case ',':
	case '}':
	case ' ':
	case '\t':
	case '\n':
		return true;
	default:
		return false;
	}
}

bool modifiers_parse(struct scan *s, struct modifiers *m)
{
	m->n = 0;
	scan_blanks(s);
	if (modifiers_end(s))
		return scan_fail(s, s->at, "a modifier is missing after ':'");
	for (; !modifiers_end(s); s->at++) {
		if (!check_modifier(s, s->at, *s->at, m))
			return false;
		append_modifier(m, *s->at);
	}
	return true;
}

bool modifiers_add(struct scan *s, struct modifiers *m, const struct modifiers *group,
		   const char *where)
{
	for (size_t i = 0; i < group->n; i++) {
		char letter = group->letters[i];

		if (letter != 'p' && modifiers_given(m, letter))
			continue;
		if (!check_modifier(s, where + i, letter, m))
			return false;
		append_modifier(m, letter);
	}
	return true;
}

void modifiers_apply(const struct modifiers *m, const struct modifiers *own, bool leader,
		     struct pmu_event_spec *spec)
{
	bool u = modifiers_given(m, 'u'), k = modifiers_given(m, 'k'), h = modifiers_given(m, 'h');
	bool guest = modifiers_given(m, 'G'), host = modifiers_given(m, 'H');
	struct perf_event_attr *attr = &spec->attr;
	unsigned precise = modifiers_given(m, 'p');

	spec->most_precise = modifiers_given(m, 'P');
	if (spec->most_precise)
		precise = PRECISE_MAX;
	/* Without a letter, the name of the event decides. */
	if (u || k || h) {
		attr->exclude_user = !u;
		attr->exclude_kernel = !k;
		attr->exclude_hv = !h;
	}
	attr->exclude_host = guest && !host;
	/* Guests have no precise events. */
	attr->exclude_guest = (host && !guest) || (precise && !guest && !host);
	attr->precise_ip = precise & PRECISE_MAX;
	attr->exclude_idle = modifiers_given(m, 'I');
	attr->pinned = modifiers_given(leader ? m : own, 'D');
	attr->exclusive = modifiers_given(leader ? m : own, 'e');
	spec->weak = modifiers_given(m, 'W');
	if (modifiers_given(m, 'S'))
		attr->sample_type |= PERF_SAMPLE_READ;
}
