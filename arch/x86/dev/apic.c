// SPDX-License-Identifier: BSD-2-Clause
/* apic.c - see apic.h. */
#include "arch/x86/dev/apic.h"

#include "arch/x86/dev/acpi.h"
#include "arch/x86/insn.h"
#include "arch/x86/portable/cpuid.h"
#include "arch/x86/portable/quirks.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/vector.h"
#include "arch/x86/world/world.h"
#include "lib/math.h"
#include "lib/percpu.h"

#include <linux/errno.h>
#include <stddef.h>

#define BASE_ADDRESS  0x000ffffffffff000ull
#define PAGE_BYTES    4096
#define PAGE_SHIFT    12
#define XAPIC_ID_MOST 254 /* 255 addresses all CPUs */

#define MODE_BITS (APIC_BASE_EN | APIC_BASE_EXTD)

#define DMAR_FLAGS          37
#define DMAR_X2APIC_OPT_OUT 2

#define VECTORS_PER_WORD 32
#define MAX_PENDING      512 /* two per vector: one in service, one requested */

#define TIMER_COUNT_MAX UINT32_MAX
#define TIMER_DIV_1     0xb
#define NS_PER_MS       1000000u
#define CALIBRATE_MS    10

/* 8259A data sheet, "Initialization Command Words". */
#define PIC1_COMMAND 0x20
#define PIC1_DATA    0x21
#define PIC2_COMMAND 0xa0
#define PIC2_DATA    0xa1
#define PIC_ICW1     0x11 /* cascade, ICW4 follows */
#define PIC_ICW4     0x01 /* 8086 mode */
#define PIC_CASCADE  2
#define PIC_MASK_ALL 0xff

struct apic apic;

/* All LVT entries except LVTPC. An entry exists if the highest LVT number (version register, 23:16)
 * is at least `needs`. */
static const struct {
	uint16_t offset;
	uint8_t needs;
} quiet_lvts[] = {
	{APIC_LVT_TIMER, 0}, {APIC_LVT_LINT0, 0}, {APIC_LVT_LINT1, 0},
	{APIC_LVT_ERROR, 3}, {APIC_LVT_THERM, 5}, {APIC_LVT_CMCI, 6},
};

/* A masked 8259 still delivers spurious interrupts, which must not look like exceptions. Firmware
 * that lends the machine needs its own vectors again later, so the 8259s stay as they are; the
 * APIC's masked LINT0 blocks their interrupts. */
static void mask_pics(void)
{
	if (world_is_lent())
		return;
	outb(PIC1_COMMAND, PIC_ICW1);
	outb(PIC2_COMMAND, PIC_ICW1);
	outb(PIC1_DATA, VEC_PIC);
	outb(PIC2_DATA, VEC_PIC + 8);
	outb(PIC1_DATA, 1 << PIC_CASCADE);
	outb(PIC2_DATA, PIC_CASCADE);
	outb(PIC1_DATA, PIC_ICW4);
	outb(PIC2_DATA, PIC_ICW4);
	outb(PIC1_DATA, PIC_MASK_ALL);
	outb(PIC2_DATA, PIC_MASK_ALL);
}

/* Firmware that cannot handle x2APIC mode says so: Intel VT-d specification, "DMA Remapping
 * Reporting Structure". */
static bool firmware_opts_out(void)
{
	const struct acpi_header *dmar = acpi_find("DMAR", 0);

	return dmar && dmar->length > DMAR_FLAGS &&
	       ((const uint8_t *)dmar)[DMAR_FLAGS] & DMAR_X2APIC_OPT_OUT;
}

/* x2APIC mode wherever it exists (SDM vol. 3, "x2APIC State Transitions"). Firmware that lends the
 * machine keeps the mode that it has chosen. */
static uint64_t wanted_mode(uint64_t base)
{
	const bool can = !world_is_given_back() && cpuid_fact(CPUID_FACT(1, 0, ECX, 21, 21));

	if (base & APIC_BASE_EXTD || (can && !firmware_opts_out()))
		return APIC_BASE_EN | APIC_BASE_EXTD;
	return APIC_BASE_EN;
}

