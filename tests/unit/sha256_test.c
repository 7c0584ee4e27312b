/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sha256_test.c - the examples of FIPS 180-4, and lengths around the padding, as sha256sum prints them. */
#include "support/unit.h"

#include "base/sha256.h"

static void examples(void **state)
{
    static const struct { const char *text, *hash; } rows[] = {
        { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    };
    char hex[65], line[200], want[65], a[130];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        hd_sha256(rows[i].text, strlen(rows[i].text), hex);
        assert_string_equal(hex, rows[i].hash);
    }
    memset(a, 'a', sizeof a);
    for (size_t n = 54; n <= 66; n++) {
        snprintf(line, sizeof line, "printf '%%%zus' '' | tr ' ' a | sha256sum", n);
        FILE *f = popen(line, "r");

        assert_non_null(f);
        assert_int_equal(fread(want, 1, 64, f), 64);
        want[64] = '\0';
        pclose(f);
        hd_sha256(a, n, hex);
        assert_string_equal(hex, want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(examples) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
