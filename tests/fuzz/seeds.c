// SPDX-License-Identifier: BSD-2-Clause
/*
 * seeds.c - `seeds DIR` writes first inputs for each fuzzer NAME into DIR/NAME. They are made from
 * streams like the image's.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/format/typed.h"
#include "lib/format/xxh64.h"
#include "tests/unit/file/archive.h"
#include "tests/unit/tools/mutate.h"
#include "tools/out/perfdata.h"

/* Its header has a struct stat that conflicts with the one of the trees. */
int mkdir(const char *path, unsigned mode);

static const char *folder;

static void write_seed(const char *fuzzer, unsigned number, const struct buf *bytes)
{
	struct buf path = {0};
	FILE *file;

	buf_printf(&path, "%s/%s", folder, fuzzer);
	if (mkdir(buf_text(&path), 0777) && errno != EEXIST)
		err(1, "%s", buf_text(&path));
	buf_printf(&path, "/seed-%u", number);
	file = fopen(buf_text(&path), "wbe");
	if (!file || fwrite(bytes->data, 1, bytes->size, file) != bytes->size || fclose(file))
		err(1, "%s", buf_text(&path));
	buf_free(&path);
}

/* Writes the stream as bytes of a line, and as a list of frames. The large record is left out: its
 * parts would make each execution several times as long. */
static void write_streams(const struct buf *frames)
{
	const struct mutate_frame *frame = (const void *)frames->data;
	struct buf line = {0}, list = {0};
	uint32_t seq[FRAME_STREAMS] = {0};

	buf_add(&line, "\377\001", 2);
	buf_add(&list, "\377", 2);
	for (size_t i = 0; i < frames->size / sizeof(*frame); i++) {
		uint8_t bytes[FRAME_MAX_SIZE];
		const uint8_t head[] = {frame[i].type, frame[i].stream, (uint8_t)frame[i].length,
					(uint8_t)(frame[i].length >> 8)};

		if (frame[i].type == WIRE_PART)
			continue;
		buf_add(&line, bytes,
			frame_encode(bytes, frame[i].type, frame[i].stream, seq[frame[i].stream]++,
				     frame[i].payload, frame[i].length));
		buf_add(&list, head, sizeof(head));
		buf_add(&list, frame[i].payload, frame[i].length);
	}
	write_seed("fuzz_stream", 0, &line);
	write_seed("fuzz_stream", 1, &list);
	buf_free(&line);
	buf_free(&list);
}

/* Writes payloads of packed frames, and the records in them. */
static void write_packed(const struct buf *frames)
{
	const struct mutate_frame *frame = (const void *)frames->data;
	struct buf payloads = {0}, records = {0}, list = {0};

	buf_add(&payloads, "\001", 1);
	for (size_t i = 0; i < frames->size / sizeof(*frame); i++) {
		uint8_t kind = frame[i].type == WIRE_KEY ? 0 : frame[i].type == WIRE_PART ? 2 : 1;
		const uint8_t head[] = {kind, (uint8_t)frame[i].length,
					(uint8_t)(frame[i].length >> 8)};

		if (frame[i].type != WIRE_KEY && frame[i].type != WIRE_PACKED &&
		    frame[i].type != WIRE_PART)
			continue;
		buf_add(&payloads, head, sizeof(head));
		buf_add(&payloads, frame[i].payload, frame[i].length);
	}
	write_seed("fuzz_pack", 0, &payloads);
	mutate_records(&records, 40);
	buf_extend(&list, 1);
	for (size_t at = 0; at < records.size;) {
		const struct perf_event_header *record = (const void *)(records.data + at);
		size_t n = record->size - sizeof(*record);
		const uint8_t head[] = {(uint8_t)record->type, (uint8_t)(n / 8),
					(uint8_t)(n / 8 >> 8)};

		buf_add(&list, head, sizeof(head));
		buf_add(&list, record + 1, n);
		at += record->size;
	}
	write_seed("fuzz_pack", 1, &list);
	buf_free(&payloads);
	buf_free(&records);
	buf_free(&list);
}

