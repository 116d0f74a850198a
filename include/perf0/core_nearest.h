/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_nearest.h - which core's tables time each personality: its own, or those of the nearest
 * core.
 */
#ifndef PERF0_CORE_NEAREST_H
#define PERF0_CORE_NEAREST_H

/* ROW(personality, core). Small cores are not listed. */
#define CORE_NEAREST(ROW) \
	ROW(snb, snb)     \
	ROW(hsw, hsw)     \
	ROW(bdw, bdw)     \
	ROW(skl, skl)     \
	ROW(skx, skx)     \
	ROW(icl, icl)     \
	ROW(adl, adl)     \
	ROW(zen2, zen2)   \
	ROW(zen3, zen3)   \
	ROW(zen4, zen4)   \
	ROW(snbx, snb)    \
	ROW(ivb, snb)     \
	ROW(ivbx, snb)    \
	ROW(hsx, hsw)     \
	ROW(bdx, bdw)     \
	ROW(bde, bdw)     \
	ROW(clx, skx)     \
	ROW(icx, icl)     \
	ROW(rkl, icl)     \
	ROW(tgl, icl)     \
	ROW(spr, adl)     \
	ROW(emr, adl)     \
	ROW(gnr, adl)     \
	ROW(rpl, adl)     \
	ROW(zen1, zen2)   \
	ROW(zen5, zen4)

#endif
