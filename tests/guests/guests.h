/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guests.h - guests that print their view of a machine: the text must be the same with vpmu below
 * them and without it. Each guest is a function of a UEFI application, which runs the guests that
 * its load options name. None of them knows of vpmu.
 *
 * Their text must not depend on addresses, on times, or on the personality of a CPU.
 */
#ifndef TESTS_GUESTS_GUESTS_H
#define TESTS_GUESTS_GUESTS_H

#include <stdbool.h>
#include <stdint.h>

void guest_cpus(void);
void guest_apic(void);
void guest_debug(void);
void guest_interrupts(void);
void guest_hpet(void);
void guest_pci(void);
void guest_prefixes(void);
void guest_gates(void);
void guest_clocks(void);
void guest_stepped(void);
void guest_faults(void);
void guest_starts(void);
void guest_code(void);
void guest_control(void);
void guest_paging(void);
void guest_nmi(void);
void guest_modes(void);
void guest_jump(void);
void guest_refused(void);
void guest_resets(void);
void guest_cpu_resets(void);
void guest_ring3(void);
void guest_sleep(void);
void guest_system(void);
void guest_virtual(void);
void guest_x2apic(void);
void guest_xsave(void);

/* guest_print() - prints a line to the serial line. Any context. */
void guest_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* guest_low_page() - returns an unused page below 640 KiB. Needs the firmware's services. */
uint8_t *guest_low_page(void);

/* guest_cpu_count() - returns the number of CPUs that the firmware reports. */
unsigned guest_cpu_count(void);

/* guest_acpi() - returns the root pointer of the firmware's ACPI tables. */
const void *guest_acpi(void);

/* guest_firmware_reset(), guest_power_off() - reset the machine, or switch it off, by the
 * firmware's services. */
void guest_firmware_reset(void);
_Noreturn void guest_power_off(void);

/* guest_spin() - delays by 200,000 turns of a loop. */
void guest_spin(void);

uint32_t guest_apic_read(uint32_t offset);
void guest_apic_write(uint32_t offset, uint32_t value);

/*
 * guest_take_idt() - installs `handler`, which ends by IRET, for `vector`, and disables interrupts.
 * guest_return_idt() - restores the firmware's tables and the interrupt flag.
 */
void guest_take_idt(uint8_t vector, void (*handler)(void));
void guest_return_idt(void);

/* guest_count_branches() - returns the value of a counter after a loop of `turns` branches. */
uint32_t guest_count_branches(uint32_t turns);

/* guest_count_once() - starts a counter that overflows after `instructions`, with an interrupt.
 * guest_count_stop(): stops it. */
void guest_count_once(uint32_t instructions);
void guest_count_stop(void);

/*
 * guest_count_closely() - starts a precise event whose period is so short that vpmu looks at each
 * instruction; it raises no interrupt. Does nothing where the PMU has no such event.
 * guest_count_ring3_closely() - likewise, for instructions of ring 3 alone.
 * guest_count_no_more() - stops the event.
 */
void guest_count_closely(void);
/* guest_record_is_due() - true where the precise event's counter has overflowed and was not set
 * again. */
bool guest_record_is_due(void);
void guest_count_ring3_closely(void);
void guest_count_no_more(void);

/* guest_count_rings() - starts a counter of ring 3's instructions alone. */
void guest_count_rings(void);

/* guest_count_variously() - runs `what` three times: plain, after guest_count_rings(), and after
 * guest_count_closely().
 * guest_with_calls() - likewise, while SYSCALL leads to `on_syscall` with the flags of `mask`
 * clear, and INT3 of ring 3 has a gate. */
void guest_count_variously(void (*what)(void));
void guest_with_calls(void (*what)(void), void (*on_syscall)(void), uint64_t mask);

#endif
