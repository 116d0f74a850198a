// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpus.c - the CPUs behind the first, each with page tables of its own: the boot CPU's, but that
 * the PERCPU variables are memory of this CPU. A CPU is known by its APIC id: one that was reset,
 * and comes a second time, starts anew in its old place.
 */
#include "arch/x86/insn.h"
#include "lib/string.h"
#include "vpmu/svm/vpmu.h"

#define PAGE_BYTES  4096ull
#define ENTRIES     512u
#define LEVEL_BITS  9
#define LEVEL_PML4  3
#define PTE_PRESENT (1ull << 0)
#define PTE_WRITE   (1ull << 1)
#define PTE_LARGE   (1ull << 7)
#define PTE_ADDRESS 0x000ffffffffff000ull

/* Tables on the way to two neighbouring pages: the top, and two of each lower level. */
#define TABLES      (1 + 2 * LEVEL_PML4)
#define APIC_ID_MAX 0xff /* what the HPET's messages reach */

extern uint8_t __percpu_start[], __percpu_end[];

/* attach.S */
extern uint64_t vpmu_attach_cr3;

/* Written by one CPU at a time. */
static struct {
	const uint64_t *host_pml4;
	uint8_t *memory;
	unsigned most, n; /* CPUs; the boot CPU has no place */
	struct place {
		uint32_t apic_id;
		unsigned tables; /* in use */
	} places[APIC_ID_MAX + 1];
} cpus;

static size_t percpu_bytes(void)
{
	return (size_t)(__percpu_end - __percpu_start);
}

size_t vpmu_cpu_bytes(void)
{
	return TABLES * PAGE_BYTES + percpu_bytes();
}

void vpmu_cpus_init(uint64_t host_cr3, unsigned most, void *memory)
{
	cpus.host_pml4 = (const uint64_t *)host_cr3;
	cpus.memory = memory;
	cpus.most = memory && most ? most - 1 : 0;
	if (cpus.most > APIC_ID_MAX)
		cpus.most = APIC_ID_MAX;
	vpmu_attach_cr3 = host_cr3;
}

uint32_t vpmu_apic_id(void)
{
	const uint32_t extended_topology = 0xb;
	struct cpuid_regs levels;

	if (insn_cpuid(0, 0).eax >= extended_topology) {
		levels = insn_cpuid(extended_topology, 0);
		if (levels.ebx)
			return levels.edx;
	}
	return insn_cpuid(1, 0).ebx >> 24;
}

static uint8_t *memory_of(const struct place *place)
{
	return cpus.memory + (size_t)(place - cpus.places) * vpmu_cpu_bytes();
}

static uint64_t *new_table(struct place *place)
{
	return (uint64_t *)(memory_of(place) + place->tables++ * PAGE_BYTES);
}

static uint64_t *cpus_table_of(uint64_t entry)
{
	return (uint64_t *)(entry & PTE_ADDRESS);
}

static bool is_own_table(const struct place *place, uint64_t entry)
{
	uint64_t distance = (entry & PTE_ADDRESS) - (uint64_t)memory_of(place);

	return !(entry & PTE_LARGE) && distance < place->tables * PAGE_BYTES;
}

/* The table below `entry` of `level` becomes the CPU's own, with what was mapped there before. */
static uint64_t *own_table(struct place *place, uint64_t *entry, unsigned level)
{
	uint64_t size = PAGE_BYTES << LEVEL_BITS * (level - 1);
	uint64_t large = level == 1 ? 0 : PTE_LARGE;
	uint64_t *table;

	if (is_own_table(place, *entry))
		return cpus_table_of(*entry);
	table = new_table(place);
	for (unsigned i = 0; i < ENTRIES; i++)
		table[i] = *entry & PTE_LARGE ? ((*entry & ~PTE_LARGE) + i * size) | large
					      : cpus_table_of(*entry)[i];
	*entry = (uint64_t)table | PTE_PRESENT | PTE_WRITE;
	return table;
}

static void map_page(struct place *place, uint64_t *pml4, uint64_t va, uint64_t pa)
{
	uint64_t *table = pml4;

	for (unsigned level = LEVEL_PML4;; level--) {
		uint64_t *entry = &table[va >> (12 + LEVEL_BITS * level) & (ENTRIES - 1)];

		if (!level) {
			*entry = pa | PTE_PRESENT | PTE_WRITE;
			return;
		}
		table = own_table(place, entry, level);
	}
}

static uint64_t *build_tables(struct place *place, uint8_t *own)
{
	uint64_t *pml4 = new_table(place);

	memcpy(pml4, cpus.host_pml4, PAGE_BYTES);
	for (size_t at = 0; at < percpu_bytes(); at += PAGE_BYTES)
		map_page(place, pml4, (uint64_t)__percpu_start + at, (uint64_t)own + at);
	return pml4;
}

static struct place *find_place(uint32_t apic_id)
{
	for (unsigned i = 0; i < cpus.n; i++)
		if (cpus.places[i].apic_id == apic_id)
			return &cpus.places[i];
	if (cpus.n == cpus.most || apic_id > APIC_ID_MAX)
		return NULL;
	return &cpus.places[cpus.n++];
}

uint64_t vpmu_cpu_enlist(void)
{
	uint32_t apic_id = vpmu_apic_id();
	struct place *place = find_place(apic_id);
	struct vpmu_cpu *cpu;
	uint8_t *own;

	if (!place)
		return 0;
	*place = (struct place){.apic_id = apic_id};
	own = memory_of(place) + TABLES * PAGE_BYTES;
	memset(own, 0, percpu_bytes());
	cpu = (struct vpmu_cpu *)(own + ((uint8_t *)&vpmu_cpu - __percpu_start));
	cpu->number = (unsigned)(place - cpus.places) + 1;
	cpu->apic_id = apic_id;
	cpu->distance = (uint64_t)own - (uint64_t)__percpu_start;
	cpu->host_cr3 = (uint64_t)build_tables(place, own);
	return cpu->host_cr3;
}
