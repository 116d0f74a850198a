// SPDX-License-Identifier: BSD-2-Clause
/* metric_files.c - see metric_files.h. Files are read anew for each command, because the volume may
 * have changed. */
#include "apps/measure/metric_files.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/metrics/shipped.h"
#include "rt/print/print.h"
#include "rt/firmware/firmware_calls.h"
#include "rt/base/machine.h"
#include "linux/task/task.h"

#include <linux/errno.h>

#define FOLDER     "\\perf0\\metrics"
#define FILES_MOST (METRICS_TEXTS - 2) /* the image has one, and the command line one */
#define PATH_MAX   128
#define INLINE     "{...}"

static struct metrics known;
static struct metric_choice choice;

static struct {
	unsigned n;
	bool too_many;
	struct {
		char path[PATH_MAX];
		char *text; /* NULL: not read */
		uint64_t size;
	} file[FILES_MOST];
} folder;

/* --- Files --- */

static void forget_files(void)
{
	for (unsigned i = 0; i < folder.n; i++)
		if (folder.file[i].text)
			page_free(folder.file[i].text, pages_of(folder.file[i].size));
	folder.n = 0;
	folder.too_many = false;
}

static void note_file(void *to, const char *name)
{
	(void)to;
	if (*name == '.' || strlen(name) + sizeof(FOLDER) + 1 > PATH_MAX)
		return;
	if (folder.n == FILES_MOST) {
		folder.too_many = true;
		return;
	}
	folder.file[folder.n].text = NULL;
	fmt_print(folder.file[folder.n++].path, PATH_MAX, FOLDER "\\%s", name);
}

/* -EFBIG: the file is larger than a text may be. */
static int load_metrics_file(unsigned i)
{
	const char *path = folder.file[i].path;
	static char probe[1];
	uint64_t size = 0;
	int64_t n = firmware_read(path, 0, probe, 0, &size);

	if (n < 0 || size > METRICS_SIZE_MAX)
		return n < 0 ? (int)n : -EFBIG;
	if (!size)
		return 0;
	folder.file[i].size = size;
	folder.file[i].text = page_alloc(pages_of(size));
	if (!folder.file[i].text)
		return -ENOMEM;
	n = firmware_read(path, 0, folder.file[i].text, size, &size);
	return n < 0 ? (int)n : (uint64_t)n == folder.file[i].size ? 0 : -EIO;
}

static void add_metrics_file(const char *command, unsigned i)
{
	const int bad = load_metrics_file(i);
	struct reason why;

	if (bad == -EISDIR)
		return;
	if (bad)
		err("%s: %s can not be read: error %d\n", command, folder.file[i].path, -bad);
	else if (folder.file[i].text &&
		 metrics_read(&known, folder.file[i].path, folder.file[i].text, folder.file[i].size,
			      '\n', &why))
		err("%s: %s\n", command, why.text);
}

static void take_folder(const char *command)
{
	forget_files();
	if (firmware_list(FOLDER, note_file, NULL))
		return;
	if (folder.too_many)
		err("%s: " FOLDER " has more than %d files: the others are left out\n", command,
		    FILES_MOST);
	for (unsigned i = 0; i < folder.n; i++)
		add_metrics_file(command, i);
}

const struct metrics *metrics_known(const char *command)
{
	struct reason why;

	if (metrics_begin_shipped(&known, uarch_by_name(pmu_info()->uarch), &why)) {
		err("%s: %s\n", command, why.text);
		return NULL;
	}
	take_folder(command);
	return &known;
}

/* --- Choosing --- */

/* On a hybrid the metrics are of the large cores. */
static const char *pmu_of_metrics(void)
{
	return machine_caps()->hybrid ? "cpu_core" : NULL;
}

static int parse_metric_event(void *ctx, const char *name, bool likwid, char *out,
			      struct reason *why)
{
	static struct pmu_event_spec spec[2];
	const struct pmu_namer namer = {.uarch = known.uarch};
	struct pmu_parse_error error;

	(void)ctx;
	(void)name;
	(void)likwid;
	if (pmu_parse_events_named(out, &namer, spec, 2, &error) == 1)
		return 0;
	return refuse(why, EINVAL, "event '%s': %s", out, error.text);
}

