// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tracepoint.c - tracepoints and the events on them: whom a hit is told, what it counts and
 * samples, which hits are refused, and how they look as text.
 */
#define TRACE_DEFINE
#include "lib/trace.h"

#include "pmu/state/state.h"
#include "pmu/names/filter.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

TRACE_EVENT(test, plain, TRACE_PROTO(uint32_t a, int64_t b),
	    TRACE_STRUCT(field(uint32_t, a), field(int64_t, b)),
	    TRACE_ASSIGN(entry->a = a; entry->b = b;),
	    TRACE_PRINT("a=%u b=%ld %s", REC->a, REC->b, REC->a > 1 ? "many" : "few"))

TRACE_EVENT(test, roles, TRACE_PROTO(uint64_t count, uint64_t addr, const void *task),
	    TRACE_STRUCT(field(uint8_t, dummy)),
	    TRACE_ASSIGN(hit.count = count; hit.addr = addr; hit.task = task;),
	    TRACE_PRINT("%u", REC->dummy))

TRACE_EVENT(test, texts, TRACE_PROTO(const char *comm, const char *first, const char *second),
	    TRACE_STRUCT(array(char, comm, 8), string(first), string(second),
			 array(uint16_t, args, 2)),
	    TRACE_ASSIGN(trace_copy(entry->comm, comm, sizeof(entry->comm));
			 trace_string(&hit, &entry->first, first);
			 trace_string(&hit, &entry->second, second); entry->args[1] = 0xffff;),
	    TRACE_PRINT("%s: %s, "
			"%s",
			REC->comm, __get_str(first), __get_str(second)))

static struct {
	enum trace_context context;
	bool armed;
	unsigned times_armed;
} host;

static enum trace_context context(void)
{
	return host.context;
}

static uint32_t current_tid(void)
{
	return RIG_TID;
}

static void armed(bool on)
{
	host.armed = on;
	host.times_armed++;
}

static void boot(void)
{
	static const struct trace_host trace_host = {context, current_tid, pmu_trace_hit, armed,
						     NULL};

	memset(&host, 0, sizeof(host));
	rig_boot("skx", true);
	trace_init(&trace_host);
}

static struct perf_event_attr on(const struct trace_event *event)
{
	return rig_attr(PERF_TYPE_TRACEPOINT, event->state->id);
}

static void open_ok(struct pmu_event *e, struct perf_event_attr attr)
{
	if (rig_open(e, &attr, NULL))
		fail_msg("open: %s", rig.why.text);
}

/* --- Whom a hit is told, and what it counts --- */

static void test_counts(void **state)
{
	struct pmu_event a, b, other;

	(void)state;
	boot();
	trace(plain, 1, 2);
	open_ok(&a, on(&trace_event_plain));
	trace(plain, 1, 2); /* its task does not run */
	assert_int_equal(rig_value(&a), 0);
	pmu_task_sched_in(&rig.task);
	open_ok(&b, on(&trace_event_plain));
	open_ok(&other, on(&trace_event_roles));
	for (unsigned i = 0; i < 5; i++)
		trace(plain, i, 2);
	pmu_event_disable(&b);
	trace(plain, 1, 2);
	assert_int_equal(rig_value(&a), 6);
	assert_int_equal(rig_value(&b), 5);
	assert_int_equal(rig_value(&other), 0);
	pmu_event_enable(&b);
	pmu_event_close(&a);
	trace(plain, 1, 2);
	assert_int_equal(rig_value(&b), 6);
	pmu_task_sched_out();
	trace(plain, 1, 2);
	assert_int_equal(rig_value(&b), 6);
	pmu_event_close(&b);
	pmu_event_close(&other);
}

