/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * discriminator.h - the parts of a discriminator as LLVM encodes it (DebugInfoMetadata.h,
 * DILocation). Each part has a prefix code: 1 is the bit "0"; a small one has 5 bits, a large one
 * 12.
 */
#ifndef TOOLS_PGO_DISCRIMINATOR_H
#define TOOLS_PGO_DISCRIMINATOR_H

static inline unsigned discriminator_part(unsigned d)
{
	if (d & 1)
		return 0;
	d >>= 1;
	return d & 0x20 ? (d >> 1 & 0xfe0) | (d & 0x1f) : d & 0x1f;
}

static inline unsigned discriminator_rest(unsigned d)
{
	if (d & 1)
		return d >> 1;
	return d >> (d & 0x40 ? 14 : 7);
}

/* discriminator_base() - tells blocks of one line apart. */
static inline unsigned discriminator_base(unsigned d)
{
	return discriminator_part(d);
}

/* discriminator_copies() - returns into how many copies the compiler has divided the executions of
 * the line. */
static inline unsigned discriminator_copies(unsigned d)
{
	const unsigned copies = discriminator_part(discriminator_rest(d));

	return copies ? copies : 1;
}

#endif