/* Enables xAPIC mode first: the APIC cannot go from disabled to x2APIC mode directly. */
static int set_mode(uint64_t mode)
{
	uint64_t base = rdmsr(MSR_IA32_APIC_BASE);

	if (!(base & APIC_BASE_EN))
		wrmsr(MSR_IA32_APIC_BASE, base |= APIC_BASE_EN);
	if (mode & ~base)
		wrmsr(MSR_IA32_APIC_BASE, base | mode);
	return (rdmsr(MSR_IA32_APIC_BASE) & MODE_BITS) == mode ? 0 : -ENODEV;
}

static int find_own_apic(void)
{
	uint64_t base, mode;

	if (!cpuid_fact(CPUID_FACT(1, 0, EDX, 9, 9)))
		return -ENODEV;
	base = rdmsr(MSR_IA32_APIC_BASE);
	mode = wanted_mode(base);
	if (set_mode(mode))
		return -ENODEV;
	if (mode & APIC_BASE_EXTD)
		return 0;
	apic.mmio = paging_map_mmio(base & BASE_ADDRESS, PAGE_BYTES);
	return apic.mmio ? 0 : -ENODEV;
}

static unsigned highest_lvt(void)
{
	return apic_read(APIC_VERSION) >> 16 & 0xff;
}

static void mask_lvts(void)
{
	const unsigned highest = highest_lvt();

	for (size_t i = 0; i < sizeof(quiet_lvts) / sizeof(quiet_lvts[0]); i++)
		if (highest >= quiet_lvts[i].needs)
			apic_write(quiet_lvts[i].offset, APIC_LVT_MASKED | VEC_SPURIOUS);
	apic_lvtpc_mask();
}

bool apic_in_service(unsigned vector)
{
	uint32_t word = apic_read(APIC_ISR + vector / VECTORS_PER_WORD * 0x10);

	return word >> vector % VECTORS_PER_WORD & 1;
}

bool apic_is_requested(unsigned vector)
{
	uint32_t word = apic_read(APIC_IRR + vector / VECTORS_PER_WORD * 0x10);

	return word >> vector % VECTORS_PER_WORD & 1;
}

static bool any_in_service(void)
{
	for (unsigned v = 0; v < TRAP_NVECTORS; v += VECTORS_PER_WORD)
		if (apic_read(APIC_ISR + v / VECTORS_PER_WORD * 0x10))
			return true;
	return false;
}

/* Ends the interrupts that the firmware was handling. Interrupts that are only requested arrive
 * later as stray interrupts. */
static void end_in_service(void)
{
	for (int i = 0; i < MAX_PENDING && any_in_service(); i++)
		apic_eoi();
}

/* The timer's rate in the unit of apic.timer_rate; never 0. */
static uint64_t measure_timer(void)
{
	uint64_t ticks, from;
	uint32_t count;

	apic_write(APIC_TIMER_INIT, TIMER_COUNT_MAX);
	from = rdtsc();
	clock_spin_ns((uint64_t)CALIBRATE_MS * NS_PER_MS);
	count = TIMER_COUNT_MAX - apic_read(APIC_TIMER_CURR);
	ticks = rdtsc() - from;
	apic_write(APIC_TIMER_INIT, 0);
	return ((uint64_t)count << APIC_RATE_SHIFT) / ticks + 1;
}

static bool has_deadline(void)
{
	return cpuid_fact(CPUID_FACT(1, 0, ECX, 24, 24));
}

const char *apic_timer_name(void)
{
	if (apic.deadline)
		return "TSC deadline";
	return has_deadline() ? "one-shot: with this microcode TSC deadlines fail" : "one-shot";
}

/* The timer counts ticks of the crystal, if CPUID reports the crystal's frequency: SDM vol. 3,
 * "APIC Timer". */
static void find_timer_rate(const struct pmu_caps *caps)
{
	apic.deadline = has_deadline() && !has_quirk(caps, QUIRK_TSC_DEADLINE);
	if (apic.deadline)
		return;
	apic.count = apic.mmio ? (volatile uint32_t *)(apic.mmio + APIC_TIMER_INIT) : NULL;
	apic_write(APIC_TIMER_DIV, TIMER_DIV_1);
	apic.timer_rate =
		((uint64_t)caps->crystal_hz << APIC_RATE_SHIFT) / ((uint64_t)tsc_khz() * 1000);
	if (!apic.timer_rate)
		apic.timer_rate = measure_timer();
	apic.timer_most = ((uint64_t)TIMER_COUNT_MAX << APIC_RATE_SHIFT) / apic.timer_rate - 1;
}

