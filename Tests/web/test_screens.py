"""Each page on each screen, light and dark, in each language: nothing is cut off, all can be read and reached."""
import re
import shutil
import tempfile
import time
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from conftest import THEMES, Bench, assert_accessible, assert_fits
from displays import SCREENS
from editor import FOUR
from node import agenda, meeting

# Controls that cannot be pressed or filled in, because they are off the screen or something covers them.
LOST = """() => {
    const lost = [];
    const place = document.querySelector('dialog[open]') ?? document.body;
    for (const element of place.querySelectorAll('a[href], button, input, select, textarea')) {
        if (!element.checkVisibility()) continue;
        element.scrollIntoView({ block: 'center', inline: 'center' });
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const isHigher = bottom - top > innerHeight;
        const isOnScreen = left >= -1 && right <= innerWidth + 1
            && (isHigher || (top >= -1 && bottom <= innerHeight + 1));
        if (!isOnScreen || !element.contains(there)) lost.push(element.outerHTML.slice(0, 120));
    }
    scrollTo(0, 0);
    return lost;
}"""
# Text that is partly hidden. User-provided text may end in an ellipsis, but page strings must not.
CUT = """() => {
    const cut = [];
    for (const element of document.body.querySelectorAll('*')) {
        if (!(element instanceof HTMLElement) || element.closest('select, .visually-hidden')) continue;
        if (!element.checkVisibility() || !element.innerText?.trim()) continue;
        const { display, overflowX, overflowY, textOverflow } = getComputedStyle(element);
        if (display === 'inline') continue;
        const isOwn = element.matches('[data-text], #lock-text, #play-text');
        const isHidden = (name) => ['hidden', 'clip'].includes(name);
        const isWide = element.scrollWidth > element.clientWidth + 1;
        const isHigh = element.scrollHeight > element.clientHeight + 1;
        if (isHidden(overflowX) && isWide && (isOwn || textOverflow !== 'ellipsis')) cut.push(element.outerHTML);
        if (isHidden(overflowY) && isHigh) cut.push(element.outerHTML);
    }
    return cut.map((text) => text.slice(0, 120));
}"""
LONG = "Ada Augusta Byron King, Countess of Lovelace, the first programmer"
# Each page: its address, the role that sees it like this, what is there when it is complete, and what opens or changes
# on it.
PAGES = {
    "rooms": ("", None, ".room", []),
    "rooms of a remote": ("", "remote", ".room button", []),
    "rooms of an operator": ("", "operator", ".room .links a", []),
    "remote": ("n/lectern/remote", "operator", "#play", ["#speaker", "#message"]),
    "remote of a remote": ("n/stage/remote", "remote", "#play", []),
    "editor": ("n/lectern/edit", "operator", ".cell", [".cell .timer", ".cell .plus", ".group-settings"]),
    "editor of cards": ("n/club/edit", "operator", ".cell", [".cell .timer", ".cell:nth-child(2) .timer"]),
    "agenda": ("agenda", "operator", ".meeting", [".meeting .edit"]),
    "running order": ("n/lectern/programme", "operator", ".entry",
                      [".entry [data-action=change]", ".entry [data-action=edit]"]),
    "report": ("n/lectern/report", "operator", "tbody tr", []),
    "displays": ("displays", "operator", "#displays li", [".blackout"]),
    "settings": ("settings", None, "#session:not(:empty)", []),
    "settings of an operator": ("settings", "operator", "#timers input", []),
    "about": ("about", None, "#addresses dd >> nth=2", []),
    "style guide": ("styleguide", None, "nav.site a", ["#open-dialog"]),
    "login": ("login?next=settings&role=remote", None, "#reveal:not(:empty)", ["#submit"]),
}


