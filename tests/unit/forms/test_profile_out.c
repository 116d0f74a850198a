// SPDX-License-Identifier: BSD-2-Clause
/* test_profile_out.c - the formats of profiles, read back. */
#include "tools/forms/profile_out.h"

#include <json-c/json.h>

#include "tests/unit/profile/folded_rig.h"

static const char *const words[] = {"profile", "--", "./prog", NULL};

static struct profile_source source_of_rig(void)
{
	return (struct profile_source){.profile = &rig.profile, .lines = &lines, .words = words};
}

static void expect_text(const char *text)
{
	if (!strstr(buf_text(&out), text))
		fail_msg("no '%s' in:\n%s", text, buf_text(&out));
}

static void build_form(const char *format, const struct profile_source *source)
{
	struct reason why;

	out.size = 0;
	if (profile_format_build(profile_format_find(format), &out, source, &why))
		fail_msg("%s", why.text);
}

/* Sums the numbers that stand alone behind a line number, which are self costs. */
static uint64_t sum_callgrind(bool by_instruction)
{
	uint64_t sum = 0;
	bool is_call = false;

	for (const char *at = buf_text(&out); *at; at = strchr(at, '\n') + 1) {
		unsigned long long cost, line, address;
		const int n = by_instruction
				      ? sscanf(at, "0x%llx %llu %llu\n", &address, &line, &cost) - 1
				      : sscanf(at, "%llu %llu\n", &line, &cost);

		if (n == 2 && !is_call)
			sum += cost;
		is_call = !strncmp(at, "calls=", 6);
	}
	return sum;
}

TEST_WITH(test_callgrind, begin, end)
{
	struct profile_source source = source_of_rig();

	build_form("callgrind", &source);
	expect_text("\ncmd: profile -- ./prog\n");
	expect_text("\npositions: line\n");
	expect_text("\nevents: instructions_u\n");
	expect_text("\ntotals: 30004\n");
	expect_text("\nob=(1) /prog\n");
	assert_int_equal(sum_callgrind(false), 30004);
	assert_non_null(strstr(buf_text(&out), "calls=3000 3\n"));
	out.size = 0;
	source.by_instruction = true;
	build_form("callgrind", &source);
	expect_text("\npositions: instr line\n");
	assert_int_equal(sum_callgrind(true), 30004);
}

/* A part of several, with whole names, without lines. */
TEST_WITH(test_callgrind_part, begin, end)
{
	const struct profile_heading heading = {.pid = 7,
						.part = 2,
						.thread = 1,
						.trigger = "Client Request",
						.has_whole_names = true,
						.has_no_lines = true};
	struct profile_source source = source_of_rig();

	source.heading = &heading;
	source.by_instruction = true;
	build_form("callgrind", &source);
	expect_text("\npid: 7\n");
	expect_text("\npart: 2\nthread: 1\n\ndesc: Trigger: Client Request\n");
	expect_text("\npositions: instr\n");
	expect_text("\nfn=leaf\n");
	expect_text("\ncfn=leaf\ncalls=3000 0x");
	assert_null(strstr(buf_text(&out), "=("));
}

/* A reader takes 0 for no call: an open call of a part before is one. */
TEST_WITH(test_callgrind_open_call, begin, end)
{
	struct profile_source source = source_of_rig();

	for (size_t i = 0; i < rig.profile.ncalls; i++)
		rig.profile.call[i].calls = 0;
	build_form("callgrind", &source);
	assert_null(strstr(buf_text(&out), "calls=0"));
	expect_text("calls=1 ");
}

TEST_WITH(test_cachegrind, begin, end)
{
	struct profile_source source = source_of_rig();

	out.size = 0;
	profile_cachegrind(&out, &source);
	expect_text("cmd: profile -- ./prog\nevents: instructions:u\nfl=");
	expect_text("\nfn=leaf\n3 6000\n");
	expect_text("\nsummary: 30004\n");
	assert_int_equal(sum_callgrind(false), 30004);
}

TEST_WITH(test_folded, begin, end)
{
	struct profile_source source = source_of_rig();

	build_form("folded", &source);
	assert_string_equal(buf_text(&out), "main 4\nmain;work 24000\nmain;work;leaf 6000\n");
	rig.profile.nevents = 2;
	rig.profile.context[1].self.of[1] = 77;
	rig.profile.context[0].self.of[1] = 5;
	build_form("folded", &source);
	assert_string_equal(buf_text(&out), "instructions:u;main 4\n"
					    "instructions:u;main;work 24000\n"
					    "instructions:u;main;work;leaf 6000\n"
					    "instructions:k;[unknown] 5\n"
					    "instructions:k;main 77\n");
}

/* Stacks beyond the limit lose their outer end. */
TEST_WITH(test_deep, begin, end)
{
	struct profile_source source = source_of_rig();
	uint32_t at = 3;
	uint64_t frames = 1;

	for (unsigned i = 0; i < 2000; i++)
		at = rig_node(&rig, at, rig_number(&rig, "work"), 1, i == 1999);
	profile_lines_free(&lines);
	profile_free(&rig.profile);
	rig_fold(&rig, NULL);
	rig.profile.nevents = 1;
	profile_lines_read(&lines, &rig.profile, &rig.map);
	build_form("folded", &source);
	for (const char *c = strstr(buf_text(&out), "[...]"); *c; c++)
		frames += *c == ';';
	assert_int_equal(frames, 1024);
}

