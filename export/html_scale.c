/* SPDX-License-Identifier: BSD-3-Clause */
/* The data is JSON without compression, because there is little of it: only a `<` in a name could end its element. */
#include "export/html_scale.h"

#include "export/html.h"
#include "export/html_parts.h"

#include <errno.h>
#include <stdlib.h>

#ifdef HEDDLE_HAVE_PAGE
extern const char export_scale_script[], export_scale_style[];
#else
static const char export_scale_script[] = "", export_scale_style[] = "";
#endif

static int write_embedded(FILE *out, int (*write)(const void *context, FILE *out), const void *context)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	int error = memory ? write(context, memory) : -ENOMEM;
	if (memory && fclose(memory) && !error)
		error = -ENOMEM;
	fputs("<script id=\"data\" type=\"application/json\">", out);
	for (size_t i = 0; !error && i < size; i++) {
		if (text[i] == '<')
			fputs("\\u003c", out);
		else
			fputc(text[i], out);
	}
	fputs("</script>\n", out);
	free(text);
	return error;
}

int export_scale_write(FILE *out, const char *program, void (*write_tables)(const void *context, FILE *out),
	int (*write_data)(const void *context, FILE *out), const void *context)
{
	export_page_begin(out);
	export_page_text(out, program);
	fputs(": what keeps it from scaling", out);
	export_page_body(out);
	fprintf(out, "<style>\n%s</style>\n<h1>", export_scale_style);
	export_page_text(out, program);
	fputs(": what keeps it from scaling</h1>\n", out);
	write_tables(context, out);
	fputs("<div id=\"views\"><noscript><p>Curves need JavaScript.</p></noscript></div>\n</main></div>\n", out);
	int error = write_embedded(out, write_data, context);
	fprintf(out, "<script>\n%s</script>\n</body>\n</html>\n", export_scale_script);
	return error;
}
