/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * apic.h - the local APIC. All CPUs use the same mode: x2APIC where it exists, else xAPIC. SDM vol.
 * 3, "Advanced Programmable Interrupt Controller (APIC)".
 *
 * After apic_init() only sources that are armed here interrupt: the 8259s are remapped and masked,
 * and every LVT entry is masked but LVTPC, which delivers NMIs.
 */
#ifndef ARCH_X86_DEV_APIC_H
#define ARCH_X86_DEV_APIC_H

#include "arch/x86/portable/cpuid.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"

#include <stdbool.h>
#include <stdint.h>

#define APIC_DEFAULT_PAGE 0xfee00000ull /* physical; IA32_APIC_BASE may hold another address */

/* Register offsets in the xAPIC page. In x2APIC mode a register is MSR MSR_X2APIC_BASE + offset /
 * 16. */
#define APIC_ID         0x020
#define APIC_VERSION    0x030
#define APIC_TPR        0x080
#define APIC_EOI        0x0b0
#define APIC_LDR        0x0d0
#define APIC_DFR        0x0e0
#define APIC_SVR        0x0f0
#define APIC_ISR        0x100
#define APIC_IRR        0x200
#define APIC_ESR        0x280
#define APIC_LVT_CMCI   0x2f0
#define APIC_ICR        0x300
#define APIC_ICR_HIGH   0x310
#define APIC_LVT_TIMER  0x320
#define APIC_LVT_THERM  0x330
#define APIC_LVT_PC     0x340
#define APIC_LVT_LINT0  0x350
#define APIC_LVT_LINT1  0x360
#define APIC_LVT_ERROR  0x370
#define APIC_TIMER_INIT 0x380
#define APIC_TIMER_CURR 0x390
#define APIC_TIMER_DIV  0x3e0
#define APIC_SELF_IPI   0x3f0 /* x2APIC only */
#define APIC_EXTENDED   0x400 /* AMD; bits 23:16: the number of APIC_EILVT registers */
#define APIC_EILVT(n)   (0x500 + 0x10 * (n)) /* AMD: APM vol. 2, "Extended Interrupts" */
#define APIC_EILVTS     4

#define APIC_VERSION_EXTENDED (1u << 31) /* the register APIC_EXTENDED exists */

#define APIC_LVT_NMI        (4u << 8)
#define APIC_LVT_MASKED     (1u << 16)
#define APIC_TIMER_DEADLINE (2u << 17)
#define APIC_SVR_ENABLE     (1u << 8)
#define APIC_ICR_NMI        (4u << 8)
#define APIC_ICR_INIT       (5u << 8)
#define APIC_ICR_STARTUP    (6u << 8)
#define APIC_ICR_PENDING    (1u << 12)
#define APIC_ICR_ASSERT     (1u << 14)
#define APIC_ICR_LEVEL      (1u << 15)
#define APIC_ICR_SELF       (1u << 18)

#define APIC_RATE_SHIFT 32

struct apic {
	volatile uint8_t *mmio;   /* NULL in x2APIC mode */
	bool deadline;            /* the timer compares its deadline with the TSC */
	volatile uint32_t *count; /* the register that arms the one-shot timer; NULL: in an MSR */
	bool has_c1e;             /* QUIRK_C1E_STOPS_APIC */
	bool halt_stops_timer;    /* C1E cannot be switched off */
	uint64_t timer_rate;      /* one-shot timer: counts per TSC tick, in 1 / 2^32 */
	uint64_t timer_most;      /* one-shot timer: the most TSC ticks that its count can hold */
};
extern struct apic apic;

/* apic_read(), apic_write() - read or write one register by its offset. Any context. */
static inline uint32_t apic_read(uint32_t offset)
{
	if (apic.mmio)
		return *(volatile uint32_t *)(apic.mmio + offset);
	return (uint32_t)rdmsr(MSR_X2APIC_BASE + offset / 16);
}

static inline void apic_write(uint32_t offset, uint32_t value)
{
	if (apic.mmio)
		*(volatile uint32_t *)(apic.mmio + offset) = value;
	else
		wrmsr(MSR_X2APIC_BASE + offset / 16, value);
}

/*
 * apic_init() - takes the APIC over from the firmware and ends the firmware's interrupts in
 * service. Needs paging_init() and tsc_init(), which calibrates the timer. Leaves the PMU's
 * counters alone. Task context, once. -ENODEV: the CPU has no APIC, or the firmware has disabled it
 * permanently.
 */
int apic_init(const struct pmu_caps *caps);

/* apic_init_cpu() - does the same on another CPU, in the first CPU's mode. -ENODEV: that mode
 * cannot be set. */
int apic_init_cpu(void);

/* apic_return_cpu() - restores another CPU's APIC to its state before apic_init_cpu(), for firmware
 * that has lent the CPU. Interrupts off. */
