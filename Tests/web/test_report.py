"""The report: for today and for other days, amended, filtered, as CSV, and on paper."""
import csv
import datetime
import io
import time

import pytest
from playwright.sync_api import expect

from editor import Unexpected
from paper import pages_of

# Runs shorter than 2 s are not recorded.
CARDS = {"settings": {"start_timer_immediately": False}, "groups": [
    {"name": "Prepared speeches", "at_zero": "alarm", "timers": [
        {"name": "Ice Breaker", "start": 60, "minimum": 2, "maximum": 30},
        {"name": "Speech", "start": 60, "minimum": 30, "maximum": 60}]},
    {"name": "Break", "timers": [{"name": "Break", "start": 60}]}]}
RUNS = [("1/1", "Ada Lovelace"), ("1/2", "Grace Hopper"), ("2/1", None)]


@pytest.fixture
def node(bench):
    """A node with three runs: one qualified, one not, and one without a verdict."""
    node = bench.start_node(timers=CARDS)
    for timer, speaker in RUNS:
        assert node.command("start", {"timer": timer, "speaker": speaker})["status"] == "ok"
        time.sleep(2.2)  # The run must really last that long.
        assert node.command("stop")["status"] == "ok"
    return node


def rows(page):
    """The speaker, the time and the verdict of each row."""
    return [[row.locator(selector).inner_text() for selector in ("th", ".used", ".verdict")]
            for row in page.locator("tbody tr").all()]


def open_report(page, web, node, query=""):
    page.goto(web.url + f"n/{node.id}/report{query}")
    expect(page.locator("#state")).not_to_have_text("Loading…")
    return page


def test_it_has_the_runs_of_today_by_the_parts_of_the_evening(node, web, browse):
    page = open_report(browse(role="remote"), web, node)
    expect(page.locator("tbody tr")).to_have_count(3)
    assert page.locator("#sheet h2").all_inner_texts() == ["Prepared speeches", "Break"]
    used = [f"0:{int(run['used']):02d}" for run in reversed(node.json("runs")["runs"])]
    assert rows(page) == [
        ["Ada Lovelace", used[0], "✓ yes"], ["Grace Hopper", used[1], "✗ no"], ["(no name)", used[2], "–"]]
    expect(page.locator("#summary")).to_have_text("3 talks, 1 of 2 qualified")
    expect(page.locator("tbody tr").first.locator(".allowed")).to_have_text("0:02–0:30")


def test_it_shows_who_qualified_and_who_did_not(node, web, browse):
    page = open_report(browse(role="remote"), web, node)
    for choice, names in [("yes", ["Ada Lovelace"]), ("no", ["Grace Hopper"])]:
        page.select_option("#show", choice)
        expect(page.locator("tbody th")).to_have_text(names)


def test_other_days_are_empty_and_have_an_address(node, web, browse):
    page = open_report(browse(role="remote"), web, node)
    page.click("#before")
    expect(page.locator("#state")).to_have_text("No talks on this day")
    yesterday = datetime.date.today() - datetime.timedelta(days=1)
    assert page.url.endswith(f"?day={yesterday}")
    page.reload()
    expect(page.locator("#day")).to_have_value(str(yesterday))
    page.click("#today")
    expect(page.locator("tbody tr")).to_have_count(3)
    page.fill("#day", "2020-02-29")
    expect(page.locator("#state")).to_have_text("No talks on this day")
    page.goto(web.url + f"n/{node.id}/report?day=2026-02-31")
    expect(page.locator("tbody tr")).to_have_count(3)


def run_once(node):
    assert node.command("start", {"timer": "2/1", "speaker": "Alan Turing"})["status"] == "ok"
    time.sleep(2.2)
    assert node.command("stop")["status"] == "ok"


def test_a_run_that_ends_comes_by_itself(node, web, browse):
    page = open_report(browse(role="remote"), web, node)
    run_once(node)
    expect(page.locator("tbody tr")).to_have_count(4)


