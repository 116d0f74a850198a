// SPDX-License-Identifier: BSD-2-Clause
/* judge.c - the best shares, by GLPK: see judge.h. */
#include "tests/study/judge.h"

#include <glpk.h>
#include <stdlib.h>
#include <string.h>

#define COUNTERS 64
#define SETS     4096
#define NEARLY   1e-7

struct judge {
	const struct judge_load *load;
	glp_prob *mixture; /* rows: groups from 1 on, all time; columns: the common share, sets */
	glp_prob *pricing; /* columns: groups from 1 on, then events on counters */
	unsigned nsets;
	uint64_t limited; /* groups whose shares are known */
};

static glp_smcp simplex_rules(void)
{
	glp_smcp how;

	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	return how;
}

/* --- The most valuable set that fits --- */

/* A row: either all events of the group have counters, or none. */
static void add_group_rows(glp_prob *p, const struct judge_load *l, unsigned g,
			   int *on_counter[COUNTERS])
{
	for (unsigned i = 0; i < l->group[g].n; i++) {
		const int row = glp_add_rows(p, 1);
		int columns[COUNTERS + 2] = {0, (int)g + 1}, k = 1;
		double values[COUNTERS + 2] = {0, -1};

		for (unsigned c = 0; c < COUNTERS; c++) {
			if (!(l->group[g].mask[i] >> c & 1))
				continue;
			columns[++k] = glp_add_cols(p, 1);
			values[k] = 1;
			glp_set_col_kind(p, columns[k], GLP_BV);
			on_counter[c][++on_counter[c][0]] = columns[k];
		}
		glp_set_row_bnds(p, row, GLP_FX, 0, 0);
		glp_set_mat_row(p, row, k, columns, values);
	}
}

static glp_prob *make_pricing(const struct judge_load *l)
{
	static int lists[COUNTERS][JUDGE_GROUPS * JUDGE_EVENTS + 1];
	static double ones[JUDGE_GROUPS * JUDGE_EVENTS + 1];
	int *on_counter[COUNTERS];
	glp_prob *p = glp_create_prob();

	for (unsigned c = 0; c < COUNTERS; c++)
		(on_counter[c] = lists[c])[0] = 0;
	for (size_t i = 0; i < sizeof(ones) / sizeof(ones[0]); i++)
		ones[i] = 1;
	glp_set_obj_dir(p, GLP_MAX);
	glp_add_cols(p, (int)l->n);
	for (unsigned g = 0; g < l->n; g++) {
		glp_set_col_kind(p, (int)g + 1, GLP_BV);
		add_group_rows(p, l, g, on_counter);
	}
	for (unsigned c = 0; c < COUNTERS; c++)
		if (lists[c][0]) {
			const int row = glp_add_rows(p, 1);

			glp_set_row_bnds(p, row, GLP_UP, 0, 1);
			glp_set_mat_row(p, row, lists[c][0], lists[c], ones);
		}
	return p;
}

/* Finds a set by the groups' prices. Returns its value; 0: GLPK gave up. */
static double best_set(struct judge *j, const double *price, uint64_t *set)
{
	glp_iocp how;

	glp_init_iocp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.presolve = GLP_ON;
	for (unsigned g = 0; g < j->load->n; g++)
		glp_set_obj_coef(j->pricing, (int)g + 1, price[g]);
	if (glp_intopt(j->pricing, &how) || glp_mip_status(j->pricing) != GLP_OPT)
		return 0;
	*set = 0;
	for (unsigned g = 0; g < j->load->n; g++)
		if (glp_mip_col_val(j->pricing, (int)g + 1) > 0.5)
			*set |= 1ull << g;
	return glp_mip_obj_val(j->pricing);
}

/* --- The mixture of sets --- */

