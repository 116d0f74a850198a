// SPDX-License-Identifier: BSD-2-Clause
/* html_page.c - see html_page.h. */
#include "tools/picture/html_page.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "include/perf0/version.h"
#include "tools/picture/markup.h"
#include "tools/picture/svg.h"

#define BAR_WIDTH  120 /* pixels */
#define NUMBER_MAX 32

static const char page_style[] =
	"html{color-scheme:light dark;background:var(--ground);color:var(--ink)}\n"
	"body{max-width:72rem;margin:2.5rem auto;padding:0 1.25rem;"
	"font:15px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}\n"
	"h1{font-size:1.5rem;line-height:1.25;font-weight:600;margin:0 0 .4rem;overflow-wrap:anywhere}\n"
	"h2{font-size:1.05rem;font-weight:600;margin:2.4rem 0 .5rem;padding-top:.6rem;"
	"border-top:1px solid var(--rule)}\n"
	"p{margin:.2rem 0 .8rem;max-width:60rem}\n"
	"code,td,th,pre{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
	"font-size:13px}\n"
	"pre{margin:0;padding:.55rem .75rem;background:var(--lane);border-radius:4px;"
	"white-space:pre-wrap;overflow-wrap:anywhere}\n"
	"table{border-collapse:collapse;margin:.2rem 0 .6rem}\n"
	"th{font-weight:600;text-align:left;color:var(--faint);font-size:12px}\n"
	"td,th{padding:.22rem 1.1rem .22rem 0;vertical-align:baseline;"
	"border-bottom:1px solid var(--rule)}\n"
	"td.v,th.v{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	"td.name{overflow-wrap:break-word;max-width:32rem}\n"
	"td.one{white-space:nowrap}td.any{overflow-wrap:anywhere;min-width:16rem}\n"
	"td.why{font-family:inherit;color:var(--faint);max-width:44rem}\n"
	"td.bar{padding-top:0;padding-bottom:0;vertical-align:middle}td.bar svg{display:block}\n"
	":root{--link:#0b57a4}@media screen and (prefers-color-scheme:dark){:root{--link:#8ab4f8}}\n"
	"a{color:var(--link)}\n"
	".k{margin-left:.22em}\n"
	".faint,footer{color:var(--faint)}\n"
	".pass{font-weight:600}.disturbed{color:var(--hot);font-weight:600}\n"
	".tag{font-size:11px;color:var(--faint)}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.2rem;margin:.2rem 0}\n"
	"dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}\n"
	".picture,.table{overflow-x:auto;max-width:100%}\n"
	".picture svg{display:block;max-width:none}\n"
	".several{display:flex;flex-wrap:wrap;gap:1.2rem 1.6rem}.several>*{max-width:100%}\n"
	/* A choice in front of a table orders its rows by a property of each row. */
	"input.sort{position:absolute;opacity:0}.sorted label{cursor:pointer}\n"
	"table.sorted{display:grid}.sorted thead,.sorted tbody,.sorted tr{display:contents}"
	".sorted th{order:-1}\n"
	"input.sort0:checked~.sorted td{order:var(--o0)}"
	"input.sort1:checked~.sorted td{order:var(--o1)}"
	"input.sort2:checked~.sorted td{order:var(--o2)}"
	"input.sort3:checked~.sorted td{order:var(--o3)}"
	"input.sort4:checked~.sorted td{order:var(--o4)}\n"
	"input.sort0:checked~.sorted .sort0,input.sort1:checked~.sorted .sort1,"
	"input.sort2:checked~.sorted .sort2,input.sort3:checked~.sorted .sort3,"
	"input.sort4:checked~.sorted .sort4{color:var(--ink);text-decoration:underline}\n"
	".table:focus-visible,.picture:focus-visible{outline:2px solid var(--faint)}\n"
	"input.sort:focus-visible~.sorted{outline:2px solid var(--faint)}\n"
	"footer{margin-top:2.6rem;font-size:12px}\n"
	/* Paper does not scroll: what is wide is wrapped or drawn smaller, on white. */
	"@media print{html{color-scheme:light}body{margin:0;max-width:none}"
	".picture,.table{overflow:visible}.picture svg{max-width:100%;height:auto}"
	"td.name,td.why{max-width:none!important;overflow-wrap:anywhere}"
	"td.name{white-space:pre-wrap!important}"
	"table.sorted{grid-template-columns:repeat(4,max-content) minmax(0,3fr) minmax(0,2fr)!important}"
	".sorted td{overflow-wrap:anywhere}.sorted td.v{overflow-wrap:normal}"
	"h2,h3,thead,.sorted th{break-after:avoid}svg,tr,.sorted td{break-inside:avoid}}\n";

