"""What a page computes."""
import pytest
from playwright.sync_api import expect

from test_digits import WATCH

START = 1_000_000  # ms on the server's clock: when the runs of the tables below begin
TALK = {"start": 10, "warning": 6, "final": 3}


def running(mode="countdown", start=TALK, outputs=None, zero=None, **state):
    """A node whose timer began at START."""
    zero = START + start["start"] * 1000 if zero is None else zero
    return {
        "id": "lectern", "availability": "online",
        "state": {"mode": mode, "paused_mode": None, "precise_remaining": start["start"], "remaining": start["start"],
                  "overtime": None, **start, "next": None, "timer": {"path": "1/1", "name": "Talk"},
                  "group": {"index": 1, "name": "Talk 1"}, "outputs": outputs or {"green": "on", "red": "off"}} | state,
        "counting": {"zero": zero, "since": START, "made": START, "estimate": False}, "patterns": {},
        "timers": {"groups": [{"at_zero": "next", "timers": [
            {"name": "Talk", **TALK}, {"name": "Skipped", "start": 0, "warning": 0, "final": 0},
            {"name": "Questions", "start": 5, "warning": 2, "final": 1}]}]},
    }


@pytest.fixture
def counted(web, browse):
    """What counting.js says of a node at an instant, in ms since START."""
    page = browse()
    page.goto(web.url)

    def count(node, at, **options):
        return page.evaluate("""async ([node, now, options]) => {
            const { count } = await import(new URL('assets/counting.js', document.baseURI));
            const found = count(node, now, options);
            return { ...found, nextChange: found.nextChange === Infinity ? null : found.nextChange };
        }""", [node, START + at, options])

    count.page = page
    return count


def test_seconds_and_modes(counted):
    """An exact second belongs to the new number; 0 is held for 300 ms before the alarm."""
    table = [
        (0, "0:10", "countdown", 1000), (1, "0:10", "countdown", 1000), (999.9, "0:10", "countdown", 1000),
        (1000, "0:09", "countdown", 2000), (3999, "0:07", "countdown", 4000), (4000, "0:06", "warning", 4300),
        (4300, "0:06", "warning", 5000), (6999, "0:04", "warning", 7000), (7000, "0:03", "final", 7300),
        (9999, "0:01", "final", 10_000), (10_000, "0:00", "final", 10_300), (10_299, "0:00", "final", 10_300)]
    for at, text, mode, change in table:
        found = counted(running(), at)
        assert (found["text"], found["mode"], found["overtime"]) == (text, mode, None), at
        assert found["nextChange"] == START + change, at
    late = counted(running(), 10_300, isSteady=True)
    assert (late["mode"], late["overtimeText"], late["nextChange"]) == ("alarm", "+0:00", START + 11_000)
    assert counted(running(), 70_999)["overtimeText"] == "+1:00"
    assert counted(running(), 71_000)["overtimeText"] == "+1:01"


def test_a_timer_without_parts_shows_none_at_zero(counted):
    plain = {"start": 10, "warning": 0, "final": 0}
    assert counted(running(start=plain), 9_999)["mode"] == "countdown"
    assert counted(running(start=plain), 10_100)["mode"] == "countdown"
    assert counted(running(start=plain), 10_300)["mode"] == "alarm"


def test_texts(counted):
    texts = counted.page.evaluate("""async () => {
        const { clockText, shownSeconds } = await import(new URL('assets/counting.js', document.baseURI));
        return [[0, 9.9, 60, 599, 3599, 3600, 86399].map(clockText),
            [0, -3, 0.001, 1, 1.001, 59.9999].map(shownSeconds)];
    }""")
    assert texts == [["0:00", "0:09", "1:00", "9:59", "59:59", "1:00:00", "23:59:59"], [0, 0, 1, 1, 2, 60]]


def test_passed_time(counted):
    table = [(0, "0:00"), (999, "0:00"), (1000, "0:01"), (9_999, "0:09"), (12_500, "0:12")]
    assert [counted(running(), at)["elapsedText"] for at, _ in table] == [text for _, text in table]
    assert [counted(running(), at)["progress"] for at in (0, 5000, 10_400)] == [0, 0.5, 1]
    # Somebody has given a minute: more is left than the start.
    more = counted(running(zero=START + 70_000), 0)
    assert (more["text"], more["elapsedText"], more["progress"]) == ("1:10", "0:00", 0)


def test_passed_time_with_time_that_was_given(counted):
    """The digits then change at instants of their own."""
    more = running(zero=START + 70_400)
    table = [(0, "0:00", 400), (399, "0:00", 400), (400, "0:00", 1000), (1000, "0:01", 1400), (1400, "0:01", 2000)]
    for at, text, change in table:
        found = counted(more, at, given=60.4)
        assert (found["elapsedText"], found["nextChange"]) == (text, START + change), at
    assert counted(more, 75_400, given=60.4)["elapsedText"] == "1:15"
    # What was given to one run is not for the next one of its sequence.
    assert counted(running(next="1/3"), 11_000, given=60)["elapsedText"] == "0:01"


def test_standing_timers(counted):
    stopped = counted(running("stopped", zero=None) | {"counting": {"zero": None, "since": None, "made": START}}, 5000)
    assert (stopped["text"], stopped["mode"], stopped["nextChange"]) == ("0:10", "stopped", None)
    paused = running("paused", paused_mode="warning", precise_remaining=4.2) | {"counting": {"zero": None}}
    found = counted(paused, 60_000)
    assert (found["text"], found["paused"], found["shownMode"], found["nextChange"]) == ("0:05", True, "warning", None)
    over = running("paused", paused_mode="alarm", precise_remaining=0, overtime=7.9) | {"counting": {"zero": None}}
    assert counted(over, 0)["overtimeText"] == "+0:07"


