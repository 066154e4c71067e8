"""The display for old browsers: what it is made of, and what it shows in a Chromium that lacks what they lack."""
import gzip
import itertools
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import assert_accessible
from displays import TONES, colour, share_of, take, tone
from server import WWW
from test_texts import texts

SCREENS = {"television": (1920, 1080), "old television": (1280, 720), "tablet": (768, 1024), "e-reader": (600, 800),
           "signage": (1080, 1920), "phone": (320, 480)}
# Each browser's page lacks these.
MISSING = {
    "nothing": "",
    "events": "delete window.EventSource",
    "everything": """for (const name of ['EventSource', 'Promise', 'fetch', 'Map', 'Set', 'WeakMap', 'Symbol', 'Proxy', 'Reflect',
        'URLSearchParams', 'URL', 'AbortController', 'CSS', 'matchMedia', 'requestAnimationFrame', 'Intl', 'CustomEvent',
        'ResizeObserver', 'IntersectionObserver', 'performance', 'WeakRef', 'structuredClone']) delete window[name];
        for (const name of ['assign', 'entries', 'values', 'fromEntries', 'hasOwn']) delete Object[name];
        for (const name of ['find', 'findIndex', 'includes', 'fill', 'flat', 'flatMap', 'at']) delete Array.prototype[name];
        for (const name of ['includes', 'startsWith', 'endsWith', 'padStart', 'repeat', 'replaceAll', 'at'])
            delete String.prototype[name];
        for (const name of ['isNaN', 'isFinite', 'isInteger', 'parseFloat']) delete Number[name];
        for (const name of ['trunc', 'sign', 'hypot', 'log2']) delete Math[name];
        for (const name of ['remove', 'append', 'prepend', 'closest', 'matches', 'replaceChildren'])
            delete Element.prototype[name];
        delete Element.prototype.classList;
        delete HTMLElement.prototype.dataset;""",
}
# What ES5 and browsers of 2012 have. The page may use nothing else that is global.
GLOBALS = {"undefined", "Array", "Boolean", "Date", "Infinity", "JSON", "Math", "Number", "Object", "RegExp", "String",
           "isNaN", "encodeURIComponent", "document", "location", "navigator", "window", "setTimeout", "clearTimeout",
           "setInterval", "XMLHttpRequest", "EventSource", "this", "arguments"}


def open_plain(page, web, node, query=""):
    page.goto(web.url + f"n/{getattr(node, 'id', node)}/plain{query}")


def wait_for(page, **texts):
    for name, text in texts.items():
        expect(page.locator(f"#{name}")).to_have_text(text)


# ---- What it is made of


def parsed(path):
    from calmjs.parse import es5

    return es5((WWW / path).read_text())


@pytest.mark.parametrize("path", ["assets/plain.js", "assets/display/fallback.js"])
def test_is_es5(path):
    """A parser that knows nothing newer than ES5 reads it, and it uses nothing global that old browsers lack."""
    from calmjs.parse import asttypes

    tree = parsed(path)
    declared, used = set(), set()

    def walk(node, parent=None):
        if isinstance(node, (asttypes.VarDecl, asttypes.FuncDecl)) and node.identifier:
            declared.add(node.identifier.value)
        if isinstance(node, (asttypes.FuncDecl, asttypes.FuncExpr)):
            declared.update(parameter.value for parameter in node.parameters or [])
        if isinstance(node, asttypes.Catch):
            declared.add(node.identifier.value)
        if isinstance(node, asttypes.Identifier) and not isinstance(node, asttypes.PropIdentifier):
            used.add(node.value)
        for child in node.children() or []:
            if child is not None:
                walk(child, node)

    walk(tree)
    assert len(used) > 5 and used - declared - GLOBALS == set()


def test_a_parser_of_es5_refuses_what_is_newer():
    from calmjs.parse import es5
    from calmjs.parse.exceptions import ECMASyntaxError

    for text in ("let a = 1;", "f(() => 1);", "a?.b;", "`a`;", "class A {}", "var {a} = b;", "f(...a);"):
        with pytest.raises(ECMASyntaxError):
            es5(text)


