// SPDX-License-Identifier: BSD-2-Clause
/* features.c - see features.h. A string is a length and that many bytes, padded like perf's. */
#include "tools/out/features.h"

#include "pmu/names/dynamic.h"

#include <linux/perf_event.h>
#include <string.h>

#include "tools/out/tracingdata.h"

#define STRING_ALIGN       64
#define BUILD_ID_ROOM      24
#define BUILD_ID_SIZE_AT   20 /* in build_id: its size, as MISC_BUILD_ID_SIZE says */
#define MISC_BUILD_ID_SIZE (1 << 15)
#define HOST_PID           UINT32_MAX /* -1: the machine itself, not one of its guests */

static void add_feature_string(struct buf *out, const char *text)
{
	size_t size = strlen(text) + 1, start;

	buf_add_u32(out, (uint32_t)((size + STRING_ALIGN - 1) / STRING_ALIGN * STRING_ALIGN));
	start = out->size;
	buf_add(out, text, size);
	buf_pad(out, start, STRING_ALIGN);
}

static void add_formatted(struct buf *out, const char *format, const char *text)
{
	struct buf string = {0};

	buf_printf(&string, format, text);
	add_feature_string(out, buf_text(&string));
	buf_free(&string);
}

static void add_build_id(struct buf *out, const char *path, const uint8_t *bytes, size_t n)
{
	struct perf_event_header header = {.misc = PERF_RECORD_MISC_USER | MISC_BUILD_ID_SIZE};
	uint8_t build_id[BUILD_ID_ROOM] = {0};
	size_t start = out->size;

	memcpy(build_id, bytes, n);
	build_id[BUILD_ID_SIZE_AT] = (uint8_t)n;
	buf_extend(out, sizeof(header));
	buf_add_u32(out, HOST_PID);
	buf_add(out, build_id, sizeof(build_id));
	buf_add(out, path, strlen(path) + 1);
	buf_pad(out, start, STRING_ALIGN);
	header.size = (uint16_t)(out->size - start);
	memcpy(out->data + start, &header, sizeof(header));
}

/* Adds a row for each file. */
static void add_build_id_feature(struct buf *out, const struct features_input *in)
{
	if (in->elf)
		add_build_id(out, in->elf->path, in->elf->build_id, in->elf->build_id_size);
	for (size_t i = 0; i < in->mapped.n; i++) {
		const struct mapped_file *file = &in->mapped.file[i];

		add_build_id(out, file->path, file->build_id, file->build_id_size);
	}
}

static void add_hostname(struct buf *out, const struct features_input *in)
{
	(void)in;
	add_feature_string(out, "perf0");
}

static void add_osrelease(struct buf *out, const struct features_input *in)
{
	add_formatted(out, "perf0 %s", in->stream->version);
}

static void add_version(struct buf *out, const struct features_input *in)
{
	add_feature_string(out, in->stream->version);
}

static void add_arch(struct buf *out, const struct features_input *in)
{
	(void)in;
	add_feature_string(out, "x86_64");
}

static void add_nrcpus(struct buf *out, const struct features_input *in)
{
	buf_add_u32(out, in->stream->hello.ncpus); /* available */
	buf_add_u32(out, in->stream->hello.ncpus); /* online */
}

static void add_cpudesc(struct buf *out, const struct features_input *in)
{
	const char *brand = in->stream->brand;

	add_feature_string(out, *brand ? brand : in->stream->vendor);
}

static bool same_package(const struct wire_cpu *a, const struct wire_cpu *b)
{
	return a->package == b->package;
}

static bool same_core(const struct wire_cpu *a, const struct wire_cpu *b)
{
	return same_package(a, b) && a->core == b->core;
}

/* Adds a set of CPUs in the kernel's syntax: 0-1,4. */
static void add_cpu_list(struct buf *out, const struct stream *stream, size_t of,
			 bool (*is_beside)(const struct wire_cpu *a, const struct wire_cpu *b))
{
	struct buf text = {0};
	size_t first = 0;

	for (size_t i = 0; i <= stream->ncpus; i++) {
		const bool is_in =
			i < stream->ncpus && is_beside(&stream->cpus[of], &stream->cpus[i]);

		if (is_in)
			continue;
		if (i > first)
			buf_printf(&text, "%s%zu", text.size ? "," : "", first);
		if (i > first + 1)
			buf_printf(&text, "-%zu", i - 1);
		first = i + 1;
	}
	add_feature_string(out, buf_text(&text));
	buf_free(&text);
}

/* Returns whether CPU `of` is the first one of its set. */
static bool is_first(const struct stream *stream, size_t of,
		     bool (*is_beside)(const struct wire_cpu *a, const struct wire_cpu *b))
{
	size_t i = 0;

	while (!is_beside(&stream->cpus[of], &stream->cpus[i]))
		i++;
	return i == of;
}

