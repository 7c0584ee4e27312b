/* SPDX-License-Identifier: BSD-2-Clause
 *
 * commands.c - prints the commands below a finding, ready to be copied. */
#include "campaign/findings/commands.h"

#include "program/paths.h"
#include "report/print/shell.h"

static void print_command(FILE *out, const char *what, const char *command,
                          const struct hd_result_finding *f, const char *program)
{
    fprintf(out, "%-10s %s ", what, command);
    hd_shell_word(out, f->schedule);
    if (!hd_path_is_inside(program)) {
        fputs(" -- ", out);
        hd_shell_word(out, program);
    }
    fputc('\n', out);
}

void hd_commands_print(FILE *out, const struct hd_result_finding *f, const char *program)
{
    if (f->schedule[0] == '\0' && f->execution == 0)
        return; /* a replay has shown another finding, which may not occur again */
    if (f->schedule[0] == '\0') {
        fputs("reproduce: run the same command again (the schedule could not be saved)\n", out);
        return;
    }
    print_command(out, "debug:", "heddle replay --gdb", f, program);
    print_command(out, "browse:", "heddle report --html finding.html", f, program);
    if (hd_supp_allowed(f->kind))
        print_command(out, "suppress:", "heddle suppress", f, program);
    print_command(out, "reproduce:", "heddle replay", f, program);
}
