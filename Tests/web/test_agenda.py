"""The agenda: what it shows, the search, zones, and editing."""
import json
from datetime import datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from editor import Unexpected
from node import meeting
from processes import wait_until

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")


def tomorrow(zone=BERLIN):
    return datetime.now(zone).date() + timedelta(days=1)


def berlin():
    return {"zone": "Europe/Berlin", "remind_after": "1m", "meetings": [
        {"name": "Toastmasters", "day": str(tomorrow()), "at": "19:00", "for": "2h", "group": 1, "begin": "select",
         "location": "Room 2", "note": "Bring cards: https://cards.example/a?b=1."},
        {"name": "Café", "day": str(tomorrow()), "at": "19:00", "for": "90m", "attend": False},
        {"name": "Far away", "day": "2099-03-20", "at": "10:00", "for": "8h"}]}


@pytest.fixture
def node(bench):
    return bench.start_node(agenda=berlin())


@pytest.fixture
def other(bench):
    day = str(tomorrow(NEW_YORK))
    return bench.start_node("stage", "Stage", agenda={"zone": "America/New_York", "meetings": [
        {"name": "Conference", "day": day, "at": "15:00", "for": "12h", "location": "Hall A"}]})


def open_agenda(browse, web, role="operator", refused=False, **options):
    page = browse(role=role, **options)
    if refused:
        page.errors = Unexpected()
    page.goto(web.url + "agenda")
    page.wait_for_selector(".meeting")
    return page


def agenda(node):
    return json.loads(node._bench.mqtt.messages(node.topic("agenda"), 0)[-1].payload)


def later():
    """The time until the middle of the rest of this day, so that it is another time today."""
    now = datetime.now(timezone.utc)
    return (now.replace(hour=23, minute=59, second=0) - now) / 2


def begin_later(page):
    page.locator(".day").get_by_role("button", name="Begin Later now").click()
    page.locator("dialog button[value=yes]").click()


def shown(page):
    """The days that are shown, and the time and the name of each of their meetings."""
    return {day.get_attribute("data-jump"): [
        (one.locator(".time").inner_text(), one.locator("strong").inner_text())
        for one in day.locator(".meeting").all()] for day in page.locator(".day").all()}


def test_days_slots_and_zones(node, other, web, browse):
    page = open_agenda(browse, web, timezone_id="Asia/Tokyo", role=None)
    page.wait_for_selector("[data-node=stage]")
    expected = {}
    for day, row in [(tomorrow(), ("19:00 – 21:00 ", "Toastmasters")), (tomorrow(), ("19:00 – 20:30 ", "Café")),
                     (tomorrow(NEW_YORK), ("15:00 – ", "Conference"))]:
        expected.setdefault(str(day), []).append(row)
    found = shown(page)
    assert list(found) == sorted(expected)
    for day, rows in expected.items():
        assert [name for _, name in found[day]] == [name for _, name in rows]
        assert all(one.startswith(wanted) for (one, _), (wanted, _) in zip(found[day], rows)), found
    slots = [slot.locator("strong").all_inner_texts() for slot in page.locator(".day .slot").all()]
    assert ["Toastmasters", "Café"] in slots

    page.get_by_label("in your time zone (Asia/Tokyo)").check()
    begins = datetime.combine(tomorrow(), time(19), BERLIN).astimezone(ZoneInfo("Asia/Tokyo"))
    wait_until(lambda: str(begins.date()) in shown(page), "the day in Tokyo")
    assert shown(page)[str(begins.date())][0][0].startswith(f"{begins:%H:%M}")
    page.reload()  # The setting is remembered.
    page.wait_for_selector(".day")
    assert shown(page)[str(begins.date())][0][0].startswith(f"{begins:%H:%M}")


