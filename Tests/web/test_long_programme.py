"""A running order of 200 entries: a change reaches a page quickly, and the node answers commands as fast as without."""
import os
import time

import pytest
from playwright.sync_api import expect

from test_many_viewers import percentile, response_times

pytestmark = pytest.mark.alone

COUNT = 200
# Some have a note and times of their own; together they stay below the limit of 64 KiB.
ENTRIES = [{"id": f"e{number}", "title": f"Motion {number}: the long title of a motion", "speaker": f"Speaker {number}",
            "note": "x" * 60} | ({"start": "3:00", "warning": "1:00"} if number % 2 else {"timer": "1/1"})
           for number in range(1, COUNT + 1)]
# Notes when the first change was on the screen, on the clock that Python's time.time() shows too: what a frame's
# callback starts runs when the frame has been drawn.
WATCH = """() => new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
    window.changedAt ??= Date.now();
}))).observe(document.getElementById('entries'), { childList: true, subtree: true, attributes: true })"""


def ways(node, page, change, count=20):
    """How long each change takes until the page shows it, in ms."""
    times = []
    for number in range(1, count + 1):
        page.evaluate("() => { window.changedAt = undefined; }")
        begin = time.time()
        change(number)
        page.wait_for_function("() => window.changedAt !== undefined")
        times.append(page.evaluate("() => window.changedAt") - begin * 1000)
        # The drawing and all messages of this change are through.
        page.wait_for_timeout(300)
    return times


def test_200_entries(bench, web, browse):
    node = bench.start_node(mqtt={"command_rate": 0})
    node.command("start")
    without = response_times(node, bench)
    assert node.command("programme", {"entries": ENTRIES})["status"] == "ok"
    full = response_times(node, bench)
    node.command("stop")
    page = browse(role="operator", size="laptop")
    page.goto(web.url + f"n/{node.id}/programme")
    expect(page.locator(".entry")).to_have_count(COUNT)
    page.evaluate(WATCH)
    publish = lambda verb, payload: bench.mqtt.publish(node.topic(f"command/{verb}"), payload)
    steps = ways(node, page, lambda number: publish("entry", f"e{number}"))
    skips = ways(node, page, lambda number: publish("entry", f'{{"skip":"e{COUNT - number}"}}'))
    expect(page.locator("[aria-current] .title")).to_contain_text("20. Motion 20")
    print(f"\na change of {COUNT} entries on the page: next p50 {percentile(steps, .5):.0f} p99 {percentile(steps, .99):.0f}"
          f" ms, skip p50 {percentile(skips, .5):.0f} p99 {percentile(skips, .99):.0f} ms; command to mode: without p50 "
          f"{percentile(without, .5):.2f} p99 {percentile(without, .99):.2f} ms, with p50 {percentile(full, .5):.2f} p99 "
          f"{percentile(full, .99):.2f} ms")
    # The target is 150 ms; a debug build and a busy machine take longer, and so does the first drawing.
    limit = 150 if os.environ.get("TIMING") == "strict" else 2_000
    assert percentile(steps, .9) < limit and percentile(skips, .9) < limit
