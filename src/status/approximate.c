/* SPDX-License-Identifier: BSD-2-Clause
 *
 * approximate.c - rounds numbers to the precision of an estimate. */
#include "status/approximate.h"

#include <stddef.h>
#include <stdio.h>

/* Rounds to two significant digits; numbers below 100 to integers.  Precondition: n < 1e18. */
static long double two_digits(long double n)
{
    long double unit = 1;

    while (n / unit >= 99.5)
        unit *= 10;
    return (long double)(long long)(n / unit + 0.5) * unit;
}

static void with_unit(long double n, const char *unit, char buf[HD_ABOUT])
{
    snprintf(buf, HD_ABOUT, n < 9.95 ? "%.1Lf %s" : "%.0Lf %s", n, unit);
}

void hd_about_number(long double n, char buf[HD_ABOUT])
{
    long double r = n < 1e15 ? two_digits(n) : n;
    long long whole = n < 1e15 ? (long long)r : 0;

    if (r < 1e3)
        snprintf(buf, HD_ABOUT, "%lld", whole);
    else if (r < 1e6)
        snprintf(buf, HD_ABOUT, "%lld,%03lld", whole / 1000, whole % 1000);
    else if (r < 1e9)
        with_unit(r / 1e6, "million", buf);
    else if (r < 1e12)
        with_unit(r / 1e9, "billion", buf);
    else
        snprintf(buf, HD_ABOUT, "%.1Le", r);
}

void hd_about_time(long double seconds, char buf[HD_ABOUT])
{
    static const struct {
        double below; /* the unit is used for times below this, in seconds */
        double unit;
        const char *name;
    } units[] = {
        { 90, 1, "s" }, { 90 * 60, 60, "min" }, { 36 * 3600, 3600, "h" },
        { 730 * 86400.0, 86400, "days" }, { 1000 * 31557600.0, 31557600, "years" },
    };

    if (seconds < 0.95) {
        snprintf(buf, HD_ABOUT, "less than 1 s");
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (seconds < units[i].below) {
            snprintf(buf, HD_ABOUT, "about %.0Lf %s", two_digits(seconds / units[i].unit),
                     units[i].name);
            return;
        }
    snprintf(buf, HD_ABOUT, "more than 1,000 years");
}
