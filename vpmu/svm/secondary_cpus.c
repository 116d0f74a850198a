// SPDX-License-Identifier: BSD-2-Clause
/*
 * secondary_cpus.c - the CPUs other than the boot CPU. Each has page tables of its own: a copy of
 * the boot CPU's in which the PERCPU variables are other memory. Each has a place by its APIC id,
 * from launch on. A CPU that was reset starts again in its place.
 */
#include "vpmu/svm/secondary_cpus.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define PAGE_BYTES  4096ull
#define ENTRIES     512u
#define LEVEL_BITS  9
#define LEVEL_PML4  3
#define PTE_PRESENT (1ull << 0)
#define PTE_WRITE   (1ull << 1)
#define PTE_LARGE   (1ull << 7)
#define PTE_ADDRESS 0x000ffffffffff000ull

/* Tables that map two neighbouring pages: the top, and two of each lower level. */
#define TABLES (1 + 2 * LEVEL_PML4)

extern uint8_t __percpu_start[], __percpu_end[];

struct vpmu_place vpmu_places[VPMU_MAX_CPUS];
uint32_t vpmu_places_n;

static const uint64_t *boot_pml4;

static size_t percpu_bytes(void)
{
	return (size_t)(__percpu_end - __percpu_start);
}

size_t vpmu_cpu_bytes(void)
{
	return START_STACK_SIZE + TABLES * PAGE_BYTES + percpu_bytes();
}

void vpmu_cpus_init(uint64_t host_cr3, const struct vpmu_config *config)
{
	const unsigned most = VPMU_MAX_CPUS - 1, n = config->cpus - 1;

	boot_pml4 = (const uint64_t *)host_cr3;
	vpmu_places_n = !config->memory ? 0 : n < most ? n : most;
	for (unsigned i = 0; i < vpmu_places_n; i++)
		vpmu_places[i] = (struct vpmu_place){
			.apic_id = config->apic_ids[i],
			.memory = (uint8_t *)config->memory + i * vpmu_cpu_bytes(),
		};
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

static uint64_t *tables_of(const struct vpmu_place *place)
{
	return (uint64_t *)(place->memory + START_STACK_SIZE);
}

static uint64_t *new_table(struct vpmu_place *place)
{
	return tables_of(place) + place->tables++ * ENTRIES;
}

static uint64_t *cpus_table_of(uint64_t entry)
{
	return (uint64_t *)(entry & PTE_ADDRESS);
}

static bool is_own_table(const struct vpmu_place *place, uint64_t entry)
{
	uint64_t distance = (entry & PTE_ADDRESS) - (uint64_t)tables_of(place);

	return !(entry & PTE_LARGE) && distance < place->tables * PAGE_BYTES;
}

/* Gives the CPU a table of its own below `entry` of `level`, with the same mappings. */
static uint64_t *own_table(struct vpmu_place *place, uint64_t *entry, unsigned level)
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

static void map_percpu_page(struct vpmu_place *place, uint64_t *pml4, uint64_t va, uint64_t pa)
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

static uint64_t *build_tables(struct vpmu_place *place, uint8_t *own)
{
	uint64_t *pml4 = new_table(place);

	memcpy(pml4, boot_pml4, PAGE_BYTES);
	for (size_t at = 0; at < percpu_bytes(); at += PAGE_BYTES)
		map_percpu_page(place, pml4, (uint64_t)__percpu_start + at, (uint64_t)own + at);
	return pml4;
}

uint64_t vpmu_cpu_enlist(struct vpmu_place *place)
{
	uint8_t *const own = (uint8_t *)(tables_of(place) + TABLES * ENTRIES);
	struct vpmu_cpu *cpu = (struct vpmu_cpu *)(own + ((uint8_t *)&vpmu_cpu - __percpu_start));

	place->tables = 0;
	memset(own, 0, percpu_bytes());
	cpu->host.number = (unsigned)(place - vpmu_places) + 1;
	cpu->host.apic_id = place->apic_id;
	cpu->host.percpu_distance = (uint64_t)own - (uint64_t)__percpu_start;
	cpu->host.cr3 = (uint64_t)build_tables(place, own);
	return cpu->host.cr3;
}
