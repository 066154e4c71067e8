"""What one sees first: the stoplight and the digits on a display, the clock and the large button on a remote.

With DISPLAY_PICTURES in the environment, a picture of each is kept.
"""
import pathlib
import re

import pytest
from playwright.sync_api import expect

from conftest import SIZES, THEMES, assert_accessible, assert_fits
from displays import assert_readable, open_display, resize, take, tone, wait_for_mode
from processes import wait_until
from remote import Remote

LANDSCAPE = [size for size, (width, height) in SIZES.items() if width > height]
CARDS = {"groups": [{"name": "Speeches", "at_zero": "alarm", "display": "stoplights", "timers": [
    {"name": "Speech", "min": "0:01", "mid": "0:40", "max": "1:00"},
    {"name": "Short", "min": "0:30", "mid": "0:40", "max": "0:50"}]}]}


def box(page, selector):
    return page.locator(selector).bounding_box()


def right(found):
    return found["x"] + found["width"]


def bottom(found):
    return found["y"] + found["height"]


def screens(page, name):
    """Each size in each theme, with a picture of it, and its width and height."""
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for size in SIZES:
            yield size, *resize(page, size, SIZES)
            take(page, f"{name}-{size}-{theme}")
            assert_fits(page)
        assert_accessible(page)


def test_a_stoplight_takes_the_whole_height_and_the_digits_the_rest(node, web, browse):
    page = browse()
    node.command("start", {"speaker": "Ada Lovelace"})
    open_display(page, web, node, display="stoplights", theme="auto")
    wait_for_mode(page, "Running")
    for size, width, height in screens(page, "stage-stoplights"):
        lamps = [box(page, f"#lamps [data-lamp={name}]") for name in ("red", "yellow", "green")]
        digits, dial, housing = box(page, "#time"), box(page, "#digits"), box(page, "#lamps")
        assert digits["width"] > 0.85 * dial["width"] or digits["height"] > 0.85 * dial["height"], size
        if size in LANDSCAPE:
            # On the left, a lamp as high as a quarter of the screen; everything else beside it.
            assert all(lamp["height"] >= height / 4 for lamp in lamps), (size, lamps)
            assert all(box(page, name)["x"] > right(housing) for name in ("#name", "#time", "#mode")), size
            assert right(housing) < 0.3 * width and digits["width"] > 0.6 * width, size
        # The timer and the speaker are above the digits, and the word of the mode is in the lamp's colour.
        assert box(page, "#name")["y"] < box(page, "#speaker")["y"] < digits["y"], size
        colours = [page.locator(name).evaluate("e => getComputedStyle(e).color") for name in ("#mode", "#time")]
        assert colours[0] == colours[1] != page.locator("#name").evaluate("e => getComputedStyle(e).color"), size


@pytest.mark.parametrize("kind", ["numerical", "circular", "stoplights", "backstage"])
def test_a_message_is_a_band_that_leaves_the_digits_their_size(node, web, browse, kind):
    page = browse()
    node.command("start")
    open_display(page, web, node, display=kind, theme="auto")
    wait_for_mode(page, "Running")
    before = {}
    for size in SIZES:
        resize(page, size, SIZES)
        before[size] = box(page, "#time")["height"]
    node.command("message", "Please wrap up")
    expect(page.locator("#message")).to_be_visible()
    for size, width, height in screens(page, f"stage-message-{kind}"):
        band = box(page, "#message")
        assert band["height"] <= height / 4 + 1 and band["width"] == width, size
        assert box(page, "#time")["height"] >= 0.6 * before[size], (size, before)
        assert_readable(page)
        ground = page.locator("#message").evaluate("e => getComputedStyle(e).backgroundColor")
        red, green, blue = map(int, re.findall(r"\d+", ground)[:3])
        assert blue > max(red, green) and red < 64, "dark blue, which no lamp is"


def test_the_buttons_of_a_display_never_cover_it(node, web, browse):
    page = browse()
    for kind in ("numerical", "circular", "stoplights", "lower-third", "backstage"):
        open_display(page, web, node, display=kind)
        wait_for_mode(page, "Stopped")
        for size in SIZES:
            resize(page, size, SIZES)
            # Chromium may drop the first move after a change of the size.
            wait_until(lambda: [page.mouse.move(x, 200) for x in (200, 210)]
                       and page.locator("#controls").is_visible(), "the buttons")
            assert bottom(box(page, "#time")) <= box(page, "#controls")["y"] + 1, (kind, size)


