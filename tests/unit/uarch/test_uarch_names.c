// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_uarch_names.c - every CPU has at most one microarchitecture; names of microarchitectures.
 */
#include "tests/unit/uarch/uarch_rows.h"

#include "tests/unit/test.h"

/* --- The microarchitecture of a CPU --- */

static struct pmu_caps cpu(enum cpu_vendor vendor, unsigned family, unsigned model)
{
	return (struct pmu_caps){
		.vendor = vendor, .family = (uint16_t)family, .model = (uint16_t)model};
}

static size_t claims(const struct pmu_caps *caps)
{
	size_t n = 0;

	FOR_EACH(u)
	n += uarch_is(u, caps);
	return n;
}

static void check_claims(const struct pmu_caps *caps)
{
	size_t n = claims(caps);

	if (n > 1)
		fail_msg("%u/%x/%x, core %x, native %x: %zu rows claim it", caps->family,
			 caps->model, caps->stepping, caps->core_type, caps->native_model, n);
	assert_int_equal(n == 0, !strcmp(uarch_find(caps)->name, "generic"));
}

/* Steppings and kinds of cores distinguish only CPUs of Intel's family 6. */
static bool is_detailed(enum cpu_vendor vendor, unsigned family)
{
	return vendor == CPU_VENDOR_INTEL && family == 6;
}

TEST(test_details_are_of_one_family)
{
	FOR_EACH(u)
	for (const struct uarch_model *m = u->models; m->family; m++)
		if (m->core || m->native || m->steppings)
			assert_true(is_detailed(u->vendor, m->family));
}

TEST(test_every_cpu_is_one)
{
	static const uint8_t cores[] = {0, UARCH_ATOM, UARCH_CORE};

	for (unsigned v = CPU_VENDOR_INTEL; v <= CPU_VENDOR_AMD; v++)
		for (unsigned family = 5; family < 0x1c; family++)
			for (unsigned model = 0; model < 256; model++)
				for (unsigned k = 0; k < 3 * 4 * 16; k++) {
					struct pmu_caps caps = cpu(v, family, model);

					caps.core_type = cores[k % 3];
					caps.native_model = k / 3 % 4;
					caps.stepping = (uint8_t)(k / 12);
					if (k && !is_detailed(v, family))
						break;
					check_claims(&caps);
				}
}

