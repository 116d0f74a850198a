// SPDX-License-Identifier: BSD-2-Clause
/* events.c - see events.h. */
#include "tools/events/events.h"

#include <errno.h>
#include <inttypes.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/names/intel_names.h"
#include "pmu/names/parse.h"
#include "tools/events/evfiles.h"

/*
 * The letters of perf's event modifiers (man perf-list). `e` is missing: behind a name of libpfm4
 * it is libpfm4's modifier for edges.
 */
#define MODIFIERS "ukhGHIpPSDW"

/*
 * The raw encodings of perf_event_attr.config, as terms of cpu/.../: Intel SDM, "IA32_PERFEVTSELx
 * MSRs"; AMD APM volume 2, "Core Performance Event-Select Registers".
 */
struct term {
	const char *name;
	uint8_t shift, bits;
	bool always; /* written even if 0 */
};

static const struct term intel_terms[] = {
	{"event", 0, 8, true}, {"umask", 8, 8, true}, {"edge", 18, 1, false},
	{"any", 21, 1, false}, {"inv", 23, 1, false}, {"cmask", 24, 8, false},
	{NULL, 0, 0, false},
};

static const struct term amd_terms[] = {
	{"event", 0, 8, true}, {"umask", 8, 8, true},   {"edge", 18, 1, false},
	{"inv", 23, 1, false}, {"cmask", 24, 8, false}, {NULL, 0, 0, false},
};

static uint64_t mask_of(const struct term *term)
{
	return ((1ull << term->bits) - 1) << term->shift;
}

static bool covers_config(const struct term *terms, uint64_t config)
{
	for (; terms->name; terms++)
		config &= ~mask_of(terms);
	return !config;
}

/* Returns whether a term of `list`, which ends at a slash, is `name`. */
static bool has_term(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (;; list++) {
		list += strspn(list, " ");
		if (!strncmp(list, name, n) && strchr("=,/ ", list[n]))
			return true;
		list += strcspn(list, ",/");
		if (*list != ',')
			return false;
	}
}

/*
 * Adds the encoding as terms, except those in `given`. Bits that no term covers (an event code of
 * 12 bits, TSX) are added as a number.
 */
static void add_config(struct buf *out, const struct term *terms, uint64_t config,
		       const char *given)
{
	const char *comma = "";

	if (!covers_config(terms, config)) {
		buf_printf(out, "config=0x%" PRIx64, config);
		return;
	}
	for (const struct term *t = terms; t->name; t++) {
		uint64_t value = (config & mask_of(t)) >> t->shift;

		if ((!value && !t->always) || has_term(given, t->name))
			continue;
		if (t->bits == 1)
			buf_printf(out, "%s%s", comma, t->name);
		else
			buf_printf(out, "%s%s=0x%02" PRIx64, comma, t->name, value);
		comma = ",";
	}
}

static bool init_libpfm(void)
{
	static int err = PFM_ERR_NOINIT;

	if (err == PFM_ERR_NOINIT) {
		/* encodes events of any machine, not only of this one */
		setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
		err = pfm_initialize();
	}
	return err == PFM_SUCCESS;
}

int events_init(struct reason *why)
{
	return init_libpfm() ? 0 : refuse(why, EINVAL, "libpfm4 can not be initialised");
}

struct guest_uarch guest_of(const struct uarch *uarch)
{
	return (struct guest_uarch){
		.name = uarch->name, .pfm = uarch->pfm, .amd = uarch->vendor == CPU_VENDOR_AMD};
}

static const struct evfile_event *find_file_event(const char *name, const struct guest_uarch *uarch)
{
	return uarch ? evfiles_find(uarch->files, uarch->core, name) : NULL;
}

/*
 * Returns selected cores of a hybrid by index, and then those beside them if all are selected;
 * NULL: no more.
 */
static const struct uarch *meant_cores(const struct guest_uarch *guest, unsigned i)
{
	const struct uarch *first = guest ? uarch_by_name(guest->name) : NULL;
	const bool hybrid = first && uarch_has_core(first, 0);

	if (i || (hybrid && guest->core && !uarch_has_core(first, guest->core)))
		return hybrid && i <= !guest->core ? uarch_beside(first) : NULL;
	return first;
}