@pytest.fixture
def cards(bench):
    return bench.start_node(timers=CARDS, signals={"profile": "toastmasters"})


@pytest.fixture
def remote(bench, cards, web, browse):
    return Remote(bench, cards, web, browse(size="phone", role="operator"), more=False)


def test_a_remote_has_digits_as_large_as_its_card_and_one_large_button(remote):
    remote.start()
    assert remote.node.command("set", "0:50")["status"] == "ok"
    expect(remote.locator("#mode")).to_have_text("Qualified")
    remote.node.command("pause")
    for size, width, height in screens(remote.page, "stage-remote"):
        digits, space = box(remote, "#digits"), box(remote, ".time")
        assert digits["width"] > 0.9 * space["width"] or digits["height"] > 0.85 * space["height"], size
        colours = [remote.locator(name).evaluate("e => getComputedStyle(e).color") for name in ("#mode", "#digits")]
        assert colours[0] == colours[1] != remote.locator("#timer").evaluate("e => getComputedStyle(e).color"), size
        assert remote.locator("button.primary:visible").count() == 1
        play, clock = box(remote, "#play"), box(remote, "#clock")
        areas = [button.bounding_box() for button in remote.locator("main button:visible:not(#play)").all()]
        assert all(play["width"] * play["height"] > area["width"] * area["height"] for area in areas), size
        assert play["y"] >= bottom(clock), size
        expect(remote.locator("#rest")).to_be_visible(visible=width >= 600)
        if width >= 900:
            # Two columns, the clock and the large button on the left.
            assert right(clock) < box(remote, "#rest")["x"] and right(play) < box(remote, "#rest")["x"], size
            assert width >= 1500 or right(box(remote, "#rest")) > 0.97 * width, size
        else:
            # What is used each time is right below the large button.
            assert all(box(remote, name)["y"] > play["y"] for name in ("#speaker", "#next", "#message")), size


def test_stop_is_there_once_and_what_is_held_says_so(remote):
    expect(remote.locator("#stop")).to_be_hidden()
    expect(remote.locator(".hold:visible")).to_have_count(0)
    remote.start()
    for button in ("#stop", "#next"):
        expect(remote.locator(button)).to_contain_text("hold")
        expect(remote.locator(f"{button} .hold")).to_be_visible()
    expect(remote.locator("#play .hold")).to_be_hidden()
    assert remote.node.command("end")["status"] == "ok"
    remote.expect_mode("alarm")
    expect(remote.locator("#play-text")).to_have_text("Stop")
    expect(remote.locator("#play .hold")).to_be_visible()
    expect(remote.locator("#stop")).to_be_hidden()


def test_the_slider_says_what_it_sets(remote):
    remote.click("#more")
    expect(remote.locator("label[for=slider]")).to_have_text(re.compile(r"^Set the time left\s+1:00$"))
    remote.start()
    remote.locator("#slider").focus()
    remote.keyboard.press("PageDown")
    expect(remote.locator("#slider-time")).to_have_text(remote.locator("#digits").inner_text())


def test_the_result_stays_until_the_next_start_and_can_be_corrected(remote):
    expect(remote.locator("#result")).to_be_hidden()
    remote.node.command("select", "1/2")
    remote.start({"speaker": "Ada Lovelace"})
    remote.wait_for_elapsed(2)
    remote.node.command("stop")
    remote.expect_mode("stopped")
    expect(remote.locator("#result")).to_have_text(
        re.compile(r"^Ada Lovelace 0:0\d, not qualified \(short by 0:2\d\)$"))
    for size, _, height in screens(remote.page, "stage-result"):
        expect(remote.locator("#result")).to_be_in_viewport(ratio=1)
    resize(remote.page, "phone", SIZES)
    remote.click("#result")
    dialog = remote.locator("dialog[open]")
    dialog.get_by_label("Time used (m:ss)").fill("soon")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("A time such as 5:00")
    dialog.get_by_label("Name").fill("Grace Hopper")
    dialog.get_by_label("Time used (m:ss)").fill("0:45")
    dialog.get_by_role("button", name="Save").click()
    expect(remote.locator("#result")).to_have_text("Grace Hopper 0:45, qualified")
    run = remote.node.json("runs")["runs"][0]
    assert (run["speaker"], run["used"], run["qualified"]) == ("Grace Hopper", 45, True)
    assert 1 < run["measured"] < 20
    report = remote.page.context.new_page()
    report.goto(remote.page.url.replace("/remote", "/report"))
    expect(report.locator("tbody tr").first.locator(".used")).to_have_text("0:45 ✎")
    expect(report.locator("#summary")).to_have_text("1 talk, 1 of 1 qualified")
    report.close()
    remote.start()
    expect(remote.locator("#result")).to_be_hidden()


