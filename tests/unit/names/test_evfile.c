// SPDX-License-Identifier: BSD-2-Clause
/* test_evfile.c - Intel's event files: reading them, and the messages about bad files. */
#include "pmu/uarch/uarch.h"
#include "tools/events/evfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

/* A made-up file in the form of Intel's files, with each member in all ways in which they write it.
 */
static const char sample[] =
	"{\n"
	" \"Header\": {\"Copyright\": \"none\", \"Info\": \"made up\"},\n"
	" \"Events\": [\n"
	"  {\"EventCode\": \"0x00\", \"UMask\": \"0x01\", \"EventName\": \"INST.FIXED\",\n"
	"   \"BriefDescription\": \"Counts \\\"them\\\"\", \"Counter\": \"Fixed counter 0\",\n"
	"   \"CounterHTOff\": \"Fixed counter 0\", \"MSRIndex\": \"0x00\", \"MSRValue\": "
	"\"0x00\",\n"
	"   \"PEBS\": \"1\", \"Speculative\": \"0\"},\n"
	"  {\"EventCode\": \"0x48\", \"UMask\": \"0x01\", \"EventName\": \"PENDING\",\n"
	"   \"Counter\": \"2\", \"CounterHTOff\": \"2\", \"CounterMask\": \"1\",\n"
	"   \"Invert\": \"1\", \"EdgeDetect\": \"1\", \"AnyThread\": \"1\"},\n"
	"  {\"EventCode\": \"0xB7, 0xBB\", \"UMask\": \"0x01\", \"EventName\": "
	"\"OFFCORE.TWO_CODES\",\n"
	"   \"Counter\": \"0,1,2,3\", \"CounterHTOff\": \"0,1,2,3,4,5,6,7\",\n"
	"   \"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x3fffc00001\", \"Offcore\": \"1\"},\n"
	"  {\"EventCode\": \"0xB7\", \"UMask\": \"0x01,0x02\", \"EventName\": "
	"\"OFFCORE.TWO_UMASKS\",\n"
	"   \"Counter\": \"0,1\", \"MSRIndex\": \"0x1a6, 0x1a7\", \"MSRValue\": \"65537\"},\n"
	"  {\"EventCode\": \"0xcd\", \"UMask\": \"0x01\", \"EventName\": \"LATENCY\",\n"
	"   \"Counter\": \"3\", \"CounterHTOff\": \"\", \"MSRIndex\": \"0x3F6\", \"MSRValue\": "
	"\"0x4\",\n"
	"   \"PEBS\": \"2\", \"TakenAlone\": \"1\"},\n"
	"  {\"EventCode\": \"0XB7\", \"UMask\": \"0x01,0x02\", \"EventName\": \"OFFCORE.FIRST\",\n"
	"   \"Counter\": \"0,1\", \"MSRIndex\": \"0x1a6\", \"MSRValue\": \"0x8000000000000044\"},\n"
	"  {\"EventCode\": \"0xB7\", \"UMask\": \"0x01,0x02\", \"EventName\": \"OFFCORE.SECOND\",\n"
	"   \"Counter\": \"0,1\", \"MSRIndex\": \"0x1a7\", \"MSRValue\": \"1\"},\n"
	"  {\"EventCode\": \"0xD6\", \"UMask\": \"0x01,0x02,0x04,0x08\", \"EventName\": \"FOUR\",\n"
	"   \"Counter\": \"0,1\", \"MSRIndex\": \"0x3E0,0x3E1,0x3E2,0x3E3\", \"MSRValue\": "
	"\"1\"},\n"
	"  {\"EventCode\": 60, \"UMask\": 0, \"UMaskExt\": \"0x12\", \"EventName\": \"NUMBERS\",\n"
	"   \"Counter\": \"Fixedcounter1\", \"CounterMask\": 16, \"Deprecated\": \"1\",\n"
	"   \"Unit\": \"cpu_core\", \"PEBS\": null}\n"
	" ]\n"
	"}\n";

