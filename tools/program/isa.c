// SPDX-License-Identifier: BSD-2-Clause
/*
 * isa.c - see isa.h. QEMU emulates less than some models have: no QEMU so far has AVX-512, and none
 * before 7.2 had AVX2.
 */
#include "tools/program/isa.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* Levels by the beginning of the model's name. The first row that fits counts. */
static const struct {
	const char *begins;
	unsigned level;
} models[] = {
	{"qemu64", 1},         {"kvm64", 1},         {"core2duo", 1},   {"Conroe", 1},
	{"Penryn", 1},         {"athlon", 1},        {"phenom", 1},     {"Opteron_G1", 1},
	{"Opteron_G2", 1},     {"Opteron_G3", 1},    {"Nehalem", 2},    {"Westmere", 2},
	{"SandyBridge", 2},    {"IvyBridge", 2},     {"Denverton", 2},  {"Snowridge", 2},
	{"Opteron_G4", 2},     {"Opteron_G5", 2},    {"Haswell", 3},    {"Broadwell", 3},
	{"Skylake", 3},        {"Cascadelake", 3},   {"Cooperlake", 3}, {"Icelake", 3},
	{"SapphireRapids", 3}, {"GraniteRapids", 3}, {"EPYC", 3},       {"max", 3},
};

/* The features that each level adds to the one below it. */
static const char *const features[ISA_LEVELS + 1] = {
	[2] = "CMPXCHG16B, LAHF, POPCNT, SSE3, SSSE3, SSE4.1, SSE4.2",
	[3] = "AVX, AVX2, BMI1, BMI2, F16C, FMA, LZCNT, MOVBE",
	[4] = "AVX512F, AVX512BW, AVX512CD, AVX512DQ, AVX512VL",
};

static const char *const have[ISA_LEVELS + 1] = {
	[2] = "--cpu Nehalem, or the default EPYC, has them",
	[3] = "--cpu EPYC, the default, has them",
	[4] = "no CPU that QEMU emulates has them: --accel kvm on a CPU that does, or compile for "
	      "x86-64-v3",
};

/* Returns 0 for a model with added or removed features, such as `EPYC,+x2apic`. */
unsigned isa_of_cpu(const char *cpu)
{
	for (size_t i = 0; !strchr(cpu, ',') && i < sizeof(models) / sizeof(models[0]); i++)
		if (!strncmp(cpu, models[i].begins, strlen(models[i].begins)))
			return models[i].level;
	return 0;
}

int isa_check(unsigned level, const char *cpu, struct reason *why)
{
	const unsigned has = cpu ? isa_of_cpu(cpu) : 0;

	if (!has || level <= has || level > ISA_LEVELS)
		return 0;
	return refuse(why, EINVAL, "it is for CPUs of the level %s (%s), and --cpu %s is %s; %s",
		      isa_level_name(level), features[level], cpu, isa_level_name(has),
		      have[level]);
}
