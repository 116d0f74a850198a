// SPDX-License-Identifier: BSD-2-Clause
/* event_inject.c - sets the event that the next VMRUN delivers. */
#include "vpmu/svm/vcpu/event_inject.h"

#include "vpmu/svm/vcpu/vcpu.h"

bool vpmu_event_set(void)
{
	return vpmu_vmcb.event_inj & EVENT_VALID;
}

void vpmu_inject(uint8_t vector)
{
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_EXCEPTION | vector;
}

void vpmu_inject_error(uint8_t vector, uint32_t error)
{
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_EXCEPTION | EVENT_HAS_ERROR | vector |
			      (uint64_t)error << EVENT_ERROR_SHIFT;
}

void vpmu_inject_software(uint8_t vector)
{
	vpmu_vmcb.event_inj = EVENT_VALID | EVENT_SOFTWARE | vector;
}

bool vpmu_takes_interrupts(void)
{
	return vpmu_vmcb.rflags & RFLAGS_IF && !(vpmu_vmcb.int_state & INT_STATE_SHADOW);
}

bool vpmu_interrupt_due(const struct vpmu_cpu *cpu)
{
	return cpu->interrupts.vector && vpmu_takes_interrupts();
}
