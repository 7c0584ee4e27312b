/* SPDX-License-Identifier: BSD-2-Clause
 *
 * approximate.h - formats large and uncertain numbers: two digits and a unit. */
#ifndef HD_STATUS_APPROXIMATE_H
#define HD_STATUS_APPROXIMATE_H

#define HD_ABOUT 32

/* "18", "120,000", "3.4 million", "2.1e+15". */
void hd_about_number(long double n, char buf[HD_ABOUT]);

/* "less than 1 s", "about 45 s", "about 12 min", h, days, years, "more than 1,000 years". */
void hd_about_time(long double seconds, char buf[HD_ABOUT]);

#endif
