/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state_test.c - the words for what threads share inside libc and the kernel. */
#include "support/unit.h"

#include "model/state.h"
#include "report/evidence/state.h"

static const struct {
    uint64_t place;
    const char *text;
} places[] = {
    { HD_STATE_DESCRIPTORS, "the numbers of descriptors" },
    { HD_STATE_LIMITS, "the limits of resources" },
    { HD_STATE_FIRST_INHERITED, "descriptor 0" },
    { HD_STATE_FIRST_OPEN - 1, "descriptor 63" },
    { HD_STATE_FIRST_OPEN, "open file #0" },
    { HD_STATE_FIRST_CONTENTS - 1, "open file #1023" },
    { HD_STATE_FIRST_CONTENTS + 2, "contents of file #2" },
};

static void every_place_has_words(void **state)
{
    char text[64];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        hd_state_text(hd_state_name(places[i].place), text, sizeof text);
        assert_string_equal(text, places[i].text);
    }
    for (uint64_t s = 0; s < HD_STATES; s++) {
        hd_state_text(hd_state_name(s), text, sizeof text);
        assert_true(strncmp(text, "the ", 4) == 0 || strncmp(text, "what ", 5) == 0);
    }
}

static void the_process_is_none_of_them(void **state)
{
    char text[64];

    (void)state;
    hd_state_text(hd_cname_make(HD_REG_PROCESS, 0, 0), text, sizeof text);
    assert_string_equal(text, "the process");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_has_words),
        cmocka_unit_test(the_process_is_none_of_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