def test_operators_amend_names(node, web, browse):
    page = open_report(browse(role="operator"), web, node)
    page.click("text=Grace Hopper")
    page.keyboard.type("Barbara Liskov")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_have_text("The name has been changed")
    node.wait_for_message("runs", lambda payload: "Barbara Liskov" in payload)
    page.click("text=(no name)")
    page.keyboard.type("Nobody else")
    page.keyboard.press("Escape")
    expect(page.locator("tbody input")).to_have_count(0)
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(3)
    assert [row[0] for row in rows(page)] == ["Ada Lovelace", "Barbara Liskov", "(no name)"]


@pytest.mark.parametrize("key, focused", [("Escape", "Grace Hopper"), ("Enter", "Grace Hopper"), ("Tab", "(no name)")])
def test_a_run_that_ends_while_a_name_is_typed_comes_after_it(node, web, browse, key, focused):
    page = open_report(browse(role="operator"), web, node)
    page.click("text=Grace Hopper")
    with page.expect_response("**/runs?*"):
        run_once(node)
    expect(page.locator("tbody input")).to_be_visible()
    page.keyboard.press(key)  # The name is unchanged.
    expect(page.locator("tbody th")).to_have_text(["Ada Lovelace", "Grace Hopper", "(no name)", "Alan Turing"])
    expect(page.get_by_role("button", name=f"Change the name: {focused}")).to_be_focused()


def test_a_run_that_ends_comes_although_the_name_is_refused(node, web, browse):
    page = browse(role="operator")
    page.errors = Unexpected()
    open_report(page, web, node)
    page.click("text=Grace Hopper")
    page.keyboard.type("Barbara Liskov")
    with page.expect_response("**/runs?*"):
        run_once(node)
    with node.halted():
        page.keyboard.press("Enter")
        expect(page.locator(".toast-error")).to_contain_text("No answer")
    expect(page.locator("tbody tr")).to_have_count(4)


def test_remotes_read_names_and_do_not_change_them(node, web, browse):
    page = open_report(browse(role="remote"), web, node)
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page.locator("tbody button")).to_have_count(0)


def test_it_can_be_had_as_csv(node, web, browse):
    page = open_report(browse(role="remote"), web, node)
    with page.expect_download() as download:
        page.click("#csv")
    table = list(csv.reader(io.StringIO(download.value.path().read_text())))
    assert len(table) == 4
    assert sum("Ada Lovelace" in line for line in table) == 1


def test_it_has_the_runs_of_a_node_that_is_away(node, web, browse):
    node.kill()
    page = browse(role="remote")
    page.goto(web.url + f"n/{node.id}/report")
    expect(page.locator("tbody tr")).to_have_count(3, timeout=30_000)
    expect(page.locator("#state")).to_be_hidden()  # The newest 20 are retained; there are no others.


def test_it_says_where_runs_are_missing(node, web, browse):
    page = browse(role="remote")
    page.route("**/runs?*", lambda route: route.fulfill(json=route.fetch().json() | {"complete": False}))
    page.goto(web.url + f"n/{node.id}/report")
    expect(page.locator("#state")).to_contain_text("The node did not respond")


def test_it_needs_a_login(web, node, browse):
    page = browse(size="phone")
    page.goto(web.url + f"n/{node.id}/report?day=2026-01-02")
    page.wait_for_url("**/login?*")
    page.fill("#pin", web.pin("remote"))
    page.wait_for_url(f"**/n/{node.id}/report?day=2026-01-02")


def test_the_sheet_is_for_paper(node, web, browse, tmp_path):
    page = open_report(browse(role="operator", theme="dark"), web, node)
    expect(page.locator("tbody tr")).to_have_count(3)
    pages, sizes = pages_of(page, tmp_path)
    assert pages == 1
    assert sizes == [(595, 842)], "A4"
    page.emulate_media(media="print", color_scheme="dark")
    for hidden in ("header.site", "#choice", "#csv"):
        expect(page.locator(hidden)).to_be_hidden()
    for visible in (".title", "#heading", "#summary", ".signature"):
        expect(page.locator(visible)).to_be_visible()
    assert page.locator("#sheet").evaluate("sheet => getComputedStyle(sheet).color") == "rgb(0, 0, 0)"