static struct evfile file;
static struct reason why;

static int parse_evfile(const char *text)
{
	why.text[0] = '\0';
	return evfile_parse(&file, "f.json", text, strlen(text), &why);
}

static const struct evfile_event *event_named(const char *name)
{
	const struct evfile_event *e = evfile_find(&file, name);

	if (!e)
		fail_msg("there is no '%s'", name);
	return e;
}

#define NOT  EVFILE_NOT_PRECISE
#define MAY  EVFILE_CAN_BE_PRECISE
#define MUST EVFILE_ONLY_PRECISE

TEST(test_sample)
{
	static const struct {
		const char *name;
		unsigned ways;
		uint64_t select[EVFILE_WAYS];
		uint32_t msr[EVFILE_WAYS];
		uint64_t msr_value, off, on;
		enum evfile_pebs pebs;
		bool alone, deprecated;
	} rows[] = {
		{"INST.FIXED", 1, {0x0100}, {0}, 0, UARCH_FIXED(0), UARCH_FIXED(0), MAY, 0, 0},
		{"PENDING", 1, {0x1a40148}, {0}, 0, 0x4, 0x4, NOT, 0, 0},
		{"OFFCORE.TWO_CODES",
		 2,
		 {0x01b7, 0x01bb},
		 {0x1a6, 0x1a7},
		 0x3fffc00001,
		 0xff,
		 0xf,
		 NOT,
		 0,
		 0},
		{"OFFCORE.TWO_UMASKS",
		 2,
		 {0x01b7, 0x02b7},
		 {0x1a6, 0x1a7},
		 65537,
		 0x3,
		 0x3,
		 NOT,
		 0,
		 0},
		{"LATENCY", 1, {0x01cd}, {0x3f6}, 4, 0x8, 0x8, MUST, 1, 0},
		{"OFFCORE.FIRST", 1, {0x01b7}, {0x1a6}, 0x8000000000000044, 0x3, 0x3, NOT, 0, 0},
		{"OFFCORE.SECOND", 1, {0x02b7}, {0x1a7}, 1, 0x3, 0x3, NOT, 0, 0},
		{"FOUR",
		 4,
		 {0x01d6, 0x02d6, 0x04d6, 0x08d6},
		 {0x3e0, 0x3e1, 0x3e2, 0x3e3},
		 1,
		 0x3,
		 0x3,
		 NOT,
		 0,
		 0},
		{"NUMBERS", 1, {0x12001000003c}, {0}, 0, UARCH_FIXED(1), UARCH_FIXED(1), NOT, 0, 1},
	};

	if (parse_evfile(sample))
		fail_msg("%s", why.text);
	assert_int_equal(file.n, UARCH_COUNT(rows));
	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct evfile_event *e = &file.events[i];

		assert_string_equal(e->name, rows[i].name);
		assert_int_equal(e->ways, rows[i].ways);
		for (unsigned k = 0; k < EVFILE_WAYS; k++) {
			assert_true(e->select[k] == rows[i].select[k]);
			assert_int_equal(e->msr[k], rows[i].msr[k]);
		}
		assert_true(e->msr_value == rows[i].msr_value);
		assert_true(e->counters[false] == rows[i].off && e->counters[true] == rows[i].on);
		assert_int_equal(e->pebs, rows[i].pebs);
		assert_int_equal(e->taken_alone, rows[i].alone);
		assert_int_equal(e->deprecated, rows[i].deprecated);
	}
	assert_string_equal(event_named("INST.FIXED")->description, "Counts \"them\"");
	assert_string_equal(event_named("PENDING")->description, "");
	evfile_free(&file);
}

TEST(test_find)
{
	assert_int_equal(parse_evfile(sample), 0);
	assert_ptr_equal(event_named("latency"), event_named("LATENCY"));
	assert_null(evfile_find(&file, "LATENC"));
	assert_null(evfile_find(&file, "LATENCY "));
	assert_null(evfile_find(&file, ""));
	evfile_free(&file);
	assert_null(evfile_find(&file, "LATENCY"));
}

