/* SPDX-License-Identifier: BSD-2-Clause
 *
 * terminal.c - see terminal.h. */
#include "status/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/print/text.h"

bool hd_terminal_color(enum hd_color wanted, FILE *f)
{
    const char *no_color = getenv("NO_COLOR");

    if (wanted != HD_COLOR_AUTO)
        return wanted == HD_COLOR_ALWAYS;
    return (no_color == NULL || *no_color == '\0') && isatty(fileno(f)) == 1;
}

int hd_terminal_width(FILE *f)
{
    const char *columns = getenv("COLUMNS");
    long said = columns != NULL ? strtol(columns, NULL, 10) : 0;
    struct winsize size;

    if (said > 0 && said <= UINT16_MAX)
        return (int)said;
    if (ioctl(fileno(f), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return HD_TEXT_WIDTH;
}
