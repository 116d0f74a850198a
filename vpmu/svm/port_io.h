/* SPDX-License-Identifier: BSD-2-Clause */
/* port_io.h - I/O ports that exit. APM vol. 2, "IOIO Intercepts". */
#ifndef VPMU_SVM_PORT_IO_H
#define VPMU_SVM_PORT_IO_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

/* An access to a port. */
struct vpmu_io {
	uint16_t port;
	bool is_in;
	unsigned bytes;       /* 1, 2 or 4 */
	uint32_t value, mask; /* `mask`: the bits that are accessed */
};

/* vpmu_io_watch() - makes accesses to `ports` ports from `port` on exit. Called on the boot CPU,
 * before the first run. */
void vpmu_io_watch(uint16_t port, unsigned ports);

/* vpmu_iopm_base(), vpmu_io_intercept() - values for the VMCB. */
uint64_t vpmu_iopm_base(void);
uint32_t vpmu_io_intercept(const struct vpmu_cpu *cpu);

/* vpmu_emulate_io() - handles the exit of an access to a port. */
void vpmu_emulate_io(struct vpmu_cpu *cpu);

#endif
