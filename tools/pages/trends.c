// SPDX-License-Identifier: BSD-2-Clause
/* trends.c - see trends.h. */
#include "tools/pages/trends.h"

#include <errno.h>
#include <fts.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/gate/kept_results.h"
#include "tools/pages/trends_files.h"
#include "tools/util/buf.h"
#include "tools/util/memory.h"

#define HASH_LEAST 7 /* digits of an abbreviated hash */
#define HEX        "0123456789abcdef"
#define PAGE       ".html"

static char *copy_trend_name(const char *text, size_t n)
{
	return memory_checked(strndup(text, n));
}

/* --- Counts --- */

size_t trends_version(struct trends *trends, const char *name, size_t n)
{
	for (size_t i = trends->nversions; i--;)
		if (!strncmp(trends->version[i].name, name, n) && !trends->version[i].name[n])
			return i;
	trends->version = memory_grow(trends->version, trends->nversions, sizeof(*trends->version));
	trends->version[trends->nversions].name = copy_trend_name(name, n);
	return trends->nversions++;
}

/* Each count is a series of one point until trends_settle() joins them. */
void trends_add(struct trends *trends, size_t version, const char *benchmark, const char *event,
		double value)
{
	struct trend *series;

	trends->series = memory_grow(trends->series, trends->nseries, sizeof(*trends->series));
	series = &trends->series[trends->nseries++];
	series->benchmark = copy_trend_name(benchmark, strlen(benchmark));
	series->event = copy_trend_name(event, strlen(event));
	series->point = memory_grow(NULL, 0, sizeof(*series->point));
	series->point[0] = (struct trend_point){version, value};
	series->n = 1;
}

static void free_series(struct trend *series)
{
	free(series->benchmark);
	free(series->event);
	free(series->point);
}

void trends_free(struct trends *trends)
{
	for (size_t i = 0; i < trends->nversions; i++)
		free(trends->version[i].name);
	for (size_t i = 0; i < trends->nseries; i++)
		free_series(&trends->series[i]);
	for (size_t i = 0; i < trends->npages; i++) {
		free(trends->page[i].path);
		free(trends->page[i].title);
	}
	free(trends->version);
	free(trends->series);
	free(trends->page);
	*trends = (struct trends){0};
}

/* --- Order --- */

static bool may_be_hash(const char *name)
{
	const size_t n = strspn(name, HEX);

	return n >= HASH_LEAST && !name[n];
}

/* Finds the versions among git's commits. Returns how many are found. */
static size_t place_commits(struct trends *trends, const struct commits *commits)
{
	size_t found = 0;

	for (size_t i = 0; i < trends->nversions; i++) {
		struct trend_version *v = &trends->version[i];

		*v->commit = '\0';
		for (size_t k = 0; may_be_hash(v->name) && k < commits->n && !*v->commit; k++)
			if (!strncmp(commits->hash[k], v->name, strlen(v->name))) {
				strcpy(v->commit, commits->hash[k]);
				v->place = k;
				found++;
			}
	}
	return found;
}

static size_t count_hashes(const struct trends *trends)
{
	size_t n = 0;

	for (size_t i = 0; i < trends->nversions; i++)
		n += may_be_hash(trends->version[i].name);
	return n;
}

/* Looks in the history of HEAD, and in that of all branches if a version is not in it. */
static void find_places(struct trends *trends)
{
	static const char *const from[] = {"HEAD", NULL};
	const size_t wanted = count_hashes(trends);
	bool found = !wanted;

	for (size_t i = 0; i < 2 && !found; i++) {
		struct commits commits = {0};
		struct reason ignored;

		if (!commits_list(&commits, from[i], &ignored))
			found = place_commits(trends, &commits) == wanted;
		commits_free(&commits);
	}
}

/* For qsort(), which passes no context. */
static const struct trends *ordered;

static int compare_versions(const void *a, const void *b)
{
	const struct trend_version *x = &ordered->version[*(const size_t *)a],
				   *y = &ordered->version[*(const size_t *)b];

	if (!*x->commit != !*y->commit)
		return *x->commit ? 1 : -1;
	if (*x->commit)
		return x->place > y->place ? -1 : x->place < y->place;
	return strcmp(x->name, y->name);
}