/* --- A machine that is lent --- */

/* The APIC registers that are exchanged when the machine changes hands. */
static const struct {
	uint16_t offset;
	uint8_t needs; /* as in quiet_lvts */
} kept_registers[] = {
	{APIC_TPR, 0},       {APIC_LVT_LINT0, 0}, {APIC_LVT_LINT1, 0},
	{APIC_LVT_ERROR, 3}, {APIC_LVT_PC, 4},    {APIC_LVT_THERM, 5},
	{APIC_LVT_CMCI, 6},  {APIC_TIMER_DIV, 0}, {APIC_LVT_TIMER, 0},
};
#define NKEPT (sizeof(kept_registers) / sizeof(kept_registers[0]))

struct apic_state {
	uint32_t svr, kept[NKEPT], timer_init;
	uint64_t deadline, halts;
	uint32_t extended[APIC_EILVTS];
};
static PERCPU struct apic_state firmwares;
static struct apic_state ours; /* the boot CPU's state, while the firmware has the machine */

static unsigned extended_lvts(void)
{
	if (!(apic_read(APIC_VERSION) & APIC_VERSION_EXTENDED))
		return 0;
	return least_of(apic_read(APIC_EXTENDED) >> 16 & 0xff, APIC_EILVTS);
}

static void note_apic(struct apic_state *state)
{
	const unsigned highest = highest_lvt(), extended = extended_lvts();

	state->svr = apic_read(APIC_SVR);
	for (size_t i = 0; i < NKEPT; i++)
		if (highest >= kept_registers[i].needs)
			state->kept[i] = apic_read(kept_registers[i].offset);
	for (unsigned i = 0; i < extended; i++)
		state->extended[i] = apic_read(APIC_EILVT(i));
	state->timer_init = apic_read(APIC_TIMER_INIT);
	state->deadline = has_deadline() ? rdmsr(MSR_IA32_TSC_DEADLINE) : 0;
	if (!apic.has_c1e || !rdmsr_safe(MSR_AMD_INT_PENDING, &state->halts))
		state->halts = 0;
}

/* SVR comes first and last: LVT entries can be unmasked only while SVR enables the APIC. A running
 * timer starts anew with its full time; a TSC deadline that has passed interrupts at once. */
static void put_apic_back(const struct apic_state *state)
{
	const unsigned highest = highest_lvt(), extended = extended_lvts();

	apic_write(APIC_SVR, state->svr | APIC_SVR_ENABLE);
	for (size_t i = 0; i < NKEPT; i++)
		if (highest >= kept_registers[i].needs)
			apic_write(kept_registers[i].offset, state->kept[i]);
	for (unsigned i = 0; i < extended; i++)
		apic_write(APIC_EILVT(i), state->extended[i]);
	insn_mfence();
	if (has_deadline())
		wrmsr(MSR_IA32_TSC_DEADLINE, state->deadline);
	if (state->halts)
		wrmsr_safe(MSR_AMD_INT_PENDING, state->halts); /* may be locked */
	apic_write(APIC_TIMER_INIT, state->timer_init);
	apic_write(APIC_SVR, state->svr);
}

static void give_apic(void)
{
	note_apic(&ours);
	/* No timer is armed: its last setting would start it again. */
	ours.timer_init = 0;
	ours.deadline = 0;
	put_apic_back(&firmwares);
}

static void take_apic(void)
{
	note_apic(&firmwares);
	put_apic_back(&ours);
}

static const struct world_device lent_apic = {give_apic, take_apic};

/* HLT on all cores stops the timers of their APICs while the firmware has C1E on. BKDG for AMD
 * Family 10h Processors, "MSRC001_0055 Interrupt Pending and CMP-Halt Register". */