/* Returns whether Intel has published the name. The image has these names, too. */
static bool is_published(const char *name, const struct guest_uarch *guest,
			 struct intel_event *event)
{
	const struct uarch *uarch;

	for (unsigned i = 0; i < 2; i++)
		if ((uarch = meant_cores(guest, i)) && intel_find(uarch, name, strlen(name), event))
			return true;
	return false;
}

/* Bits of IA32_PERFEVTSELx and of AMD's PERF_CTLx that perf_event_open() sets by itself. */
#define SELECTS_USER   (1ull << 16)
#define SELECTS_KERNEL (1ull << 17)
#define INTERRUPTS     (1ull << 20)
#define ENABLES        (1ull << 22)
#define KERNELS_BITS   (SELECTS_USER | SELECTS_KERNEL | INTERRUPTS | ENABLES)

/*
 * Asks libpfm4 for the values of registers, as its encodings for perf_event_open() are there only
 * on hosts whose kernel has perf.
 */
static pfm_err_t encode_by_libpfm(const char *full, struct perf_event_attr *attr)
{
	pfm_pmu_encode_arg_t arg = {.size = sizeof(arg)};
	const pfm_err_t err =
		pfm_get_os_event_encoding(full, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);

	if (err == PFM_SUCCESS && arg.count) {
		attr->type = PERF_TYPE_RAW;
		attr->config = arg.codes[0] & ~KERNELS_BITS;
		attr->config1 = arg.count > 1 ? arg.codes[1] : 0;
		attr->exclude_user = !(arg.codes[0] & SELECTS_USER);
		attr->exclude_kernel = !(arg.codes[0] & SELECTS_KERNEL);
	}
	free(arg.codes);
	return err;
}

/* Searches the event files, Intel's published names, and libpfm4. A plain `name` belongs to
 * `uarch`. */
static pfm_err_t look_up(const char *name, const struct guest_uarch *uarch,
			 struct perf_event_attr *attr)
{
	const struct evfile_event *of_file = find_file_event(name, uarch);
	struct intel_event published;
	struct buf full = {0};
	pfm_err_t err;

	*attr = (struct perf_event_attr){.size = sizeof(*attr)};
	if (of_file) {
		attr->type = PERF_TYPE_RAW;
		attr->config = evfile_config(of_file);
		attr->config1 = of_file->msr_value;
		return PFM_SUCCESS;
	}
	if (is_published(name, uarch, &published)) {
		attr->type = PERF_TYPE_RAW;
		attr->config = published.config;
		attr->config1 = published.config1;
		return PFM_SUCCESS;
	}
	if (!strstr(name, "::")) {
		if (!uarch || !*uarch->pfm)
			return PFM_ERR_NOTFOUND;
		buf_printf(&full, "%s::", uarch->pfm);
	}
	buf_printf(&full, "%s", name);
	err = encode_by_libpfm(buf_text(&full), attr);
	buf_free(&full);
	/* a name of Intel's whose beginning libpfm4 knows is no name of libpfm4 */
	return err == PFM_ERR_ATTR && !strchr(name, ':') ? PFM_ERR_NOTFOUND : err;
}

static bool names_amd(const char *name, const struct guest_uarch *uarch)
{
	return strstr(name, "::") ? !strncmp(name, "amd64", 5) : uarch->amd;
}

/* Returns whether the image finds `name` itself: on a hybrid, for each kind of its cores. */
static bool is_images_name(const char *name, const struct guest_uarch *guest)
{
	const struct uarch *uarch = meant_cores(guest, 0);
	struct intel_event ignored;

	return uarch && uarch_has_core(uarch, 0) && !find_file_event(name, guest) &&
	       is_published(name, guest, &ignored);
}

