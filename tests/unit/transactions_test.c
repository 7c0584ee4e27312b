/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Transactional instructions in the assembler's input are replaced, in every spelling that is in use,
 * and nothing else is.  What a program is told of the processor does not depend on the machine. */
#include "support/unit.h"

#include "program/transactions.h"
#include "runtime/watch/tx_cpuid.h"

static unsigned count(const char *text, const char *what)
{
    unsigned n = 0;

    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what))
        n++;
    return n;
}

/* The text has one instruction, which becomes a call of this name. */
static char *replaced(const char *text, const char *name)
{
    bool failed;
    char *out = hd_transactions_replace(text, &failed);

    assert_false(failed);
    if (out == NULL)
        fail_msg("not replaced: %s", text);
    assert_int_equal(count(out, "heddle_rt_x"), 1);
    assert_non_null(strstr(out, name));
    assert_int_equal(count(out, "heddle_rt_transactions"), 1);
    return out;
}

static void is_replaced(const char *text, const char *name)
{
    free(replaced(text, name));
}

static void begin_goes_to(const char *text, const char *target)
{
    char *out = replaced(text, "xbegin"), jump[64];

    snprintf(jump, sizeof jump, "\tjmp\t%s\n", target);
    assert_non_null(strstr(out, jump));
    free(out);
}

static void instructions_are_replaced(void **state)
{
    (void)state;
    begin_goes_to("\txbegin\t.L2\n", ".L2");
    begin_goes_to("xbegin 1f\n1:\n", "1f");
    begin_goes_to(".L7: xbegin .L2 # a comment; with xend\n", ".L2");
    is_replaced("\txend\n", "xend");
    is_replaced("\tnop; xend; nop\n", "xend");
    is_replaced("\txtest\n\tsetne %al\n", "xtest");
    is_replaced("\tXABORT $255\n", "\tpushq\t$255\n");
}

static void encodings_are_replaced(void **state)
{
    (void)state;
    is_replaced("\t.byte 0xc7,0xf8 ; .long 0\n", "xbegin");
    is_replaced(".byte 0xc7, 0xf8\n\t.long 0\n", "xbegin");
    is_replaced(".byte 0xc7,0xf8,0x00,0x00,0x00,0x00\n", "xbegin");
    begin_goes_to(".byte 0xc7,0xf8\n.long 1f - . - 4\n1:\n", "1f");
    begin_goes_to(".byte 199,248\n.long .L3-(.+4)\n", ".L3");
    is_replaced("\t.byte 0x0f,0x01,0xd5\n", "xend");
    is_replaced("\t.byte 0x0f,0x01,0xd6 ; setnz %al\n", "xtest");
    is_replaced("\t.byte 0xc6,0xf8,255\n", "\tpushq\t$255\n");
    /* in several directives */
    is_replaced(".byte 0x0f; .byte 0x01,0xd5\n", "xend");
    is_replaced("\t.byte 0x0f\n#NO_APP\n#APP\n# 3 \"a.c\" 1\n\t.byte 1\n\n\t.byte 0xd5\n", "xend");
    is_replaced(".word 0x010f; .byte 0xd6\n", "xtest");
    is_replaced(".byte 0xc6; .byte 0xf8; .byte 7\n", "\tpushq\t$7\n");
    is_replaced(".2byte 0xf8c7; .4byte 0\n", "xbegin");
    begin_goes_to(".byte 0xc7; .byte 0xf8; .long 2f-.-4\n2:\n", "2f");
    is_replaced("\t.section .data\n\t.long 4\n\t.text\n.byte 0x0f,0x01,0xd5\n", "xend");
    is_replaced("\t.section .mine,\"ax\",@progbits\n.byte 0x0f,0x01,0xd5\n", "xend");
    is_replaced(".pushsection .rodata\n.byte 0x0f\n.popsection\n.byte 0x0f,0x01,0xd5\n", "xend");
}