/* The branch at a tracepoint is taken while some event on it is open, and not longer. */
static void test_keys(void **state)
{
	struct pmu_event a, b, c;

	(void)state;
	boot();
	assert_false(trace_on(&trace_key_plain));
	open_ok(&a, on(&trace_event_plain));
	assert_true(trace_on(&trace_key_plain));
	assert_false(trace_on(&trace_key_roles));
	assert_true(host.armed);
	open_ok(&b, on(&trace_event_plain));
	open_ok(&c, on(&trace_event_roles));
	pmu_event_close(&a);
	assert_true(trace_on(&trace_key_plain));
	pmu_event_close(&b);
	assert_false(trace_on(&trace_key_plain));
	assert_true(host.armed);
	assert_int_equal(host.times_armed, 1);
	pmu_event_close(&c);
	assert_false(host.armed);
	assert_int_equal(host.times_armed, 2);
}

static void test_refusals(void **state)
{
	struct perf_event_attr attr;
	struct pmu_event e;

	(void)state;
	boot();
	attr = rig_attr(PERF_TYPE_TRACEPOINT, 0);
	assert_int_equal(rig_open(&e, &attr, NULL), -ENOENT);
	attr = rig_attr(PERF_TYPE_TRACEPOINT, 1ull << 32 | trace_event_plain.state->id);
	assert_int_equal(rig_open(&e, &attr, NULL), -ENOENT);
	assert_non_null(strstr(rig.why.text, "there is no tracepoint"));
	attr = on(&trace_event_plain);
	attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	attr.sample_period = 1;
	assert_int_equal(rig_open(&e, &attr, NULL), -EOPNOTSUPP);
	assert_false(trace_on(&trace_key_plain));
	assert_false(host.armed);
	attr = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	attr.sample_type = PERF_SAMPLE_RAW;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_true(pmu_event_missing(&e) == PERF_SAMPLE_RAW);
	pmu_event_close(&e);
}

static void test_weight(void **state)
{
	struct pmu_event e;

	(void)state;
	boot();
	pmu_task_sched_in(&rig.task);
	open_ok(&e, on(&trace_event_roles));
	trace(roles, 1000, 0, NULL);
	trace(roles, 0, 0, NULL);
	trace(roles, 1ull << 40, 0, NULL);
	assert_int_equal(rig_value(&e), (1ull << 40) + 1000);
	pmu_event_close(&e);
	pmu_task_sched_out();
}

/* A hit about a task is told its events while it does not run, too, and once when it does. */
static void test_target_task(void **state)
{
	struct pmu_event mine, disabled, cpu;
	struct pmu_task other;
	struct perf_event_attr attr, off;
	struct pmu_event of_other;

	(void)state;
	boot();
	attr = off = on(&trace_event_roles);
	off.disabled = 1;
	pmu_task_init(&other, 20, 21, NULL);
	open_ok(&mine, attr);
	open_ok(&disabled, off);
	assert_int_equal(pmu_event_open(&of_other, &attr, 21, -1, NULL, 0, NULL), 0);
	assert_int_equal(pmu_event_open(&cpu, &attr, -1, 0, NULL, 0, NULL), 0);

	trace(roles, 1, 0, &rig.task); /* nobody runs */
	assert_int_equal(rig_value(&mine), 1);
	pmu_task_sched_in(&other);
	trace(roles, 10, 0, &rig.task);
	trace(roles, 100, 0, NULL);
	assert_int_equal(rig_value(&mine), 11);
	pmu_task_sched_out();
	pmu_task_sched_in(&rig.task);
	trace(roles, 1000, 0, &rig.task);
	pmu_task_sched_out();
	assert_int_equal(rig_value(&mine), 1011);
	assert_int_equal(rig_value(&of_other), 110);
	assert_int_equal(rig_value(&disabled), 0);
	assert_int_equal(rig_value(&cpu), 1111);
	pmu_event_close(&mine);
	trace(roles, 1, 0, &rig.task);
	pmu_event_close(&disabled);
	pmu_event_close(&of_other);
	pmu_event_close(&cpu);
	pmu_task_exit(&other);
}

