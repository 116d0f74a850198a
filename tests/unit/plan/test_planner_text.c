// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_planner_text.c - the two output forms of a plan, names, and random requests.
 */
#include "tests/unit/plan/planned.h"

#include "tests/unit/test.h"

TEST(test_facts)
{
	static const struct planner_facts facts = {1, {{0x10e, {0x30, 0x8}, 0}}};
	const struct planner_request on = {.uarch = "hsw", .facts = &facts};
	const struct planner_request off = {.uarch = "hsw", .facts = &facts, .no_ht = true};

	assert_int_equal(plan_request(on, "r10e,r10e"), 0);
	check_shares("facts", (uint32_t[]){5000, 5000}, 2);
	assert_int_equal(p->configs[0].counter[0], 3);
	assert_int_equal(plan_request(off, "r10e,r10e"), 0);
	check_shares("facts", (uint32_t[]){10000, 10000}, 2);
	assert_int_equal(p->configs[0].counter[1], 5);
}

TEST(test_text)
{
	assert_int_equal(plan_request(
				 (struct planner_request){
					 .uarch = "icl", .tfa = true, .ticks = 10, .kernel = "5.3"},
				 "cycles,faults"),
			 0);
	assert_string_equal(write_by(planner_print),
			    "icelake, hyper-threading on, policy perf, 10 slices of 4000 us, as "
			    "Linux 5.3\n"
			    "--tfa changes nothing: transactions take no counter there\n"
			    "\n"
			    "           counted  cycles\n"
			    "           counted  faults\n"
			    "\n"
			    "C1: 10 of 10 slices\n"
			    "  FIXED1    cycles\n"
			    "  software  faults\n");
}

TEST(test_json)
{
	assert_int_equal(
		plan_request((struct planner_request){.uarch = "hsw", .ticks = 2, .watchdog = true},
			     "r0148,r0148"),
		0);
	assert_string_equal(
		write_by(planner_json),
		"{\"uarch\":\"haswell\",\"hyper_threading\":true,\"policy\":\"perf\",\"kernel\":"
		"null,"
		"\"ticks\":2,\"multiplexed\":true,\"fair\":null,\n"
		" \"events\":[\n"
		"  {\"name\":\"r0148\",\"status\":\"counted\",\"percent\":50.00,"
		"\"reason\":\"r0148 needs PMC2; held by r0148 on PMC2\"},\n"
		"  {\"name\":\"r0148\",\"status\":\"counted\",\"percent\":50.00,"
		"\"reason\":\"r0148 needs PMC2; held by r0148 on PMC2\"}],\n"
		" \"configs\":[\n"
		"  {\"ticks\":1,\"watchdog\":\"FIXED1\",\"assign\":{\"r0148\":\"PMC2\"},"
		"\"waiting\":{\"r0148#2\":\"r0148 needs PMC2; held by r0148 on PMC2\"}},\n"
		"  {\"ticks\":1,\"watchdog\":\"FIXED1\",\"assign\":{\"r0148#2\":\"PMC2\"},"
		"\"waiting\":{\"r0148\":\"r0148 needs PMC2; held by r0148 on PMC2\"}}],\n"
		" \"other_ticks\":0}\n");
}

/* A function for names gets the whole text, colons included; its refusals point at the event. */
static int find(void *ctx, uint8_t core, const char *text, size_t n, struct perf_event_attr *attr,
		size_t *taken, struct pmu_parse_error *error)
{
	(void)ctx;
	(void)core;
	if (n >= 8 && !memcmp(text, "hsw::BAD", 8)) {
		strcpy(error->text, "this one is bad");
		return -EINVAL;
	}
	if (n < 7 || memcmp(text, "hsw::OK", 7))
		return 0;
	attr->type = PERF_TYPE_RAW;
	attr->config = 0x148;
	attr->exclude_kernel = 1;
	*taken = 7;
	return 1;
}

TEST(test_namer)
{
	const struct pmu_namer namer = {.find = find};
	const struct planner_request r = {.uarch = "hsw", .namer = &namer};

	assert_int_equal(plan_request(r, "{cycles,hsw::OK},hsw::OK:k"), 0);
	assert_string_equal(p->own.specs[1].name, "hsw::OK");
	assert_int_equal(p->own.specs[1].attr.exclude_kernel, 1);
	assert_string_equal(p->own.specs[2].name, "hsw::OK:k");
	assert_int_equal(p->own.specs[2].attr.exclude_kernel, 0);
	assert_int_equal(p->own.specs[2].attr.exclude_user, 1);
	assert_int_equal(p->configs[0].counter[1], 2);
	assert_int_equal(plan_request(r, "cycles,hsw::BAD:k"), -EINVAL);
	assert_string_equal(why.text, "-e: column 8: this one is bad");
	assert_int_equal(plan_request(r, "cycles,hsw::OK:z"), -EINVAL);
	assert_string_equal(why.text, "-e: column 16: there is no modifier 'z'");
	assert_int_equal(plan_request(r, "hsw::OKcycles"), -EINVAL);
	assert_string_equal(why.text, "-e: column 8: 'c' does not belong here");
}