def test_is_small_and_asks_for_one_file(node, web, browse):
    page = browse()
    paths = []
    page.on("request", lambda request: paths.append(request.url.removeprefix(web.url).split("?")[0]))
    open_plain(page, web, node)
    wait_for(page, digits="20:00")
    assert [path for path in paths if not path.startswith("api/")] == [f"n/{node.id}/plain", "assets/plain.js"]
    sent = 0
    for path in (f"n/{node.id}/plain", "assets/plain.js"):
        request = urllib.request.Request(web.url + path, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            body = answer.read()
        sent += len(body)
        assert len(gzip.decompress(body)) < 20_000
    assert sent < 10_000


def test_colours_are_those_of_the_display():
    tokens = (WWW / "assets" / "tokens.css").read_text() + (WWW / "assets" / "dark.css").read_text()
    source = (WWW / "assets" / "plain.js").read_text() + (WWW / "plain.html").read_text()
    used = set(re.findall(r"#[0-9a-f]{6}", source)) - {"#000000"}
    lamps = {re.search(rf"--bright-{name}: (#\w+);", tokens)[1] for name in ("red", "yellow", "green")}
    # What a stage shows on black, and the ground of a message.
    stage = tokens[tokens.index(":root.display"):]
    assert used == lamps | {re.search(r"--text: (#\w+);", stage)[1], re.search(r"--message: (#\w+);", tokens)[1]}


def test_texts_are_those_of_the_display():
    source = (WWW / "assets" / "plain.js").read_text()
    own = re.findall(r"^  (\w+): \['([^']*)', '([^']*)'\]", source, re.MULTILINE)
    words = re.findall(r"'?([A-Z][\w ]*?)'?: '(\w[^']*)'", source[source.index("var WORDS"):source.index("var query")])
    english, german = texts("en"), texts("de")
    # The display opens the login page instead.
    own = [texts for texts in own if texts[0] != "needs_token"]
    assert len(own) == 7 and len(words) == sum(key.startswith("word.") for key in english)
    for key, one, other in own:
        assert (one, other) == (english[f"display.{key}"], german[f"display.{key}"])
    for word, translated in words:
        key = "word." + word.replace(" ", "_")
        assert (word, translated) == (english[key], german[key])


# ---- What it shows


@pytest.mark.parametrize("missing", MISSING)
def test_a_talk(bench, web, browse, missing):
    """From green to overtime, with a pause and a message, in a browser that lacks what old ones lack."""
    timers = {"groups": [{"name": "Short", "timers": [{"name": "Talk", "start": 7, "warning": 4, "final": 2}]}]}
    node = bench.start_node("hall", timers=timers)
    page = browse()
    page.add_init_script(MISSING[missing])
    open_plain(page, web, node)
    wait_for(page, name="Talk", digits="0:07", mode="Stopped")
    assert re.fullmatch(r"\d\d:\d\d( [AP]M)?", page.locator("#clock").text_content())
    assert node.command("start", {"speaker": "Ada Lovelace"})["status"] == "ok"
    for word, lamp in (("Running", "green"), ("Warning", "yellow"), ("Final", "red")):
        wait_for(page, mode=word)
        for name in ("red", "yellow", "green"):
            shown = tone(name) if name == lamp else "rgb(0, 0, 0)"
            expect(page.locator(f"#{name}")).to_have_css("background-color", shown)
        expect(page.locator("#digits")).to_have_css("color", tone(lamp))
        if word == "Warning":
            wait_for(page, speaker="Ada Lovelace")
            assert node.command("pause")["status"] == "ok"
            wait_for(page, mode="Paused")
            assert node.command("message", "Please come to an end")["status"] == "ok"
            wait_for(page, message="Please come to an end")
            assert node.command("message", "")["status"] == "ok"
            expect(page.locator("#message")).to_be_hidden()
            assert node.command("resume")["status"] == "ok"
    wait_for(page, mode="Overtime")
    wait_for(page, digits="+0:02")
    # The red lamp flashes.
    for shown in (tone("red"), "rgb(0, 0, 0)", tone("red")):
        expect(page.locator("#red")).to_have_css("background-color", shown)
    expect(page.locator("#connection")).to_be_hidden()


def test_german(node, web, browse):
    page = browse(language="de")
    open_plain(page, web, node)
    wait_for(page, mode="Gestoppt")
    open_plain(page, web, node, "?language=en")
    wait_for(page, mode="Stopped")


@pytest.mark.parametrize("missing", ["nothing", "events"])
def test_what_is_away(bench, web, browse, missing):
    """The countdown goes on as an estimate while the node or the server is away, and is right again afterwards."""
    page = browse()
    page.add_init_script(MISSING[missing])
    open_plain(page, web, "nobody")
    wait_for(page, connection="“nobody” has not been seen yet")
    expect(page.locator("#digits")).to_be_hidden()
    node = bench.start_node("nobody")
    wait_for(page, digits="20:00")
    assert node.command("start")["status"] == "ok"
    wait_for(page, mode="Running")
    node.stop()
    wait_for(page, connection="Node offline · ≈ estimate")
    first = page.locator("#digits").text_content()
    expect(page.locator("#digits")).not_to_have_text(first)
    node.start()
    expect(page.locator("#connection")).to_be_hidden()
    web.stop()
    wait_for(page, connection="Reconnecting… · ≈ estimate")
    web.start()
    expect(page.locator("#connection")).to_be_hidden()
    page.errors.clear()  # Chromium reports each request that failed meanwhile.


@pytest.mark.parametrize("missing", ["nothing", "events"])
def test_broker_away(bench, node, web, browse, missing):
    page = browse()
    page.add_init_script(MISSING[missing])
    open_plain(page, web, node)
    wait_for(page, mode="Stopped")
    bench.broker.stop()
    wait_for(page, connection="Broker away")
    bench.broker.start()
    expect(page.locator("#connection")).to_be_hidden()


def test_operators_lead_it(node, web, browse):
    """It is among the open displays; an operator names, identifies and blacks it out."""
    page, operator = browse(), browse(role="operator")
    open_plain(page, web, node)
    wait_for(page, mode="Stopped")
    display = operator.request.get(web.url + "api/displays").json()["displays"][0]
    assert display["node"] == node.id
    origin = {"origin": web.url.rstrip("/")}
    path = web.url + f"api/displays/{display['id']}"
    assert operator.request.post(path + "/blackout", data={"on": True}, headers=origin).ok
    expect(page.locator("#cover")).to_be_visible()
    assert take(page, "plain-blackout").getcolors() == [(1920 * 1080, (0, 0, 0))]
    assert operator.request.post(path + "/blackout", data={"on": False}, headers=origin).ok
    expect(page.locator("#cover")).to_be_hidden()
    assert operator.request.post(path + "/identify", data={}, headers=origin).ok
    wait_for(page, cover=node.id)
    expect(page.locator("#cover")).to_be_hidden()


@pytest.mark.parametrize("size", SCREENS)
def test_is_readable(node, web, browse, size):
    """Nothing overlaps or is cut off, at any length of the time, with and without a message."""
    page = browse(size=SCREENS[size])
    open_plain(page, web, node)
    assert node.command("start", {"speaker": "Dr. Augusta Ada King-Noel, Countess of Lovelace"})["status"] == "ok"
    for seconds in (59, 1200, 36_000):
        answer = node.command("start", {"duration": seconds, "speaker": "Ada Lovelace"})
        assert answer["status"] == "ok"
        for message in ("", "Please come to an end, the next speaker is waiting behind the stage"):
            assert node.command("message", message)["status"] == "ok"
            expect(page.locator("#message")).to_be_visible() if message else expect(page.locator("#message")).to_be_hidden()
            expect(page.locator("#digits")).to_have_text(re.compile("^(10:00:00|9:59|[12][09]:|0:5)"))
            image = take(page, f"plain-{size}-{seconds}-{bool(message)}")
            assert share_of(image, TONES["green"]) > 0.02
            for name in ("red", "yellow", "green"):
                box = page.locator(f"#{name}").bounding_box()
                middle = image.getpixel((int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2)))
                assert middle == (TONES["green"] if name == "green" else (0, 0, 0))
            boxes = {name: page.locator(f"#{name}").bounding_box() for name in (
                ["name", "red", "yellow", "green", "digits"] + (["message"] if message else ["mode", "speaker"]))}
            for one, other in itertools.combinations(boxes, 2):
                a, b = boxes[one], boxes[other]
                assert (a["x"] + a["width"] <= b["x"] + 1 or b["x"] + b["width"] <= a["x"] + 1
                        or a["y"] + a["height"] <= b["y"] + 1 or b["y"] + b["height"] <= a["y"] + 1), (one, other, boxes)
            for name in ("digits", "name", "mode"):
                assert page.locator(f"#{name}").evaluate("(e) => e.scrollWidth <= e.clientWidth"), (name, seconds)
            width, height = SCREENS[size]
            font = float(colour(page, "#digits", "fontSize").removesuffix("px"))
            assert font > min(height * (0.2 if message else 0.3), width * 0.15)
    assert_accessible(page)


