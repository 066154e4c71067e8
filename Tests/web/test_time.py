"""What a page computes."""
import pytest
from playwright.sync_api import expect

from test_digits import WATCH

START = 1_000_000  # ms on the server's clock: when the runs of the tables below begin
TALK = {"start": 10, "warning": 6, "final": 3}
RUN = {"used": 0, "paused": 0, "minimum": None, "maximum": None}


def signals(**modes):
    """A node's signals: the word and the lamps of each mode."""
    return {mode: {"word": word, "lamps": lamps} for mode, (word, lamps) in modes.items()}


PODIUM = signals(
    stopped=("Stopped", {}), countdown=("Running", {"green": "on"}), warning=("Warning", {"yellow": "on"}),
    final=("Final", {"red": "on"}), alarm=("Overtime", {"red": "blink"}), paused=("Paused", None))
TOASTMASTERS = PODIUM | signals(
    countdown=("Running", {}), warning=("Qualified", {"green": "on"}), final=("Wrap up", {"yellow": "on"}),
    alarm=("Time", {"red": "on"}))


def running(mode="countdown", start=TALK, outputs=None, zero=None, signals=PODIUM, **state):
    """A node whose timer began at START."""
    zero = START + start["start"] * 1000 if zero is None else zero
    return {
        "id": "lectern", "availability": "online",
        "state": {"mode": mode, "paused_mode": None, "precise_remaining": start["start"], "remaining": start["start"],
                  "overtime": None, **start, "next": None, "timer": {"path": "1/1", "name": "Talk"},
                  "group": {"index": 1, "name": "Talk 1"}, "outputs": outputs or {"green": "on", "red": "off"},
                  "run": RUN if mode != "stopped" else None} | state,
        "signals": signals,
        "counting": {"zero": zero, "since": START, "made": START, "estimate": False}, "patterns": {},
        "timers": {"groups": [{"at_zero": "next", "timers": [
            {"name": "Talk", **TALK}, {"name": "Skipped", "start": 0, "warning": 0, "final": 0},
            {"name": "Questions", "start": 5, "warning": 2, "final": 1}]}]},
    }


@pytest.fixture
def counted(web, browse):
    """The result of counting.js for a node at an instant, in ms since START."""
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


def test_lamps_change_on_the_second_where_the_node_cannot_be_heard(counted):
    """With a connection, the page waits 300 ms for the node's message about its lamps."""
    def lit(node, at, **options):
        return [name for name, lamp in counted(node, at, **options)["lamps"].items() if lamp["lit"]]

    for signals, warning in ((PODIUM, "yellow"), (TOASTMASTERS, "green")):
        outputs = {"red": "off", "yellow": "off", "green": "on" if signals is PODIUM else "off"}
        node = running(outputs=outputs, signals=signals)
        first = [name for name, state in outputs.items() if state == "on"]
        for at in (4_000, 4_299):
            assert lit(node, at) == first, "the page waits for it"
            assert lit(node, at, isReached=False) == [warning]
        assert lit(node, 4_301) == [warning]


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
    # A minute has been added, so more is left than the starting time.
    more = counted(running(zero=START + 70_000), 5000)
    assert (more["text"], more["elapsedText"], more["progress"]) == ("1:05", "0:05", 0)


def test_time_that_was_used_is_the_nodes_word(counted):
    """If time was added or removed, the digits of the time used change at different instants."""
    node = running(zero=START + 70_400, run=RUN | {"used": 12.4, "minimum": 5, "maximum": 90})
    table = [(0, "0:12", 400), (399, "0:12", 400), (400, "0:12", 600), (600, "0:13", 1400), (1400, "0:13", 1600)]
    for at, text, change in table:
        found = counted(node, at, countsUp=True)
        assert (found["elapsedText"], found["nextChange"]) == (text, START + change), at
    assert counted(node, 600)["nextChange"] == START + 1400, "a page that does not show it does not wake up for it"
    over = counted(node, 75_400)
    assert (over["mode"], over["elapsedText"], over["overtimeText"]) == ("alarm", "1:27", "+0:05")
    assert over["bounds"] == {"minimum": 5, "maximum": 90, "grace": 0}
    paused = running("paused", paused_mode="warning", precise_remaining=4.2, run=RUN | {"used": 7.5}) | {
        "counting": {"zero": None, "made": START}}
    assert counted(paused, 60_000, countsUp=True)["used"] == 7.5
    # The next run of the sequence starts with no time used, and has its own bounds.
    moved = running(next="1/3", run=RUN | {"used": 40})
    moved["timers"]["groups"][0]["timers"][2]["maximum"] = 4
    found = counted(moved, 11_000)
    assert (found["elapsedText"], found["bounds"]) == ("0:01", {"minimum": None, "maximum": 4, "grace": 0})


