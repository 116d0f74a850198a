/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * personalities.h - the PMUs that vpmu can play: the one place where each has its name. The enum of
 * the model, the host tool's table, and each text that lists the names come from here; what such a
 * PMU is, is a row of vpmu/model/uarch_*.c, without which vpmu does not link.
 *
 * A personality is ROW(PART, id, VENDOR, PFM): VPMU_NUMBER_PART in the model; `id` as in uarch=NAME
 * and --uarch NAME; VPMU_VENDOR; and the name under which libpfm4 knows its core PMU, or one that
 * has most of its events; "": none has. One more is a row here, with its place in the list below.
 */
#ifndef PERF0_PERSONALITIES_H
#define PERF0_PERSONALITIES_H

#define VPMU_ROW_NHM(ROW)    ROW(NHM, nhm, INTEL, "nhm")
#define VPMU_ROW_NHMEX(ROW)  ROW(NHMEX, nhmex, INTEL, "nhm_ex")
#define VPMU_ROW_WSM(ROW)    ROW(WSM, wsm, INTEL, "wsm_dp")
#define VPMU_ROW_WSMEX(ROW)  ROW(WSMEX, wsmex, INTEL, "wsm")
#define VPMU_ROW_SNB(ROW)    ROW(SNB, snb, INTEL, "snb")
#define VPMU_ROW_SNBX(ROW)   ROW(SNBX, snbx, INTEL, "snb_ep")
#define VPMU_ROW_IVB(ROW)    ROW(IVB, ivb, INTEL, "ivb")
#define VPMU_ROW_IVBX(ROW)   ROW(IVBX, ivbx, INTEL, "ivb_ep")
#define VPMU_ROW_HSW(ROW)    ROW(HSW, hsw, INTEL, "hsw")
#define VPMU_ROW_HSX(ROW)    ROW(HSX, hsx, INTEL, "hsw_ep")
#define VPMU_ROW_BDW(ROW)    ROW(BDW, bdw, INTEL, "bdw")
#define VPMU_ROW_BDX(ROW)    ROW(BDX, bdx, INTEL, "bdw_ep")
#define VPMU_ROW_BDE(ROW)    ROW(BDE, bde, INTEL, "bdw_ep")
#define VPMU_ROW_SKL(ROW)    ROW(SKL, skl, INTEL, "skl")
#define VPMU_ROW_SKX(ROW)    ROW(SKX, skx, INTEL, "skx")
#define VPMU_ROW_CLX(ROW)    ROW(CLX, clx, INTEL, "clx")
#define VPMU_ROW_ICL(ROW)    ROW(ICL, icl, INTEL, "icl")
#define VPMU_ROW_ICX(ROW)    ROW(ICX, icx, INTEL, "icx")
#define VPMU_ROW_RKL(ROW)    ROW(RKL, rkl, INTEL, "icl")
#define VPMU_ROW_TGL(ROW)    ROW(TGL, tgl, INTEL, "icl")
#define VPMU_ROW_ADL(ROW)    ROW(ADL, adl, INTEL, "adl_glc")
#define VPMU_ROW_SPR(ROW)    ROW(SPR, spr, INTEL, "spr")
#define VPMU_ROW_EMR(ROW)    ROW(EMR, emr, INTEL, "spr")
#define VPMU_ROW_MTL(ROW)    ROW(MTL, mtl, INTEL, "adl_glc")
#define VPMU_ROW_GNR(ROW)    ROW(GNR, gnr, INTEL, "spr")
#define VPMU_ROW_LNL(ROW)    ROW(LNL, lnl, INTEL, "")
#define VPMU_ROW_ARL(ROW)    ROW(ARL, arl, INTEL, "")
#define VPMU_ROW_PTL(ROW)    ROW(PTL, ptl, INTEL, "")
#define VPMU_ROW_SLM(ROW)    ROW(SLM, slm, INTEL, "slm")
#define VPMU_ROW_KNL(ROW)    ROW(KNL, knl, INTEL, "knl")
#define VPMU_ROW_GLM(ROW)    ROW(GLM, glm, INTEL, "glm")
#define VPMU_ROW_GLP(ROW)    ROW(GLP, glp, INTEL, "glm")
#define VPMU_ROW_TNT(ROW)    ROW(TNT, tnt, INTEL, "tmt")
#define VPMU_ROW_ADL_N(ROW)  ROW(ADL_N, adl_n, INTEL, "adl_grt")
#define VPMU_ROW_SRF(ROW)    ROW(SRF, srf, INTEL, "")
#define VPMU_ROW_GRR(ROW)    ROW(GRR, grr, INTEL, "")
#define VPMU_ROW_CWF(ROW)    ROW(CWF, cwf, INTEL, "")
#define VPMU_ROW_K8(ROW)     ROW(K8, k8, AMD, "amd64_k8_revf")
#define VPMU_ROW_FAM10H(ROW) ROW(FAM10H, fam10h, AMD, "amd64_fam10h_istanbul")
#define VPMU_ROW_FAM15H(ROW) ROW(FAM15H, fam15h, AMD, "amd64_fam15h_interlagos")
#define VPMU_ROW_FAM16H(ROW) ROW(FAM16H, fam16h, AMD, "amd64_fam16h")
#define VPMU_ROW_ZEN1(ROW)   ROW(ZEN1, zen1, AMD, "amd64_fam17h_zen1")
#define VPMU_ROW_ZEN2(ROW)   ROW(ZEN2, zen2, AMD, "amd64_fam17h_zen2")
#define VPMU_ROW_ZEN3(ROW)   ROW(ZEN3, zen3, AMD, "amd64_fam19h_zen3")
#define VPMU_ROW_ZEN4(ROW)   ROW(ZEN4, zen4, AMD, "amd64_fam19h_zen4")
#define VPMU_ROW_ZEN5(ROW)   ROW(ZEN5, zen5, AMD, "amd64_fam1ah_zen5")

