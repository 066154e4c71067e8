"""A display whose server, broker or node goes away and comes back; a run in sequence; a hidden tab."""
import re

import pytest
from playwright.sync_api import expect

from conftest import assert_accessible, assert_fits
from displays import KINDS, SCREENS, assert_readable, open_display, resize, take, wait_for_mode

BACK = 60_000  # ms for what has to connect again


def each_picture(page, name):
    """Takes pictures at all sizes."""
    for size in SCREENS:
        resize(page, size)
        take(page, f"{name}-{size}")
        assert_fits(page)
        assert_readable(page)
    assert_accessible(page)
    resize(page, "projector")


def counts(page):
    """Whether the digits change: two of them, one after the other."""
    first = page.locator("#time").text_content()
    expect(page.locator("#time")).not_to_have_text(first, timeout=5000)


@pytest.fixture
def running(node):
    assert node.command("start")["status"] == "ok"
    return node


def test_connecting(node, web, browse):
    """A stream that does not answer yet."""
    page = browse()
    page.route("**/api/events*", lambda route: None)
    open_display(page, web, node)
    expect(page.locator("#notice-title")).to_have_text("Connecting…")
    expect(page.locator("#notice-title")).to_be_visible()
    expect(page.locator("#time")).to_be_hidden()
    each_picture(page, "connecting")
    page.unroute_all()


def test_never_seen(bench, web, browse):
    page = browse()
    open_display(page, web, "nobody")
    expect(page.locator("#notice-title")).to_contain_text("“nobody” has not been seen")
    expect(page.locator("#notice-hint")).to_contain_text(f"127.0.0.1:{bench.broker.port}")
    expect(page.locator("#notice-hint")).to_be_visible()
    each_picture(page, "never-seen")
    node = bench.start_node("nobody")
    expect(page.locator("#time")).to_have_text("20:00")
    expect(page.locator("#notice")).to_be_hidden()
    node.stop()


@pytest.mark.parametrize("kind", KINDS)
def test_node_offline(bench, web, browse, running, kind):
    """A lost node: the countdown continues as an estimate, and the lamps change as they would."""
    page = browse()
    open_display(page, web, running, display=kind)
    wait_for_mode(page, "Running")
    assert running.command("set", "5:05")["status"] == "ok"
    running.kill()
    expect(page.locator("#connection")).to_have_text("Node offline · ≈ estimate", timeout=BACK)
    counts(page)
    wait_for_mode(page, "Warning")
    expect(page.locator("#stage")).to_have_attribute("data-lit", "yellow")
    each_picture(page, f"offline-{kind}")
    running.start()
    expect(page.locator("#connection")).to_be_hidden(timeout=BACK)


def test_stopped_node_offline_is_no_estimate(node, web, browse):
    page = browse()
    open_display(page, web, node)
    wait_for_mode(page, "Stopped")
    node.stop()
    expect(page.locator("#connection")).to_have_text("Node offline", timeout=BACK)


def test_broker_away(bench, web, browse, running):
    page = browse()
    open_display(page, web, running, display="numerical")
    wait_for_mode(page, "Running")
    bench.broker.stop()
    expect(page.locator("#connection")).to_have_text("Broker away · ≈ estimate", timeout=BACK)
    counts(page)
    each_picture(page, "broker-away")
    bench.broker.start()
    expect(page.locator("#connection")).to_be_hidden(timeout=BACK)
    counts(page)


def test_server_killed_and_back(web, browse, running):
    page = browse()
    open_display(page, web, running, display="circular")
    wait_for_mode(page, "Running")
    web.kill()
    expect(page.locator("#connection")).to_have_text("Reconnecting… · ≈ estimate", timeout=10_000)
    counts(page)
    each_picture(page, "reconnecting")
    assert running.command("pause")["status"] == "ok"
    web.start()
    wait_for_mode(page, "Paused")
    expect(page.locator("#connection")).to_be_hidden(timeout=BACK)
    # The browser's own messages about a server that is away.
    page.errors[:] = [error for error in page.errors if "net::ERR" not in error and "Failed to load" not in error]