def test_a_node_that_tells_of_no_run(counted):
    old = running()
    del old["state"]["run"]
    found = counted(old, 4000)
    assert (found["used"], found["bounds"], found["elapsedText"]) == (None, None, "0:04")


def test_words_and_colours_are_the_nodes(counted):
    instants = (0, 4000, 7000, 10_300)
    for name, expected in (("podium", [("Running", "green"), ("Warning", "yellow"), ("Final", "red"),
                                       ("Overtime", "red")]),
                           ("toastmasters", [("Running", None), ("Qualified", "green"), ("Wrap up", "yellow"),
                                             ("Time", "red")])):
        node = running(signals={"podium": PODIUM, "toastmasters": TOASTMASTERS}[name])
        assert [(found["word"], found["tone"]) for found in (counted(node, at) for at in instants)] == expected
        parts = counted(node, 0)["parts"]
        assert [parts[part]["tone"] for part in ("warning", "final")] == [expected[1][1], expected[2][1]]
    paused = running("paused", paused_mode="final", signals=TOASTMASTERS) | {"counting": {"zero": None, "made": START}}
    assert [counted(paused, 0)[key] for key in ("word", "tone")] == ["Paused", "yellow"]


def test_standing_timers(counted):
    stopped = counted(running("stopped", zero=None) | {"counting": {"zero": None, "since": None, "made": START}}, 5000)
    assert (stopped["text"], stopped["mode"], stopped["nextChange"]) == ("0:10", "stopped", None)
    paused = running("paused", paused_mode="warning", precise_remaining=4.2) | {"counting": {"zero": None}}
    found = counted(paused, 60_000)
    assert (found["text"], found["paused"], found["shownMode"], found["nextChange"]) == ("0:05", True, "warning", None)
    over = running("paused", paused_mode="alarm", precise_remaining=0, overtime=7.9) | {"counting": {"zero": None}}
    assert counted(over, 0)["overtimeText"] == "+0:07"


def test_sequence_that_the_node_did_not_tell(counted):
    """The next timer runs on from the instant at which the previous one was due; timers of 0 are skipped."""
    node = running(next="1/3")
    assert (counted(node, 10_299)["text"], counted(node, 10_299)["timer"]["name"]) == ("0:00", "Talk")
    later = counted(node, 10_300)
    assert (later["text"], later["timer"]["name"], later["estimate"]) == ("0:05", "Questions", True)
    assert counted(node, 13_500)["mode"] == "warning"
    assert counted(node, 15_299)["mode"] == "warning"
    assert (counted(node, 15_300)["mode"], counted(node, 17_000)["overtimeText"]) == ("alarm", "+0:02")


def lit(found):
    return [name for name in ("red", "yellow", "green") if found["lamps"][name]["lit"]]


GREEN = {"green": "on", "yellow": "off", "red": "off", "buzzer": "off"}
DARK = {"green": "off", "yellow": "off", "red": "off"}


def test_lamps_that_the_node_does_not_tell(counted):
    """The node's outputs count for 300 ms after the change; then its signals for the mode do."""
    podium = running(outputs=GREEN)
    assert [lit(counted(podium, at)) for at in (3999, 4000, 4299, 4300, 7300, 10_300)] == [
        ["green"], ["green"], ["green"], ["yellow"], ["red"], ["red"]]
    toastmasters = running(outputs=DARK, signals=TOASTMASTERS)
    assert [lit(counted(toastmasters, at)) for at in (3999, 4300, 7300, 10_300)] == [[], ["green"], ["yellow"], ["red"]]
    own = running(outputs=GREEN, signals=PODIUM | signals(warning=("Hurry", {"red": "on", "strip": "on"})))
    assert lit(counted(own, 4300)) == ["red"]
    bare = running("paused", paused_mode="final", outputs={"horn": "off"}) | {"counting": {"zero": None, "made": START}}
    assert counted(bare, 0)["lamps"]["red"]["state"] == "blink", "a node without lamps is still drawn with lamps"
    assert counted(podium, 0)["lamps"].keys() == {"green", "yellow", "red"}  # A buzzer is not a lamp.


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
    page.wait_for_timeout(3000)  # Until the clock has been measured.
    page.evaluate(WATCH)
    page.evaluate("window.timers.length = 0")
    page.wait_for_timeout(6000)
    # Only the timeout for the pings of the stream is left.
    assert set(page.evaluate("window.timers")) <= {4000}
    assert page.evaluate("[window.frames_, window.changes.length]") == [0, 0]