/* Tries to count the list as a group, for the running task. */
static bool can_count(void *ctx, const char *list)
{
	static struct pmu_event_spec spec[EVSET_MAX];
	static struct pmu_event event[EVSET_MAX];
	const struct pmu_namer namer = {.uarch = known.uarch};
	struct pmu_parse_error error;
	const int n = pmu_parse_events_named(list, &namer, spec, EVSET_MAX, &error);
	int open = 0;
	bool fits;

	(void)ctx;
	while (open < n && !pmu_event_open(&event[open], &spec[open].attr, TASK_PID, -1,
					   open ? event : NULL, 0, NULL))
		open++;
	fits = n > 0 && open == n;
	while (open)
		pmu_event_close(&event[--open]);
	return fits;
}

/* Two threads of a core are on. */
static bool smt_is_on(void)
{
	for (unsigned i = 1; i < smp_ncpus(); i++)
		for (unsigned k = 0; k < i; k++)
			if (cpu_siblings(&smp_online(i)->place, &smp_online(k)->place))
				return true;
	return false;
}

static struct metrics_world world_of_machine(void)
{
	return (struct metrics_world){
		.smt_on = smt_is_on(),
		.ncpus = smp_ncpus(),
		.tsc_hz = (uint64_t)tsc_khz() * 1000,
		.pmu = pmu_of_metrics(),
		.event = parse_metric_event,
		.fits = can_count,
	};
}

static int choose_item(const char *item, size_t n, const struct metrics_world *world,
		       struct reason *why)
{
	const unsigned text = known.ntexts;

	if (*item != '{')
		return metrics_choose_name(&choice, &known, item, n, world, why);
	if (item[n - 1] != '}')
		return refuse(why, EINVAL, "the bracket } behind {TEXT is missing");
	if (metrics_read(&known, INLINE, item + 1, n - 2, ';', why))
		return -EINVAL;
	return metrics_choose_text(&choice, &known, text, world, why);
}

static int choose_list(const char *list, const struct metrics_world *world, struct reason *why)
{
	const char *item;
	size_t n;
	int bad = 0;

	while (!bad && (item = metrics_item(&list, &n)))
		bad = choose_item(item, n, world, why);
	return bad;
}

static int choose_all(const struct metrics_options *options, struct reason *why)
{
	const struct metrics_world world = world_of_machine();
	char level[] = "TopdownL1";
	int bad = 0;

	metrics_choose_begin(&choice);
	level[sizeof(level) - 2] = (char)('0' + options->level);
	if (options->topdown)
		bad = choose_list(level, &world, why);
	for (unsigned i = 0; i < options->names.n && !bad; i++)
		bad = choose_list(options->names.text[i], &world, why);
	return bad ? bad : metrics_choose_end(&choice, &world, why);
}

bool metrics_wanted(const struct metrics_options *options)
{
	return options->topdown || options->names.n;
}

/* Tables name events as formulas do, without the modifier of the weak group. */
static void strip_weak(struct evset *set, unsigned from)
{
	for (unsigned i = from; i < set->n; i++) {
		char *name = set->entry[i].spec.name;
		size_t n = strlen(name);

		if (!n || name[n - 1] != 'W')
			continue;
		name[--n] = '\0';
		if (n && name[n - 1] == ':')
			name[n - 1] = '\0';
	}
}

static int add_group(struct evset *set, const char *command, unsigned g, bool alone)
{
	static char list[METRICS_LIST_MAX];
	const unsigned before = set->n;
	size_t n;

	metrics_list_group(&choice, g, list);
	n = strlen(list);
	if (alone && *list == '{') {
		memmove(list, list + 1, n);
		list[n - sizeof("}:W")] = '\0';
	}
	if (evset_add(set, command, list))
		return -EINVAL;
	if (!alone && *list == '{')
		strip_weak(set, before);
	if (set->n - before == metrics_group_size(&choice, g))
		return 0;
	err("%s: -M: '%s' is not as many events as it says\n", command, list);
	return -EINVAL;
}

int metrics_add(struct evset *set, const char *command, const struct metrics_options *options,
		struct stat_metrics *out)
{
	struct reason why;

	if (!metrics_known(command))
		return -EINVAL;
	if (choose_all(options, &why)) {
		err("%s: -M: %s\n", command, why.text);
		return -EINVAL;
	}
	out->choice = &choice;
	for (unsigned g = 0; g < choice.ngroups; g++) {
		out->first[g] = (uint16_t)set->n;
		if (add_group(set, command, g, options->no_group))
			return -EINVAL;
	}
	return 0;
}