/* Returns whether both names are of one commit, of which one is abbreviated. */
static bool is_same_commit(const struct trend_version *a, const struct trend_version *b)
{
	return *a->commit && !strcmp(a->commit, b->commit);
}

/* Orders versions, drops second names of commits, and gives the points their new indices. */
static void order_versions(struct trends *trends)
{
	const size_t n = trends->nversions;
	size_t *order = memory_checked(calloc(n + 1, sizeof(*order))),
	       *place = memory_checked(calloc(n + 1, sizeof(*place))), kept = 0;
	struct trend_version *sorted = memory_checked(calloc(n + 1, sizeof(*sorted)));

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	ordered = trends;
	qsort(order, n, sizeof(*order), compare_versions);
	for (size_t i = 0; i < n; i++) {
		if (kept && is_same_commit(&sorted[kept - 1], &trends->version[order[i]]))
			free(trends->version[order[i]].name);
		else
			sorted[kept++] = trends->version[order[i]];
		place[order[i]] = kept - 1;
	}
	for (size_t i = 0; i < trends->nseries; i++)
		trends->series[i].point[0].version = place[trends->series[i].point[0].version];
	free(trends->version);
	trends->version = sorted;
	trends->nversions = kept;
	free(order);
	free(place);
}

static int compare_trend_names(const struct trend *x, const struct trend *y)
{
	const int order = strcmp(x->benchmark, y->benchmark);

	return order ? order : strcmp(x->event, y->event);
}

static int compare_series(const void *a, const void *b)
{
	const struct trend *x = a, *y = b;
	const int order = compare_trend_names(x, y);

	if (order)
		return order;
	return x->point[0].version < y->point[0].version
		       ? -1
		       : x->point[0].version > y->point[0].version;
}

static void add_trend_point(struct trend *series, struct trend_point point)
{
	if (series->point[series->n - 1].version == point.version) {
		series->point[series->n - 1] = point;
		return;
	}
	series->point = memory_grow(series->point, series->n, sizeof(*series->point));
	series->point[series->n++] = point;
}

static void join_series(struct trends *trends)
{
	size_t n = 0;

	for (size_t i = 0; i < trends->nseries; i++) {
		struct trend *series = &trends->series[i];

		if (n && !compare_trend_names(&trends->series[n - 1], series)) {
			add_trend_point(&trends->series[n - 1], series->point[0]);
			free_series(series);
		} else {
			trends->series[n++] = *series;
		}
	}
	trends->nseries = n;
}

void trends_settle(struct trends *trends)
{
	find_places(trends);
	order_versions(trends);
	if (trends->nseries)
		qsort(trends->series, trends->nseries, sizeof(*trends->series), compare_series);
	join_series(trends);
}

/* --- Steps --- */

double trend_step(const struct trend *series, size_t at)
{
	const double old = at ? series->point[at - 1].value : 0, got = series->point[at].value;

	if (!at || old == got)
		return 0;
	return old > 0 ? (got - old) / old : 1;
}

size_t trend_largest(const struct trend *series)
{
	size_t largest = 0;

	for (size_t i = 1; i < series->n; i++)
		if (fabs(trend_step(series, i)) > fabs(trend_step(series, largest)))
			largest = i;
	return largest;
}

size_t trend_moves(const struct trend *series)
{
	size_t n = 0;

	for (size_t i = 1; i < series->n; i++)
		n += trend_step(series, i) != 0;
	return n;
}

size_t trend_skipped(const struct trends *trends, const struct trend *trend, size_t at)
{
	const struct trend_version *old = at ? &trends->version[trend->point[at - 1].version]
					     : NULL,
				   *got = &trends->version[trend->point[at].version];

	return old && *old->commit && *got->commit ? old->place - got->place - 1 : 0;
}

static double largest_step(const struct trend *trend)
{
	return fabs(trend_step(trend, trend_largest(trend)));
}

/* Returns whether a trend stands for its benchmark rather than another one. */
static bool is_shown_before(const struct trend *trend, const struct trend *other)
{
	const bool is_usual = !strcmp(trend->event, "instructions:u"),
		   was_usual = !strcmp(other->event, "instructions:u");
	const double step = largest_step(trend), most = largest_step(other);

	if (was_usual && most > 0)
		return false;
	return is_usual ? step > 0 || most <= 0 : step > most;
}