/* Every microarchitecture can plan its generic events, on its own counters. */
TEST(test_all)
{
	const struct uarch *u;

	for (size_t i = 0; (u = uarch_list(i)); i++)
		for (unsigned ht = 0; ht < 2; ht++) {
			uint64_t has = uarch_machine_counters(u, ht);
			const struct planner_request r = {
				.uarch = u->name, .no_ht = !ht, .ticks = 12};

			assert_int_equal(
				plan_request(r, "cycles,instructions,branches,branch-misses,r0e"),
				0);
			assert_int_equal(p->plan.events[0].status, PMU_PLAN_COUNTED);
			for (unsigned c = 0; c < p->plan.nconfigs; c++)
				for (unsigned e = 0; e < 5; e++) {
					uint8_t counter = p->configs[c].counter[e];

					assert_true(counter == PMU_PLAN_WAITS ||
						    has >> counter & 1);
				}
		}
}

static uint64_t random_31_bits(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Makes lists that can be parsed: events, groups, modifiers. */
static void make_list(char *text, size_t size, uint64_t *seed)
{
	static const char *const events[] = {
		"cycles",     "instructions", "ref-cycles",      "faults",
		"branches:u", "cache-misses", "LLC-load-misses", "r0e",
		"r0148",      "rca3",         "r01d1",           "r01d2:k",
		"r81d0",      "r01cd:pp",     "cycles:P",        "r01c0:p",
		"mem:64:w",   "r13c",         "r01b7",           "cpu/event=0xc2,inv,cmask=1/",
	};
	size_t n = 0;
	bool open = false;

	for (unsigned left = 1 + (unsigned)random_31_bits(seed) % 12; left > 0; left--) {
		const char *event =
			events[random_31_bits(seed) % (sizeof(events) / sizeof(events[0]))];
		bool opens = !open && random_31_bits(seed) % 4 == 0;

		n += (size_t)snprintf(text + n, size - n, "%s%s", opens ? "{" : "", event);
		open |= opens;
		if (open && (left == 1 || random_31_bits(seed) % 3 == 0)) {
			static const char *const ends[] = {"}", "}:D", "}:W", "}:e"};

			n += (size_t)snprintf(text + n, size - n, "%s",
					      ends[random_31_bits(seed) % 4]);
			open = false;
		}
		n += (size_t)snprintf(text + n, size - n, "%s", left > 1 ? "," : "");
	}
}

/* No counter has two events, each event is on an allowed counter, and times do not exceed the run.
 */
static void check_plan(const char *events)
{
	uint32_t ticks = p->plan.other_ticks;

	for (unsigned c = 0; c < p->plan.nconfigs; c++) {
		uint64_t used = p->configs[c].watchdog == PMU_NO_COUNTER
					? 0
					: 1ull << p->configs[c].watchdog;

		ticks += p->configs[c].ticks;
		for (unsigned i = 0; i < p->plan.nevents; i++) {
			uint8_t counter = p->configs[c].counter[i];

			if (counter == PMU_PLAN_WAITS || counter == PMU_PLAN_SOFTWARE)
				continue;
			if (used >> counter & 1 ||
			    !(p->own.events[i].constraint.counters >> counter & 1))
				fail_msg("%s: C%u has event %u on %u", events, c + 1, i, counter);
			used |= 1ull << counter;
		}
	}
	assert_int_equal(ticks, p->job.ticks);
	for (unsigned i = 0; i < p->plan.nevents; i++) {
		const struct pmu_plan_event *e = &p->plan.events[i];

		assert_true(e->percent <= 10000);
		assert_true((e->status == PMU_PLAN_COUNTED) == (e->has_percent && e->running_us));
		assert_true(e->status == PMU_PLAN_COUNTED || e->why.text[0] || !e->has_percent);
	}
}

TEST(test_random)
{
	static const char *const uarchs[] = {"snb", "ivb",  "hsw",  "bdw", "skl", "icl", "tgl",
					     "spr", "zen1", "zen4", "k8",  "slm", "glm", "nehalem"};
	static const char *const kernels[] = {NULL,      "2.6.33", "3.2", "3.12",
					      "4.1-rc3", "4.1",    "4.6", "5.3"};
	uint64_t seed = 11;
	char events[512];

	for (unsigned round = 0; round < 1500; round++) {
		struct planner_request r = {
			.uarch = uarchs[random_31_bits(&seed) % 14],
			.kernel = kernels[random_31_bits(&seed) % 8],
			.no_ht = random_31_bits(&seed) % 2,
			.tfa = random_31_bits(&seed) % 2,
			.watchdog = random_31_bits(&seed) % 2,
			.ticks = 1 + random_31_bits(&seed) % 40,
			.sleep_ms = 0,
		};

		if (random_31_bits(&seed) % 3 == 0) {
			r.policy = "fair";
			r.kernel = NULL;
		}
		if (!r.no_ht && uarch_by_name(r.uarch)->gp_ht && random_31_bits(&seed) % 3 == 0)
			r.sibling = "r01d1,{r0e,r0148},cycles,r81d0";
		make_list(events, sizeof(events), &seed);
		if (plan_request(r, events))
			fail_msg("%s: %s", events, why.text);
		check_plan(events);
		write_by(planner_print);
		write_by(planner_json);
	}
}

GROUP(setup, teardown);
