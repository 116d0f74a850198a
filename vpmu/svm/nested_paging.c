// SPDX-License-Identifier: BSD-2-Clause
/*
 * nested_paging.c - nested paging on machines with more than one CPU. All memory is mapped one to
 * one, and the local APIC's page is read only. vpmu must know the guest's writes to it, by which
 * the guest starts other CPUs (ipi.c).
 *
 * The instruction that writes there is stepped. Instead of the APIC's page it finds other memory,
 * with the register's value in it, and leaves the new value there. So no instruction has to be
 * decoded, and all are counted as they execute. AMD APM vol. 2, "Nested Paging".
 */
#include "vpmu/svm/nested_paging.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/ipi.h"
#include "vpmu/svm/stop/extended_apic.h"
#include "vpmu/svm/vcpu/crash_dump.h"
#include "vpmu/svm/vcpu/local_apic.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define ENTRIES         512u
#define LEVEL_BITS      9
#define PAGE_SHIFT      12
#define PAGE_BYTES      (1ull << PAGE_SHIFT)
#define SHIFT_OF(level) (PAGE_SHIFT + LEVEL_BITS * (level))

/* Present and for the user, as nested paging wants; accessed and dirty from the start. */
#define READABLE 0x65ull
#define WRITABLE 0x67ull
#define LARGE    (1ull << 7)

#define APIC_REGISTER_BYTES 16u

/* Tables for addresses above the first 512 GiB; they are reused in turn. */
#define UPPER_TABLES 4

/* Bits of exit_info1. */
#define NPF_PRESENT 1u
#define NPF_WRITE   2u

typedef uint64_t table_t[ENTRIES] __attribute__((aligned(PAGE_BYTES)));

/* Tables by level on the way to the APIC's page; level 0 maps the page itself. */
static PERCPU table_t tables[4], upper[UPPER_TABLES];
static PERCPU uint32_t stand_in[PAGE_BYTES / 4] __attribute__((aligned(PAGE_BYTES)));
static PERCPU unsigned upper_next;

static unsigned nested_index(uint64_t address, unsigned level)
{
	return address >> SHIFT_OF(level) & (ENTRIES - 1);
}

/* Maps everything that a table of `level` reaches one to one, from `start` on. */
static void map_as_it_is(uint64_t *table, unsigned level, uint64_t start)
{
	for (uint64_t i = 0; i < ENTRIES; i++)
		table[i] = (start + (i << SHIFT_OF(level))) | WRITABLE | (level ? LARGE : 0);
}

static void map_apic(const volatile void *page, uint64_t access)
{
	tables[0][nested_index(APIC_DEFAULT_PAGE, 0)] = (uint64_t)page | access;
}

void vpmu_nested_init(void)
{
	for (unsigned level = 0; level < 3; level++) {
		const uint64_t reach = 1ull << SHIFT_OF(level + 1);

		map_as_it_is(tables[level], level, APIC_DEFAULT_PAGE & ~(reach - 1));
	}
	for (unsigned level = 3; level; level--)
		tables[level][nested_index(APIC_DEFAULT_PAGE, level)] =
			vpmu_physical(tables[level - 1]) | WRITABLE;
	map_apic((void *)APIC_DEFAULT_PAGE, READABLE);
	vpmu_vmcb.np_enable = 1;
	vpmu_vmcb.nested_cr3 = vpmu_physical(tables[3]);
}

static void map_upper(uint64_t address)
{
	uint64_t *const table = upper[upper_next];

	for (unsigned i = 1; i < ENTRIES; i++)
		if ((tables[3][i] & ~(PAGE_BYTES - 1)) == vpmu_physical(table))
			tables[3][i] = 0;
	map_as_it_is(table, 2, address >> SHIFT_OF(3) << SHIFT_OF(3));
	tables[3][nested_index(address, 3)] = vpmu_physical(table) | WRITABLE;
	upper_next = (upper_next + 1) % UPPER_TABLES;
}

void vpmu_nested_fault(struct vpmu_cpu *cpu)
{
	const uint64_t address = vpmu_vmcb.exit_info2;

	if (!(vpmu_vmcb.exit_info1 & NPF_PRESENT)) {
		map_upper(address);
		return;
	}
	if (address - APIC_DEFAULT_PAGE >= PAGE_BYTES)
		vpmu_die("nested page fault where memory is mapped");
	cpu->apic_write.is_wanted = true;
	cpu->apic_write.offset = (address - APIC_DEFAULT_PAGE) & ~(APIC_REGISTER_BYTES - 1ull);
	cpu->step.once = true;
}

static void map_stand_in(uint64_t offset, uint32_t value)
{
	stand_in[offset / 4] = value;
	map_apic((void *)vpmu_physical(stand_in), WRITABLE);
}

/* QEMU's APIC records an access to a register that it lacks as a permanent error, so the stepped
 * access goes to other memory. */
static bool expects_extended(const struct vpmu_cpu *cpu)
{
	return cpu->run.mode == RUN_STEP && cpu->extended_apic.is_found && vpmu_ipi_watched();
}

/* On AMD personalities later writes to these registers are the model's, too. */
static bool is_extended(const struct vpmu_cpu *cpu, uint32_t offset)
{
	return cpu->model.uarch->vendor == VPMU_AMD && vpmu_eilvt_of(offset) < VPMU_EILVTS;
}

static uint32_t register_now(const struct vpmu_cpu *cpu, uint32_t offset)
{
	return is_extended(cpu, offset) ? vpmu_eilvt_read(&cpu->model, vpmu_eilvt_of(offset))
					: vpmu_apic_read(offset);
}

static void register_written(struct vpmu_cpu *cpu, uint32_t offset, uint32_t value)
{
	if (is_extended(cpu, offset))
		vpmu_eilvt_write(&cpu->model, vpmu_eilvt_of(offset), value);
	else
		vpmu_apic_written(offset, value);
}

void vpmu_nested_expect(struct vpmu_cpu *cpu)
{
	struct vpmu_apic_write *w = &cpu->apic_write;

	w->is_extended = expects_extended(cpu);
	w->is_expected = w->is_wanted && cpu->run.mode == RUN_STEP && !w->is_extended;
	w->is_wanted = false;
	if (w->is_extended)
		w->offset = APIC_EILVT(cpu->extended_apic.eilvt);
	if (w->is_expected || w->is_extended)
		map_stand_in(w->offset, register_now(cpu, w->offset));
}

void vpmu_nested_end(struct vpmu_cpu *cpu, bool completed)
{
	struct vpmu_apic_write *w = &cpu->apic_write;

	if (!w->is_expected && !w->is_extended)
		return;
	map_apic((void *)APIC_DEFAULT_PAGE, READABLE);
	if (completed && w->is_expected)
		register_written(cpu, w->offset, stand_in[w->offset / 4]);
	w->is_expected = w->is_extended = false;
}