/* All of them; the first one may be treated apart. */
#define VPMU_LIST(FIRST, ROW) \
	VPMU_ROW_NHM(FIRST)   \
	VPMU_ROW_NHMEX(ROW)   \
	VPMU_ROW_WSM(ROW)     \
	VPMU_ROW_WSMEX(ROW)   \
	VPMU_ROW_SNB(ROW)     \
	VPMU_ROW_SNBX(ROW)    \
	VPMU_ROW_IVB(ROW)     \
	VPMU_ROW_IVBX(ROW)    \
	VPMU_ROW_HSW(ROW)     \
	VPMU_ROW_HSX(ROW)     \
	VPMU_ROW_BDW(ROW)     \
	VPMU_ROW_BDX(ROW)     \
	VPMU_ROW_BDE(ROW)     \
	VPMU_ROW_SKL(ROW)     \
	VPMU_ROW_SKX(ROW)     \
	VPMU_ROW_CLX(ROW)     \
	VPMU_ROW_ICL(ROW)     \
	VPMU_ROW_ICX(ROW)     \
	VPMU_ROW_RKL(ROW)     \
	VPMU_ROW_TGL(ROW)     \
	VPMU_ROW_ADL(ROW)     \
	VPMU_ROW_SPR(ROW)     \
	VPMU_ROW_EMR(ROW)     \
	VPMU_ROW_MTL(ROW)     \
	VPMU_ROW_GNR(ROW)     \
	VPMU_ROW_LNL(ROW)     \
	VPMU_ROW_ARL(ROW)     \
	VPMU_ROW_PTL(ROW)     \
	VPMU_ROW_SLM(ROW)     \
	VPMU_ROW_KNL(ROW)     \
	VPMU_ROW_GLM(ROW)     \
	VPMU_ROW_GLP(ROW)     \
	VPMU_ROW_TNT(ROW)     \
	VPMU_ROW_ADL_N(ROW)   \
	VPMU_ROW_SRF(ROW)     \
	VPMU_ROW_GRR(ROW)     \
	VPMU_ROW_CWF(ROW)     \
	VPMU_ROW_K8(ROW)      \
	VPMU_ROW_FAM10H(ROW)  \
	VPMU_ROW_FAM15H(ROW)  \
	VPMU_ROW_FAM16H(ROW)  \
	VPMU_ROW_ZEN1(ROW)    \
	VPMU_ROW_ZEN2(ROW)    \
	VPMU_ROW_ZEN3(ROW)    \
	VPMU_ROW_ZEN4(ROW)    \
	VPMU_ROW_ZEN5(ROW)
#define VPMU_PERSONALITIES(ROW) VPMU_LIST(ROW, ROW)

#define VPMU_DEFAULT "skx"

/* Their names as a text, "a|b|c", and where there is a list of them to look at. */
#define VPMU_NAME(part, id, vendor, pfm)     #id
#define VPMU_NAME_BAR(part, id, vendor, pfm) "|" #id
#define VPMU_NAMES_BAR                       VPMU_LIST(VPMU_NAME, VPMU_NAME_BAR)
#define VPMU_NAMES_WHERE                     "one of those that 'perf0 list uarchs' lists"

enum vpmu_vendor { VPMU_INTEL, VPMU_AMD };

#define VPMU_NUMBER(part, id, vendor, pfm) VPMU_NUMBER_##part,
enum vpmu_number { VPMU_PERSONALITIES(VPMU_NUMBER) VPMU_NUMBERS };

#endif