def test_instants_are_those_of_the_zone(node, web, browse):
    """Also in the gap and in the repeated hour when the clocks change."""
    page = open_agenda(browse, web, role=None)
    cases = [("2026-03-29", "01:59", "Europe/Berlin", "2026-03-29T00:59:00Z"),
             ("2026-03-29", "02:30", "Europe/Berlin", "2026-03-29T01:00:00Z"),
             ("2026-03-29", "03:00", "Europe/Berlin", "2026-03-29T01:00:00Z"),
             ("2026-10-25", "02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"),
             ("2026-10-25", "03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"),
             ("2026-03-08", "2:30", "America/New_York", "2026-03-08T07:00:00Z"),
             ("2026-10-04", "02:15", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"),
             ("2011-12-30", "12:00", "Pacific/Apia", "2011-12-30T10:00:00Z"),
             ("2026-11-24", "19:00", "Asia/Kathmandu", "2026-11-24T13:15:00Z")]
    for day, at, zone, instant in cases:
        found = page.evaluate("""async ([day, at, zone]) => (await import(document.baseURI + 'assets/agenda/zones.js'))
            .instantOf(day, at, zone)""", [day, at, zone])
        assert datetime.fromtimestamp(found / 1000, timezone.utc) == datetime.fromisoformat(instant), (day, at, zone)


def test_a_weekly_meeting_is_shown_once_with_its_next_dates_folded(bench, web, browse):
    begins = datetime.now(timezone.utc) + later()
    weekly = meeting("Toastmasters", later(), group=1) | {"day": f"{begins:%a}".lower()}
    bench.start_node(agenda={"zone": "UTC", "meetings": [weekly]})
    page = open_agenda(browse, web)
    expect(page.locator(".meeting")).to_have_count(1)
    dates = page.locator("details.next li")
    expect(dates.first).to_be_hidden()
    page.locator("details.next summary").click()
    expect(dates.first).to_be_visible()
    expected = [begins + timedelta(days=7 * week) for week in (1, 2, 3, 4)]
    assert [(f"{date.day} " in text, f"{begins:%H:%M}" in text) for date, text in
            zip(expected, dates.all_inner_texts(), strict=True)] == [(True, True)] * 4


def test_search_as_one_types_and_attended(node, other, web, browse):
    page = open_agenda(browse, web)
    page.wait_for_selector("[data-node=stage]")

    def names():
        return sorted(set(page.locator("#agenda strong").all_inner_texts()))

    for typed, expected in [("cafe", ["Café"]), ("hall a", ["Conference"]), ("CARDS", ["Toastmasters"]),
                            ("talk 1", ["Toastmasters"]), ("stage", ["Conference"]), ("nowhere", [])]:
        page.get_by_label("Search").fill("")
        page.get_by_label("Search").press_sequentially(typed)
        wait_until(lambda: names() == expected, f"{typed}: {expected}", otherwise=lambda: str(names()))
    page.get_by_label("Search").fill("far")
    assert page.locator("section.all strong").all_inner_texts() == ["Far away"]
    page.get_by_label("Search").fill("")
    page.get_by_label("Only meetings we attend").check()
    wait_until(lambda: names() == ["Conference", "Toastmasters"], "those that are attended")
    link = page.locator(".day .note a").first
    assert link.get_attribute("href") == "https://cards.example/a?b=1"


def test_viewers_see_no_notes_and_change_nothing(node, web, browse):
    page = open_agenda(browse, web, role=None)
    assert page.locator(".note, .edit, .begin, .add").count() == 0
    link = page.get_by_role("link", name="Log in to change it")
    assert link.get_attribute("href") == "login?next=agenda&role=operator"
    assert "Room 2" in page.locator(".day").first.inner_text()
    # Nor is it replaced with each key: a screen reader would repeat it, and the focus would be lost.
    link.focus()
    page.evaluate("document.getElementById('search').dispatchEvent(new Event('input', {bubbles: true}))")
    assert link.evaluate("link => link === document.activeElement")


def test_a_meeting_in_progress_is_above_and_can_be_begun(bench, web, browse):
    node = bench.start_node(agenda={"zone": "UTC", "meetings": [
        meeting("Now", group=2, begin="start") | {"for": "10m"}, meeting("Later", later(), group=2, begin="start")]})
    page = open_agenda(browse, web, refused=True)
    page.wait_for_selector(".progress strong:text('Now')")
    page.wait_for_selector(".progress .expected")  # The meeting has begun, and started its timer.
    assert page.get_by_role("button", name="Begin Now now").count() == 0  # It has already begun.
    begin_later(page)
    page.wait_for_selector(".toast-error:has-text('Later did not begin')")  # It is refused during a run.
    node.command("stop")
    begin_later(page)
    page.wait_for_selector(".progress strong:text('Later')")
    wait_until(lambda: node._bench.mqtt.messages(node.topic("mode"), 0)[-1].payload == "countdown", "its timer runs")


def test_the_meeting_that_is_shown_is_begun(bench, web, browse):
    """This works even if someone else has removed an earlier meeting that the page does not show."""
    planned = meeting("Later", later(), group=2, begin="start")
    node = bench.start_node(agenda={"zone": "UTC", "meetings": [
        {"name": "Far away", "day": "2099-03-20", "at": "10:00", "for": "8h"}, planned]})
    page = open_agenda(browse, web, refused=True)
    assert node.command("agenda", {"zone": "UTC", "meetings": [planned | {"for": 7200}]})["status"] == "ok"
    page.wait_for_selector("section.all strong:text('Far away')", state="detached")
    begin_later(page)
    page.wait_for_selector(".progress strong:text('Later')")


def test_a_meeting_far_off_is_begun_as_an_extra_one_and_the_page_says_so(bench, web, browse):
    # In a zone where it is one o'clock at night, today's meeting is more than half a day away.
    hour = (datetime.now(timezone.utc).hour - 1) % 24
    zone, local = (f"Etc/GMT+{hour}", -hour) if hour <= 12 else (f"Etc/GMT-{24 - hour}", 24 - hour)
    today = datetime.now(timezone.utc) + timedelta(hours=local)
    bench.start_node(agenda={"zone": zone, "meetings": [
        {"name": "Club", "day": f"{today:%Y-%m-%d}", "at": "23:50", "for": "5m", "group": 2}]})
    page = open_agenda(browse, web)
    button = page.get_by_role("button", name="Begin Club now")
    button.first.click()
    assert "Begin an extra one now? The planned one is kept." in page.locator("dialog").inner_text()
    page.locator("dialog button[value=yes]").click()
    page.wait_for_selector(".progress strong:text('Club')")
    # The planned one is still there, folded.
    expect(page.locator(".progress details.next li")).to_have_count(1)


def test_a_meeting_is_begun_early_once_it_was_asked_and_says_so(bench, web, browse):
    planned = datetime.now(timezone.utc) + later()
    node = bench.start_node(agenda={"zone": "UTC", "meetings": [
        {"name": "Club", "day": [f"{planned + timedelta(days=days):%Y-%m-%d}" for days in (0, 1)],
         "at": f"{planned:%H:%M}", "for": "10m", "group": 2}]})
    page = open_agenda(browse, web)
    everywhere = page.get_by_role("button", name="Begin Club now")
    # It is shown once; its next date is folded.
    assert [day.get_by_role("button", name="Begin Club now").count() for day in page.locator(".day").all()] == [1]
    assert len(page.locator("details.next li").all_text_contents()) == 1
    everywhere.first.click()
    assert f"{planned:%H:%M}" in page.locator("dialog").inner_text()
    page.locator("dialog button[value=no]").click()
    page.wait_for_selector("dialog", state="detached")
    assert page.locator(".progress").count() == 0
    everywhere.first.click()
    page.locator("dialog button[value=yes]").click()
    page.wait_for_selector(".progress strong:text('Club')")
    assert page.locator(".progress .early").inner_text() == f"Begun early; planned for {planned:%H:%M}"
    began = node.json("state")["meeting"]["began_at"]
    time = page.locator(".progress .time").inner_text()
    assert time.startswith(f"{began[11:16]} – {planned + timedelta(minutes=10):%H:%M}"), time
    # Nor does tomorrow's meeting begin instead.
    assert page.locator(".progress details.next li").count() == 1 and everywhere.count() == 0


def test_only_a_group_that_is_the_meeting_tells_its_end(bench, web, browse):
    node = bench.start_node(agenda={"zone": "UTC", "meetings": [
        meeting("Long", group=2, begin="start"), meeting("Short", group=2, attend=False) | {"for": "10m"}]})
    page = open_agenda(browse, web)
    page.wait_for_selector(".progress strong:text('Long')")
    assert node.command("start", "2/1")["status"] == "ok"
    assert node.json("state")["meeting"]["left"] <= 600
    page.wait_for_timeout(500)
    assert page.locator(".progress .expected").count() == 0


def test_a_meeting_that_is_over_goes_although_its_node_is_silent(bench, web, browse):
    begun = datetime.now(timezone.utc) - timedelta(seconds=45)
    passed = datetime.now(timezone.utc) - begun.replace(second=0, microsecond=0)
    both = {"day": f"{begun:%Y-%m-%d}", "at": f"{begun:%H:%M}"}
    node = bench.start_node(agenda={"zone": "UTC", "meetings": [
        both | {"name": "Short", "for": f"{passed.seconds + 30}s"}, both | {"name": "Long", "for": "2h"}]})
    page = open_agenda(browse, web, role=None)
    page.wait_for_selector("#agenda strong:text('Short')")
    node.kill()
    page.wait_for_selector("#status:has-text('Offline')")
    assert page.locator("#agenda strong").all_inner_texts() == ["Short", "Long"]
    page.wait_for_selector("#agenda strong:text('Short')", state="detached", timeout=60_000)
    assert page.locator("#agenda strong").all_inner_texts() == ["Long"]


def test_a_day_and_a_time_are_chosen(node, other, web, browse):
    page = open_agenda(browse, web, size="phone")
    node.command("agenda", berlin() | {"meetings": berlin()["meetings"] + [
        {"name": "Week after", "day": str(tomorrow() + timedelta(days=3)), "at": "19:00", "for": "2h", "location": "Room 3"}]})
    options = page.locator("#jump option")
    expect(options.filter(has_text="Week after")).to_have_count(1)
    # Each day is followed by its times.
    days = page.locator(".day").evaluate_all("days => days.map((day) => ["
        "day.dataset.jump, ...[...day.querySelectorAll('.slot')].map((slot) => slot.dataset.jump)]).flat()")
    assert [option.get_attribute("value") for option in options.all()] == ["", *days]
    last = page.locator(".day", has_text="Week after")
    for value, target in ((last.get_attribute("data-jump"), last),
                          (options.filter(has_text="Conference").get_attribute("value"),
                           page.locator(".slot", has_text="Conference"))):
        page.select_option("#jump", value=value)
        expect(target).to_be_focused()
        expect(target.locator(".meeting").first).to_be_in_viewport()


def test_i_attend_is_a_mark_of_ones_own(node, web, browse):
    page = open_agenda(browse, web, role=None)
    mark = page.get_by_role("button", name="Toastmasters: I attend")
    expect(mark).to_have_attribute("aria-pressed", "false")
    mark.click()
    expect(mark).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(mark).to_have_attribute("aria-pressed", "true")
    # The club's own mark, and other browsers, know nothing of it.
    assert [one["attend"] for one in agenda(node)["meetings"]] == [True, False, True]
    expect(open_agenda(browse, web, role=None).get_by_role("button", name="Toastmasters: I attend")).to_have_attribute(
        "aria-pressed", "false")
    mark.click()
    expect(mark).to_have_attribute("aria-pressed", "false")
