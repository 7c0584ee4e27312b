/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shell.c - quotes words for a shell. */
#include "report/print/shell.h"

#include <string.h>

void hd_shell_word(FILE *out, const char *arg)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%^";

    if (arg[0] != '\0' && arg[strspn(arg, plain)] == '\0') {
        fputs(arg, out);
        return;
    }
    fputc('\'', out);
    for (; *arg != '\0'; arg++)
        if (*arg == '\'')
            fputs("'\\''", out);
        else if ((unsigned char)*arg < ' ' || *arg == 0x7f)
            fprintf(out, "'$'\\x%02x''", (unsigned char)*arg); /* printed as an escape, so that the
                                                                * terminal does not execute it */
        else
            fputc(*arg, out);
    fputc('\'', out);
}