static void test_inherited(void **state)
{
	struct perf_event_attr attr;
	struct pmu_task child;
	struct pmu_event e;

	(void)state;
	boot();
	attr = on(&trace_event_plain);
	attr.inherit = 1;
	open_ok(&e, attr);
	assert_int_equal(pmu_task_init(&child, 20, 21, &rig.task), 0);
	pmu_task_sched_in(&child);
	trace(plain, 1, 2);
	pmu_task_sched_out();
	assert_int_equal(rig_value(&e), 1);
	pmu_task_exit(&child);
	assert_int_equal(rig_value(&e), 1);
	assert_int_equal(trace_event_plain.state->opens, 1);
	pmu_event_close(&e);
	assert_int_equal(trace_event_plain.state->opens, 0);
}

static void test_filters(void **state)
{
	struct pmu_filter filter, another;
	struct pmu_parse_error err;
	struct pmu_event e, clock;

	(void)state;
	boot();
	assert_int_equal(pmu_filter_parse(&filter, &trace_event_plain, "a > 2 && b < 0", &err), 0);
	assert_int_equal(pmu_filter_parse(&another, &trace_event_roles, "dummy == 0", &err), 0);
	pmu_task_sched_in(&rig.task);
	open_ok(&e, on(&trace_event_plain));
	open_ok(&clock, rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK));
	assert_int_equal(pmu_event_set_filter(&clock, &filter, &rig.why), -EINVAL);
	assert_int_equal(pmu_event_set_filter(&e, &another, &rig.why), -EINVAL);
	assert_int_equal(pmu_event_set_filter(&e, &filter, &rig.why), 0);
	trace(plain, 3, -1);
	trace(plain, 2, -1);
	trace(plain, 3, 0);
	assert_int_equal(rig_value(&e), 1);
	assert_int_equal(pmu_event_set_filter(&e, NULL, &rig.why), 0);
	trace(plain, 3, 0);
	assert_int_equal(rig_value(&e), 2);
	pmu_event_close(&e);
	pmu_event_close(&clock);
	pmu_task_sched_out();
}

/* --- Samples --- */

static const struct perf_event_header *next_record(struct rb *rb)
{
	static uint8_t buffer[RB_MAX_RECORD] __attribute__((aligned(8)));
	size_t n = rb_read(rb, buffer, sizeof(buffer));

	return n ? (const void *)buffer : NULL;
}

static void balanced(const struct pmu_event *e, uint64_t overflows)
{
	assert_int_equal(e->books.overflows, overflows);
	assert_int_equal(e->books.written + e->books.lost + e->books.refused, overflows);
}

static void test_raw(void **state)
{
	/* size, type, flags, preempt_count, pid, a, padding, b */
	static const uint8_t wanted[] = {28,   0,    0,    0,    0,    0,    0xff, 0, 8, 0,    0,
					 0,    0x44, 0x33, 0x22, 0x11, 0,    0,    0, 0, 0xfe, 0xff,
					 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0,    0, 0, 0};
	struct {
		struct perf_event_header header;
		uint64_t addr, period;
		uint8_t raw[sizeof(wanted)];
	} record;
	const struct perf_event_header *got;
	struct perf_event_attr attr;
	uint8_t expected[sizeof(wanted)];
	struct rb *rb = rig_ring(1);
	struct pmu_event e;
	uint16_t id;

	(void)state;
	boot();
	attr = on(&trace_event_plain);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW;
	pmu_task_sched_in(&rig.task);
	open_ok(&e, attr);
	pmu_event_set_output(&e, rb);
	trace(plain, 0x11223344, -2);
	got = next_record(rb);
	assert_int_equal(got->size, sizeof(record));
	memcpy(&record, got, sizeof(record));
	assert_int_equal(record.header.type, PERF_RECORD_SAMPLE);
	assert_int_equal(record.addr, 0);
	assert_int_equal(record.period, 1);
	memcpy(expected, wanted, sizeof(expected));
	id = (uint16_t)trace_event_plain.state->id;
	memcpy(expected + 4, &id, sizeof(id));
	expected[6] = 0; /* interrupts are on here */
	assert_memory_equal(record.raw, expected, sizeof(expected));
	balanced(&e, 1);
	pmu_event_close(&e);
	pmu_task_sched_out();
}

