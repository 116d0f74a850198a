// SPDX-License-Identifier: BSD-2-Clause
/* typed_files.c - see typed_files.h. */
#include "rt/console/typed_files.h"

#include "arch/x86/dev/shared_areas.h"
#include "lib/format/typed.h"
#include "rt/portable/typeahead.h"
#include "rt/portable/upload_reader.h"
#include "linux/program/store.h"
#include "rt/wire/wire.h"

static struct typed_reader reader;
static struct upload upload = {.store = &store};
static bool sends; /* the last input was a frame, and more frames will come */

void typed_init(void)
{
	uint32_t bytes;

	upload.shared = shared_area(SHARED_IN, &bytes);
	upload.shared_bytes = upload.shared ? bytes : 0;
}

static void answer_frame(void)
{
	struct wire_taken answer;

	if (!upload_frame(&upload, &reader.frame, &answer))
		return;
	wire_taken(&answer);
	sends = upload_waits(&upload);
}

/* While frames arrive, text between them is the rest of a damaged frame; but control keys are
 * from a person. */
static bool is_left_over(int byte)
{
	if (byte < WIRE_TYPED_CONTROL && byte != TYPEAHEAD_MARK)
		sends = false;
	return sends;
}

bool typed_is_key(int byte)
{
	switch (typed_byte(&reader, (uint8_t)byte)) {
	case TYPED_FRAME:
		answer_frame();
		return false;
	case TYPED_TAKEN:
		return false;
	default:
		return !is_left_over(byte);
	}
}
