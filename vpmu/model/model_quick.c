// SPDX-License-Identifier: BSD-2-Clause
/* model_quick.c - see model_quick.h: its tables, and what else is quick. */
#include "vpmu/model/model_quick.h"

/* In place of a number where a place is empty: its own place is another one. */
static uint32_t no_number(unsigned place)
{
	return place == vpmu_quick_place(0);
}

void vpmu_quick_registers_init(struct vpmu_quick_registers *registers)
{
	for (unsigned i = 0; i < VPMU_QUICK_PLACES; i++)
		registers->rdmsr.number[i] = registers->rdpmc.number[i] =
			registers->wrmsr.number[i] = no_number(i);
}

static void add_read(struct vpmu_quick_reads *reads, uint32_t number, struct vpmu_quick_read read)
{
	const unsigned place = vpmu_quick_place(number);

	if (!read.value)
		return;
	reads->number[place] = number;
	reads->value[place] = read.value;
	reads->counter[place] = read.counter;
}

static void add_write(struct vpmu_quick_writes *writes, uint32_t number,
		      struct vpmu_quick_write write)
{
	const unsigned place = vpmu_quick_place(number);

	if (!write.kind)
		return;
	writes->number[place] = number;
	writes->kind[place] = (uint8_t)write.kind;
	writes->counter[place] = write.counter;
}

void vpmu_quick_add_msr(struct vpmu_quick_registers *registers, struct vpmu_model *m, uint32_t msr)
{
	add_read(&registers->rdmsr, msr, vpmu_model_quick_rdmsr(m, msr));
	add_write(&registers->wrmsr, msr, vpmu_model_quick_wrmsr(m, msr));
}

void vpmu_quick_add_rdpmc(struct vpmu_quick_registers *registers, struct vpmu_model *m,
			  uint32_t ecx)
{
	add_read(&registers->rdpmc, ecx, vpmu_model_quick_rdpmc(m, ecx));
}

bool vpmu_quick_reset(const struct vpmu_quick_registers *registers, struct vpmu_model *m,
		      uint32_t msr, uint64_t v)
{
	const struct vpmu_quick_writes *writes = &registers->wrmsr;
	const unsigned place = vpmu_quick_place(msr);

	if (writes->number[place] != msr || writes->kind[place] != VPMU_QUICK_STATUS_RESET ||
	    v & ~m->counters)
		return false;
	m->global_status &= ~v;
	return true;
}