def test_sequence_that_the_node_did_not_tell(counted):
    """The timer that follows runs on from the instant at which the one before was due; timers of 0 are skipped."""
    node = running(next="1/3")
    assert (counted(node, 10_299)["text"], counted(node, 10_299)["timer"]["name"]) == ("0:00", "Talk")
    later = counted(node, 10_300)
    assert (later["text"], later["timer"]["name"], later["estimate"]) == ("0:05", "Questions", True)
    assert counted(node, 13_500)["mode"] == "warning"
    assert counted(node, 15_299)["mode"] == "final"
    assert (counted(node, 15_300)["mode"], counted(node, 17_000)["overtimeText"]) == ("alarm", "+0:02")


def lit(found):
    return [name for name in ("red", "yellow", "green") if found["lamps"][name]["lit"]]


PODIUM = {"green": "on", "yellow": "off", "red": "off", "buzzer": "off"}
DARK = {"green": "off", "yellow": "off", "red": "off"}


def test_lamps_that_the_node_does_not_tell(counted):
    """The node's word counts for 300 ms beyond the change; then what its profile shows, or what it showed before."""
    podium = running(outputs=PODIUM)
    assert [lit(counted(podium, at)) for at in (3999, 4000, 4299, 4300, 7300, 10_300)] == [
        ["green"], ["green"], ["green"], ["yellow"], ["red"], ["red"]]
    toastmasters = running(outputs=DARK)
    assert [lit(counted(toastmasters, at)) for at in (3999, 4300, 7300, 10_300)] == [[], ["green"], ["yellow"], ["red"]]
    seen = running(outputs=PODIUM) | {"seen": {"warning": DARK | {"red": "on"}}}
    assert lit(counted(seen, 4300)) == ["red"]
    assert counted(podium, 0)["lamps"].keys() == {"green", "yellow", "red"}  # a buzzer is no lamp


def test_patterns(counted):
    alarm = running("alarm", outputs=DARK | {"red": "blink"}, zero=START) | {
        "patterns": {"red": {"steps_ms": [425, 425], "repeat": True, "began": START}}}
    table = [(0, ["red"], 425), (424, ["red"], 425), (425, [], 850), (849, [], 850), (850, ["red"], 1000)]
    for at, lamps, change in table:
        found = counted(alarm, at)
        assert (lit(found), found["nextChange"]) == (lamps, START + change), at
    assert [lit(counted(alarm, at, isSteady=True)) for at in (0, 500)] == [["red"], ["red"]]
    assert counted(alarm, 500, isSteady=True)["nextChange"] == START + 1000


@pytest.mark.parametrize("steps, repeat, flashes", [
    ([425, 425], True, True), ([167, 167], True, True), ([166, 167], True, False), ([50, 50], True, False),
    ([500, 100, 100, 100], True, False), ([150, 150, 150, 150, 150], False, False), ([1000], False, True)])
def test_nothing_flashes_three_times_a_second(counted, steps, repeat, flashes):
    changes = counted.page.evaluate("""async pattern => {
        const { patternAt } = await import(new URL('assets/counting.js', document.baseURI));
        const found = [];
        for (let now = 0; now < 2000; now += 1) {
            const { lit, until } = patternAt(pattern, now);
            if (until <= now) throw new Error(`at ${now} the next change is at ${until}`);
            if (lit !== found.at(-1)?.lit) found.push({ lit, now });
        }
        return found.map(({ now }) => now);
    }""", {"steps_ms": steps, "repeat": repeat, "began": 0})
    rises = changes[::2]
    assert all(later - earlier >= 1000 / 3 for earlier, later in zip(rises, rises[1:]))
    assert (len(changes) > 1) == (flashes or not repeat)


def test_the_clock_is_measured_again_after_a_request_that_nobody_answered(node, web, browse):
    page = browse()
    page.add_init_script("const { timeout } = AbortSignal;"
                         "AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 20);")
    page.route("**/api/time", lambda route: None, times=1)
    with page.expect_event("requestfailed"):
        page.goto(web.url + f"n/{node.id}")
    expect(page.locator("#time")).to_have_text("20:00")
    with page.expect_response("**/api/time"):
        page.evaluate("window.dispatchEvent(new Event('online'))")
    page.errors.clear()


def test_a_page_with_nothing_to_change_does_nothing(node, web, browse):
    page = browse()
    page.add_init_script("""(() => {
        const real = window.setTimeout;
        window.timers = [];
        window.setTimeout = (action, wait, ...rest) => {
            window.timers.push(wait);
            return real(action, wait, ...rest);
        };
        window.frames_ = 0;
        const frame = window.requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (action) => { window.frames_ += 1; return frame(action); };
    })()""")
    page.goto(web.url + f"n/{node.id}?display=numerical&elements=digits")
    expect(page.locator("#time")).to_have_text("20:00")
    page.wait_for_timeout(3000)  # The clock is measured.
    page.evaluate(WATCH)
    page.evaluate("window.timers.length = 0")
    page.wait_for_timeout(6000)
    # The watch over the pings of the stream is all there is.
    assert set(page.evaluate("window.timers")) <= {4000}
    assert page.evaluate("[window.frames_, window.changes.length]") == [0, 0]
