/* SPDX-License-Identifier: BSD-2-Clause
 *
 * about.h - large and uncertain numbers for people: two digits and a unit. */
#ifndef HD_CONDUCTOR_ABOUT_H
#define HD_CONDUCTOR_ABOUT_H

#define HD_ABOUT 32

/* "18", "120,000", "3.4 million", "2.1e+15". */
void hd_about_number(double n, char buf[HD_ABOUT]);

/* "45 s", "12 min", "5 h", "12 days", "40 years". */
void hd_about_time(double seconds, char buf[HD_ABOUT]);

#endif
