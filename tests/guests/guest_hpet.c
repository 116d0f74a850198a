// SPDX-License-Identifier: BSD-2-Clause
/* guest_hpet.c - the guest may set the main counter of the HPET to any value, without causing an
 * interrupt. */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"

#define HPET_CONFIG  0xfed00010ull
#define HPET_COUNTER 0xfed000f0ull
#define HPET_ENABLE  1ull
#define VECTOR_NMI   2
#define LEAPS        5

static volatile unsigned nmis;

static void __attribute__((interrupt)) count_nmi(void *frame)
{
	(void)frame;
	nmis++;
}

/* Three hours ahead, and further each time, up to 45 years. */
static void leap(unsigned i)
{
	volatile uint64_t *const config = (volatile uint64_t *)HPET_CONFIG;
	volatile uint64_t *const counter = (volatile uint64_t *)HPET_COUNTER;

	*config &= ~HPET_ENABLE;
	*counter += 1ull << (41 + 4 * i);
	*config |= HPET_ENABLE;
	guest_spin();
}

static void leap_away(const char *what)
{
	for (unsigned i = 0; i < LEAPS; i++)
		leap(i);
	guest_print("%s: %u NMIs", what, nmis);
	nmis = 0;
}

void guest_hpet(void)
{
	guest_take_idt(VECTOR_NMI, (void (*)(void))count_nmi);
	leap_away("before counting");
	guest_count_closely();
	guest_spin();
	guest_count_no_more();
	leap_away("behind it");
	guest_count_once(100000000);
	leap_away("while one counts");
	guest_count_stop();
	guest_return_idt();
}
