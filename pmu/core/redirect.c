// SPDX-License-Identifier: BSD-2-Clause
/*
 * redirect.c - decides which ring gets the records of an event.
 *
 * A ring has one writing CPU and one direction. So events share a ring only if both are equal, and
 * if no two of the events can be on two CPUs at the same time.
 */
#include "pmu/record/output.h"

#include "lib/reason.h"
#include "pmu/core/control.h"
#include "pmu/core/redirect.h"
#include "pmu/record/record_sample.h"
#include "pmu/state/remote.h"

#include <linux/errno.h>

static int check_direction(const struct pmu_event *e, bool backward, struct reason *why)
{
	if (!!e->attr.write_backward == backward)
		return 0;
	return refuse(why, EINVAL, "the ring is written %s, and the event's records %s",
		      backward ? "backward" : "forward",
		      backward ? "forward" : "backward (write_backward)");
}

/* Linux refuses that mmap(2). */
static int check_family(const struct pmu_event *e, struct reason *why)
{
	if (e->cpu >= 0 || !e->attr.inherit || pmu_ncpus() == 1)
		return 0;
	return refuse(why, EINVAL,
		      "tasks that inherit an event may run on several CPUs at once, and a ring "
		      "is written by one: the event must be for one CPU");
}

static int check_output_ring(const struct pmu_event *e, const struct rb *rb, struct reason *why)
{
	if (!rb)
		return 0;
	if (check_family(e, why))
		return -EINVAL;
	if (!pmu_output_fits(e, rb))
		return refuse(why, EINVAL, "the ring that it is to use has no room for a sample");
	return check_direction(e, rb->mode & RB_BACKWARD, why);
}

int pmu_check_output(const struct pmu_event *to, struct reason *why)
{
	if (to->context)
		return 0;
	return refuse(why, EINVAL, "the event whose ring it is to use is closed");
}

int pmu_check_redirect(const struct pmu_event *e, const struct pmu_event *to, struct reason *why)
{
	if (e == to)
		return refuse(why, EINVAL, "an event cannot be sent into its own ring");
	if (e->cpu != to->cpu)
		return refuse(why, EINVAL,
			      "events share a ring on one CPU only, these are for "
			      "CPU %d and CPU %d (-1: any)",
			      e->cpu, to->cpu);
	if (e->cpu == -1 && e->context != to->context)
		return refuse(why, EINVAL,
			      "events of two tasks share a ring only if both are for one CPU");
	if (e->attr.write_backward != to->attr.write_backward)
		return check_direction(e, to->attr.write_backward, why);
	return check_output_ring(e, to->out.rb, why);
}

struct sending {
	struct pmu_event *e;
	struct rb *rb;
};

/* Runs where the context is active. */
static void send_redirected(void *arg)
{
	const struct sending *s = arg;
	uint64_t irq = pmu_begin_change();

	s->e->out.rb = s->rb;
	pmu_output_plan(s->e);
	pmu_end_change(irq);
}

/* Runs on the CPU that writes the ring, because other events may already use it. */
static void init_wakeup(void *e)
{
	pmu_wakeup_init(e);
}

static void send_to(struct pmu_event *e, struct rb *rb)
{
	struct sending s = {e, rb};

	pmu_in_context(e->context, send_redirected, &s);
	for (s.e = e->family.children; s.e; s.e = s.e->family.next_child)
		pmu_in_context(s.e->context, send_redirected, &s);
	pmu_in_ring(e, init_wakeup, e);
}

int pmu_event_set_output(struct pmu_event *e, struct rb *rb)
{
	int err;

	pmu_operation_begin();
	err = check_output_ring(e, rb, NULL);
	if (!err)
		send_to(e, rb);
	pmu_operation_end();
	return err;
}

int pmu_event_redirect(struct pmu_event *e, const struct pmu_event *to, struct reason *why)
{
	int err;

	pmu_operation_begin();
	err = pmu_check_output(to, why);
	if (!err)
		err = pmu_check_redirect(e, to, why);
	if (!err)
		send_to(e, to->out.rb);
	pmu_operation_end();
	return err;
}

struct notifying {
	struct pmu_event *e;
	void (*fn)(struct pmu_event *opened, bool at_limit);
};

/* Runs where the context is active. */
static void set_notify(void *arg)
{
	const struct notifying *n = arg;
	uint64_t irq = pmu_begin_change();

	n->e->out.notify = n->fn;
	pmu_output_plan(n->e);
	pmu_end_change(irq);
}

void pmu_event_set_notify(struct pmu_event *e, void (*fn)(struct pmu_event *opened, bool at_limit))
{
	struct notifying n = {e, fn};

	pmu_operation_begin();
	pmu_in_context(e->context, set_notify, &n);
	for (n.e = e->family.children; n.e; n.e = n.e->family.next_child)
		pmu_in_context(n.e->context, set_notify, &n);
	pmu_operation_end();
}

struct pausing {
	struct rb *rb;
	bool paused;
};

static void pause_ring(void *arg)
{
	const struct pausing *p = arg;

	rb_pause(p->rb, p->paused);
}

int pmu_event_pause_output(struct pmu_event *e, bool paused)
{
	struct pausing p = {.paused = paused};

	pmu_operation_begin();
	p.rb = e->out.rb;
	if (p.rb)
		pmu_in_ring(e, pause_ring, &p);
	pmu_operation_end();
	return p.rb ? 0 : -EINVAL;
}
