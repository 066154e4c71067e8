"""The settings of a browser: they are stored, take effect at once, and show what this browser does not support."""
import pathlib
import re

import pytest
from playwright.sync_api import expect

from conftest import assert_accessible, assert_fits
from editor import Unexpected
from processes import wait_until


@pytest.mark.parametrize("name", ["vibration", "leftHanded", "gestures"])
def test_a_switch_is_off_at_first_and_kept(web, browse, name):
    page = browse(size="phone")
    page.goto(web.url + "settings")
    expect(page.locator(f"#{name}")).not_to_be_checked()
    page.check(f"#{name}")
    page.reload()
    expect(page.locator(f"#{name}")).to_be_checked()


def test_sound_is_armed_by_a_tap_that_plays_a_tone(web, browse):
    page = browse(size="phone")
    page.goto(web.url + "settings")
    page.evaluate("() => { window.tones = 0; const { start } = OscillatorNode.prototype;"
                  "OscillatorNode.prototype.start = function (...all) { window.tones += 1;"
                  "start.apply(this, all); }; }")
    page.check("#sound")
    page.wait_for_function("() => window.tones === 1")
    expect(page.locator("#sound")).to_be_checked()
    page.reload()
    expect(page.locator("#sound")).to_be_checked()
    page.uncheck("#sound")
    page.reload()
    expect(page.locator("#sound")).not_to_be_checked()


def test_where_sound_cannot_be_played_it_stays_off(web, browse):
    page = browse(size="phone")
    page.add_init_script("AudioContext.prototype.resume = () => new Promise(() => {});"
                         "Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended' });")
    page.goto(web.url + "settings")
    page.click("#sound")
    expect(page.locator(".toast")).to_contain_text("cannot play sound")
    expect(page.locator("#sound")).not_to_be_checked()


def test_the_language_changes_at_once_and_everywhere(web, browse):
    page = browse(size="phone", language="en")
    page.goto(web.url + "settings")
    expect(page.locator("h1")).to_have_text("Settings")
    page.select_option("#language", "de")
    expect(page.locator("h1")).to_have_text("Einstellungen")
    page.goto(web.url + "login")
    expect(page.locator("h1")).to_have_text("Anmelden")
    page.goto(web.url + "settings")
    page.select_option("#language", "")
    expect(page.locator("h1")).to_have_text("Settings")


def test_the_language_of_the_browser_comes_first(web, browse):
    page = browse(size="phone", language="de")
    page.goto(web.url + "settings")
    expect(page.locator("h1")).to_have_text("Einstellungen")


DOCUMENTATION = "/usr/share/doc/timer-web/web.md"
LOOK = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.documentElement).colorScheme]"
PAGES = ["", "n/lectern?theme=auto", "n/lectern/remote", "n/lectern/edit", "n/lectern/report", "agenda", "displays",
         "settings", "login"]


def test_the_colours_change_at_once_and_everywhere(node, web, browse):
    """The theme also changes in other tabs, whatever the system's theme."""
    page = browse(theme="light", role="operator")
    page.goto(web.url + "settings")
    other = page.context.new_page()
    for path in PAGES:
        def wait_for(look):
            wait_until(lambda: other.evaluate(LOOK) == look, f"/{path} looks as {look}",
                       otherwise=lambda: str(other.evaluate(LOOK)))

        other.emulate_media(color_scheme="light")
        page.select_option("#theme", "auto")
        other.goto(web.url + path)
        wait_until(lambda: other.evaluate(LOOK)[1] == "light", f"/{path} is light")
        light = other.evaluate(LOOK)
        page.select_option("#theme", "dark")
        wait_until(lambda: other.evaluate(LOOK)[1] == "dark", f"/{path} is dark")
        dark = other.evaluate(LOOK)
        assert dark[0] != light[0], path
        other.reload()
        wait_for(dark)
        other.emulate_media(color_scheme="dark")
        page.select_option("#theme", "light")
        wait_for(light)
        page.select_option("#theme", "auto")
        wait_for(dark)


def test_a_display_has_its_own_colours(node, web, browse):
    page = browse(theme="light")
    page.goto(web.url + "settings")
    for chosen in ("light", "auto"):
        page.goto(web.url + "settings")
        page.select_option("#theme", chosen)
        for query, expected in (("", "dark"), ("?theme=dark", "dark"), ("?theme=light", "light"),
                                ("?theme=auto", "light")):
            page.goto(web.url + "n/lectern" + query)
            wait_until(lambda: page.evaluate(LOOK)[1] == expected, f"{chosen}: {query} is {expected}")


def test_one_logs_in_and_out(web, browse):
    page = browse(size="phone")
    page.goto(web.url + "settings")
    expect(page.locator("#session")).to_have_text("You are not logged in: you can only view.")
    page.click(".menu")
    page.click("text=Log in")
    page.fill("#pin", web.pin("operator"))
    page.wait_for_url("**/settings")
    expect(page.locator("#session")).to_contain_text("Operator")
    expect(page.locator("nav.site")).to_contain_text("Displays")
    page.click(".menu")
    page.click("text=Log out")
    page.wait_for_url(web.url)
    expect(page.locator("nav.site")).not_to_contain_text("Displays")
    page.goto(web.url + "settings")
    expect(page.locator("#session")).to_have_text("You are not logged in: you can only view.")