static struct json_object *member(struct json_object *of, const char *name)
{
	struct json_object *found = json_object_object_get(of, name);

	assert_non_null(found);
	return found;
}

TEST_WITH(test_speedscope, begin, end)
{
	struct profile_source source = source_of_rig();
	struct json_object *all, *profile, *samples, *weights, *frames, *leaf;
	int64_t sum = 0;

	build_form("speedscope", &source);
	all = json_tokener_parse(buf_text(&out));
	assert_non_null(all);
	frames = member(member(all, "shared"), "frames");
	profile = json_object_array_get_idx(member(all, "profiles"), 0);
	samples = member(profile, "samples");
	weights = member(profile, "weights");
	assert_int_equal(json_object_array_length(samples), 3);
	for (size_t i = 0; i < json_object_array_length(weights); i++)
		sum += json_object_get_int64(json_object_array_get_idx(weights, i));
	assert_int_equal(sum, 30004);
	assert_int_equal(json_object_get_int64(member(profile, "endValue")), 30004);
	samples = json_object_array_get_idx(samples, 2);
	assert_int_equal(json_object_array_length(samples), 3);
	leaf = json_object_array_get_idx(
		frames, (size_t)json_object_get_int(json_object_array_get_idx(samples, 2)));
	assert_string_equal(json_object_get_string(member(leaf, "name")), "leaf");
	assert_int_equal(json_object_get_int(member(leaf, "line")), 3);
	json_object_put(all);
}

/* --- pprof --- */

static const uint8_t *read_varint(const uint8_t *at, uint64_t *value)
{
	unsigned shift = 0;

	*value = 0;
	do
		*value |= (uint64_t)(*at & 0x7f) << shift;
	while (shift += 7, *at++ & 0x80);
	return at;
}

/* Unpacks what gzip_stored() packed. */
static void unpack(struct buf *to)
{
	const uint8_t *at = out.data + 10;
	bool is_last = false;

	while (!is_last) {
		const uint16_t n = (uint16_t)(at[1] | at[2] << 8);

		is_last = at[0];
		buf_add(to, at + 5, n);
		at += 5 + n;
	}
	assert_ptr_equal(at + 8, out.data + out.size);
}

/* Returns the sum of the values of a sample, whose fields are packed; counts its locations. */
static uint64_t read_sample(const uint8_t *at, const uint8_t *end, size_t *nlocations)
{
	uint64_t sum = 0;

	while (at < end) {
		uint64_t key, size, value;
		const uint8_t *stop;

		at = read_varint(at, &key);
		at = read_varint(at, &size);
		for (stop = at + size; at < stop;) {
			at = read_varint(at, &value);
			sum += key >> 3 == 2 ? value : 0;
			*nlocations += key >> 3 == 1;
		}
	}
	return sum;
}

TEST_WITH(test_pprof, begin, end)
{
	struct profile_source source = source_of_rig();
	struct buf bytes = {0};
	const uint8_t *at, *stop;
	size_t fields[16] = {0}, nlocations = 0;
	uint64_t sum = 0;
	FILE *file;
	char path[64];

	build_form("pprof", &source);
	snprintf(path, sizeof(path), "%s/p.gz", rig.folder);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(out.data, 1, out.size, file), out.size);
	assert_int_equal(fclose(file), 0);
	rig_shell(&rig, "gzip -t p.gz");
	unpack(&bytes);
	for (at = bytes.data, stop = at + bytes.size; at < stop;) {
		uint64_t key, size;

		at = read_varint(at, &key);
		fields[key >> 3]++;
		at = read_varint(at, &size);
		if ((key & 7) != 2)
			continue;
		if (key >> 3 == 2)
			sum += read_sample(at, at + size, &nlocations);
		at += size;
	}
	assert_ptr_equal(at, stop);
	assert_int_equal(sum, 30004);
	assert_int_equal(nlocations, 1 + 2 + 3);
	assert_int_equal(fields[1], 1);
	assert_int_equal(fields[4], rig.profile.nrows + 2);
	assert_int_equal(fields[5], rig.profile.nrows + 2);
	buf_free(&bytes);
}

/* A name that occurs before keeps its number, and blocks of gzip have at most 65535 bytes. */
TEST_WITH(test_large_pprof, begin, end)
{
	struct profile_source source = source_of_rig();
	struct buf bytes = {0};

	for (unsigned i = 0; i < 20000; i++)
		rig_node(&rig, 1 + i % 3, rig_number(&rig, "work"), 1, 1);
	profile_lines_free(&lines);
	profile_free(&rig.profile);
	rig_fold(&rig, NULL);
	profile_lines_read(&lines, &rig.profile, &rig.map);
	build_form("pprof", &source);
	unpack(&bytes);
	assert_true(bytes.size > 2 * 65535);
	buf_free(&bytes);
}

TEST_WITH(test_no_contexts, begin, end)
{
	struct profile_source source = source_of_rig();
	struct reason why;

	rig.profile.ncontexts = 0;
	for (size_t i = 0; profile_format_at(i); i++) {
		const struct profile_format *format = profile_format_at(i);

		out.size = 0;
		assert_true(!profile_format_build(format, &out, &source, &why) ==
			    !format->has_stacks);
	}
	assert_null(profile_format_find("nothing"));
}
