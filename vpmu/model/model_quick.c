// SPDX-License-Identifier: BSD-2-Clause
/* model_quick.c - fills the tables of quick registers, and does the quick accesses that need C. */
#include "vpmu/model/model_quick.h"

/* Marks an empty slot: a number that never hashes there. */
static uint32_t no_number(unsigned place)
{
	return place == vpmu_quick_place(0);
}

void vpmu_quick_registers_init(struct vpmu_quick_registers *registers)
{
	for (unsigned i = 0; i < VPMU_QUICK_PLACES; i++)
		registers->rdmsr.number[i] = registers->rdpmc.number[i] =
			registers->wrmsr.number[i] = registers->wrmsr_32.number[i] = no_number(i);
	registers->status_reset = 0;
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

static void add_counter(struct vpmu_quick_writes *writes, uint32_t msr,
			struct vpmu_counter *counter)
{
	const unsigned place = vpmu_quick_place(msr);

	writes->number[place] = msr;
	writes->counter[place] = counter;
}

static void add_write(struct vpmu_quick_registers *registers, uint32_t msr,
		      struct vpmu_quick_write write)
{
	switch (write.kind) {
	case VPMU_QUICK_NONE:
		break;
	case VPMU_QUICK_COUNTER:
		add_counter(&registers->wrmsr, msr, write.counter);
		break;
	case VPMU_QUICK_COUNTER_32:
		add_counter(&registers->wrmsr_32, msr, write.counter);
		break;
	case VPMU_QUICK_STATUS_RESET:
		registers->status_reset = msr;
		break;
	}
}

void vpmu_quick_add_msr(struct vpmu_quick_registers *registers, struct vpmu_model *m, uint32_t msr)
{
	add_read(&registers->rdmsr, msr, vpmu_model_quick_rdmsr(m, msr));
	add_write(registers, msr, vpmu_model_quick_wrmsr(m, msr));
}

void vpmu_quick_add_rdpmc(struct vpmu_quick_registers *registers, struct vpmu_model *m,
			  uint32_t ecx)
{
	add_read(&registers->rdpmc, ecx, vpmu_model_quick_rdpmc(m, ecx));
}

bool vpmu_quick_reads_msr(const struct vpmu_quick_registers *registers, uint32_t msr)
{
	return registers->rdmsr.number[vpmu_quick_place(msr)] == msr;
}

static bool resets_status(const struct vpmu_quick_registers *registers, uint32_t msr)
{
	return msr && registers->status_reset == msr;
}

bool vpmu_quick_writes_msr(const struct vpmu_quick_registers *registers, uint32_t msr)
{
	const unsigned place = vpmu_quick_place(msr);

	return registers->wrmsr.number[place] == msr || registers->wrmsr_32.number[place] == msr ||
	       resets_status(registers, msr);
}

bool vpmu_quick_reset(const struct vpmu_quick_registers *registers, struct vpmu_model *m,
		      uint32_t msr, uint64_t v)
{
	if (!resets_status(registers, msr) || v & ~m->layout.counters)
		return false;
	m->regs.global_status &= ~v;
	return true;
}

/* The counter that the write sets, and the value; NULL: none. SDM vol. 3, "Full-Width Writes to
 * Performance Counter Registers": the old names sign-extend 32 bits. */
static struct vpmu_counter *written_counter(const struct vpmu_quick_registers *registers,
					    const struct vpmu_model *m, uint32_t msr, uint64_t *v)
{
	const unsigned place = vpmu_quick_place(msr);
	const uint64_t mask = m->layout.counter_mask;

	if (registers->wrmsr.number[place] == msr)
		return *v <= mask ? registers->wrmsr.counter[place] : NULL;
	if (registers->wrmsr_32.number[place] != msr)
		return NULL;
	*v = (uint64_t)(int64_t)(int32_t)*v & mask;
	return registers->wrmsr_32.counter[place];
}

bool vpmu_quick_set(const struct vpmu_quick_registers *registers, const struct vpmu_model *m,
		    enum vpmu_ring ring, uint32_t msr, uint64_t v)
{
	struct vpmu_counter *counter = written_counter(registers, m, msr, &v);

	if (!counter || counter->each[ring])
		return false;
	vpmu_counter_set(counter, v);
	return true;
}
