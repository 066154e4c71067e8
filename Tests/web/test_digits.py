"""Whether the digits of a page change on the node's second.

The page's `performance.now` and the server's clock are compared through this process, not by the page itself.
"""
import email.utils
import json
import os
import pathlib
import subprocess
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from processes import wait_until

pytestmark = pytest.mark.alone

WATCH = """() => {
    window.changes = [];
    const note = () => window.changes.push([performance.now(), document.getElementById('time').textContent]);
    new MutationObserver(note).observe(document.getElementById('time'),
        { childList: true, characterData: true, subtree: true });
}"""
SHIFT = """(() => {
    const day = 86_400_000, Real = Date;
    window.Date = class extends Real {
        constructor(...values) { super(...(values.length ? values : [Real.now() + day])); }
        static now() { return Real.now() + day; }
    };
})()"""


def offset_of(ask):
    """A clock's offset from this process's, in ms, by the shortest of several round trips; and the possible error."""
    ways = []
    for _ in range(20):
        asked = time.monotonic()
        told = ask()
        answered = time.monotonic()
        ways.append(((answered - asked) * 500, told - (asked + answered) * 500))
    half, offset = min(ways)
    return offset, half


class Watch:
    """The changes of the digits of a page, starting with the first second of a run."""

    def __init__(self, page, web, node):
        self._page, self._web, self._node = page, web, node
        page.goto(web.url + f"n/{node.id}?display=numerical")
        assert node.command("start")["status"] == "ok"
        state = node.json("state")
        expect(page.locator("#time")).to_have_text(clock_text(state["start"] - 2))
        page.evaluate(WATCH)

    def wait_for(self, count):
        wait_until(lambda: self._page.evaluate("window.changes.length") >= count, f"the digits change {count} times",
                   patience=count + 60)

    def lateness(self):
        """How late each change was, in ms, the earliest first; and the possible error."""
        changes = self._page.evaluate("window.changes")
        page_offset, page_error = offset_of(lambda: self._page.evaluate("performance.now()"))
        server_offset, server_error = offset_of(lambda: json.loads(self._web.get("api/time"))["now"])
        zero = json.loads(self._web.get("api/nodes"))["nodes"][self._node.id]["counting"]["zero"]
        late = []
        for at, text in changes:
            minutes, seconds = text.split(":")
            due = zero - (int(minutes) * 60 + int(seconds)) * 1000
            late.append(at - page_offset + server_offset - due)
        return sorted(late), page_error + server_error


def clock_text(seconds):
    return f"{seconds // 60}:{seconds % 60:02}"


def check(late, error):
    """Nothing may come early. A busy machine may draw a change late; that must not delay the next one.

    The target, 50 ms for 99 of 100, holds on an idle machine; TIMING=strict in the environment enforces it.
    """
    part = [late[round(share * (len(late) - 1))] for share in (0.5, 0.9, 0.99)]
    print(f"\n{len(late)} changes, late by {late[0]:.1f} to {late[-1]:.1f} ms (± {error:.1f}): in the middle "
          f"{part[0]:.1f} ms, p99 {part[2]:.1f} ms")
    assert late[0] > -5 - error
    assert part[0] < 20 + error
    if os.environ.get("TIMING") == "strict":
        assert part[2] < 50 + error
    else:
        assert part[1] < 200 + error


@pytest.mark.parametrize("shift", [False, True], ids=["", "date-shifted-by-a-day"])
def test_digits_change_on_the_second(node, web, browse, shift):
    page = browse()
    if shift:
        page.add_init_script(SHIFT)
    watch = Watch(page, web, node)
    watch.wait_for(20)
    check(*watch.lateness())


def an_hour_ahead(folder):
    """The command that starts a program whose date is an hour ahead; timers and monotonic clocks are unchanged."""
    library, source = folder / "wall-clock.so", pathlib.Path(__file__).parents[1] / "guest/wall-clock.c"
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, source], check=True)
    return "env", f"LD_PRELOAD={library}", "WALL_CLOCK_AHEAD=3600"


def test_three_talks_with_all_clocks_wrong(bench, browse):
    """Three talks of two minutes at once; the server's clock is off by an hour, and the page's date by a day."""
    web = bench.start_web(prefix=an_hour_ahead(bench.folder))
    with urllib.request.urlopen(web.url) as answer:
        date = email.utils.parsedate_to_datetime(answer.headers["Date"]).timestamp()
    assert abs(date - time.time() - 3600) < 60
    talk = {"groups": [{"timers": [{"name": "Talk", "start": 120, "warning": 60, "final": 20}]}]}
    watches = []
    for identifier in ("hall-a", "hall-b", "hall-c"):
        page = browse(server=web)
        page.add_init_script(SHIFT)
        watches.append(Watch(page, web, bench.start_node(identifier, timers=talk)))
    late, error = [], 0
    for watch in watches:
        watch.wait_for(115)
        found, uncertainty = watch.lateness()
        late += found
        error = max(error, uncertainty)
    check(sorted(late), error)