/* A sample of many fields, with a chain of two. */
static void write_samples(void)
{
	const uint64_t words[] = {SYNTH_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
				  0,
				  0,
				  0,
				  0,
				  1,
				  0x1000,
				  0x200000001,
				  1000,
				  0,
				  10007,
				  2,
				  PERF_CONTEXT_USER,
				  0x1000,
				  0x400000004,
				  0};
	struct buf bytes = {0};

	buf_add(&bytes, words, sizeof(words));
	write_seed("fuzz_sample", 0, &bytes);
	buf_free(&bytes);
}

static void add_typed(struct buf *typed, const void *frame, size_t n)
{
	uint8_t bytes[512];

	buf_add(typed, bytes, typed_encode(bytes, frame, n));
}

/* Writes the typed bytes of a file that is offered and sent. */
static void write_upload(void)
{
	static const uint8_t file[300];
	const struct wire_offer offer = {
		.upload = 1, .bytes = sizeof(file), .hash = xxh64(file, sizeof(file))};
	const struct wire_piece piece = {.upload = 1, .zeros = 290};
	uint8_t payload[64] = {0}, frame[128];
	struct buf typed = {0};

	buf_add(&typed, "\001", 1);
	memcpy(payload, &offer, sizeof(offer));
	memcpy(payload + sizeof(offer), "/a", 3);
	add_typed(&typed, frame,
		  frame_encode(frame, WIRE_OFFER, WIRE_STREAM_MAIN, 0, payload, sizeof(offer) + 3));
	memset(payload, 0, sizeof(payload));
	memcpy(payload, &piece, sizeof(piece));
	add_typed(
		&typed, frame,
		frame_encode(frame, WIRE_PIECE, WIRE_STREAM_MAIN, 1, payload, sizeof(piece) + 10));
	write_seed("fuzz_upload", 0, &typed);
	buf_free(&typed);
}

/* Writes an archive with a member of each kind. */
static void write_archive(void)
{
	struct archive *a = archive_new();
	struct buf bytes = {0};

	archive_add(a, "/bin", 040755, "");
	archive_add(a, "/bin/sh", 0100755, "#!shell");
	archive_add(a, "/lib", 0120777, "bin");
	archive_add(a, "/lib/x/y", 0100644, "library");
	archive_add(a, "env", 0100644, "A=1");
	archive_end(a);
	buf_add(&bytes, a->bytes, a->source.bytes);
	write_seed("fuzz_cpio", 0, &bytes);
	buf_free(&bytes);
	free(a);
}

/* In both layouts. */
static void write_metrics(void)
{
	static const char *const texts[] = {
		"cpus skylakex zen4\nevent a cpu/event=1,umask=2/\nlet b a + 2 * cycles\n"
		"group g\ntext t\nmetric m\nformula min(a, b) / time if #smt_on else d_ratio(a, 3)\n"
		"unit 100%\ntext t\nmetric n\nformula -m % 3 + cpu@event\\=0x3c\\,umask\\=1@\n",
		"SHORT s\nEVENTSET\nFIXC0 INSTR_RETIRED_ANY\nPMC0 L1D_REPLACEMENT\nMETRICS\n"
		"a b [MB/s] 1.0E-06*PMC0/time\nc FIXC0*inverseClock\nLONG\nx\n",
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct buf bytes = {0};

		buf_printf(&bytes, "%s", texts[i]);
		write_seed("fuzz_metrics", i, &bytes);
		buf_free(&bytes);
	}
}

/* Writes a file with every kind of entry. */
static void write_config(void)
{
	static const char text[] = "\357\273\277# a\ntimeout 3\r\nrepeat forever\nthen exit\n"
				   "stat -e 'a b' -- \"c\"; caps # d\n"
				   "[board \"b*\" manufacturer \"[a-m]?\"]\ncaps\n"
				   "[product \"x\"]\n[version \"v\"]\n[else]\ncaps\n";
	struct buf bytes = {0};

	buf_add(&bytes, text, sizeof(text) - 1);
	write_seed("fuzz_config", 0, &bytes);
	buf_free(&bytes);
}

