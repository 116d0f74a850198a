// SPDX-License-Identifier: BSD-2-Clause
/* look.c - see look.h. */
#include "rt/console/look.h"

#include "arch/x86/portable/serial.h"
#include "lib/time.h"
#include "rt/clock/hrtimer.h"

/* A FIFO of 16 bytes is full after 1.4 ms at 115200 baud. */
#define OFTEN_NS  NSEC_PER_MS
#define SELDOM_NS (100 * NSEC_PER_MS)

static struct hrtimer timer;
static void (*tell)(void);
static bool at_prompt;

static uint64_t look_period(void)
{
	return at_prompt || serial_queue_polled() ? OFTEN_NS : SELDOM_NS;
}

static void on_look(struct hrtimer *this, struct trap_frame *frame)
{
	(void)frame;
	if (serial_is_due())
		tell();
	hrtimer_start_irqs_off(this, look_period());
}

void look_init(void (*due)(void))
{
	tell = due;
	timer.fn = on_look;
}

static void set_looking(bool on)
{
	if (on)
		hrtimer_start(&timer, look_period());
	else
		hrtimer_cancel(&timer);
}

void look_at_prompt(bool on)
{
	if (!serial_polled())
		return;
	at_prompt = on;
	set_looking(on);
}

void look_while_running(bool on)
{
	set_looking(on && serial_watched());
}
