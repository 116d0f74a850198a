// SPDX-License-Identifier: BSD-2-Clause
/* svg.c - see svg.h. */
#include "tools/picture/svg.h"

#include "tools/picture/markup.h"
#include "tools/util/plainbuf.h"

#define SVG_LIGHT "--ground:#fff;--ink:#1a1a1a;--faint:#666;--rule:#ddd;--lane:#f4f4f2;--hot:#a33"
#define SVG_DARK \
	"--ground:#16181a;--ink:#e6e6e3;--faint:#9a9a96;--rule:#3a3d40;--lane:#202326;--hot:#f0907f"

/* Each colour has one definition. Print uses the light colours. */
const char svg_style[] =
	":root{" SVG_LIGHT "}\n"
	"@media screen and (prefers-color-scheme:dark){:root{" SVG_DARK "}}\n"
	"svg text{font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;"
	"fill:#1a1a1a;fill:var(--ink)}\n"
	"svg .h{font-size:15px;font-weight:600}\n"
	"svg .n{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:11px}\n"
	"svg .f{fill:#666;fill:var(--faint)}\n"
	"svg .s{font-size:10px;fill:#666;fill:var(--faint)}\n"
	"svg .hot{fill:#a33;fill:var(--hot)}\n"
	"svg .e{text-anchor:end}svg .c{text-anchor:middle}\n"
	"svg .ground{fill:#fff;fill:var(--ground)}\n"
	"svg .lane{fill:#f4f4f2;fill:var(--lane)}\n"
	"svg .rule{stroke:#ddd;stroke:var(--rule);fill:none}\n"
	"svg .mark{stroke:#666;stroke:var(--faint);fill:none}\n"
	"svg .edge{stroke:#fff;stroke:var(--ground);stroke-width:1}\n"
	"svg .wait{fill:transparent}svg .wait:hover{fill:#666;fill-opacity:.25}\n"
	"svg .waits{stroke:#666;stroke:var(--faint);stroke-dasharray:1 4;fill:none}\n"
	"svg .in{text-anchor:middle;font-size:10px}\n"
	"svg .thin{font-size:8px}\n";

static void begin_as(struct buf *out, double width, double height, const char *title,
		     const char *role)
{
	buf_printf(out,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"%s\" width=\"%.0f\" "
		   "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n<title>",
		   role, width, height, width, height);
	markup_add(out, title);
	buf_printf(out, "</title>\n");
}

void svg_begin_links(struct buf *out, double width, double height, const char *title)
{
	begin_as(out, width, height, title, "group");
}

void svg_begin(struct buf *out, double width, double height, const char *title, bool alone)
{
	if (alone)
		buf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	begin_as(out, width, height, title, "img");
	if (alone)
		buf_printf(out,
			   "<style>\n%s</style>\n<rect class=\"ground\" width=\"100%%\" "
			   "height=\"100%%\"/>\n",
			   svg_style);
}

void svg_end(struct buf *out)
{
	buf_printf(out, "</svg>\n");
}

void svg_text(struct buf *out, double x, double y, const char *class, const char *text,
	      unsigned columns)
{
	const bool is_cut = plain_width(text) > (int)columns;

	buf_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
	if (is_cut) {
		buf_printf(out, "<title>");
		markup_add(out, text);
		buf_printf(out, "</title>");
	}
	markup_add_fit(out, text, columns);
	buf_printf(out, "</text>\n");
}

void svg_textf(struct buf *out, double x, double y, const char *class, const char *format, ...)
{
	va_list args;

	buf_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
	va_start(args, format);
	buf_vprintf(out, format, args);
	va_end(args);
	buf_printf(out, "</text>\n");
}

void svg_line(struct buf *out, double x1, double y1, double x2, double y2, const char *class)
{
	buf_printf(out, "<path class=\"%s\" d=\"M%.1f,%.1fL%.1f,%.1f\"/>\n", class, x1, y1, x2, y2);
}
