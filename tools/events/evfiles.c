// SPDX-License-Identifier: BSD-2-Clause
/* evfiles.c - see evfiles.h. */
#include "tools/events/evfiles.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *pmu;
	uint8_t core;
} kinds[EVFILES_KINDS] = {{"cpu_core", UARCH_CORE}, {"cpu_atom", UARCH_ATOM}};

static const char *pmu_of(uint8_t core)
{
	for (size_t i = 0; i < EVFILES_KINDS; i++)
		if (kinds[i].core == core)
			return kinds[i].pmu;
	return "cpu";
}

/*
 * Words in a file's name or header that tell its cores. Intel's large cores end in ...cove, and its
 * small ones in ...mont.
 */
static const struct {
	const char *word;
	uint8_t core;
} clues[] = {
	{"cpu_core", UARCH_CORE}, {"cpu_atom", UARCH_ATOM},   {"cove", UARCH_CORE},
	{"mont", UARCH_ATOM},     {"arcticwolf", UARCH_ATOM}, {"p-core", UARCH_CORE},
	{"e-core", UARCH_ATOM},
};

static uint8_t core_by_text(const char *text)
{
	for (size_t i = 0; i < sizeof(clues) / sizeof(clues[0]); i++)
		if (strcasestr(text, clues[i].word))
			return clues[i].core;
	return 0;
}

static uint8_t core_by_path(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (!strcasecmp(name, "core.json"))
		return UARCH_CORE;
	return strcasecmp(name, "atom.json") ? core_by_text(name) : UARCH_ATOM;
}

static uint8_t core_of_file(const struct evfile *file, const char *path)
{
	uint8_t core = file->core;

	if (!core && file->info)
		core = core_by_text(file->info);
	return core ? core : core_by_path(path);
}

/* Takes the PMU of "cpu_atom=FILE". */
static uint8_t take_core(const char **path)
{
	for (size_t i = 0; i < EVFILES_KINDS; i++) {
		const size_t n = strlen(kinds[i].pmu);

		if (strncmp(*path, kinds[i].pmu, n) || (*path)[n] != '=')
			continue;
		*path += n + 1;
		return kinds[i].core;
	}
	return 0;
}

/* The machine that the files are for. */
struct wanted {
	const struct uarch *uarch; /* NULL: unknown */
	uint8_t fallback;          /* cores of a file that does not tell them; 0: it must tell */
};

/* Stores in `core` the cores of a hybrid to which a file belongs; 0 if all cores are equal. */
static int settle_core(const struct wanted *wanted, const struct evfile *file, const char *path,
		       uint8_t *core, struct reason *why)
{
	const struct uarch *uarch = wanted->uarch;

	if (!uarch)
		return 0;
	if (!uarch_has_core(uarch, 0)) {
		if (*core)
			return refuse(why, EINVAL,
				      "--event-file: there is no %s: all cores of %s "
				      "are alike",
				      pmu_of(*core), uarch->name);
		return 0;
	}
	if (!*core)
		*core = core_of_file(file, path);
	if (!*core)
		*core = wanted->fallback;
	if (*core)
		return 0;
	return refuse(why, EINVAL,
		      "--event-file %s: it does not tell for which cores it is: cpu_core=%s or "
		      "cpu_atom=%s",
		      path, path, path);
}

static int add_file(struct evfiles *files, const char *path, const struct wanted *wanted,
		    struct reason *why)
{
	uint8_t core = take_core(&path);
	struct evfile file;
	int err = evfile_read(&file, path, why);

	if (err)
		return err;
	err = settle_core(wanted, &file, path, &core, why);
	for (unsigned i = 0; i < files->n && !err; i++)
		if (files->of[i].core == core)
			err = refuse(why, EINVAL, "--event-file %s: %s is for %s already", path,
				     files->of[i].path, pmu_of(core));
	if (err) {
		evfile_free(&file);
		return err;
	}
	files->of[files->n].core = core;
	files->of[files->n].path = path;
	files->of[files->n++].file = file;
	return 0;
}

static int read_files(struct evfiles *files, const char *const *given, size_t n,
		      const struct wanted *wanted, struct reason *why)
{
	int err = 0;

	*files = (struct evfiles){.n = 0};
	for (size_t i = 0; i < n && !err; i++)
		err = add_file(files, given[i], wanted, why);
	if (err)
		evfiles_free(files);
	return err;
}

int evfiles_read(struct evfiles *files, const char *const *given, size_t n,
		 const struct uarch *uarch, struct reason *why)
{
	return read_files(files, given, n, &(struct wanted){.uarch = uarch}, why);
}

/* Returns 0 if all cores are equal. */
static uint8_t planned_core(const struct uarch *uarch)
{
	if (!uarch || !uarch_has_core(uarch, 0))
		return 0;
	return uarch_has_core(uarch, UARCH_CORE) ? UARCH_CORE : UARCH_ATOM;
}

int evfiles_read_planned(struct evfiles *files, const char *const *given, size_t n,
			 const struct uarch *uarch, struct reason *why)
{
	return read_files(files, given, n,
			  &(struct wanted){.uarch = uarch, .fallback = planned_core(uarch)}, why);
}

const struct evfile *evfiles_planned(const struct evfiles *files, const struct uarch *uarch)
{
	return evfiles_of(files, planned_core(uarch));
}

void evfiles_free(struct evfiles *files)
{
	for (unsigned i = 0; i < files->n; i++)
		evfile_free(&files->of[i].file);
	files->n = 0;
}

const struct evfile *evfiles_of(const struct evfiles *files, uint8_t core)
{
	for (unsigned i = 0; i < files->n; i++)
		if (!core || !files->of[i].core || files->of[i].core == core)
			return &files->of[i].file;
	return NULL;
}

const struct evfile_event *evfiles_find(const struct evfiles *files, uint8_t core, const char *name)
{
	const struct evfile_event *found = NULL;

	for (unsigned i = 0; files && i < files->n && !found; i++)
		if (!core || !files->of[i].core || files->of[i].core == core)
			found = evfile_find(&files->of[i].file, name);
	return found;
}
