/* SPDX-License-Identifier: BSD-2-Clause
 *
 * settings.c - the table of settings. */
#include "model/settings.h"

const char *const hd_points_words[] = { [HD_POINTS_SYNC] = "sync", [HD_POINTS_RACES] = "races",
                                        [HD_POINTS_ALL] = "all", [HD_POINTS_EVERY] = "every", NULL };
const char *const hd_timeouts_words[] = { "any", "idle", NULL };
const char *const hd_heap_words[] = { "normal", "recycle", NULL };
const char *const hd_tm_words[] = { [HD_TM_HTM] = "htm", [HD_TM_OFF] = "off", [HD_TM_STM] = "stm",
                                    [HD_TM_WEAK] = "weak", NULL };
const char *const hd_tm_aborts_words[] = { "retry", "all", NULL };
const char *const hd_awaits_words[] = { "off", "on", NULL };
const char *const hd_expect_words[] = { [HD_EXPECT_NOTHING] = "nothing", [HD_EXPECT_TEXT] = "text",
                                        [HD_EXPECT_SAME] = "same", NULL };
const char *const hd_linear_words[] = { [HD_LINEAR_OFF] = "off", [HD_LINEAR_CONCURRENT] = "concurrent",
                                        [HD_LINEAR_SEQUENTIAL] = "sequential", NULL };
const char *const hd_convention_words[] = { "default", "study", NULL };

const struct hd_setting hd_setting_table[] = {
#define ROW(field, key, words, since) { key, words, since, offsetof(struct hd_settings, field) },
    HD_SETTINGS(ROW)
#undef ROW
};
const size_t hd_setting_count = sizeof hd_setting_table / sizeof *hd_setting_table;