static bool add_set(struct judge *j, uint64_t set)
{
	int rows[JUDGE_GROUPS + 2], k = 0;
	double values[JUDGE_GROUPS + 2];
	const int column = glp_add_cols(j->mixture, 1);

	for (unsigned g = 0; g < j->load->n; g++)
		if (set >> g & 1)
			rows[++k] = (int)g + 1;
	rows[++k] = (int)j->load->n + 1;
	for (int i = 1; i <= k; i++)
		values[i] = 1;
	glp_set_col_bnds(j->mixture, column, GLP_LO, 0, 0);
	glp_set_mat_col(j->mixture, column, k, rows, values);
	return ++j->nsets < SETS;
}

static void make_mixture(struct judge *j)
{
	j->mixture = glp_create_prob();
	glp_set_obj_dir(j->mixture, GLP_MAX);
	glp_add_rows(j->mixture, (int)j->load->n + 1);
	glp_set_row_bnds(j->mixture, (int)j->load->n + 1, GLP_UP, 0, 1);
	glp_add_cols(j->mixture, 1);
	glp_set_col_bnds(j->mixture, 1, GLP_LO, 0, 0);
	glp_set_obj_coef(j->mixture, 1, 1);
	for (unsigned g = 0; g < j->load->n; g++)
		add_set(j, 1ull << g);
}

/* Groups that are limited have their known shares, the others at least the common share. */
static void limit_groups(struct judge *j, const double *share)
{
	int rows[JUDGE_GROUPS + 1], k = 0;
	double values[JUDGE_GROUPS + 1];

	for (unsigned g = 0; g < j->load->n; g++) {
		const bool known = j->limited >> g & 1;

		glp_set_row_bnds(j->mixture, (int)g + 1, GLP_LO, known ? share[g] - 1e-8 : 0, 0);
		if (known)
			continue;
		rows[++k] = (int)g + 1;
		values[k] = -1;
	}
	glp_set_mat_col(j->mixture, 1, k, rows, values);
	glp_std_basis(j->mixture); /* the old one may be singular now */
}

/* Adds sets until none would make the common share larger. */
static bool solve(struct judge *j)
{
	const unsigned n = j->load->n;
	double price[JUDGE_GROUPS], worth;
	glp_smcp how = simplex_rules();
	uint64_t set = 0;

	do {
		if (glp_simplex(j->mixture, &how) || glp_get_status(j->mixture) != GLP_OPT)
			return false;
		for (unsigned g = 0; g < n; g++)
			price[g] = -glp_get_row_dual(j->mixture, (int)g + 1);
		worth = best_set(j, price, &set);
		if (worth <= glp_get_row_dual(j->mixture, (int)n + 1) + NEARLY)
			return worth > 0;
	} while (add_set(j, set));
	return false;
}

static bool note_limited(struct judge *j, double *share)
{
	const double common = glp_get_obj_val(j->mixture);
	const uint64_t before = j->limited;

	for (unsigned g = 0; g < j->load->n; g++)
		if (!(j->limited >> g & 1) && glp_get_row_dual(j->mixture, (int)g + 1) < -1e-6) {
			share[g] = common;
			j->limited |= 1ull << g;
		}
	return j->limited != before;
}

static bool find_shares(struct judge *j, double *share, bool worst_only)
{
	const uint64_t all = j->load->n < 64 ? (1ull << j->load->n) - 1 : ~0ull;

	do {
		limit_groups(j, share);
		if (!solve(j))
			return false;
		if (worst_only) {
			share[0] = glp_get_obj_val(j->mixture);
			return true;
		}
		if (!note_limited(j, share))
			return false;
	} while (j->limited != all);
	return true;
}

bool judge_shares(const struct judge_load *load, double *share, bool worst_only)
{
	struct judge j = {.load = load, .pricing = make_pricing(load)};
	bool found;

	make_mixture(&j);
	found = find_shares(&j, share, worst_only);
	glp_delete_prob(j.mixture);
	glp_delete_prob(j.pricing);
	return found;
}
