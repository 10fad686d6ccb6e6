"""
If the list shows an uploaded file only some seconds later, three times that, rounded up to tens, is
proved as coupon_files_lag: 20 for a lag of 4 seconds, in place of a setting of 1.
"""

from __future__ import annotations

from support.doctor_service import OLD_LIST, diagnose, service


def test_the_lag_of_a_list_that_shows_files_late_is_three_times_that_in_tens_of_seconds():
    with service(list_lag=4) as emulator:
        given = {"coupon_list_id": OLD_LIST, "file_url": f"{emulator.files_url}/good.csv"}
        report = diagnose(emulator, extra={"coupon_files_lag": 1}, **given)
    value, is_proved = report.values["coupon_files_lag"]
    # Three times the lag that was seen, in tens.
    assert (value, is_proved) == (20, True)
    assert report.extra == {"coupon_files_lag": value}
