// SPDX-License-Identifier: BSD-2-Clause
/* vcpu.c - the variables of each CPU: its state, its VMCB, and the host's stack. */
#include "vpmu/svm/vcpu/vcpu.h"

#include "vpmu/svm/vcpu/host_idt.h"

#define PAGE_ALIGNED __attribute__((aligned(4096)))

PERCPU struct vpmu_cpu vpmu_cpu;
PERCPU uint32_t vpmu_host_nmis, vpmu_host_vector;
PERCPU struct vmcb vpmu_vmcb PAGE_ALIGNED;
PERCPU uint8_t vpmu_host_stack[HOST_STACK_SIZE] PAGE_ALIGNED;