static void write_text(const char *fuzzer, unsigned number, const char *text)
{
	struct buf bytes = {0};

	buf_add(&bytes, text, strlen(text));
	write_seed(fuzzer, number, &bytes);
	buf_free(&bytes);
}

/* The gate's files, with every kind of entry. */
static void write_gate(void)
{
	write_text(
		"fuzz_toml", 0,
		"[gate] # a\nbaseline = \"b\\t\\u00e4\"\nuarch = 'skx'\n"
		"events = [ 'instructions:u', # b\n \"loads\", ]\ntolerance = \"a:u=1%,5\"\n"
		"[[benchmark]]\nname = \"x\"\nprogram = \"./x\"\nargs = ['1']\r\n"
		"tolerance = 0x1_0\nsame-clock = true\nsame-seed = false\n"
		"[[benchmark]]\nprogram = '/bin/y'\nevents = 'cycles'\ntolerance = ['a=1', '2']\n");
	write_text("fuzz_results", 0,
		   "# perf0 gate 1\tversion=0.1\tuarch=skx\tmachine=0123456789abcdef\n"
		   "# shard 1/3\na\tcode\tf\t7\na\tevent\tbranches:u\t7\n"
		   "a\tfunction\tf(int)\t40\na\tperiod\tinstructions:u\t5\na\tsize\tf\t33\n"
		   "b c\tevent\tx\t18446744073709551615\n# end\n");
	write_text("fuzz_measured", 0,
		   "# perf0 gate 1\tversion=0.1\tuarch=skx\tmachine=0123456789abcdef\n"
		   "a\tevent\tx\t1\n# end\n");
	write_text(
		"fuzz_measured", 1,
		"# started on\n{\"counter-value\" : \"415348.000000\", \"unit\" : \"\", \"event\" : "
		"\"x\", \"event-runtime\" : 2, \"pcnt-running\" : 100.00}\n");
}

/* Writes a perf.data for each recording. */
static void write_perf_data(const struct synth *s)
{
	struct stream stream;
	struct reason why;

	stream_init(&stream);
	synth_read(&s->out, &stream);
	for (size_t i = 0; i < stream.ncommands; i++) {
		struct buf file = {0};

		if (!perfdata_build(&file, &stream, &stream.commands[i], NULL, &why))
			write_seed("fuzz_measured", 2 + (unsigned)i, &file);
		buf_free(&file);
	}
	stream_free(&stream);
}

/* Writes firmware tables of two nodes: MADT and SRAT in one, followed by the SLIT. */
static void write_numa(void)
{
	/* Parts of an SRAT: a CPU, memory, a CPU by x2APIC. */
	static const uint8_t cpu[16] = {0, 16, 0, 1, 1},
			     memory[40] = {1, 40, 1, [20] = 1, [28] = 1},
			     x2apic[24] = {2, 24, 0, 0, 1, [8] = 2, [12] = 1};
	uint8_t slit[36 + 8 + 4] = {
		'S', 'L', 'I', 'T', sizeof(slit), [36] = 2, [44] = 10, 21, 21, 10};
	uint8_t srat[48] = {'S', 'R', 'A', 'T', 48 + sizeof(cpu) + sizeof(memory) + sizeof(x2apic)};
	const uint8_t length[2] = {srat[4], 0};
	struct buf bytes = {0};

	buf_add(&bytes, length, sizeof(length));
	buf_add(&bytes, srat, sizeof(srat));
	buf_add(&bytes, cpu, sizeof(cpu));
	buf_add(&bytes, memory, sizeof(memory));
	buf_add(&bytes, x2apic, sizeof(x2apic));
	buf_add(&bytes, slit, sizeof(slit));
	write_seed("fuzz_numa", 0, &bytes);
	buf_free(&bytes);
}