@pytest.fixture(scope="module")
def evening():
    """A timer-web with three nodes that have everything that pages show; no test here changes anything."""
    bench = Bench(tempfile.mkdtemp(prefix="bench-"))
    node = bench.start_node(timers=FOUR, agenda=agenda(
        meeting("Toastmasters", group=1, begin="select", location="Room 2", note="Bring cards"),
        meeting("Later", timedelta(hours=2))))
    stage = bench.start_node("stage", "Stage", timers={"groups": [{"name": "Long", "timers": [
        {"name": LONG, "event": LONG, "location": LONG, "start": 86_399, "minimum": 60, "maximum": 80_000}]}]})
    assert node.command("start", {"speaker": "Ada Lovelace"})["status"] == "ok"
    time.sleep(2.2)  # The run must really last that long.
    assert node.command("stop")["status"] == "ok"
    assert node.command("programme", {"entries": [
        {"title": LONG, "speaker": LONG, "timer": "1/1", "at": "19:05", "note": LONG * 7},
        {"title": "Motion 4", "start": 180}, {"title": "Break"}]})["status"] == "ok"
    assert node.command("entry", "next")["status"] == "ok"
    bench.start_node("club", "Club", signals={"profile": "toastmasters"}, timers={"groups": [
        {"name": "Speeches", "budget": "2h", "timers": [
            {"name": "Speech", "min": "5:00", "mid": "6:00", "max": "7:00", "event": LONG, "location": LONG},
            {"name": LONG, "start": 600, "minimum": 60, "carry": True}, {"name": "Table Topic", "start": 120}]}]})
    for one in (node, stage):
        assert one.command("start", {"speaker": LONG})["status"] == "ok"
        assert one.command("message", "Please wrap up")["status"] == "ok"
    yield bench.start_web()
    bench.close()
    shutil.rmtree(bench.folder)


def look(page):
    """Checks the current page on each screen, light and dark."""
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for size, (width, height) in SCREENS.items():
            page.set_viewport_size({"width": width, "height": height})
            assert_fits(page)
            assert page.evaluate(LOST) == [], (size, theme)
            assert page.evaluate(CUT) == [], (size, theme)
            assert_accessible(page)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", PAGES)
def test_it_can_be_read_on_each_screen(evening, browse, name, language):
    path, role, complete, opened = PAGES[name]
    page = browse(role=role, language=language, server=evening)
    if name == "displays":
        page.context.new_page().goto(evening.url + f"n/lectern?elements=next,speaker,progress&language={language}")
    page.goto(evening.url + path)
    expect(page.locator(complete).first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en" if name == "style guide" else language)
    if name == "displays":
        # The display of the previous test is closed but may still be listed, and pressing its button does nothing.
        expect(page.locator("#displays li")).to_have_count(1)
        expect(page.locator("#displays li")).to_contain_text(f"language: {language}")
    look(page)
    for selector in opened:
        page.locator(selector).first.click()
        changed = "dialog[open], [aria-pressed=true], .entry [aria-expanded=true], #problem:not(:empty)"
        expect(page.locator(changed).first).to_be_visible()
        expect(page.locator(".felt")).to_have_count(0)
        look(page)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("size", ["phone", "lying phone"])
@pytest.mark.parametrize("hand", ["left", "right"])
def test_all_that_a_talk_needs_is_on_the_screen_of_a_phone(evening, browse, size, hand):
    page = browse(size=SCREENS[size], role="operator", server=evening)
    page.add_init_script(f"localStorage.setItem('timer-web', '{{\"leftHanded\": {str(hand == 'left').lower()}}}')")
    page.goto(evening.url + "n/stage/remote")
    expect(page.locator("#shown-message")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    expect(page.locator("#digits")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    needed = "#clock :not(.visually-hidden):visible, #facts dd, select, main button:visible"
    for element in page.locator(needed).all():
        expect(element).to_be_in_viewport(ratio=1)
    for button in page.locator("main button:visible").all():
        assert min(button.bounding_box()["width"], button.bounding_box()["height"]) >= 44
    play = page.locator("#play").bounding_box()
    assert (play["x"] < SCREENS[size][0] / 3) == (hand == "left")


# Screens of laptops, with and without a browser's bars, windows side by side, and more.
WINDOWS = [
    (1280, 720), (1366, 768), (1366, 657), (1280, 600), (1024, 768), (1024, 600), (900, 560), (800, 600), (700, 760),
    (768, 1024), (1440, 900), (1920, 947), (1920, 1080), (390, 844), (820, 1180)]


def test_a_remote_cuts_nothing_of_its_clock_off(evening, browse):
    """The lectern of the evening has a message, and runs that ended before."""
    page = browse(role="operator", server=evening)
    page.goto(evening.url + "n/lectern/remote")
    expect(page.locator("#shown-message")).to_be_visible()
    expect(page.locator("#recent-runs li").first).to_be_attached()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.fonts.ready.then(() => true)")
        for element in page.locator("#clock :not(.visually-hidden):visible").all():
            expect(element).to_be_in_viewport(ratio=0.98)
        missing = page.evaluate("document.documentElement.scrollHeight - innerHeight")
        assert missing <= 0, (width, height, missing)
        assert page.evaluate(CUT) == [], (width, height)
