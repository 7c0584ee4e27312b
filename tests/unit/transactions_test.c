/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Transactional instructions in the assembler's input are replaced, in every spelling that is in use,
 * and nothing else is. */
#include "support/unit.h"

#include "program/transactions.h"

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
}

static void others_stay(void **state)
{
    static const char *const text[] = {
        "\tcall\txend\n", "\t.string \"a; xend\"\n", "# xend\n", "xend:\n", "\t.byte 0x0f,0x01,0xd0\n",
        "\t.byte 0x0f,0x01\n", "\t.byte 0xc7,0xf8\n\t.long 17\n", "\t.byte 0xc7,0xf8\n1:\t.long 0\n",
        "\t.intel_syntax noprefix\n\txend\n", "",
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_replaced),
        cmocka_unit_test(encodings_are_replaced),
        cmocka_unit_test(others_stay),
        cmocka_unit_test(the_rest_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
