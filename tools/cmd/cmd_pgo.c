// SPDX-License-Identifier: BSD-2-Clause
/* cmd_pgo.c - `pgo`: writes profiles for optimizers, and counts what an optimizer changes. */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/bolted.h"
#include "tools/pgo/bolt_fdata.h"
#include "tools/pgo/profgen_text.h"
#include "tools/pgo/sample_profile.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

/* The input of the builders of files. */
struct pgo_input {
	struct executed executed;
	struct pgo_functions functions;
};

static int build_bolt(struct buf *out, const struct pgo_input *input, struct reason *why)
{
	(void)why;
	bolt_fdata(out, &input->executed, &input->functions);
	return 0;
}

static int build_profgen(struct buf *out, const struct pgo_input *input, struct reason *why)
{
	uint64_t offset;

	(void)why;
	profgen_text(out, &input->executed, functions_code_base(&input->functions, &offset));
	return 0;
}

static int build_autofdo(struct buf *out, const struct pgo_input *input, struct reason *why)
{
	uint64_t offset;
	const uint64_t base = functions_code_base(&input->functions, &offset);

	(void)why;
	autofdo_text(out, &input->executed, base - offset);
	return 0;
}

static int build_clang(struct buf *out, const struct pgo_input *input, struct reason *why)
{
	return sample_profile(out, &input->executed, &input->functions, why);
}

static const struct pgo_form {
	const char *suffix;
	size_t path; /* offset in struct pgo_options */
	int (*build)(struct buf *out, const struct pgo_input *input, struct reason *why);
} forms[] = {
	{"fdata", offsetof(struct pgo_options, bolt), build_bolt},
	{"prof", offsetof(struct pgo_options, clang), build_clang},
	{"profgen", offsetof(struct pgo_options, profgen), build_profgen},
	{"autofdo", offsetof(struct pgo_options, autofdo), build_autofdo},
};

/* --- Files --- */

static int write_form(const struct pgo_form *form, const char *path, const struct pgo_input *input,
		      struct reason *why)
{
	struct outfile file;
	struct buf bytes = {.file = &file.file};
	int err = outfile_begin(&file, path, why);

	if (err)
		return err;
	err = form->build(&bytes, input, why);
	if (!err)
		buf_settle(&bytes, true);
	buf_free(&bytes);
	return outfile_end(&file, false, err, why);
}

static const char *path_of_form(const struct pgo_form *form, const struct pgo_options *o)
{
	return *(const char *const *)((const char *)o + form->path);
}

/* Can the named files be written? */
static int check_forms(const struct pgo_options *o, struct reason *why)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && !err; i++) {
		const char *path = path_of_form(&forms[i], o);
		struct buf name = {0};

		if (!path && o->prefix)
			buf_printf(&name, "%s.%s", o->prefix, forms[i].suffix);
		if (path || o->prefix)
			err = outfile_check(path ? path : buf_text(&name), why);
		buf_free(&name);
	}
	return err;
}

/* Writes a form to the file of its option, or else to one that begins with the prefix. What such a
 * file would need may be missing in the program. */
static int write_if_asked(const struct pgo_form *form, const struct pgo_options *o,
			  const struct pgo_input *input, struct reason *why)
{
	const char *path = path_of_form(form, o);
	struct buf name = {0};
	int err;

	if (path)
		return write_form(form, path, input, why);
	if (!o->prefix)
		return 0;
	buf_printf(&name, "%s.%s", o->prefix, form->suffix);
	err = write_form(form, buf_text(&name), input, why);
	if (err == -ENODATA) {
		message("perf0 pgo: no %s: %s", buf_text(&name), why->text);
		err = 0;
	}
	buf_free(&name);
	return err;
}

static int write_forms(const struct pgo_options *o, const struct pgo_input *input,
		       struct reason *why)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]) && !err; i++)
		err = write_if_asked(&forms[i], o, input, why);
	return err;
}

/* Without options, all files are written. */
static bool is_any_file_asked(const struct pgo_options *o)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (path_of_form(&forms[i], o))
			return true;
	return o->prefix;
}

/* --- The run --- */

static int write_profiles(const struct branch_run *run, const struct pgo_options *o,
			  struct reason *why)
{
	struct pgo_input input = {0};
	const struct code_object *object = branch_run_object(run, o->object, why);
	int err;

	if (!object)
		return -ENOENT;
	err = functions_read(&input.functions, object->host, why);
	if (!err) {
		executed_read(&input.executed, &run->of.profile.map, object, &run->folded,
			      run->of.profile.file);
		err = write_forms(o, &input, why);
		executed_free(&input.executed);
	}
	functions_free(&input.functions);
	return err;
}

static int write_or_complain(const struct branch_run *run, const struct pgo_options *o)
{
	struct reason why;

	if (!write_profiles(run, o, &why))
		return 0;
	message("perf0 pgo: %s", why.text);
	return STATUS_FAILED;
}

static int pgo_program(const struct options *options, const char *const *program)
{
	const struct pgo_options *o = &options->pgo;
	struct branch_run run;
	int status = branch_run_begin(&run, options, o->run_bolt ? BOLTED_EVENTS : "instructions:u",
				      program);
	const int written = run.is_folded ? write_or_complain(&run, o) : 0;

	if (!status)
		status = written;
	if (!status && o->run_bolt)
		status = bolted_compare(options, &run, o->bolt, program, stdout);
	branch_run_end(&run);
	return status;
}

/* Gives each file a name that has none: llvm-bolt reads one of them. */
static void name_files(struct pgo_options *o, struct buf *bolt)
{
	if (!is_any_file_asked(o))
		o->prefix = "perf0";
	if (!o->run_bolt || o->bolt)
		return;
	buf_printf(bolt, "%s.fdata", o->prefix ? o->prefix : o->run_bolt);
	o->bolt = buf_text(bolt);
}

int cmd_pgo(const struct options *options, const char **words)
{
	struct options with = *options;
	const char *const *program = profiling_program(words);
	struct buf bolt = {0};
	struct reason why;
	int status;

	if (!program)
		return STATUS_USAGE;
	if (with.pgo.run_bolt && with.pgo.object) {
		message("perf0 pgo: --run-bolt makes a program, not a library: without --object");
		return STATUS_USAGE;
	}
	name_files(&with.pgo, &bolt);
	if (check_forms(&with.pgo, &why)) {
		message("perf0 pgo: %s", why.text);
		status = STATUS_FAILED;
	} else {
		status = pgo_program(&with, program);
	}
	buf_free(&bolt);
	return status;
}