/* Adds terms for the encoding of `name`, which is shown as `shown`, except those in `given`. */
static int add_terms(struct buf *out, const char *name, const char *shown,
		     const struct guest_uarch *uarch, const struct perf_event_attr *attr,
		     const char *given, struct reason *why)
{
	if (attr->type != PERF_TYPE_RAW)
		return refuse(why, EINVAL, "event '%s' is not one of the core's PMU", name);
	add_config(out, names_amd(name, uarch) ? amd_terms : intel_terms, attr->config, given);
	if (attr->config1 && !has_term(given, "config1"))
		buf_printf(out, ",config1=0x%" PRIx64, (uint64_t)attr->config1);
	if (!has_term(given, "name"))
		buf_printf(out, ",name='%s'", shown);
	return 0;
}

/* Adds the encoding as cpu/.../. */
static int add_encoded(struct buf *out, const char *name, const struct guest_uarch *uarch,
		       const struct perf_event_attr *attr, struct reason *why)
{
	int err;

	buf_printf(out, "cpu/");
	err = add_terms(out, name, name, uarch, attr, "", why);
	buf_printf(out, "/");
	return err;
}

/* Returns perf's modifiers for the rings that libpfm4's own modifiers (:u=1:k=0, ...) exclude. */
static const char *libpfm_modifiers(const struct perf_event_attr *attr)
{
	return attr->exclude_kernel ? "u" : attr->exclude_user ? "k" : "";
}

/* Returns the offset of the colon of perf's modifiers in `item`; its length if there are none. */
static size_t modifiers_at(const char *item)
{
	const char *colon = strrchr(item, ':');

	if (!colon || colon == item || colon[-1] == ':' || !colon[1] ||
	    colon[1 + strspn(colon + 1, MODIFIERS)])
		return strlen(item);
	return (size_t)(colon - item);
}

/*
 * Looks `item` up without perf's modifiers, to which `*modifiers` then points. If that fails, looks
 * up the whole item, because a unit mask may look like modifiers. Returns the name that was looked
 * up last, allocated.
 */
static char *look_up_item(const char *item, const struct guest_uarch *uarch,
			  struct perf_event_attr *attr, const char **modifiers, pfm_err_t *err)
{
	size_t at = modifiers_at(item);
	char *name = copy_text(item, at);

	*modifiers = item + at;
	*err = look_up(name, uarch, attr);
	if (*err == PFM_SUCCESS || !item[at] || look_up(item, uarch, attr) != PFM_SUCCESS)
		return name;
	*err = PFM_SUCCESS;
	*modifiers = "";
	free(name);
	return copy_text(item, strlen(item));
}

int events_find(const char *item, const struct guest_uarch *uarch, struct perf_event_attr *attr,
		size_t *taken, struct reason *why)
{
	struct perf_event_attr found;
	const char *modifiers;
	pfm_err_t err;
	char *name;
	int ret = 0;

	if (events_init(why))
		return -EINVAL;
	name = look_up_item(item, uarch, &found, &modifiers, &err);
	*taken = strlen(item) - strlen(modifiers);
	if (err == PFM_ERR_NOTFOUND && !strstr(name, "::"))
		ret = -ENOENT;
	else if (err != PFM_SUCCESS)
		ret = refuse(why, EINVAL, "event '%s': %s", name, pfm_strerror(err));
	else if (found.type != PERF_TYPE_RAW)
		ret = refuse(why, EINVAL, "event '%s' is not one of the core's PMU", name);
	free(name);
	if (ret)
		return ret;
	attr->type = found.type;
	attr->config = found.config;
	attr->config1 = found.config1;
	attr->exclude_user = found.exclude_user;
	attr->exclude_kernel = found.exclude_kernel;
	return 0;
}

/* --- The names of the core's PMU --- */

static const struct {
	const char *prefix;
	uint8_t core;
} pmus[] = {{"cpu/", 0}, {"cpu_core/", UARCH_CORE}, {"cpu_atom/", UARCH_ATOM}};

#define NPMUS (sizeof(pmus) / sizeof(pmus[0]))

/* Returns the row of `pmus` with which `item` begins; NPMUS: none. */
static size_t find_pmu(const char *item)
{
	size_t i = 0;

	while (i < NPMUS && strncmp(item, pmus[i].prefix, strlen(pmus[i].prefix)))
		i++;
	return i;
}