/* A bare array is a file, too; so is one with a byte order mark. */
TEST(test_forms)
{
	static const char *const texts[] = {
		"[{\"EventName\":\"A\",\"EventCode\":\"1\",\"Counter\":\"0\"}]",
		"  [ {\"EventName\":\"A\",\"EventCode\":\"0x1\",\"Counter\":\" 0 \"} ] \n\n",
		"\xef\xbb\xbf[{\"EventName\":\"A\",\"EventCode\":\" 0X01 \",\"Counter\":\"0\"}]",
		"{\"Events\":[{\"EventName\":\"A\",\"EventCode\":1,\"Counter\":0,\"UMask\":\"\"}]}",
	};

	for (size_t i = 0; i < UARCH_COUNT(texts); i++) {
		if (parse_evfile(texts[i]))
			fail_msg("%zu: %s", i, why.text);
		assert_int_equal(file.n, 1);
		assert_true(event_named("a")->select[0] == 1 &&
			    event_named("a")->counters[true] == 1);
		evfile_free(&file);
	}
}

#define GOOD         "{\"EventName\":\"G\",\"EventCode\":\"1\",\"Counter\":\"0\"},"
#define BAD(members) "[" GOOD "{\"EventName\":\"B\"," members "}]"

TEST(test_malformed)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "f.json: byte 0: the JSON text ends too early"},
		{"   ", "ends too early"},
		{"[", "ends too early"},
		{"{\"Events\":", "ends too early"},
		{"nonsense", "f.json: byte"},
		{"<?xml?>", "f.json: byte 0: "},
		{"[] []", "something follows the JSON text"},
		{"[" GOOD "]x", "f.json: byte"},
		{"[]", "f.json: there is no list of events in it"},
		{"{}", "there is no list of events"},
		{"{\"Events\":{}}", "there is no list of events"},
		{"{\"Events\":[]}", "there is no list of events"},
		{"\"Events\"", "there is no list of events"},
		{"[1]", "f.json: event 1: it is not an object"},
		{"[null]", "event 1: it is not an object"},
		{"[" GOOD "[]]", "event 2: it is not an object"},
		{"[{}]", "event 1: EventName is missing"},
		{"[{\"EventName\":\"\"}]", "EventName is missing"},
		{"[{\"EventName\":[]}]", "EventName is missing"},
		{BAD("\"Counter\":\"0\""), "f.json: event 2 (B): EventCode is missing"},
		{BAD("\"EventCode\":\"\",\"Counter\":\"0\""), "EventCode is missing"},
		{BAD("\"EventCode\":\"0x100\""), "EventCode '0x100' is not a list of up to 4"},
		{BAD("\"EventCode\":\"zero\""), "EventCode 'zero' is not"},
		{BAD("\"EventCode\":\"1,2,3,4,5\""),
		 "EventCode '1,2,3,4,5' is not a list of up to 4"},
		{BAD("\"EventCode\":\"1,\""), "EventCode '1,' is not"},
		{BAD("\"EventCode\":\"1;2\""), "EventCode '1;2' is not"},
		{BAD("\"EventCode\":\"-1\""), "EventCode '-1' is not"},
		{BAD("\"EventCode\":-1"), "EventCode '-1' is not"},
		{BAD("\"EventCode\":true"), "EventCode is not"},
		{BAD("\"EventCode\":\"99999999999999999999999\""), "EventCode '9999"},
		{BAD("\"EventCode\":\"0x\""), "EventCode '0x' is not"},
		{BAD("\"EventCode\":\"1\",\"UMask\":\"0x1ff\""), "UMask '0x1ff' is not"},
		{BAD("\"EventCode\":\"1\",\"MSRIndex\":\"MSR\""), "MSRIndex 'MSR' is not"},
		{BAD("\"EventCode\":\"1\",\"MSRValue\":\"0x1g\""),
		 "MSRValue '0x1g' is not a number"},
		{BAD("\"EventCode\":\"1\",\"CounterMask\":\"256\""),
		 "CounterMask '256' is not a num"},
		{BAD("\"EventCode\":\"1\",\"Invert\":\"2\""),
		 "Invert '2' is not a number that fits"},
		{BAD("\"EventCode\":\"1\",\"EdgeDetect\":{}"), "EdgeDetect is not a number"},
		{BAD("\"EventCode\":\"1\",\"AnyThread\":\"yes\""), "AnyThread 'yes' is not"},
		{BAD("\"EventCode\":\"1\",\"UMaskExt\":\"0x1ff\""), "UMaskExt '0x1ff' is not"},
		{BAD("\"EventCode\":\"1\""), "event 2 (B): Counter is not a list of counters"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"\""), "Counter '' is not a list"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"32\""), "Counter '32' is not a list"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"0,\""), "Counter '0,' is not a list"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"0 1\""), "Counter '0 1' is not a list"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"fixed\""), "Counter 'fixed' is not a list"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"Fixed counter x\""),
		 "Counter 'Fixed counter x'"},
		{BAD("\"EventCode\":\"1\",\"Counter\":[0]"), "Counter is not a list"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"0\",\"CounterHTOff\":\"all\""),
		 "CounterHTOff 'all' is not a list"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"0\",\"PEBS\":\"3\""), "PEBS '3' is not"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"0\",\"TakenAlone\":\"2\""),
		 "TakenAlone '2'"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"0\",\"Deprecated\":\"2\""),
		 "Deprecated '2'"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"0\",\"Unit\":\"CHA\""),
		 "event 2 (B): Unit 'CHA' is not the core"},
		{BAD("\"EventCode\":\"1\",\"Counter\":\"0\",\"Unit\":7"),
		 "Unit '7' is not the core"},
	};

	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		assert_int_equal(parse_evfile(rows[i].text), -EINVAL);
		if (!strstr(why.text, rows[i].says))
			fail_msg("%s: '%s', not '%s'", rows[i].text, why.text, rows[i].says);
		assert_null(file.events);
		assert_int_equal(file.n, 0);
	}
}

