// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tracepoint_samples.c - tracepoints and the events on them: samples, hits inside of hits,
 * hits of ring 3, and hits as text.
 */
#include "tests/unit/core/traced_events.h"

#include "tests/unit/test.h"

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

TEST(test_raw)
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

	boot_traced();
	attr = on_tracepoint(&trace_event_plain);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW;
	pmu_task_sched_in(&rig.task);
	open_traced(&e, attr);
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

/* With PERIOD in the samples each hit gives a sample, otherwise each complete period. */
TEST(test_periods)
{
	struct perf_event_attr attr;
	struct pmu_event told, each;

	boot_traced();
	pmu_task_sched_in(&rig.task);
	attr = on_tracepoint(&trace_event_roles);
	attr.sample_period = 10;
	open_traced(&each, attr);
	attr.sample_type = PERF_SAMPLE_PERIOD;
	open_traced(&told, attr);
	for (unsigned i = 0; i < 7; i++)
		trace(roles, 3, 0, NULL); /* 21 */
	balanced(&told, 7);
	balanced(&each, 2);
	trace(roles, 39, 0, NULL); /* 60 */
	balanced(&told, 8);
	balanced(&each, 6);
	/* A weight far above the samples that one hit may give: later hits give the rest. */
	trace(roles, 1000, 0, NULL);
	balanced(&each, 6 + 64);
	trace(roles, 0, 0, NULL);
	balanced(&each, 106);
	trace(roles, 0, 0, NULL);
	balanced(&each, 106);
	assert_int_equal(rig_value(&each), 1060);
	assert_int_equal(rig_value(&told), 1060);
	/* At the limit the event stops at once. */
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

TEST(test_rings)
{
	struct perf_event_attr user, kernel;
	struct pmu_event u, k;
	struct trace_hit hit = {.event = &trace_event_plain, .count = 1, .user = true};

	boot_traced();
	pmu_task_sched_in(&rig.task);
	user = kernel = on_tracepoint(&trace_event_plain);
	user.exclude_kernel = 1;
	kernel.exclude_user = 1;
	open_traced(&u, user);
	open_traced(&k, kernel);
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

/* While a hit is served, a hit of each context comes: higher contexts interrupt. */
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

TEST(test_contexts)
{
	struct perf_event_attr attr;
	uint64_t refused;
	struct pmu_event e;

	boot_traced();
	attr = on_tracepoint(&trace_event_plain);
	attr.sample_period = 1;
	pmu_task_sched_in(&rig.task);
	open_traced(&e, attr);
	e.out.on_overflow = hit_again;
	refused = trace_refused();
	host.context = TRACE_NMI;
	trace(plain, 1, 2);
	assert_int_equal(served[TRACE_NMI], 1);
	assert_int_equal(trace_refused() - refused, 1);
	memset(served, 0, sizeof(served));
	host.context = TRACE_TASK;
	trace(plain, 1, 2);
	/* Each context serves a hit for each way to reach it from lower contexts: 1, 1, 2, 4. */
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

TEST(test_nmi)
{
	struct pmu_event e;

	boot_traced();
	pmu_task_sched_in(&rig.task);
	open_traced(&e, on_tracepoint(&trace_event_plain));
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

TEST(test_user_hits)
{
	const struct trace_raw_plain entry = {.common = {.type = 99, .pid = 99}, .a = 5, .b = 6};
	const uint64_t from = (uintptr_t)&entry;
	struct pmu_filter filter;
	struct pmu_parse_error err;
	struct pmu_event e;

	boot_traced();
	pmu_task_sched_in(&rig.task);
	open_traced(&e, on_tracepoint(&trace_event_plain));
	/* Ring 0 sets the head of the record, whatever ring 3 wrote there. */
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

static void keep_hit(const struct trace_hit *hit)
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

TEST(test_text)
{
	static const struct trace_host keeper = {context, current_tid, keep_hit, armed, NULL};
	struct trace_raw_texts *entry = (void *)kept;
	char format[TRACE_MAX_FORMAT], wanted[1024], longer[3000];

	boot_traced();
	trace_init(&keeper);
	trace_hit_plain(2, -5);
	assert_string_equal(printed(&trace_event_plain), "a=2 b=-5 many");
	trace_hit_texts("a long name", "one", "");
	assert_string_equal(printed(&trace_event_texts), "a long : one, ");
	assert_int_equal((kept_size + 4) % 8, 0);
	assert_int_equal(entry->first, sizeof(*entry) | 4 << 16);
	assert_int_equal(entry->second, (sizeof(*entry) + 4) | 1 << 16);

	/* A text that does not fit is cut; the next one is empty. */
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	trace_hit_texts("x", longer, "lost");
	assert_in_range(kept_size, TRACE_MAX_SIZE, TRACE_MAX_SIZE + 8);
	assert_int_equal(strlen(trace_text(kept, entry->first)),
			 TRACE_MAX_SIZE - sizeof(*entry) - 1);
	assert_string_equal(trace_text(kept, entry->second), "");

	/* Strings that come from ring 3 or from noise. */
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

TEST(test_lists)
{
	const struct trace_event *e = NULL, *last = NULL;
	size_t n = 0;

	boot_traced();
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