/* Quotes a word for a shell if needed. */
static void add_shell_word(struct buf *line, const char *word)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "%+,-./:=@_";

	if (*word && !word[strspn(word, safe)]) {
		buf_printf(line, "%s", word);
		return;
	}
	buf_printf(line, "'");
	for (; *word; word++)
		buf_printf(line, *word == '\'' ? "'\\''" : "%c", *word);
	buf_printf(line, "'");
}

static void add_command_line(struct buf *out, const char *const *words)
{
	struct buf line = {0};

	buf_printf(&line, "perf0");
	for (; *words; words++) {
		buf_printf(&line, " ");
		add_shell_word(&line, *words);
	}
	buf_printf(out, "<pre>");
	markup_add(out, buf_text(&line));
	buf_printf(out, "</pre>\n");
	buf_free(&line);
}

void page_begin(struct buf *out, const char *title, const char *const *words)
{
	buf_printf(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
			"<head><meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
			"content=\"width=device-width,initial-scale=1\"/>\n<link rel=\"icon\" "
			"href=\"data:,\"/>\n<title>");
	markup_add(out, title);
	buf_printf(out, "</title>\n<style>\n%s%s</style></head>\n<body><main>\n<h1>", svg_style,
		   page_style);
	markup_add(out, title);
	buf_printf(out, "</h1>\n");
	if (words)
		add_command_line(out, words);
}

void page_end(struct buf *out)
{
	buf_printf(out, "</main><footer>perf0 " PERF0_VERSION "</footer>\n</body></html>\n");
}

void page_section(struct buf *out, const char *title, const char *sentence)
{
	buf_printf(out, "<h2>");
	markup_add(out, title);
	buf_printf(out, "</h2>\n");
	if (!sentence)
		return;
	buf_printf(out, "<p class=\"faint\">");
	markup_add(out, sentence);
	buf_printf(out, "</p>\n");
}

void page_picture_begin(struct buf *out)
{
	buf_printf(out, "<div class=\"picture\" tabindex=\"0\">\n");
}

void page_picture_end(struct buf *out)
{
	buf_printf(out, "</div>\n");
}

void page_facts_begin(struct buf *out)
{
	buf_printf(out, "<dl>\n");
}

void page_fact(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, "<dt>");
	markup_add(out, name);
	buf_printf(out, "</dt><dd>");
	markup_add(out, value);
	buf_printf(out, "</dd>\n");
}

void page_facts_end(struct buf *out)
{
	buf_printf(out, "</dl>\n");
}

void page_table_begin(struct buf *out, const char *const *heads)
{
	buf_printf(out, "<div class=\"table\" tabindex=\"0\"><table><thead><tr>");
	for (; *heads; heads++) {
		const bool right = **heads == '>';

		buf_printf(out, "<th%s>", right ? " class=\"v\"" : "");
		markup_add(out, *heads + right);
		buf_printf(out, "</th>");
	}
	buf_printf(out, "</tr></thead><tbody>\n");
}

void page_table_end(struct buf *out)
{
	buf_printf(out, "</tbody></table></div>\n");
}

void page_cell(struct buf *out, const char *class, const char *text)
{
	buf_printf(out, "<td%s%s%s>", class ? " class=\"" : "", class ? class : "",
		   class ? "\"" : "");
	markup_add(out, text);
	buf_printf(out, "</td>");
}

void page_number(struct buf *out, uint64_t value)
{
	char text[NUMBER_MAX];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	buf_printf(out, "<td class=\"v\">");
	markup_number(out, text);
	buf_printf(out, "</td>");
}

void page_bar(struct buf *out, double share)
{
	buf_printf(out,
		   "<td class=\"bar\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		   "height=\"14\"><rect x=\"0\" y=\"1\" width=\"%.1f\" height=\"12\" "
		   "fill=\"#56b4e9\"/><text class=\"n\" x=\"4\" y=\"11\">%.2f%%</text></svg></td>",
		   BAR_WIDTH, share * BAR_WIDTH, 100 * share);
}
