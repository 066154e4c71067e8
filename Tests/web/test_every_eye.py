"""Pages for people who do not see colours, or do not see at all."""
import itertools
import math

import pytest
from playwright.sync_api import expect

from conftest import assert_accessible
from displays import KINDS, open_display, wait_for_mode
from processes import wait_until

SHORT = {"groups": [{"name": "Short", "timers": [{"name": "Talk", "start": 64, "warning": 58, "final": 55}]}]}
TONES = ("green", "yellow", "red")


# ---- What a screen reader says


def tree(page):
    """The accessibility tree, which is all that a screen reader gets: the names of the nodes with a role."""
    client = page.context.new_cdp_session(page)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    client.detach()
    by_id = {node["nodeId"]: node for node in nodes}

    def text(node):
        if node.get("role", {}).get("value") == "StaticText":
            return node.get("name", {}).get("value", "")
        return "".join(text(by_id[child]) for child in node.get("childIds", []) if child in by_id)

    found = {}
    for node in nodes:
        if not node.get("ignored"):
            found.setdefault(node["role"]["value"], []).append(text(node) or node.get("name", {}).get("value", ""))
    return found


def hears(page, text):
    wait_until(lambda: any(text in said for said in tree(page).get("status", [])), f"a screen reader says {text}",
               otherwise=lambda: str(tree(page).get("status")))


@pytest.mark.parametrize("path, role", [("n/hall?display=numerical", None), ("n/hall/remote", "remote")])
def test_a_talk_by_the_tree_alone(bench, web, browse, path, role):
    """Each mode, the last minute and a message are said; the seconds can be read, but are not said."""
    node = bench.start_node("hall", timers=SHORT)
    page = browse(role=role, size="phone" if role else "projector")
    page.goto(web.url + path)
    wait_until(lambda: "1:04" in "".join(tree(page).get("timer", [])), "the time can be read")
    page.evaluate("""() => {
        window.said = [];
        new MutationObserver(() => window.said.push(document.getElementById('announcement').textContent))
            .observe(document.getElementById('announcement'), {childList: true, characterData: true, subtree: true});
    }""")
    assert node.command("start")["status"] == "ok"
    hears(page, "Running")
    assert node.command("message", "Please speak up")["status"] == "ok"
    hears(page, "Please speak up")
    hears(page, "1 minute left")
    hears(page, "Warning")
    hears(page, "Final")
    assert node.command("end")["status"] == "ok"
    hears(page, "Overtime")
    wait_until(lambda: "+0:0" in "".join(tree(page).get("timer", [])), "the overtime can be read")
    assert page.evaluate("window.said") == ["Running", "Please speak up", "1 minute left", "Warning", "Final", "Overtime"]
    assert_accessible(page)


def test_the_browser_speaks(bench, web, browse):
    node = bench.start_node("hall", timers=SHORT)
    page = browse(language="de")
    # The Chromium of a test has no voice.
    page.add_init_script("""window.spoken = [];
        speechSynthesis.speak = ({text, lang}) => window.spoken.push([lang, text]);""")
    open_display(page, web, node, speak="on")
    wait_for_mode(page, "Gestoppt")
    node.command("start")
    wait_for_mode(page, "Läuft")
    node.command("message", "Lauter")
    expect(page.locator("#text")).to_have_text("Lauter")
    expect(page.locator("#announcement")).to_have_text("Lauter")
    assert page.evaluate("window.spoken") == [["de", "Läuft"], ["de", "Lauter"]]
    open_display(page, web, node)
    wait_for_mode(page, "Läuft")
    node.command("pause")
    wait_for_mode(page, "Pause")
    assert page.evaluate("window.spoken") == []


# ---- Colours


def linear(channel):
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def luminance(colour):
    return sum(weight * linear(channel) for weight, channel in zip((0.2126, 0.7152, 0.0722), colour))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# How people without the cones for green, or for red, see linear colours (Viénot, Brettel and Mollon 1999).
BLINDNESS = {
    "deuteranopia": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
    "protanopia": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
}