#define SHOWN_MOST (PMU_SPEC_NAME_MAX - 16) /* leaves room for modifiers */

/*
 * Returns the shown name of an event of a file: the typed text with the cores' PMU, without
 * modifiers, if that is a valid name.
 */
static char *shown_item(const char *item, const char *name)
{
	const size_t n = (size_t)(strrchr(item, '/') + 1 - item);
	const bool fits = n <= SHOWN_MOST && strcspn(item, " \t\n'") >= n;

	return fits ? copy_text(item, n) : copy_text(name, strlen(name));
}

/* Encodes one term of `item`. Returns its length. */
static size_t encode_term(struct buf *out, const char *item, const char *term,
			  const struct guest_uarch *uarch, struct reason *why, int *err)
{
	const char *given = strchr(item, '/') + 1;
	size_t n = strcspn(term, ",/");
	char *name = copy_text(term, n);
	struct perf_event_attr attr;

	if (!is_images_name(name, uarch) && look_up(name, uarch, &attr) == PFM_SUCCESS) {
		char *shown = uarch && uarch->core && find_file_event(name, uarch)
				      ? shown_item(item, name)
				      : copy_text(name, n);

		*err = add_terms(out, name, shown, uarch, &attr, given, why);
		free(shown);
	} else {
		buf_add(out, term, n);
	}
	free(name);
	return n;
}

/* Encodes the core's PMU with terms, one of which may be a name; `uarch` has its cores. */
static int encode_terms(struct buf *out, const char *item, const struct guest_uarch *uarch,
			struct reason *why)
{
	const char *terms = strchr(item, '/') + 1, *at = terms;
	int err = 0;

	buf_add(out, item, (size_t)(terms - item));
	for (; *at && *at != '/' && !err; at += *at == ',') {
		at += encode_term(out, item, at, uarch, why, &err);
		if (*at == ',')
			buf_add(out, at, 1);
	}
	buf_printf(out, "%s", at);
	return err;
}

/*
 * Returns whether the event files are those of a hybrid, whose kinds of cores have different codes.
 */
static bool has_kinds(const struct guest_uarch *uarch)
{
	return uarch && uarch->files && uarch->files->n && uarch->files->of[0].core;
}

/* Encodes event `name` of files once for each kind of cores that has it: the PMU, and then
 * `terms`, which include the slash and modifiers. */
static int encode_each_kind(struct buf *out, const char *name, const char *terms,
			    const struct guest_uarch *uarch, struct reason *why)
{
	const char *comma = "";
	int err = 0;

	for (size_t i = 0; i < NPMUS && !err; i++) {
		struct guest_uarch kind = *uarch;
		struct buf item = {0};

		kind.core = pmus[i].core;
		if (!kind.core || (uarch->core && uarch->core != kind.core) ||
		    !find_file_event(name, &kind))
			continue;
		buf_printf(&item, "%s%s", pmus[i].prefix, terms);
		buf_printf(out, "%s", comma);
		err = encode_terms(out, buf_text(&item), &kind, why);
		buf_free(&item);
		comma = ",";
	}
	return err;
}

/* Finds the term of "cpu/.../" that names an event of a file. Returns it allocated; NULL: none. */
static char *find_file_term(const char *item, const struct guest_uarch *uarch)
{
	const char *at = strchr(item, '/');
	char *name = NULL;

	do {
		at++;
		free(name);
		name = copy_text(at, strcspn(at, ",/"));
		if (find_file_event(name, uarch))
			return name;
		at += strlen(name);
	} while (*at == ',');
	free(name);
	return NULL;
}

static int encode_pmu(struct buf *out, const char *item, size_t pmu,
		      const struct guest_uarch *uarch, struct reason *why)
{
	char *name = has_kinds(uarch) && !pmus[pmu].core ? find_file_term(item, uarch) : NULL;
	struct guest_uarch kind;
	int err;

	if (name) {
		err = encode_each_kind(out, name, strchr(item, '/') + 1, uarch, why);
		free(name);
		return err;
	}
	if (uarch && pmus[pmu].core) {
		kind = *uarch;
		kind.core = pmus[pmu].core;
		uarch = &kind;
	}
	return encode_terms(out, item, uarch, why);
}