void apic_return_cpu(void);

/*
 * apic_idle() - enables interrupts and waits for one; none can arrive between the two. It may
 * return before one has come: where HLT can stop the APIC's timer, it is a PAUSE. Task context.
 */
static inline void apic_idle(void)
{
	if (__builtin_expect(apic.halt_stops_timer, false))
		__asm__ volatile("sti\n\tpause\n\tnop" : : : "memory");
	else
		irq_enable_and_halt();
}

/* apic_eoi() - end of interrupt; every handler of trap_set_irq() calls it once. IRQ context. */
static inline void apic_eoi(void)
{
	apic_write(APIC_EOI, 0);
}

/* apic_id() - the id of this CPU's APIC. Any context. */
uint32_t apic_id(void);

/*
 * apic_lvtpc_nmi() - delivers PMIs as NMIs from now on, unmasked. apic_lvtpc_mask() - masks PMIs.
 * apic_lvtpc_unmask() - the same as apic_lvtpc_nmi(), for a PMI handler: on Intel, delivery has set
 * the mask bit. One store each. Any context.
 */
static inline void apic_lvtpc_nmi(void)
{
	apic_write(APIC_LVT_PC, APIC_LVT_NMI);
}

static inline void apic_lvtpc_unmask(void)
{
	apic_lvtpc_nmi();
}

static inline void apic_lvtpc_mask(void)
{
	apic_write(APIC_LVT_PC, APIC_LVT_NMI | APIC_LVT_MASKED);
}

/*
 * apic_extended_nmi() - AMD's extended interrupt `n`, below APIC_EILVTS, is delivered as an NMI
 * from now on. Task context.
 */
static inline void apic_extended_nmi(unsigned n)
{
	apic_write(APIC_EILVT(n), APIC_LVT_NMI);
}

/* apic_timer_init() - sets the timer's vector. It interrupts when it is armed. Task context,
 * once. */
void apic_timer_init(unsigned vector);

/* apic_timer_count() - converts TSC `ticks` to a count of the one-shot timer, rounded up and
 * limited to the largest count. Any context. */
static inline uint32_t apic_timer_count(uint64_t ticks)
{
	if (ticks > apic.timer_most)
		ticks = apic.timer_most;
	return (uint32_t)((unsigned __int128)ticks * apic.timer_rate >> APIC_RATE_SHIFT) + 1;
}

/*
 * apic_timer_arm() - arms one interrupt for the time when the TSC reaches `deadline` (not 0),
 * `ticks` from now (0: the deadline has passed; the timer interrupts at once). It replaces the
 * interrupt armed before. The interrupt may be early: the one-shot timer's clock differs from the
 * TSC, and its count holds some seconds at most. apic_timer_stop() - disarms the timer; an
 * interrupt that the APIC has already accepted is still delivered. Task and IRQ context.
 */
static inline void apic_timer_arm(uint64_t deadline, uint64_t ticks)
{
	if (apic.count)
		*apic.count = apic_timer_count(ticks);
	else if (apic.deadline)
		wrmsr(MSR_IA32_TSC_DEADLINE, deadline);
	else
		apic_write(APIC_TIMER_INIT, apic_timer_count(ticks));
}

void apic_timer_stop(void);

/* apic_timer_name() - "TSC deadline" or "one-shot", with the reason for the latter. Any context. */
const char *apic_timer_name(void);

/* apic_send_self() - interrupts this CPU by `vector` as soon as interrupts are enabled. Any
 * context, NMI too: it is a single store, which does not disturb an interrupted sender. */
void apic_send_self(unsigned vector);

/* apic_send(), apic_send_nmi() - send `vector`, or an NMI, to the CPU whose APIC has this id. They
 * do not wait until it is accepted. Interrupts off. apic_send_self_nmi() - sends an NMI to this
 * CPU. */
void apic_send(uint32_t id, unsigned vector);
void apic_send_nmi(uint32_t id);
void apic_send_self_nmi(void);

/*
 * apic_send_init() - sends INIT: the CPU stops and waits for apic_send_startup(), which starts it
 * in real mode at the beginning of the 4 KiB page at `page`, below 1 MiB. SDM vol. 3,
 * "Multiple-Processor (MP) Initialization". Interrupts off.
 *
 * apic_reaches() - whether interrupts can be sent to this id in the APIC's mode. Any context.
 */
void apic_send_init(uint32_t id);
void apic_send_startup(uint32_t id, uint64_t page);
bool apic_reaches(uint32_t id);

/* apic_in_service() - whether `vector` is in service: delivered, but without its EOI. IRQ
 * context. */
bool apic_in_service(unsigned vector);

/* apic_is_requested() - whether `vector` is requested, but not yet delivered. Any context. */
bool apic_is_requested(unsigned vector);

#endif