/* Adds each set once. */
static void add_cpu_lists(struct buf *out, const struct stream *stream,
			  bool (*is_beside)(const struct wire_cpu *a, const struct wire_cpu *b))
{
	uint32_t n = 0;

	for (size_t i = 0; i < stream->ncpus; i++)
		n += is_first(stream, i, is_beside);
	buf_add_u32(out, n);
	for (size_t i = 0; i < stream->ncpus; i++)
		if (is_first(stream, i, is_beside))
			add_cpu_list(out, stream, i, is_beside);
}

/* The image does not distinguish dies, so each package has one. */
static void add_cpu_topology(struct buf *out, const struct features_input *in)
{
	const struct stream *stream = in->stream;

	add_cpu_lists(out, stream, same_package);
	add_cpu_lists(out, stream, same_core);
	for (size_t i = 0; i < stream->ncpus; i++) {
		buf_add_u32(out, stream->cpus[i].core);
		buf_add_u32(out, stream->cpus[i].package);
	}
	add_cpu_lists(out, stream, same_package);
	for (size_t i = 0; i < stream->ncpus; i++)
		buf_add_u32(out, 0);
}

static bool has_topology(const struct features_input *in)
{
	return in->stream->ncpus && in->stream->ncpus == in->stream->hello.ncpus;
}

/* Returns the node of a CPU. Without nodes, one node has all CPUs. */
static unsigned node_of(const struct stream *stream, size_t cpu)
{
	return cpu < stream->ncpus_placed ? stream->node_of[cpu] : 0;
}

/* Prints the CPUs of a node in the kernel's syntax: 0-2,4. */
static void print_cpus_of_node(struct buf *text, const struct stream *stream, unsigned node)
{
	const size_t ncpus = stream->hello.ncpus;
	size_t end;

	for (size_t cpu = 0; cpu < ncpus; cpu = end + 1) {
		for (end = cpu; end < ncpus && node_of(stream, end) == node; end++)
			;
		if (end > cpu)
			buf_printf(text, "%s%zu", text->size ? "," : "", cpu);
		if (end > cpu + 1)
			buf_printf(text, "-%zu", end - 1);
	}
}

static void add_node(struct buf *out, const struct stream *stream, unsigned node, uint64_t kib)
{
	struct buf list = {0};

	print_cpus_of_node(&list, stream, node);
	buf_add_u32(out, node);
	buf_add_u64(out, kib);
	buf_add_u64(out, 0); /* KiB of free memory: unknown */
	add_feature_string(out, buf_text(&list));
	buf_free(&list);
}

/* Adds the NUMA nodes, which perf c2c requires. */
static void add_numa_topology(struct buf *out, const struct features_input *in)
{
	const struct stream *stream = in->stream;

	buf_add_u32(out, stream->nnodes ? (uint32_t)stream->nnodes : 1);
	if (!stream->nnodes)
		add_node(out, stream, 0, stream->hello.memory_mib * 1024ull);
	for (size_t node = 0; node < stream->nnodes; node++)
		add_node(out, stream, (unsigned)node, stream->nodes[node]);
}

/* Adds the CPU's name from CPUID 1 EAX: Intel SDM volume 2, "CPUID", "Version Information". AMD
 * APM volume 3 has the same layout. */
static void add_cpuid(struct buf *out, const struct features_input *in)
{
	uint32_t eax = in->stream->hello.cpu_signature;
	uint32_t family = eax >> 8 & 0xf, model = eax >> 4 & 0xf;
	struct buf string = {0};

	if (family == 6 || family == 15)
		model |= eax >> 12 & 0xf0;
	if (family == 15)
		family += eax >> 20 & 0xff;
	buf_printf(&string, "%s,%u,%u,%u", in->stream->vendor, family, model, eax & 0xf);
	add_feature_string(out, buf_text(&string));
	buf_free(&string);
}

static void add_total_mem(struct buf *out, const struct features_input *in)
{
	buf_add_u64(out, in->stream->hello.memory_mib * 1024ull); /* KiB */
}

static void add_cmdline(struct buf *out, const struct features_input *in)
{
	const char *noise = in->command->noise;
	struct buf comment = {0};

	buf_add_u32(out, noise ? 3 : 2);
	add_feature_string(out, "perf0");
	add_feature_string(out, in->command->line);
	if (!noise)
		return;
	buf_printf(&comment, "# %s", noise);
	add_feature_string(out, buf_text(&comment));
	buf_free(&comment);
}