def lab(colour, blindness):
    """The colour as such people see it, in CIELAB."""
    seen = [sum(weight * linear(channel) for weight, channel in zip(row, colour)) for row in BLINDNESS[blindness]]
    r, g, b = (min(1, max(0, channel)) for channel in seen)
    white = (0.95047, 1, 1.08883)
    xyz = (0.4124 * r + 0.3576 * g + 0.1805 * b, 0.2126 * r + 0.7152 * g + 0.0722 * b,
           0.0193 * r + 0.1192 * g + 0.9505 * b)
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
               for value in (part / whole for part, whole in zip(xyz, white)))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other, blindness):
    return math.dist(lab(one, blindness), lab(other, blindness))


def colours(page, kind):
    """The colours of the lamps as `tone`, `lamp` or `bright`, and of the ground, as numbers."""
    return page.evaluate("""(names) => names.map((name) => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = `var(--${name})`;
        const found = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
        probe.remove();
        return found;
    })""", [f"{kind}-{name}" for name in TONES] + ["ground", "lamp-off"])


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_the_palette_can_be_told_apart(node, web, browse, theme, blindness):
    page = browse()
    least = {}
    for palette in ("usual", "red-green"):
        open_display(page, web, node, theme=theme, palette=palette)
        wait_for_mode(page, "Stopped")
        for kind in ("tone", "lamp"):
            *lamps, ground, off = colours(page, kind)
            pairs = [distance(one, other, blindness) for one, other in itertools.combinations(lamps, 2)]
            least[palette, kind] = min(pairs)
            if kind == "tone":
                assert all(contrast(lamp, ground) >= 4.5 for lamp in lamps), (palette, lamps, ground)
            else:
                assert all(contrast(lamp, off) >= 3 for lamp in lamps), (palette, lamps, off)
    for kind in ("tone", "lamp"):
        # 10 is a difference that everybody sees at a glance.
        assert least["red-green", kind] > max(25, least["usual", kind]), least
    assert_accessible(page)


@pytest.mark.parametrize("path", ["n/lectern?display=numerical", "n/lectern/remote"])
def test_each_lamp_has_the_shape_of_a_road_sign(node, web, browse, path):
    """Circle, triangle and octagon: what is left of a lamp without its colour."""
    page = browse(role="remote" if "remote" in path else None)
    page.goto(web.url + path)
    expect(page.locator("#lamps")).to_be_visible()
    corners = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('#lamps [data-lamp]')].map((lamp) => {
        const { clipPath, borderRadius } = getComputedStyle(lamp);
        return [lamp.dataset.lamp, clipPath === 'none' ? borderRadius : clipPath.split(',').length];
    }))""")
    assert corners == {"green": "50%", "yellow": 3, "red": 8}


def test_the_lamps_have_the_colours_of_the_palette(node, web, browse):
    page = browse()
    open_display(page, web, node, palette="red-green", display="stoplights")
    node.command("start")
    wait_for_mode(page, "Running")
    green, *_ = colours(page, "lamp")
    expect(page.locator("#lamps [data-lamp=green]")).to_have_css("background-color", f"rgb({', '.join(map(str, green))})")
    expect(page.locator("#time")).to_have_css("color", "rgb({}, {}, {})".format(*colours(page, "bright")[0]))


MODES = {"Stopped": ("stop", None), "Running": ("start", None), "Warning": ("set", "4:30"), "Final": ("set", "0:40"),
         "Paused": ("pause", None), "Overtime": ("end", None)}


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("palette", ["usual", "red-green"])
def test_axe_finds_nothing_in_any_mode(node, web, browse, theme, palette):
    """The displays in both palettes; the pages that have none in the first of them."""
    addresses = [f"n/lectern?display={kind}&theme={theme}&palette={palette}" for kind in KINDS]
    if palette == "usual":
        addresses += ["", "n/lectern/remote", "n/lectern/plain"]
    pages = {}
    for address in addresses:
        pages[address] = browse(role="operator", theme=theme)
        pages[address].goto(web.url + address)
    for word, (verb, payload) in MODES.items():
        assert node.command(verb, *[payload] * bool(payload))["status"] == "ok"
        for address, page in pages.items():
            if address:
                expect(page.locator("#mode")).to_have_text(word)
            assert_accessible(page)