def test_it_says_whether_the_screen_stays_on(web, browse):
    page = browse(size="phone")
    page.goto(web.url + "settings")  # A loopback address counts as secure.
    expect(page.locator("#screen")).to_contain_text("can keep the screen on")
    expect(page.locator("#recipe")).to_be_hidden()
    page = browse(size="phone")
    page.add_init_script("delete Navigator.prototype.wakeLock;"
                         "Object.defineProperty(window, 'isSecureContext', { get: () => false });")
    for language, hint in (("en", "only over HTTPS"), ("de", "nur über HTTPS")):
        page.goto(web.url + "settings")
        page.select_option("#language", language)
        expect(page.locator("#screen")).to_contain_text(hint)
        expect(page.locator("#recipe")).to_contain_text(DOCUMENTATION)
        expect(page.locator("#recipe")).to_contain_text("raspi-config")
        assert_fits(page)
        assert_accessible(page)


def test_the_recipe_is_that_of_the_documentation():
    """The package contains the instructions that the page shows, in more detail."""
    clone = pathlib.Path(__file__).parents[2]
    caddy, yaml = re.findall(r"(?s)<pre>(.*?)</pre>", (clone / "www/settings.html").read_text())
    assert caddy in (clone / "config/web/Caddyfile").read_text()
    documentation = (clone / "docs/web.md").read_text()
    assert "## HTTPS with a proxy" in documentation
    assert yaml in documentation
    makefile = (clone / "Makefile").read_text()
    assert "web.documents := $(root)/share/doc/timer-web" in makefile
    assert 'install -D -m 644 -t "$(web.documents)" docs/web.md' in makefile


def test_an_operator_sets_whether_a_selected_timer_starts_at_once(bench, node, web, browse):
    bench.start_node("stage", "Stage")
    page = browse(size="phone", role="operator")
    page.goto(web.url + "settings")
    switch = page.locator("#timers").get_by_label("Lectern")
    expect(switch).to_be_checked()
    switch.uncheck()
    wait_until(lambda: node.json("timers")["settings"]["start_timer_immediately"] is False, "the setting")
    page.reload()
    expect(switch).not_to_be_checked()
    expect(page.locator("#timers").get_by_label("Stage")).to_be_checked()
    # It is nobody else's.
    page = browse(size="phone", role="remote")
    page.goto(web.url + "settings")
    expect(page.locator("#session")).to_contain_text("Remote")
    expect(page.locator("#timers")).to_be_hidden()


def test_a_setting_holds_for_timers_that_somebody_changed_at_the_same_time(node, web, browse):
    page = browse(size="phone", role="operator")
    page.errors = Unexpected()
    page.goto(web.url + "settings")
    switch = page.locator("#timers").get_by_label("Lectern")
    expect(switch).to_be_checked()
    theirs = {"timer": "1/1", "name": "Theirs"}
    page.route("**/commands/timers", lambda route: (node.command("edit", theirs), route.continue_()), times=1)
    with page.expect_response(lambda response: response.url.endswith("/commands/timers") and response.ok):
        switch.uncheck()
    assert node.json("timers")["settings"]["start_timer_immediately"] is False
    assert node.json("timers")["groups"][0]["timers"][0]["name"] == "Theirs"
    expect(switch).not_to_be_checked()
    expect(page.locator(".toast")).to_have_count(0)


def test_about_names_the_version_and_the_addresses(node, web, browse):
    page = browse(size="phone")
    page.goto(web.url + "settings")
    page.get_by_role("link", name="About").click()
    expect(page.locator("#version")).to_have_text(re.compile(r"^\d+\.\d+\.\d+"))
    expect(page.locator("#addresses")).to_contain_text("timer/lectern")
    # The package's copyright file names everything that is linked in.
    linked = re.findall(r"linked-in/(\S+)", pathlib.Path("debian/copyright").read_text())
    assert len(linked) > 10
    for name in linked:
        expect(page.locator("dt", has_text=re.compile(rf"(^|[ ,]){name}(,|$)")).first).to_be_attached()
    expect(page.locator("#addresses")).to_contain_text(web.url)
    assert_fits(page)
    assert_accessible(page)


def test_a_refused_setting_shows_what_it_still_is(bench, node, web, browse):
    page = browse(size="phone", role="operator")
    page.goto(web.url + "settings")
    switch = page.locator("#timers").get_by_label("Lectern")
    expect(switch).to_be_checked()
    node.kill()
    switch.click()
    expect(page.locator(".toast-error")).to_be_visible()
    expect(switch).to_be_checked()
    page.errors[:] = [error for error in page.errors if "Failed to load resource" not in error]