def test_the_field_for_a_name_stays_in_its_place_and_keys_are_for_it(remote, browse):
    """A first-time timekeeper tapped a name that had moved to where the field was, and typed into nothing."""
    places = set()
    for name in ("Ada Lovelace", "Grace Hopper", "Alan Turing", "Barbara Liskov"):
        remote.click("#speaker")
        places.add(round(box(remote, "#speaker-field")["y"]))
        remote.fill("#speaker-field", name)
        remote.keyboard.press("Enter")
        expect(remote.locator("#speaker-name")).to_have_text(name)
    assert len(places) == 1, places
    remote.forget()
    remote.click("#speaker")
    for key in ("Space", "x", "l"):
        remote.keyboard.press(key)
    expect(remote.locator("dialog[open]")).to_be_visible()
    assert remote.commands() == []


def test_a_lock_that_can_be_undone_can_be_read(remote):
    remote.click("#more")
    assert remote.node.command("lock")["status"] == "ok"
    expect(remote.locator("#lock")).to_have_attribute("aria-pressed", "true")
    assert_accessible(remote.page)


def test_a_remote_is_told_who_corrects(bench, cards, web, browse):
    remote = Remote(bench, cards, web, browse(size="phone", role="remote"), more=False)
    remote.start()
    remote.wait_for_elapsed(2)
    cards.command("stop")
    remote.click("#result")
    expect(remote.locator("dialog[open]")).to_contain_text("Operators can correct")
    expect(remote.locator("dialog[open] a")).to_have_attribute("href", re.compile("^login.*role=operator"))


def test_a_first_page_with_two_ways_on(node, web, browse):
    page = browse(role="remote")
    page.goto(web.url)
    card = page.locator(".room[data-node=lectern]")
    expect(card.get_by_role("link", name="Control Lectern")).to_be_visible()
    expect(page.locator("h1")).to_have_text("timer-node")
    for size, width, height in screens(page, "stage-first"):
        for name in ("Open display of Lectern", "Control Lectern"):
            expect(card.get_by_role("link", name=name).last).to_be_in_viewport()
    card.get_by_role("link", name="Control Lectern").click()
    page.wait_for_url("**/n/lectern/remote")


def test_the_header_is_one_line_and_has_the_log_out_in_its_place(node, web, browse):
    page = browse(role="operator")
    places = set()
    for path in ("", "agenda", "displays", "settings", "n/lectern/remote", "n/lectern/edit", "n/lectern/report"):
        page.goto(web.url + path)
        resize(page, "laptop", SIZES)
        out = page.get_by_role("button", name="Log out")
        expect(out).to_be_visible()
        places.add((round(right(out.bounding_box())), round(out.bounding_box()["y"])))
        resize(page, "phone", SIZES)
        expect(out).to_be_hidden()
        assert box(page, "header.site")["height"] <= 62, path
        page.get_by_role("button", name="Menu").click()
        expect(out).to_be_visible()
        page.keyboard.press("Escape")
        expect(out).to_be_hidden()
    assert len(places) == 1, places


def test_only_the_tokens_name_colours_sizes_and_radii():
    """Black and white excepted, which paper, signals and what lies on a picture need."""
    assets = pathlib.Path(__file__).parents[2] / "www/assets"
    others = [file for file in assets.rglob("*.css") if file.name not in ("tokens.css", "dark.css")]
    assert len(others) > 10
    for file in others:
        screen = re.sub(r"(?s)@media print \{.*", "", file.read_text())
        assert set(re.findall(r"#[0-9a-f]{3,8}\b(?=[ ;,)])|(?:rgb|hsl)a?\(", screen)) <= {"#fff", "#000"}, file
        assert re.findall(r"font-size: [0-9.]+rem|border-radius: [0-9.]+rem", screen) == [], file