static void add_event_desc(struct buf *out, const struct features_input *in)
{
	buf_add_u32(out, (uint32_t)in->command->nevents);
	buf_add_u32(out, PERFDATA_ATTR_SIZE);
	for (size_t i = 0; i < in->command->nevents; i++) {
		const struct stream_event *event = &in->command->events[i];
		struct perf_event_attr attr = event->attr;

		attr.size = PERFDATA_ATTR_SIZE;
		buf_add(out, &attr, PERFDATA_ATTR_SIZE);
		buf_add_u32(out, event->nids);
		add_feature_string(out, event->name);
		buf_add(out, event->ids, event->nids * sizeof(uint64_t));
	}
}

static bool is_used(const struct features_input *in, uint32_t type)
{
	for (size_t i = 0; i < in->command->nevents; i++)
		if (in->command->events[i].attr.type == type)
			return true;
	return false;
}

static uint32_t count_dynamic(const struct features_input *in)
{
	const struct dynamic_pmu *pmu;
	uint32_t n = 0;

	for (size_t i = 0; (pmu = dynamic_pmu(i)); i++)
		n += is_used(in, pmu->type);
	return n;
}

static bool has_dynamic(const struct features_input *in)
{
	return count_dynamic(in);
}

/* Adds the names of dynamic PMU types, by which perf parses raw data. */
static void add_pmu_mappings(struct buf *out, const struct features_input *in)
{
	const struct dynamic_pmu *pmu;

	buf_add_u32(out, count_dynamic(in));
	for (size_t i = 0; (pmu = dynamic_pmu(i)); i++) {
		if (!is_used(in, pmu->type))
			continue;
		buf_add_u32(out, pmu->type);
		add_feature_string(out, pmu->name);
	}
}

static void add_sample_time(struct buf *out, const struct features_input *in)
{
	buf_add_u64(out, in->first_ns);
	buf_add_u64(out, in->last_ns);
}

/* Adds the resolution of the clock of samples, if -k has chosen one. */
static void add_clockid(struct buf *out, const struct features_input *in)
{
	(void)in;
	buf_add_u64(out, 1); /* ns */
}

static bool has_clockid(const struct features_input *in)
{
	return in->command->nevents && in->command->events[0].attr.use_clockid;
}

static void add_tracing_feature(struct buf *out, const struct features_input *in)
{
	tracingdata_add(out, in->command);
}

static bool has_tracepoints(const struct features_input *in)
{
	return in->command->nformats;
}

static bool has_files(const struct features_input *in)
{
	return in->elf || in->mapped.n;
}

static bool has_samples(const struct features_input *in)
{
	return in->last_ns;
}

/* The presence of the section says that samples have branches. */
static void add_branch_stack(struct buf *out, const struct features_input *in)
{
	(void)out;
	(void)in;
}

/*
 * Returns whether samples have branches for perf to show. Stacks of calls that make up call chains
 * do not count: perf shows callers for them.
 */
static bool has_branches(const struct features_input *in)
{
	for (size_t i = 0; i < in->command->nevents; i++) {
		const struct perf_event_attr *attr = &in->command->events[i].attr;
		const bool is_chain = attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
				      attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;

		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK && !is_chain)
			return true;
	}
	return false;
}

/* Rows by feature bit, as in perf's util/header.h. */
static const struct feature {
	void (*add)(struct buf *out, const struct features_input *input);
	bool (*is_there)(const struct features_input *input); /* NULL: always */
} features[] = {
	[1] = {add_tracing_feature, has_tracepoints},
	[2] = {add_build_id_feature, has_files},
	[3] = {add_hostname, NULL},
	[4] = {add_osrelease, NULL},
	[5] = {add_version, NULL},
	[6] = {add_arch, NULL},
	[7] = {add_nrcpus, NULL},
	[8] = {add_cpudesc, NULL},
	[9] = {add_cpuid, NULL},
	[10] = {add_total_mem, NULL},
	[11] = {add_cmdline, NULL},
	[12] = {add_event_desc, NULL},
	[13] = {add_cpu_topology, has_topology},
	[14] = {add_numa_topology, NULL},
	[15] = {add_branch_stack, has_branches},
	[16] = {add_pmu_mappings, has_dynamic},
	[21] = {add_sample_time, has_samples},
	[23] = {add_clockid, has_clockid},
};

static const struct feature *find_feature(unsigned bit, const struct features_input *input)
{
	if (bit >= sizeof(features) / sizeof(features[0]) || !features[bit].add)
		return NULL;
	if (features[bit].is_there && !features[bit].is_there(input))
		return NULL;
	return &features[bit];
}

void features_free(struct features_input *input)
{
	mapped_free(&input->mapped);
}

size_t features_count(const struct features_input *input)
{
	size_t n = 0;

	for (unsigned bit = 0; bit < FEATURE_BITS; bit++)
		n += find_feature(bit, input) != NULL;
	return n;
}

bool features_add(struct buf *out, unsigned bit, const struct features_input *input)
{
	const struct feature *feature = find_feature(bit, input);

	if (feature)
		feature->add(out, input);
	return feature;
}