TEST(test_cpus)
{
	static const struct {
		enum cpu_vendor vendor;
		uint16_t family, model;
		uint8_t stepping, core, native;
		const char *name;
	} cpus[] = {
#define I CPU_VENDOR_INTEL, 6
#define A CPU_VENDOR_AMD
		{I, 0x1a, 5, 0, 0, "nehalem"},
		{I, 0x1e, 5, 0, 0, "nehalem"},
		{I, 0x2e, 6, 0, 0, "nehalemex"},
		{I, 0x25, 5, 0, 0, "westmere"},
		{I, 0x2c, 2, 0, 0, "westmere"},
		{I, 0x2f, 2, 0, 0, "westmereex"},
		{I, 0x2a, 7, 0, 0, "sandybridge"},
		{I, 0x2d, 7, 0, 0, "sandybridgex"},
		{I, 0x3a, 9, 0, 0, "ivybridge"},
		{I, 0x3e, 4, 0, 0, "ivybridgex"},
		{I, 0x3c, 3, 0, 0, "haswell"},
		{I, 0x45, 1, 0, 0, "haswell"},
		{I, 0x3f, 2, 0, 0, "haswellx"},
		{I, 0x3d, 4, 0, 0, "broadwell"},
		{I, 0x4f, 1, 0, 0, "broadwellx"},
		{I, 0x56, 3, 0, 0, "broadwellde"},
		{I, 0x5e, 3, 0, 0, "skylake"},
		{I, 0x9e, 10, 0, 0, "skylake"},
		{I, 0xa5, 2, 0, 0, "skylake"},
		{I, 0x55, 4, 0, 0, "skylakex"},
		{I, 0x55, 5, 0, 0, "cascadelakex"},
		{I, 0x55, 15, 0, 0, "cascadelakex"},
		{I, 0x7e, 5, 0, 0, "icelake"},
		{I, 0xa7, 1, 0, 0, "icelake"},
		{I, 0x6a, 6, 0, 0, "icelakex"},
		{I, 0x8c, 1, 0, 0, "tigerlake"},
		{I, 0x97, 2, UARCH_CORE, 1, "goldencove"},
		{I, 0x97, 2, UARCH_ATOM, 1, "gracemont"},
		{I, 0x97, 5, 0, 0, "goldencove"},
		{I, 0xb7, 1, UARCH_ATOM, 1, "gracemont"},
		{I, 0xbe, 0, UARCH_ATOM, 1, "gracemont"},
		{I, 0xbe, 0, 0, 0, "gracemont"},
		{I, 0x8f, 8, UARCH_CORE, 1, "sapphirerapids"},
		{I, 0xcf, 2, 0, 0, "emeraldrapids"},
		{I, 0xad, 1, 0, 0, "graniterapids"},
		{I, 0xae, 1, 0, 0, "graniterapids"},
		{I, 0xaa, 4, UARCH_CORE, 2, "redwoodcove"},
		{I, 0xaa, 4, UARCH_ATOM, 2, "crestmont"},
		{I, 0xbd, 1, UARCH_CORE, 3, "lioncove"},
		{I, 0xbd, 1, UARCH_ATOM, 3, "skymont"},
		{I, 0xc5, 2, UARCH_ATOM, 3, "skymont"},
		{I, 0xc5, 2, UARCH_ATOM, 2, "crestmont"},
		{I, 0xc5, 2, UARCH_ATOM, 0, "generic"},
		{I, 0xc6, 2, UARCH_CORE, 3, "lioncove"},
		{I, 0xaf, 3, UARCH_ATOM, 2, "sierraforest"},
		{I, 0xb6, 0, UARCH_ATOM, 2, "grandridge"},
		{I, 0x37, 8, 0, 0, "silvermont"},
		{I, 0x5c, 9, 0, 0, "goldmont"},
		{I, 0x7a, 1, 0, 0, "goldmontplus"},
		{I, 0x96, 1, 0, 0, "tremont"},
		{I, 0xcc, 1, UARCH_CORE, 0, "cougarcove"},
		{I, 0xcc, 1, UARCH_ATOM, 0, "darkmont"},
		{I, 0xdd, 1, UARCH_ATOM, 0, "clearwaterforest"},
		{I, 0x57, 1, 0, 0, "knightslanding"},
		{I, 0x0f, 6, 0, 0, "generic"},
		{CPU_VENDOR_INTEL, 15, 4, 1, 0, 0, "generic"},
		{A, 6, 8, 1, 0, 0, "k7"},
		{A, 0xf, 0x43, 1, 0, 0, "k8"},
		{A, 0x10, 2, 3, 0, 0, "fam10h"},
		{A, 0x11, 3, 1, 0, 0, "fam10h"},
		{A, 0x12, 1, 0, 0, 0, "fam10h"},
		{A, 0x14, 2, 0, 0, 0, "fam10h"},
		{A, 0x15, 1, 2, 0, 0, "fam15h"},
		{A, 0x15, 0x60, 1, 0, 0, "fam15h"},
		{A, 0x16, 0, 1, 0, 0, "fam16h"},
		{A, 0x17, 1, 1, 0, 0, "zen1"},
		{A, 0x17, 0x18, 1, 0, 0, "zen1"},
		{A, 0x17, 0x31, 0, 0, 0, "zen2"},
		{A, 0x17, 0x71, 0, 0, 0, "zen2"},
		{A, 0x19, 1, 1, 0, 0, "zen3"},
		{A, 0x19, 0x21, 0, 0, 0, "zen3"},
		{A, 0x19, 0x50, 0, 0, 0, "zen3"},
		{A, 0x19, 0x11, 1, 0, 0, "zen4"},
		{A, 0x19, 0x61, 2, 0, 0, "zen4"},
		{A, 0x19, 0xa0, 2, 0, 0, "zen4"},
		{A, 0x1a, 0x02, 1, 0, 0, "zen5"},
		{A, 0x1a, 0x44, 0, 0, 0, "zen5"},
		{A, 0x1b, 0, 0, 0, 0, "generic"},
		{A, 0x19, 0x90, 0, 0, 0, "generic"},
#undef I
#undef A
	};

	for (size_t i = 0; i < UARCH_COUNT(cpus); i++) {
		struct pmu_caps caps = cpu(cpus[i].vendor, cpus[i].family, cpus[i].model);
		const char *name;

		caps.stepping = cpus[i].stepping;
		caps.core_type = cpus[i].core;
		caps.native_model = cpus[i].native;
		name = uarch_find(&caps)->name;
		if (strcmp(name, cpus[i].name))
			fail_msg("%x/%x is %s, not %s", caps.family, caps.model, name,
				 cpus[i].name);
	}
	/* The numbers alone do not suffice: the vendor decides. */
	assert_ptr_equal(uarch_find(&(struct pmu_caps){
				 .vendor = CPU_VENDOR_AMD, .family = 6, .model = 0x3c}),
			 uarch_by_name("k7"));
	assert_ptr_equal(uarch_find(&(struct pmu_caps){
				 .vendor = CPU_VENDOR_OTHER, .family = 6, .model = 0x3c}),
			 &uarch_intel_generic);
}

