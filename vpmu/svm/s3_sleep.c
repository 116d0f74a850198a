// SPDX-License-Identifier: BSD-2-Clause
/*
 * s3_sleep.c - S3. The firmware wakes the boot CPU, and sends it to the vector in the FACS. So when
 * the guest sends the machine to sleep, vpmu replaces that vector by a page of its own below 1 MiB.
 * From there the CPU gets to vpmu_wake (start.S), and begins as a guest again: in real mode, at the
 * guest's vector, with a PMU as after a reset. The other CPUs come under vpmu by INIT and SIPI, as
 * at the first start.
 * ACPI 6.5, "PM1 Control Registers", "Firmware ACPI Control Structure".
 *
 * A guest that wants to wake in protected mode (X_Firmware_Waking_Vector) wakes without vpmu.
 */
#include "vpmu/svm/s3_sleep.h"

#include "arch/x86/msr.h"
#include "arch/x86/smp/trampoline.h"
#include "lib/string.h"
#include "vpmu/svm/launch.h"
#include "vpmu/svm/port_io.h"

#define SLEEP_ENABLE  (1u << 13)
#define FACS_VECTOR   12
#define FACS_VECTOR_X 24
#define REAL_MODE_END (1u << 20)
#define PORT_BYTES    2u

static struct {
	uint16_t port; /* 0: no port is watched */
	uint8_t *facs;
	uint32_t page, wakes_at;
} sleep;

void vpmu_sleep_init(const struct vpmu_config *config, uint64_t host_cr3)
{
	const struct trampoline t = {
		.at = config->wake_page,
		.table = host_cr3,
		.cr4 = CR4_PAE,
		.entry = (uint64_t)vpmu_wake,
	};

	if (!config->wake_page)
		return;
	sleep.port = config->sleep_port;
	sleep.facs = config->facs;
	sleep.page = (uint32_t)config->wake_page;
	trampoline_fill((uint8_t *)config->wake_page, &t);
	vpmu_io_watch(sleep.port, PORT_BYTES);
}

/* After a sleep that failed, the FACS still has the address of vpmu's page. */
static void take_vector(void)
{
	uint32_t vector;
	uint64_t wide;

	memcpy(&vector, sleep.facs + FACS_VECTOR, sizeof(vector));
	memcpy(&wide, sleep.facs + FACS_VECTOR_X, sizeof(wide));
	if (!vector || vector >= REAL_MODE_END || wide || vector == sleep.page)
		return;
	sleep.wakes_at = vector;
	memcpy(sleep.facs + FACS_VECTOR, &sleep.page, sizeof(sleep.page));
}

/* SLP_EN is in the register's upper byte, and the guest may write single bytes. */
void vpmu_sleep_written(const struct vpmu_io *io)
{
	const unsigned at = (unsigned)io->port - sleep.port;

	if (sleep.port && at < PORT_BYTES && io->value << 8 * at & SLEEP_ENABLE)
		take_vector();
}

uint32_t vpmu_sleep_wakes_at(void)
{
	return sleep.wakes_at;
}
