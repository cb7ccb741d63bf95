/* Records: streams that cannot be written, blocks of a checkpoint, the names of columns.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>
#include "record/record.h"
#include "tyt.h"

/* A full disk shows when the last buffer is written, at the close. */
TY_TEST(record, a_close_that_loses_data_fails)
{
    ty_diag diag = { 0 };
    FILE *f = fopen("/dev/full", "w");
    if (!f) {
        return; /* there is none here */
    }
    fputs("a row\n", f);
    TY_CHECK(tyi_record_close(&f, "samples/imu.csv", TY_OK, &diag) == TY_ERR_FILE && !f);
    TY_CHECK(!strcmp(diag.text, "samples/imu.csv cannot be written: No space left on device"));
    f = fopen("/dev/null", "w");
    fputs("a row\n", f);
    TY_CHECK(tyi_record_close(&f, "samples/imu.csv", TY_OK, &diag) == TY_OK); /* control */
}

TY_TEST(record, names_by_one_rule)
{
    TY_CHECK(tyi_name_ok("navcam_left") && tyi_name_ok("a-b.c") && tyi_name_ok("2"));
    TY_CHECK(!tyi_name_ok("") && !tyi_name_ok("..") && !tyi_name_ok("a b") && !tyi_name_ok("a/b") &&
             !tyi_name_ok("\xc3\xa4"));
    TY_CHECK(tyi_name_same("a-b", "a_b") && tyi_name_same("a.b", "a-b") && tyi_name_same("x", "x"));
    TY_CHECK(!tyi_name_same("a", "a_") && !tyi_name_same("a_b", "a_c") && !tyi_name_same("", "a"));
}

TY_TEST(record, columns_are_headed_by_name_and_unit)
{
    char text[64];
    const ty_message_column c[] = { { "wx", "rad/s", TY_QUANTITY_TURN, NULL },
                                    { "torque", "N m", TY_QUANTITY_JOINT_TORQUE, "rear" },
                                    { "lit", "", TY_QUANTITY_NONE, NULL },
                                    { "solar", "W", TY_QUANTITY_POWER, NULL } };
    static const char *const want[] = { "wx_rad_s", "torque_nm", "lit", "solar_w" };
    for (int i = 0; i < 4; i++) {
        TY_CHECK(!strcmp(ty_message_column_text(&c[i], text, sizeof text), want[i]));
    }
}