/* --- Names --- */

TEST(test_names)
{
	static const char *const names[][2] = {
		{"hsw", "haswell"},
		{"HSW", "haswell"},
		{"Haswell", "haswell"},
		{"skl", "skylake"},
		{"skx", "skylakex"},
		{"clx", "cascadelakex"},
		{"icl", "icelake"},
		{"rocketlake", "icelake"},
		{"jaketown", "sandybridgex"},
		{"alderlake_goldencove", "goldencove"},
		{"adl_e", "gracemont"},
		{"adl", "goldencove"},
		{"mtl-p", "redwoodcove"},
		{"westmereep-dp", "westmere"},
		{"snowridgex", "tremont"},
		{"bobcat", "fam10h"},
		{"zen", "zen1"},
		{"zen4", "zen4"},
	};
	static const char *const none[] = {
		"", " ", "hs", "hswx", "hsw ", "hsw hsx", "generic", "p4", "haswell haswellx"};

	for (size_t i = 0; i < UARCH_COUNT(names); i++) {
		const struct uarch *u = uarch_by_name(names[i][0]);

		if (!u || strcmp(u->name, names[i][1]))
			fail_msg("'%s' is %s", names[i][0], u ? u->name : "nothing");
	}
	for (size_t i = 0; i < UARCH_COUNT(none); i++)
		if (uarch_by_name(none[i]))
			fail_msg("'%s' is %s", none[i], uarch_by_name(none[i])->name);
}

/* Each name and each alias is found, and belongs to one microarchitecture. */
TEST(test_names_are_unique)
{
	FOR_EACH(u)
	{
		char words[256], *rest = words, *word;

		snprintf(words, sizeof(words), "%s %s", u->name, u->aliases);
		while ((word = strtok_r(rest, " ", &rest)))
			if (uarch_by_name(word) != u)
				fail_msg("'%s' of %s is also %s'", word, u->name,
					 uarch_by_name(word)->name);
	}
}

static bool libpfm_has(const char *name)
{
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info = {.size = sizeof(info)};

		if (pfm_get_pmu_info(i, &info) == PFM_SUCCESS && !strcmp(info.name, name))
			return true;
	}
	return false;
}

TEST(test_libpfm_names)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	FOR_EACH(u)
	if (*u->pfm && !libpfm_has(u->pfm))
		fail_msg("%s: libpfm4 has no '%s'", u->name, u->pfm);
}