/* The inserted text is in the syntax of AT&T. */
static void intel_syntax_is_kept(void **state)
{
    char *out = replaced("\t.intel_syntax noprefix\n\tmov eax, 1\n\txbegin .L2\n\tmov eax, 2\n", "xbegin");
    const char *from = strstr(out, "\t.att_syntax prefix\n"), *to = strstr(out, "\n\t.intel_syntax noprefix\n\n\tmov eax, 2");

    (void)state;
    assert_non_null(from);
    assert_non_null(to);
    assert_true(strstr(out, "mov eax, 1") < from && from < strstr(out, "heddle_rt_xbegin") &&
                strstr(out, "heddle_rt_xbegin") < strstr(out, "\tjmp\t.L2\n") && strstr(out, "\tjmp\t.L2\n") < to);
    free(out);
    out = replaced("\t.intel_syntax noprefix\n\t.att_syntax\n\txend\n", "xend");
    assert_int_equal(count(out, "_syntax"), 2);
    free(out);
}

static void others_stay(void **state)
{
    static const char *const text[] = {
        "\tcall\txend\n", "\t.string \"a; xend\"\n", "# xend\n", "xend:\n", "\t.byte 0x0f,0x01,0xd0\n",
        "\t.byte 0x0f,0x01\n", "\t.byte 0xc7,0xf8\n\t.long 17\n", "\t.byte 0xc7,0xf8\n1:\t.long 0\n",
        "\t.byte 0x0f,0x01\n1:\n\t.byte 0xd5\n", "\t.byte 0x0f\n\tnop\n\t.byte 0x01,0xd5\n", "\t.byte 0x0f,0x01,0xd5,0\n",
        "\t.data\n\t.byte 0x0f,0x01,0xd5\n", "\t.section\t.rodata.a,\"a\"\n\t.byte 0x0f,0x01,0xd5\n",
        "\t.bss\n\t.text\n\t.previous\n\t.byte 0x0f,0x01,0xd5\n", "",
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(text); i++) {
        bool failed;

        assert_null(hd_transactions_replace(text[i], &failed));
        assert_false(failed);
    }
}

/* Statements before and behind it on the line, and labels, are kept. */
static void the_rest_is_kept(void **state)
{
    char *out = replaced("a: b: xend; movl %eax, %ebx # c\n\tret\n", "xend");

    (void)state;
    assert_int_equal(strncmp(out, "a: b: \n", 7), 0);
    assert_non_null(strstr(out, " movl %eax, %ebx # c\n\tret\n"));
    free(out);
}

static bool same(struct hd_cpuid a, struct hd_cpuid b)
{
    return a.eax == b.eax && a.ebx == b.ebx && a.ecx == b.ecx && a.edx == b.edx;
}

/* A machine without transactions, one with them, and one that aborts each at once give the same answer. */
static void cpuid_is_the_same_everywhere(void **state)
{
    const struct hd_cpuid without = { 2, 0xd19f47ab, 0x0040069c, 0xbc000400 },
                          with = { 2, 0xd19f4fab, 0x0040069c, 0xbc000400 },
                          aborts = { 2, 0xd19f4fab, 0x0040069c, 0xbc000c00 };

    (void)state;
    assert_true(same(hd_tx_cpuid_told(without, true), with));
    assert_true(same(hd_tx_cpuid_told(with, true), with));
    assert_true(same(hd_tx_cpuid_told(aborts, true), with));
    assert_true(same(hd_tx_cpuid_told(with, false), without));
    assert_true(same(hd_tx_cpuid_told(without, false), without));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_replaced),
        cmocka_unit_test(encodings_are_replaced),
        cmocka_unit_test(intel_syntax_is_kept),
        cmocka_unit_test(others_stay),
        cmocka_unit_test(the_rest_is_kept),
        cmocka_unit_test(cpuid_is_the_same_everywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