/* A file that is cut anywhere is refused, without a memory leak (AddressSanitizer checks that). */
TEST(test_cut_short)
{
	size_t size = strlen(sample);

	for (size_t n = 0; n < size - 2; n++)
		if (evfile_parse(&file, "f.json", sample, n, &why) != -EINVAL)
			fail_msg("%zu bytes are enough", n);
}

/* With any byte changed a file is refused with a reason, or still read. */
TEST(test_changed)
{
	static const char with[] = {'\0', '"', ',', '9', '{', '\\', (char)0xff};
	char text[sizeof(sample)];

	for (size_t n = 0; n < sizeof(sample) - 1; n++)
		for (size_t k = 0; k < sizeof(with); k++) {
			memcpy(text, sample, sizeof(sample));
			text[n] = with[k];
			why.text[0] = '\0';
			if (evfile_parse(&file, "f.json", text, sizeof(sample) - 1, &why))
				assert_true(strncmp(why.text, "f.json: ", 8) == 0);
			evfile_free(&file);
		}
}

TEST(test_read)
{
	char path[] = "/tmp/test_evfile.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, sample, strlen(sample)), strlen(sample));
	close(fd);
	assert_int_equal(evfile_read(&file, path, &why), 0);
	assert_int_equal(file.n, 9);
	evfile_free(&file);
	unlink(path);

	assert_int_equal(evfile_read(&file, path, &why), -ENOENT);
	assert_non_null(strstr(why.text, "No such file or directory"));
	assert_int_equal(evfile_read(&file, "/tmp", &why), -EISDIR);
	assert_non_null(strstr(why.text, "/tmp: Is a directory"));
	assert_int_equal(evfile_read(&file, "/dev/null", &why), -EINVAL);
	assert_non_null(strstr(why.text, "ends too early"));
}