def test_a_zone_that_the_browser_does_not_know(bench, web, browse):
    """The node takes the zone from its system; the browser shows the times of its own zone instead."""
    node = bench.start_node(agenda={"zone": "posix/Europe/Berlin", "meetings": []})
    page = browse()
    open_display(page, web, node, display="backstage")
    wait_for_mode(page, "Stopped")
    expect(page.locator("#clock")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    assert node.command("start")["status"] == "ok"
    wait_for_mode(page, "Running")
    counts(page)
    expect(page.locator("#end")).to_have_text(re.compile(r"^Ends at \d\d:\d\d$"))


def test_times_of_day_are_written_by_the_same_formats(web, browse, running):
    """Creating one takes longer than everything else that a display does in a second."""
    page = browse()
    page.add_init_script("""(() => {
        const Real = Intl.DateTimeFormat;
        window.formats = 0;
        Intl.DateTimeFormat = function (...values) { window.formats += 1; return new Real(...values); };
    })()""")
    open_display(page, web, running, display="backstage")
    wait_for_mode(page, "Running")
    expect(page.locator("#end")).to_contain_text("Ends at")
    counts(page)
    made = page.evaluate("window.formats")
    assert made > 0
    counts(page)
    assert page.evaluate("window.formats") == made


def test_a_sequence_never_flashes_the_alarm(bench, web, browse):
    node = bench.start_node(timers={"groups": [{"name": "Short", "display": "numerical", "timers": [
        {"name": name, "start": 3, "warning": 2, "final": 1} for name in ("One", "Two", "Three")]}]})
    page = browse()
    open_display(page, web, node)
    wait_for_mode(page, "Stopped")
    page.evaluate("""() => {
        window.seen = [];
        const look = () => window.seen.push(`${document.getElementById('name').textContent} ${stage.dataset.mode}`);
        const stage = document.getElementById('stage');
        new MutationObserver(look).observe(stage, { attributes: true, subtree: true, childList: true });
    }""")
    assert node.command("start")["status"] == "ok"
    wait_for_mode(page, "Overtime")
    seen = page.evaluate("window.seen")
    steps = [step for step, before in zip(seen, [None, *seen]) if step != before]
    names = [step for step in steps if step.endswith("alarm")]
    assert names == ["Three alarm"]
    assert [step.split()[0] for step in steps if step.endswith("warning")] == ["One", "Two", "Three"]


def test_a_hidden_tab_closes_its_stream(web, browse, running):
    """A browser has six connections to each host; a tab whose sound is on keeps its own."""
    page = browse()
    page.add_init_script("""(() => {
        let hidden = false;
        Object.defineProperty(document, 'hidden', { get: () => hidden });
        window.hide = (value) => { hidden = value; document.dispatchEvent(new Event('visibilitychange')); };
        window.open_ = 0;
        window.EventSource = class extends window.EventSource {
            constructor(...values) { super(...values); window.open_ += 1; }
            close() { if (this.readyState !== 2) window.open_ -= 1; super.close(); }
        };
    })()""")
    open_display(page, web, running, display="numerical")
    wait_for_mode(page, "Running")
    assert page.evaluate("window.open_") == 1
    page.evaluate("window.hide(true)")
    assert page.evaluate("window.open_") == 0
    assert running.command("pause")["status"] == "ok"
    page.evaluate("window.hide(false)")
    wait_for_mode(page, "Paused")
    expect(page.locator("#connection")).to_be_hidden()
    page.evaluate("localStorage.setItem('timer-web', JSON.stringify({ sound: true }))")
    page.reload()
    wait_for_mode(page, "Paused")
    page.evaluate("window.hide(true)")
    assert page.evaluate("window.open_") == 1
