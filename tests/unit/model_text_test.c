/* SPDX-License-Identifier: BSD-2-Clause
 *
 * model_text_test.c - the small pure functions of the model: names of objects,
 * spelling of findings and object types, and which totals of a campaign count. */
#include "support/unit.h"

#include "model/campaign.h"
#include "model/finding.h"
#include "model/object.h"

static const struct {
    enum hd_region region;
    unsigned index;
    uint64_t offset;
} names[] = {
    { HD_REG_OTHER, 0, 0 },
    { HD_REG_MODULE, 4095, UINT64_C(0xffffffffffff) },
    { HD_REG_HEAP, 7, 64 },
    { HD_REG_PROCESS, 0, 1 },
};

static void names_come_apart_as_they_were_put_together(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        hd_cname n = hd_cname_make(names[i].region, names[i].index, names[i].offset);

        assert_int_equal(hd_cname_region(n), names[i].region);
        assert_int_equal(hd_cname_index(n), names[i].index);
        assert_true(hd_cname_offset(n) == names[i].offset);
    }
}

static void every_kind_has_a_spelling_of_its_own(void **state)
{
    (void)state;
    for (int k = 0; k < HD_FK_COUNT; k++)
        for (int j = 0; j < k; j++)
            assert_string_not_equal(hd_finding_kind_text((enum hd_finding_kind)j),
                                    hd_finding_kind_text((enum hd_finding_kind)k));
    assert_string_equal(hd_finding_kind_text(HD_FK_DATA_RACE), "data-race");
    for (int t = 0; t < HD_OBJ_TYPES; t++)
        assert_true(strlen(hd_object_type_text((enum hd_object_type)t)) > 0);
}

static void the_lowest_bit_tells_which_totals_count(void **state)
{
    struct hd_campaign c = { .totals = { { .begun = 10 }, { .begun = 11 } } };

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        c.current = i;
        assert_int_equal(hd_campaign_totals(&c)->begun, 10 + i % 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_come_apart_as_they_were_put_together),
        cmocka_unit_test(every_kind_has_a_spelling_of_its_own),
        cmocka_unit_test(the_lowest_bit_tells_which_totals_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
