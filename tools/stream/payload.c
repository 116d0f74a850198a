// SPDX-License-Identifier: BSD-2-Clause
/* payload.c - see payload.h. */
#include "tools/stream/payload.h"

#include <string.h>

const void *payload_take(struct payload *c, size_t n)
{
	const void *at = c->at;

	if (c->bad || n > c->left) {
		c->bad = true;
		return NULL;
	}
	c->at += n;
	c->left -= n;
	return at;
}

void payload_take_struct(struct payload *c, void *out, size_t n)
{
	const void *at = payload_take(c, n);

	if (at)
		memcpy(out, at, n);
}

const char *payload_take_string(struct payload *c)
{
	const char *at = payload_take(c, strnlen((const char *)c->at, c->left) + 1);

	return at ? at : "";
}
