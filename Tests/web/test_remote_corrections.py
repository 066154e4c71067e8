"""What really happened, put right on the remote: a run that began earlier, more time, and a stop by accident."""
import re

import pytest
from playwright.sync_api import expect

from conftest import assert_fits
from remote import MODES, Remote
from test_screens import LOST


@pytest.fixture
def remote(bench, node, web, browse):
    return Remote(bench, node, web, browse(size="phone", role="remote"))


def test_a_stop_by_accident_is_undone_with_one_press(remote):
    assert remote.node.command("start", {"speaker": "Ada", "ago": 30})["status"] == "ok"
    remote.expect_mode(MODES)
    remote.forget()
    expect(remote.locator("#undo")).to_be_hidden()
    remote.hold("#stop")
    remote.expect_mode("stopped")
    expect(remote.locator("#result")).to_contain_text("Ada 0:3")
    expect(remote.locator("#undo")).to_have_text("Undo stop")
    assert_fits(remote.page)
    assert remote.evaluate(LOST) == []
    remote.click("#undo")
    remote.expect_mode(MODES)
    remote.wait_for(("stop", {}), ("undo", {}))
    remote.wait_for_elapsed(30)
    expect(remote.locator("#speaker-name")).to_have_text("Ada")
    expect(remote.locator("#undo")).to_be_hidden()


def test_what_can_no_longer_be_undone_is_not_offered(remote):
    remote.start()
    remote.page.wait_for_timeout(2500)
    remote.hold("#next")
    expect(remote.locator("#undo")).to_have_text("Undo next")
    expect(remote.locator("#undo")).to_be_hidden(timeout=20_000)


def test_a_run_that_began_earlier_is_dated_back(remote):
    remote.start()
    remote.click("#time")
    assert_fits(remote.page)
    remote.click("#time-began >> text='−0:30'")
    remote.wait_for_elapsed(30)
    [(verb, payload)] = remote.commands()
    assert verb == "began" and re.fullmatch(r"20\d\d-.*Z", payload["at"]), payload


def test_time_is_granted_in_the_same_sheet(remote):
    remote.start()
    remote.click("#time")
    remote.click("#time-grant >> text='+1:00'")
    remote.wait_for(("add", {"seconds": 60}))
    remote.click("#time")
    remote.fill("#time-grant input", "2:30")
    remote.click("#time-grant button.primary")
    remote.wait_for(("add", {"seconds": 60}), ("add", {"seconds": 150}))


def test_a_start_that_is_late_counts_from_then(remote):
    remote.click("#time")
    expect(remote.locator("#time-grant")).to_have_count(0)
    remote.click("#time-speaking >> text='−1:00'")
    remote.wait_for(("start", {"ago": 60}))
    remote.wait_for_elapsed(60)
    remote.hold("#stop")
    remote.expect_mode("stopped")
    remote.forget()
    remote.click("#time")
    remote.locator("#time-speaking").get_by_text("Since the last end").click()
    remote.wait_for(("start", {"since": "last_end"}))
    remote.expect_mode(MODES)