/* With PERIOD in the samples each hit is one, else each period that is over. */
static void test_periods(void **state)
{
	struct perf_event_attr attr;
	struct pmu_event told, each;

	(void)state;
	boot();
	pmu_task_sched_in(&rig.task);
	attr = on(&trace_event_roles);
	attr.sample_period = 10;
	open_ok(&each, attr);
	attr.sample_type = PERF_SAMPLE_PERIOD;
	open_ok(&told, attr);
	for (unsigned i = 0; i < 7; i++)
		trace(roles, 3, 0, NULL); /* 21 */
	balanced(&told, 7);
	balanced(&each, 2);
	trace(roles, 39, 0, NULL); /* 60 */
	balanced(&told, 8);
	balanced(&each, 6);
	/* Far more than one hit may bring: the next ones make up for it. */
	trace(roles, 1000, 0, NULL);
	balanced(&each, 6 + 64);
	trace(roles, 0, 0, NULL);
	balanced(&each, 106);
	trace(roles, 0, 0, NULL);
	balanced(&each, 106);
	assert_int_equal(rig_value(&each), 1060);
	assert_int_equal(rig_value(&told), 1060);
	/* At the limit it is over at once. */
	pmu_event_refresh(&each, 3);
	trace(roles, 1000, 0, NULL);
	balanced(&each, 109);
	assert_int_equal(rig_value(&each), 2060);
	trace(roles, 1000, 0, NULL);
	assert_int_equal(rig_value(&each), 2060);
	pmu_event_close(&told);
	pmu_event_close(&each);
	pmu_task_sched_out();
}

static void test_rings(void **state)
{
	struct perf_event_attr user, kernel;
	struct pmu_event u, k;
	struct trace_hit hit = {.event = &trace_event_plain, .count = 1, .user = true};

	(void)state;
	boot();
	pmu_task_sched_in(&rig.task);
	user = kernel = on(&trace_event_plain);
	user.exclude_kernel = 1;
	kernel.exclude_user = 1;
	open_ok(&u, user);
	open_ok(&k, kernel);
	trace(plain, 1, 2);
	pmu_trace_hit(&hit);
	pmu_trace_hit(&hit);
	assert_int_equal(rig_value(&u), 2);
	assert_int_equal(rig_value(&k), 1);
	pmu_event_close(&u);
	pmu_event_close(&k);
	pmu_task_sched_out();
}

/* --- Hits inside of hits --- */

static unsigned depth, served[TRACE_CONTEXTS];

/* While one is served, one of each context comes: those of higher ones interrupt. */
static void hit_again(struct pmu_event *e, const struct pmu_regs *regs)
{
	const enum trace_context at = host.context;

	(void)e;
	(void)regs;
	served[at]++;
	if (depth > TRACE_CONTEXTS)
		return;
	depth++;
	for (unsigned c = at; c < TRACE_CONTEXTS; c++) {
		host.context = (enum trace_context)c;
		trace(plain, 1, 2);
	}
	host.context = at;
	depth--;
}