static void end_c1e(void)
{
	uint64_t halts;

	if (rdmsr_safe(MSR_AMD_INT_PENDING, &halts) && halts & AMD_INT_PENDING_C1E)
		wrmsr_safe(MSR_AMD_INT_PENDING, halts & ~AMD_INT_PENDING_C1E);
	/* The register may be locked, hidden, or drop what is written. */
	if (!rdmsr_safe(MSR_AMD_INT_PENDING, &halts) || halts & AMD_INT_PENDING_C1E)
		apic.halt_stops_timer = true;
}

static void take_over_apic(void)
{
	if (world_is_given_back())
		note_apic(&firmwares);
	apic_write(APIC_TPR, 0);
	apic_write(APIC_SVR, APIC_SVR_ENABLE | VEC_SPURIOUS);
	mask_lvts();
	end_in_service();
	if (apic.has_c1e)
		end_c1e();
}

int apic_init(const struct pmu_caps *caps)
{
	mask_pics();
	if (find_own_apic())
		return -ENODEV;
	apic.has_c1e = has_quirk(caps, QUIRK_C1E_STOPS_APIC);
	world_lend_device(&lent_apic);
	take_over_apic();
	/* NMIs of the platform: memory or bus errors, a watchdog, a button. Only the boot CPU gets
	 * them. SDM vol. 3, "Local Vector Table". */
	apic_write(APIC_LVT_LINT1, APIC_LVT_NMI);
	find_timer_rate(caps);
	return 0;
}

int apic_init_cpu(void)
{
	int err = set_mode(apic.mmio ? APIC_BASE_EN : APIC_BASE_EN | APIC_BASE_EXTD);

	if (err)
		return err;
	take_over_apic();
	if (!apic.deadline)
		apic_write(APIC_TIMER_DIV, TIMER_DIV_1);
	return 0;
}

void apic_return_cpu(void)
{
	put_apic_back(&firmwares);
}

uint32_t apic_id(void)
{
	uint32_t id = apic_read(APIC_ID);

	return apic.mmio ? id >> 24 : id;
}

/* SDM vol. 3, "TSC-Deadline Mode": the fence keeps deadlines behind the LVT's MMIO write. */
void apic_timer_init(unsigned vector)
{
	apic_write(APIC_LVT_TIMER, (apic.deadline ? APIC_TIMER_DEADLINE : 0) | vector);
	insn_mfence();
}

void apic_timer_stop(void)
{
	if (apic.deadline)
		wrmsr(MSR_IA32_TSC_DEADLINE, 0);
	else
		apic_write(APIC_TIMER_INIT, 0);
}

void apic_send_self(unsigned vector)
{
	if (apic.mmio)
		apic_write(APIC_ICR, APIC_ICR_SELF | APIC_ICR_ASSERT | vector);
	else
		wrmsr(MSR_X2APIC_BASE + APIC_SELF_IPI / 16, vector);
}

/* SDM vol. 3, "Issuing Interprocessor Interrupts": writing the low half sends the interrupt, so it
 * is written last. */
static void send_icr(uint32_t id, uint32_t command)
{
	if (apic.mmio) {
		while (apic_read(APIC_ICR) & APIC_ICR_PENDING)
			cpu_pause();
		apic_write(APIC_ICR_HIGH, id << 24);
		apic_write(APIC_ICR, command);
	} else {
		insn_mfence(); /* the WRMSR orders nothing, and earlier stores must be visible */
		wrmsr(MSR_X2APIC_BASE + APIC_ICR / 16, (uint64_t)id << 32 | command);
	}
}

void apic_send(uint32_t id, unsigned vector)
{
	send_icr(id, APIC_ICR_ASSERT | vector);
}

void apic_send_nmi(uint32_t id)
{
	send_icr(id, APIC_ICR_ASSERT | APIC_ICR_NMI);
}

void apic_send_init(uint32_t id)
{
	send_icr(id, APIC_ICR_LEVEL | APIC_ICR_ASSERT | APIC_ICR_INIT);
}

void apic_send_startup(uint32_t id, uint64_t page)
{
	send_icr(id, APIC_ICR_ASSERT | APIC_ICR_STARTUP | (uint32_t)(page >> PAGE_SHIFT));
}

bool apic_reaches(uint32_t id)
{
	return !apic.mmio || id <= XAPIC_ID_MOST;
}

void apic_send_self_nmi(void)
{
	apic_send_nmi(apic_id());
}