size_t trends_shown(const struct trends *trends, size_t first, size_t *next)
{
	size_t shown = first, at = first;

	for (; at < trends->nseries &&
	       !strcmp(trends->series[at].benchmark, trends->series[first].benchmark);
	     at++)
		if (is_shown_before(&trends->series[at], &trends->series[shown]))
			shown = at;
	*next = at;
	return shown;
}

/* --- Files --- */

/*
 * Splits the path below the folder: "VERSION[-NAME].ENDING" or "VERSION/NAME.ENDING". A hash ends
 * where its digits end; any other version is the first folder, or the whole name.
 */
static void split_path(const char *path, size_t *nversion, struct buf *benchmark)
{
	const char *slash = strchr(path, '/'), *dot = strrchr(path, '.'), *rest;
	const size_t digits = strspn(path, HEX);
	const size_t end = dot && (!slash || dot > strrchr(path, '/')) && dot > path
				   ? (size_t)(dot - path)
				   : strlen(path);

	if (digits >= HASH_LEAST && (digits >= end || strchr("-_./", path[digits])))
		*nversion = digits;
	else
		*nversion = slash ? (size_t)(slash - path) : end;
	rest = path + *nversion;
	rest += strspn(rest, "-_./");
	if (rest < path + end)
		buf_add(benchmark, rest, (size_t)(path + end - rest));
}

static bool has_ending(const char *path, const char *ending)
{
	const size_t n = strlen(path), nending = strlen(ending);

	return n >= nending && !strcmp(path + n - nending, ending);
}

static int read_trend_file(struct trends *trends, const char *path, const char *below,
			   struct reason *why)
{
	const size_t nversions = trends->nversions;
	struct buf benchmark = {0};
	size_t nversion, version;
	int err;

	split_path(below, &nversion, &benchmark);
	version = trends_version(trends, below, nversion);
	err = trends_file_read(trends, version, path, buf_text(&benchmark), why);
	trends->nfiles += !err;
	if (err && trends->nversions > nversions)
		free(trends->version[--trends->nversions].name);
	buf_free(&benchmark);
	return err;
}

static void add_trend_page(struct trends *trends, const char *path, char *title)
{
	trends->page = memory_grow(trends->page, trends->npages, sizeof(*trends->page));
	trends->page[trends->npages++] =
		(struct trend_page){copy_trend_name(path, strlen(path)), title};
}

/* Reads a file of any kind. */
static int read_folder_file(struct trends *trends, const char *path, const char *below,
			    struct reason *why)
{
	char *title;

	if (has_ending(below, KEPT_STACKS))
		return 0;
	if (!has_ending(below, PAGE))
		return read_trend_file(trends, path, below, why);
	title = trends_page_title(path);
	if (!title)
		return refuse(why, EINVAL, "%s: this is no page of perf0", path);
	add_trend_page(trends, path, title);
	return 0;
}

static int compare_fts_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

int trends_read(struct trends *trends, const char *folder,
		void (*leave_out)(void *ctx, const struct reason *why), void *ctx,
		struct reason *why)
{
	char *const roots[] = {(char *)(uintptr_t)folder, NULL};
	const size_t nfolder = strlen(folder);
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, compare_fts_names);
	struct reason what;
	FTSENT *entry;
	int err = 0;

	if (!fts)
		return refuse(why, errno, "%s: %s", folder, strerror(errno));
	while (!err && (entry = fts_read(fts))) {
		const char *below = entry->fts_path + nfolder;

		below += strspn(below, "/");
		if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS ||
		    entry->fts_info == FTS_DNR)
			err = refuse(why, entry->fts_errno, "%s: %s", entry->fts_path,
				     strerror(entry->fts_errno));
		else if (entry->fts_info == FTS_F &&
			 read_folder_file(trends, entry->fts_path, below, &what))
			leave_out(ctx, &what);
	}
	fts_close(fts);
	if (!err && !trends->nseries && !trends->npages)
		err = refuse(why, ENODATA, "%s: there are no results in it", folder);
	if (!err)
		trends_settle(trends);
	return err;
}