/* --- Names without a PMU --- */

/* Encodes an event of files without a PMU, on a hybrid. */
static int encode_plain(struct buf *out, const char *name, const char *modifiers,
			const struct guest_uarch *uarch, struct reason *why)
{
	struct buf terms = {0};
	int err;

	buf_printf(&terms, "%s/%s", name, *modifiers ? modifiers + 1 : "");
	err = encode_each_kind(out, name, buf_text(&terms), uarch, why);
	buf_free(&terms);
	return err;
}

static int encode_item(struct buf *out, const char *item, const struct guest_uarch *uarch,
		       struct reason *why)
{
	struct perf_event_attr attr;
	const char *modifiers;
	pfm_err_t err;
	char *name = look_up_item(item, uarch, &attr, &modifiers, &err);
	int ret = 0;

	if (err == PFM_SUCCESS && is_images_name(name, uarch)) {
		buf_printf(out, "%s", item);
	} else if (err == PFM_SUCCESS && has_kinds(uarch) && find_file_event(name, uarch)) {
		ret = encode_plain(out, name, modifiers, uarch, why);
	} else if (err == PFM_SUCCESS) {
		ret = add_encoded(out, name, uarch, &attr, why);
		buf_printf(out, "%s", *modifiers ? modifiers + 1 : libpfm_modifiers(&attr));
	} else if (err == PFM_ERR_NOTFOUND && !strstr(name, "::")) {
		buf_printf(out, "%s", item);
	} else {
		ret = refuse(why, EINVAL, "event '%s': %s", name, pfm_strerror(err));
	}
	free(name);
	return ret;
}

/*
 * Returns the length of one event. A separator inside of /.../ or of a quoted name does not end it.
 */
static size_t event_item_length(const char *list)
{
	bool in_slashes = false, quoted = false;
	size_t n = 0;

	for (; list[n] && (in_slashes || quoted || !strchr(",{}", list[n])); n++) {
		quoted ^= list[n] == '\'';
		in_slashes ^= list[n] == '/' && !quoted;
	}
	return n;
}

/*
 * Returns whether only the image can parse the item: an event with settings or by numbers, a
 * group's modifiers or name, or text that is no event.
 */
static bool is_images(const char *item, char next)
{
	return strpbrk(item, "/ \t\n") || strchr(":0123456789", item[0]) || next == '{';
}

/* Copies `n` characters of a list, without blanks at the ends and beside colons. */
static char *copy_item(const char *list, size_t n)
{
	char *item = copy_text(list, n), *to = item;

	for (const char *at = item; *at; at++) {
		size_t blanks = strspn(at, " \t\n");

		if (blanks && (to == item || to[-1] == ':' || !at[blanks] || at[blanks] == ':'))
			at += blanks - 1;
		else
			*to++ = *at;
	}
	*to = '\0';
	return item;
}

int events_encode(struct buf *out, const char *list, const struct guest_uarch *uarch,
		  struct reason *why)
{
	if (events_init(why))
		return -EINVAL;
	while (*list) {
		size_t n = event_item_length(list);
		char *item = copy_item(list, n);
		const size_t pmu = find_pmu(item);
		int err = 0;

		if (pmu < NPMUS)
			err = encode_pmu(out, item, pmu, uarch, why);
		else if (*item && !is_images(item, list[n]))
			err = encode_item(out, item, uarch, why);
		else
			buf_printf(out, "%s", item);
		free(item);
		if (err)
			return err;
		list += n;
		if (*list)
			buf_add(out, list++, 1);
	}
	return 0;
}

/* --- Wrong lists --- */

int events_answer(int err, const struct reason *why, struct pmu_parse_error *error)
{
	if (err == -ENOENT)
		return 0;
	if (err)
		snprintf(error->text, sizeof(error->text), "%.*s", (int)sizeof(error->text) - 1,
			 why->text);
	return err ? err : 1;
}

bool events_known(const char *name, const struct guest_uarch *uarch)
{
	struct perf_event_attr attr;

	return look_up(name, uarch, &attr) == PFM_SUCCESS;
}