static void test_contexts(void **state)
{
	struct perf_event_attr attr;
	uint64_t refused;
	struct pmu_event e;

	(void)state;
	boot();
	attr = on(&trace_event_plain);
	attr.sample_period = 1;
	pmu_task_sched_in(&rig.task);
	open_ok(&e, attr);
	e.out.on_overflow = hit_again;
	refused = trace_refused();
	host.context = TRACE_NMI;
	trace(plain, 1, 2);
	assert_int_equal(served[TRACE_NMI], 1);
	assert_int_equal(trace_refused() - refused, 1);
	memset(served, 0, sizeof(served));
	host.context = TRACE_TASK;
	trace(plain, 1, 2);
	/* Each context is served once for each way to come there from below: 1, 1, 2, 4. */
	assert_int_equal(served[TRACE_TASK], 1);
	assert_int_equal(served[TRACE_EXCEPTION], 1);
	assert_int_equal(served[TRACE_IRQ], 2);
	assert_int_equal(served[TRACE_NMI], 4);
	assert_int_equal(trace_refused() - refused, 1 + 1 + 1 + 2 + 4);
	assert_int_equal(rig_value(&e), 1 + 8);
	pmu_event_close(&e);
	pmu_task_sched_out();
}

/* An NMI hits while the lists change. */
static struct pmu_event *in_nmi;

static bool hit_in_nmi(uint64_t ip, bool user)
{
	(void)ip;
	(void)user;
	host.context = TRACE_NMI;
	trace(plain, 1, 2);
	host.context = TRACE_TASK;
	return in_nmi;
}

static void test_nmi(void **state)
{
	struct pmu_event e;

	(void)state;
	boot();
	pmu_task_sched_in(&rig.task);
	open_ok(&e, on(&trace_event_plain));
	in_nmi = &e;
	assert_true(hit_in_nmi(0, false));
	assert_int_equal(rig_value(&e), 1);
	pmu_event_close(&e);
	hit_in_nmi(0, false);
	pmu_task_sched_out();
}

/* --- Ring 3's --- */

static int read_result;

static int read_user(void *to, uint64_t from, size_t n)
{
	if (!read_result)
		memcpy(to, (const void *)(uintptr_t)from, n);
	return read_result;
}

static void test_user_hits(void **state)
{
	const struct trace_raw_plain entry = {.common = {.type = 99, .pid = 99}, .a = 5, .b = 6};
	const uint64_t from = (uintptr_t)&entry;
	struct pmu_filter filter;
	struct pmu_parse_error err;
	struct pmu_event e;

	(void)state;
	boot();
	pmu_task_sched_in(&rig.task);
	open_ok(&e, on(&trace_event_plain));
	/* The head is ring 0's, whatever ring 3 wrote there. */
	assert_int_equal(
		pmu_filter_parse(&filter, &trace_event_plain, "common_pid == 8 && a == 5", &err),
		0);
	pmu_event_set_filter(&e, &filter, NULL);
	assert_int_equal(trace_hit_user(&trace_event_plain, from, sizeof(entry), 1, read_user), 0);
	assert_int_equal(rig_value(&e), 1);
	assert_int_equal(trace_hit_user(&trace_event_plain, from, sizeof(entry) - 1, 1, read_user),
			 -EINVAL);
	read_result = -EFAULT;
	assert_int_equal(trace_hit_user(&trace_event_plain, from, sizeof(entry), 1, read_user),
			 -EFAULT);
	read_result = 0;
	assert_int_equal(trace_hit_user(&trace_event_plain, from, sizeof(entry), 1, read_user), 0);
	assert_int_equal(rig_value(&e), 2);
	pmu_event_close(&e);
	pmu_task_sched_out();
}

/* --- As text --- */

static uint8_t kept[TRACE_MAX_SIZE + 8] __attribute__((aligned(8)));
static uint32_t kept_size;

static void keep(const struct trace_hit *hit)
{
	kept_size = hit->size;
	memcpy(kept, hit->entry, hit->size);
}

static const char *printed(const struct trace_event *event)
{
	static char text[TRACE_MAX_SIZE];

	trace_print(event, kept, kept_size, text, sizeof(text));
	return text;
}