/* Writes names of C++ and of Rust, and lines of a perf map. */
static void write_symbols(void)
{
	static const char *const texts[] = {
		"_ZNSt4pairIS_IiS_EE1fEv",
		"_RNvXCs1_4workINtNtCs2_5alloc3vec3VecyENtB2_4Work4busy",
		"_ZN57_$LT$alloc..vec..Vec$LT$u64$GT$$GT$4busy17h2913187e522c51ceE",
		"1000 10 a b\n1000 8 c\nfff 2 d\n",
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct buf bytes = {0};

		buf_add(&bytes, texts[i], strlen(texts[i]));
		write_seed("fuzz_symbols", i, &bytes);
		buf_free(&bytes);
	}
}

/* Writes events with all kinds of members. */
static void write_events(void)
{
	write_text("fuzz_evfile", 0,
		   "{\"Header\": {\"Info\": \"x\"}, \"Events\": [{\"Unit\": \"cpu_core\", "
		   "\"EventCode\": \"0xB7,0xBB\", \"UMask\": \"0x01\", "
		   "\"EventName\": \"OCR.X\", \"BriefDescription\": \"d\", "
		   "\"Counter\": \"0,1,2,3\", \"CounterHTOff\": \"0,1\", "
		   "\"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x10003C0001\", "
		   "\"CounterMask\": \"1\", \"Invert\": \"0\", \"EdgeDetect\": \"1\", "
		   "\"PEBS\": \"2\", \"TakenAlone\": \"0\", \"Deprecated\": \"0\"}]}");
	write_text("fuzz_evfile", 1,
		   "[{\"EventCode\": \"0x00\", \"UMask\": \"0x03\", \"EventName\": "
		   "\"A\", \"Counter\": \"Fixed counter 2\", \"AnyThread\": 0}]");
}

/* Writes a saved machine with a right header, for the fuzzer's key. */
static void write_machine(void)
{
	static const char key[] = "a machine\nof the fuzzer\n", said[] = "it has started";
	const uint32_t bytes[] = {sizeof(key) - 1, sizeof(said) - 1};
	const uint64_t state = 64;
	struct buf file = {0};

	buf_add(&file, "\001perf0 machine 3\n", 17);
	buf_add(&file, bytes, sizeof(bytes));
	buf_add(&file, &state, sizeof(state));
	buf_extend(&file, 64);
	buf_printf(&file, "%s%s", key, said);
	buf_extend(&file, 1 + 4096 + state - file.size);
	write_seed("fuzz_cache", 0, &file);
	buf_free(&file);
}

/* Writes a level, a target, a follower, and a branch stack that is on. */
static void write_page(void)
{
	static const uint8_t steps[][8] = {{1, 0x80, 0, 4, 3},        {1, 0x20, 0, 4, 1},
					   {1, 0x24, 0, 4, 1},        {3, 0, 0, 4, 5},
					   {3, 8, 0, 4, 1, 2, 3},     {1, 0x30, 0, 4, 1},
					   {4, 0, 0, 4, 32, 31, 0, 1}};
	struct buf bytes = {0};

	buf_add(&bytes, steps, sizeof(steps));
	write_seed("fuzz_page", 0, &bytes);
	buf_free(&bytes);
}

int main(int argc, char **argv)
{
	struct synth s = mutate_stream();
	struct buf frames = mutate_split(&s.out);

	if (argc != 2)
		errx(2, "usage: seeds DIR");
	folder = argv[1];
	write_streams(&frames);
	write_packed(&frames);
	write_samples();
	write_upload();
	write_archive();
	write_config();
	write_metrics();
	write_gate();
	write_perf_data(&s);
	write_numa();
	write_symbols();
	write_events();
	write_machine();
	write_page();
	buf_free(&frames);
	buf_free(&s.out);
	return 0;
}
