/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * personalities.h - the PMUs that vpmu can play. The enum of the model, the host tool's table, and
 * all lists of names come from here. A row of vpmu/model/personality_*.c describes each PMU;
 * without it vpmu does not link.
 *
 * A personality is ROW(id, VENDOR, PFM): `id` as in uarch=NAME and --uarch NAME; VPMU_VENDOR; and
 * libpfm4's name of its core PMU, or of one that has most of its events; "": there is none.
 */
#ifndef PERF0_PERSONALITIES_H
#define PERF0_PERSONALITIES_H

/* All personalities; FIRST allows special treatment of the first one. */
#define VPMU_LIST(FIRST, ROW)                       \
	FIRST(nhm, INTEL, "nhm")                    \
	ROW(nhmex, INTEL, "nhm_ex")                 \
	ROW(wsm, INTEL, "wsm_dp")                   \
	ROW(wsmex, INTEL, "wsm")                    \
	ROW(snb, INTEL, "snb")                      \
	ROW(snbx, INTEL, "snb_ep")                  \
	ROW(ivb, INTEL, "ivb")                      \
	ROW(ivbx, INTEL, "ivb_ep")                  \
	ROW(hsw, INTEL, "hsw")                      \
	ROW(hsx, INTEL, "hsw_ep")                   \
	ROW(bdw, INTEL, "bdw")                      \
	ROW(bdx, INTEL, "bdw_ep")                   \
	ROW(bde, INTEL, "bdw_ep")                   \
	ROW(skl, INTEL, "skl")                      \
	ROW(skx, INTEL, "skx")                      \
	ROW(clx, INTEL, "clx")                      \
	ROW(icl, INTEL, "icl")                      \
	ROW(icx, INTEL, "icx")                      \
	ROW(rkl, INTEL, "icl")                      \
	ROW(tgl, INTEL, "icl")                      \
	ROW(adl, INTEL, "adl_glc")                  \
	ROW(spr, INTEL, "spr")                      \
	ROW(emr, INTEL, "spr")                      \
	ROW(mtl, INTEL, "adl_glc")                  \
	ROW(gnr, INTEL, "spr")                      \
	ROW(lnl, INTEL, "")                         \
	ROW(arl, INTEL, "")                         \
	ROW(ptl, INTEL, "")                         \
	ROW(slm, INTEL, "slm")                      \
	ROW(knl, INTEL, "knl")                      \
	ROW(glm, INTEL, "glm")                      \
	ROW(glp, INTEL, "glm")                      \
	ROW(tnt, INTEL, "tmt")                      \
	ROW(adl_n, INTEL, "adl_grt")                \
	ROW(srf, INTEL, "")                         \
	ROW(grr, INTEL, "")                         \
	ROW(cwf, INTEL, "")                         \
	ROW(k8, AMD, "amd64_k8_revf")               \
	ROW(fam10h, AMD, "amd64_fam10h_istanbul")   \
	ROW(fam15h, AMD, "amd64_fam15h_interlagos") \
	ROW(fam16h, AMD, "amd64_fam16h")            \
	ROW(zen1, AMD, "amd64_fam17h_zen1")         \
	ROW(zen2, AMD, "amd64_fam17h_zen2")         \
	ROW(zen3, AMD, "amd64_fam19h_zen3")         \
	ROW(zen4, AMD, "amd64_fam19h_zen4")         \
	ROW(zen5, AMD, "amd64_fam1ah_zen5")         \
	ROW(kvm_intel, INTEL, "skx")                \
	ROW(kvm_amd, AMD, "amd64_fam19h_zen3")
#define VPMU_PERSONALITIES(ROW) VPMU_LIST(ROW, ROW)

/* AMD's personalities with PerfMonV2, where CPUID reports the number of counters of a core. */
#define VPMU_PERFMON_V2(ROW) ROW(zen4) ROW(zen5)

#define VPMU_DEFAULT "skx"

/* The names as a text, "a|b|c", and a hint where to look them up. */
#define VPMU_NAME(id, vendor, pfm)     #id
#define VPMU_NAME_BAR(id, vendor, pfm) "|" #id
#define VPMU_NAMES_BAR                 VPMU_LIST(VPMU_NAME, VPMU_NAME_BAR)
#define VPMU_NAMES_WHERE               "one of those that 'perf0 list uarchs' lists"

enum vpmu_vendor { VPMU_INTEL, VPMU_AMD };

#define VPMU_ONE(id, vendor, pfm) +1
enum { VPMU_NUMBERS = 0 VPMU_PERSONALITIES(VPMU_ONE) };

#endif
