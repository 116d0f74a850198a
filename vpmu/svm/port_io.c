// SPDX-License-Identifier: BSD-2-Clause
/*
 * port_io.c - emulates accesses to the ports that exit: those of configuration cycles
 * (config_cycles.c), and the one by which the guest sends the machine to sleep (s3_sleep.c). APM
 * vol. 2, "IOIO Intercepts".
 */
#include "vpmu/svm/port_io.h"

#include "arch/x86/insn.h"
#include "vpmu/svm/config_cycles.h"
#include "vpmu/svm/emulate.h"
#include "vpmu/svm/s3_sleep.h"
#include "vpmu/svm/vcpu/vcpu.h"

/* Fields of exit_info1. exit_info2 is the address of the next instruction. */
#define IO_IN(info)    ((info)&1)
#define IO_STRING      (1u << 2)
#define IO_BYTES(info) ((unsigned)((info) >> 4 & 7))
#define IO_PORT(info)  ((uint16_t)((info) >> 16))

/* One bit for each port. The architecture requires three pages. */
static uint8_t iopm[0x3000] __attribute__((aligned(4096)));
static bool is_any;

void vpmu_io_watch(uint16_t port, unsigned ports)
{
	is_any = true;
	for (unsigned i = port; i < port + ports; i++)
		iopm[i / 8] |= (uint8_t)(1u << i % 8);
}

uint64_t vpmu_iopm_base(void)
{
	return (uint64_t)iopm;
}

uint32_t vpmu_io_intercept(const struct vpmu_cpu *cpu)
{
	return is_any && !cpu->step.string_io ? INTERCEPT_IOIO : 0;
}

static uint32_t width_mask(unsigned bytes)
{
	return bytes == 4 ? UINT32_MAX : (1u << 8 * bytes) - 1;
}

static uint32_t read_port(uint16_t port, unsigned bytes)
{
	return bytes == 1 ? inb(port) : bytes == 2 ? inw(port) : inl(port);
}

static void write_port(uint16_t port, unsigned bytes, uint32_t v)
{
	if (bytes == 1)
		outb(port, (uint8_t)v);
	else if (bytes == 2)
		outw(port, (uint16_t)v);
	else
		outl(port, v);
}

static void access_port(struct vpmu_cpu *cpu, struct vpmu_io *io)
{
	if (vpmu_config_cycles_emulate(cpu, io))
		return;
	if (io->is_in) {
		io->value = read_port(io->port, io->bytes);
		return;
	}
	vpmu_sleep_written(io);
	write_port(io->port, io->bytes, io->value);
}

/* Writes AL, AX or EAX. EAX clears the upper half of RAX; the others keep the bits above them. */
static void set_rax(unsigned bytes, uint32_t v)
{
	const uint64_t bits = width_mask(bytes);

	vpmu_vmcb.rax = (bytes == 4 ? 0 : vpmu_vmcb.rax & ~bits) | (v & bits);
}

/*
 * String instructions access the machine's own port, which has none of the personality's devices.
 */
void vpmu_emulate_io(struct vpmu_cpu *cpu)
{
	const uint64_t info = vpmu_vmcb.exit_info1;
	struct vpmu_io io = {.port = IO_PORT(info), .bytes = IO_BYTES(info), .is_in = IO_IN(info)};

	if (info & IO_STRING) {
		cpu->step.string_io = cpu->step.once = true;
		return;
	}
	io.value = (uint32_t)vpmu_vmcb.rax & width_mask(io.bytes);
	io.mask = width_mask(io.bytes);
	access_port(cpu, &io);
	if (io.is_in)
		set_rax(io.bytes, io.value);
	vpmu_retire(cpu, (unsigned)(vpmu_vmcb.exit_info2 - vpmu_vmcb.rip));
}