def test_a_token_opens_it(bench, browse):
    web = bench.start_web(view="pin")
    node = bench.start_node()
    page = browse()
    open_plain(page, web, node)
    wait_for(page, connection="Needs a link with a token")
    token = web.run("tokens", "add", "hall", "--node", node.id).split()[-1]
    open_plain(page, web, node, f"?token={token}&language=de")
    wait_for(page, mode="Gestoppt")
    assert page.url.endswith("/plain?language=de")
    page.errors.clear()


# ---- When the display opens it

TOO_OLD = {
    "without modules": "delete HTMLScriptElement.prototype.noModule",
    "without container units": "CSS.supports = (name, value) => value !== '1cqw'",
    "without a function": "delete window.ResizeObserver",
}


@pytest.mark.parametrize("age", TOO_OLD)
def test_the_display_falls_back(node, web, browse, age):
    page = browse()
    page.add_init_script(TOO_OLD[age])
    page.goto(web.url + f"n/{node.id}?language=de")
    page.wait_for_url(f"**/n/{node.id}/plain?language=de")
    wait_for(page, mode="Gestoppt")
    page.errors.clear()


@pytest.mark.parametrize("module", ["live", "display/page"])
def test_the_display_falls_back_if_it_cannot_be_read(node, web, browse, module):
    """As in a browser that does not know the language."""
    page = browse()
    page.route(f"**/assets/{module}.js*", lambda route: route.fulfill(body="a b", content_type="text/javascript"))
    page.goto(web.url + f"n/{node.id}")
    page.wait_for_url(f"**/n/{node.id}/plain")
    page.errors.clear()


def test_the_display_stays_if_a_file_is_missing(node, web, browse):
    """Then the server is away, and its page would not load either."""
    page = browse()
    page.route("**/assets/display/page.js*", lambda route: route.abort())
    page.goto(web.url + f"n/{node.id}")
    page.wait_for_timeout(2000)
    assert page.url.endswith(f"/n/{node.id}")
    page.errors.clear()


def test_an_error_in_a_running_display_changes_nothing(node, web, browse):
    page = browse()
    page.goto(web.url + f"n/{node.id}")
    expect(page.locator("#mode")).to_have_text("Stopped")
    page.evaluate("setTimeout(() => { throw new SyntaxError('x'); })")
    page.wait_for_timeout(500)
    assert page.url.endswith(f"/n/{node.id}")
    page.errors.clear()
