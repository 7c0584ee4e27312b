/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The function that programs call instead of cpuid answers the same on machines with and without transactions.  It is assembled
 * here with another cpuid, which asks a machine that the test makes up. */
#include "support/unit.h"

#include "runtime/watch/tx_cpuid.h"

__asm__(".macro cpuid\n"
        "    call ask_made_up\n"
        ".endm\n"
        ".macro hd_save_vectors\n"
        ".endm\n"
        ".macro hd_load_vectors\n"
        ".endm\n"
        ".include \"runtime/watch/transaction_x86_64.S\"\n"
        ".purgem cpuid\n"
        ".text\n"
        "ask_made_up:\n"
        "    movl machine+4(%rip), %ebx\n"
        "    movl machine+8(%rip), %ecx\n"
        "    movl machine+12(%rip), %edx\n"
        "    movl machine(%rip), %eax\n"
        "    ret\n");

/* What the included file refers to. */
struct hd_cpuid machine;
uint32_t hd_tx_told;
uint8_t hd_tx_active;
uint64_t hd_entry[7];
void hd_tx_begin(void);
void hd_tx_end(void);
void hd_tx_abort(void);
void hd_itm_begin(void);
void hd_tx_begin(void) {}
void hd_tx_end(void) {}
void hd_tx_abort(void) {}
void hd_itm_begin(void) {}

static struct hd_cpuid ask(uint32_t leaf, uint32_t subleaf)
{
    struct hd_cpuid a;

    __asm__ volatile("lea -128(%%rsp), %%rsp\n call heddle_rt_cpuid\n lea 128(%%rsp), %%rsp"
                     : "=a"(a.eax), "=b"(a.ebx), "=c"(a.ecx), "=d"(a.edx) : "0"(leaf), "2"(subleaf) : "cc", "memory");
    return a;
}

static bool same(struct hd_cpuid a, struct hd_cpuid b)
{
    return a.eax == b.eax && a.ebx == b.ebx && a.ecx == b.ecx && a.edx == b.edx;
}

static void the_machine_does_not_count(void **state)
{
    (void)state;
    const struct hd_cpuid machines[] = {
        { 2, 0xd19f47ab, 0x0040069c, 0xbc000400 },                          /* without */
        { 2, 0xd19f47ab | HD_CPUID_TRANSACTIONS, 0x0040069c, 0xbc000400 },  /* with */
    };
    struct hd_cpuid answer[2];

    for (unsigned told = 0; told < 2; told++) {
        hd_tx_told = told ? HD_CPUID_TRANSACTIONS : 0;
        for (unsigned i = 0; i < 2; i++) {
            machine = machines[i];
            answer[i] = ask(7, 0);
            assert_true(same(answer[i], hd_tx_cpuid_told(machine, told)));
        }
        assert_true(same(answer[0], answer[1]));
        assert_true(same(answer[0], machines[told]));
    }
}

static void transactions_that_always_abort_are_not_told(void **state)
{
    (void)state;
    machine = (struct hd_cpuid){ 2, 0xd19f47ab, 0, HD_CPUID_ALWAYS_ABORTED | 1 };
    hd_tx_told = HD_CPUID_TRANSACTIONS;
    struct hd_cpuid a = ask(7, 0);

    assert_int_equal(a.ebx, machine.ebx | HD_CPUID_TRANSACTIONS);
    assert_int_equal(a.edx, 1);
}

static void other_leaves_are_the_machine_s(void **state)
{
    (void)state;
    machine = (struct hd_cpuid){ 1, UINT32_MAX, 3, UINT32_MAX };
    hd_tx_told = 0;
    assert_true(same(ask(1, 0), machine));
    assert_true(same(ask(7, 1), machine));
    hd_tx_told = HD_CPUID_TRANSACTIONS;
    machine.ebx = 0;
    assert_true(same(ask(0x80000007, 0), machine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_machine_does_not_count),
        cmocka_unit_test(transactions_that_always_abort_are_not_told),
        cmocka_unit_test(other_leaves_are_the_machine_s),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
