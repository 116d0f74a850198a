// SPDX-License-Identifier: BSD-2-Clause
/* vcpu_registers.c - see vcpu_registers.h. */
#include "vpmu/plugin/vcpu_registers.h"

#include <string.h>

#include "vpmu/plugin/qemu_api.h"

bool registers_known(void)
{
	return qemu_get_cpu && x86_cpu_gdb_read_register && x86_cpu_gdb_write_register &&
	       cpu_memory_rw_debug && g_byte_array_new && g_byte_array_free;
}

uint64_t register_read(unsigned vcpu, enum vcpu_register number)
{
	struct plugin_bytes *bytes = g_byte_array_new();
	uint64_t value = 0;

	if (x86_cpu_gdb_read_register(qemu_get_cpu((int)vcpu), bytes, (int)number) == sizeof(value))
		memcpy(&value, bytes->data, sizeof(value));
	g_byte_array_free(bytes, true);
	return value;
}

void register_write(unsigned vcpu, enum vcpu_register number, uint64_t value)
{
	uint8_t bytes[sizeof(value)];

	memcpy(bytes, &value, sizeof(bytes));
	x86_cpu_gdb_write_register(qemu_get_cpu((int)vcpu), bytes, (int)number);
}

bool memory_read(unsigned vcpu, uint64_t va, void *to, size_t bytes)
{
	return !cpu_memory_rw_debug(qemu_get_cpu((int)vcpu), va, to, bytes, false);
}