static void test_text(void **state)
{
	static const struct trace_host keeper = {context, current_tid, keep, armed, NULL};
	struct trace_raw_texts *entry = (void *)kept;
	char format[TRACE_MAX_FORMAT], wanted[1024], longer[3000];

	(void)state;
	boot();
	trace_init(&keeper);
	trace_hit_plain(2, -5);
	assert_string_equal(printed(&trace_event_plain), "a=2 b=-5 many");
	trace_hit_texts("a long name", "one", "");
	assert_string_equal(printed(&trace_event_texts), "a long : one, ");
	assert_int_equal((kept_size + 4) % 8, 0);
	assert_int_equal(entry->first, sizeof(*entry) | 4 << 16);
	assert_int_equal(entry->second, (sizeof(*entry) + 4) | 1 << 16);

	/* What does not fit is cut; what is behind it is empty. */
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	trace_hit_texts("x", longer, "lost");
	assert_in_range(kept_size, TRACE_MAX_SIZE, TRACE_MAX_SIZE + 8);
	assert_int_equal(strlen(trace_text(kept, entry->first)),
			 TRACE_MAX_SIZE - sizeof(*entry) - 1);
	assert_string_equal(trace_text(kept, entry->second), "");

	/* Strings that ring 3, or noise, made. */
	trace_hit_texts("x", "one", "two");
	memset(entry->comm, 'y', sizeof(entry->comm));
	entry->first = 0xffffffff;
	entry->second = 0xffff0000 | sizeof(*entry);
	assert_string_equal(printed(&trace_event_texts), "yyyyyyy: , ");
	kept_size = sizeof(struct trace_entry);
	assert_string_equal(printed(&trace_event_texts), "");

	snprintf(wanted, sizeof(wanted),
		 "name: texts\nID: %u\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		 "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		 "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		 "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
		 "\tfield:__data_loc char[] first;\toffset:16;\tsize:4;\tsigned:0;\n"
		 "\tfield:__data_loc char[] second;\toffset:20;\tsize:4;\tsigned:0;\n"
		 "\tfield:uint16_t args[2];\toffset:24;\tsize:4;\tsigned:0;\n\n"
		 "print fmt: \"%%s: %%s, \" \"%%s\", REC->comm, __get_str(first), "
		 "__get_str(second)\n",
		 trace_event_texts.state->id);
	assert_int_equal(trace_format(&trace_event_texts, format, sizeof(format)), strlen(wanted));
	assert_string_equal(format, wanted);
	assert_int_equal(trace_format(&trace_event_texts, format, strlen(wanted)), 0);
}

static void test_lists(void **state)
{
	const struct trace_event *e = NULL, *last = NULL;
	size_t n = 0;

	(void)state;
	boot();
	assert_ptr_equal(trace_find("test:plain", 10), &trace_event_plain);
	assert_null(trace_find("test:plain", 9));
	assert_null(trace_find("test:plainer", 12));
	assert_null(trace_find("plain", 5));
	assert_ptr_equal(trace_by_id(trace_event_roles.state->id), &trace_event_roles);
	assert_null(trace_by_id(0));
	while ((e = trace_after(e))) {
		char format[TRACE_MAX_FORMAT];

		if (last)
			assert_true(strcmp(last->system, e->system) < 0 ||
				    (!strcmp(last->system, e->system) &&
				     strcmp(last->name, e->name) < 0));
		assert_int_not_equal(trace_format(e, format, sizeof(format)), 0);
		last = e;
		n++;
	}
	assert_non_null(trace_events(n - 1));
	assert_null(trace_events(n));
	assert_null(trace_by_id(n + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),      cmocka_unit_test(test_keys),
		cmocka_unit_test(test_refusals),    cmocka_unit_test(test_weight),
		cmocka_unit_test(test_target_task), cmocka_unit_test(test_inherited),
		cmocka_unit_test(test_filters),     cmocka_unit_test(test_raw),
		cmocka_unit_test(test_periods),     cmocka_unit_test(test_rings),
		cmocka_unit_test(test_contexts),    cmocka_unit_test(test_nmi),
		cmocka_unit_test(test_user_hits),   cmocka_unit_test(test_text),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
