"""The parameters in the address of a display, and those of a view in the configuration."""
import pathlib
import re

from PIL import Image
from playwright.sync_api import expect

from conftest import assert_accessible
from displays import WHITE, assert_readable, colour, open_display, share_of, take, wait_for_mode


def test_elements_of_the_address(node, web, browse):
    page = browse()
    node.command("start", {"speaker": "Ada Lovelace"})
    open_display(page, web, node, display="numerical", elements="digits,speaker,event,location")
    expect(page.locator("#speaker")).to_have_text("Ada Lovelace")
    expect(page.locator("#place")).to_have_text("Spring conference · Hall A")
    for hidden in ("#lamps", "#mode", "#name", "#progress", "#next", "#end"):
        expect(page.locator(hidden)).to_be_hidden()
    open_display(page, web, node, display="backstage", elements="-next,-progress")
    expect(page.locator("#end")).to_contain_text("Ends at")
    for hidden in ("#next", "#progress"):
        expect(page.locator(hidden)).to_be_hidden()


def test_parameters_of_the_address(node, web, browse):
    page = browse()
    node.command("start")
    node.command("set", "4:30")
    open_display(page, web, node, display="numerical", count="up")
    wait_for_mode(page, "Warning")
    expect(page.locator("#time")).to_have_text(re.compile(r"^0:\d\d$"))
    open_display(page, web, node, display="stoplights", digits="off")
    expect(page.locator("#lamps")).to_be_visible()
    expect(page.locator("#time")).to_be_hidden()
    assert page.locator("#lamps").bounding_box()["height"] > 0.85 * 1080
    open_display(page, web, node, display="numerical", colours="background")
    wait_for_mode(page, "Warning")
    assert share_of(take(page, "background"), (0xFF, 0xC2, 0x1A)) > 0.5
    assert colour(page, "#time") == "rgb(0, 0, 0)"
    assert_accessible(page)
    open_display(page, web, node, display="numerical", colours="none")
    wait_for_mode(page, "Warning")
    assert colour(page, "#time") == WHITE
    open_display(page, web, node, display="numerical", yellow="00ffff", background="300030", foreground="fafafa")
    wait_for_mode(page, "Warning")
    assert (colour(page, "#time"), colour(page, "#name")) == ("rgb(0, 255, 255)", "rgb(250, 250, 250)")
    assert colour(page, "body", "backgroundColor") == "rgb(48, 0, 48)"
    open_display(page, web, node, display="numerical", mirror="on")
    wait_for_mode(page, "Warning")
    lights, foot = (page.locator(selector).bounding_box() for selector in ("#lights", "#foot"))
    assert lights["x"] + lights["width"] > 1800 and foot["x"] < 120
    open_display(page, web, node, display="numerical", size=50)
    wait_for_mode(page, "Warning")
    stage = page.locator("#stage").bounding_box()
    assert (round(stage["width"]), round(stage["height"]), round(stage["x"])) == (960, 540, 480)
    assert_readable(page)
    open_display(page, web, node, display="numerical", language="de")
    wait_for_mode(page, "Warnung")


def test_what_has_passed_goes_on_where_time_is_added(node, web, browse):
    page = browse()
    open_display(page, web, node, display="numerical", count="up")
    wait_for_mode(page, "Stopped")
    assert node.command("start")["status"] == "ok"
    expect(page.locator("#time")).to_have_text("0:01")
    assert node.command("add", {"seconds": 60})["status"] == "ok"
    expect(page.locator("#time")).to_have_text("0:03")
    assert node.command("add", {"seconds": -600})["status"] == "ok"
    expect(page.locator("#time")).to_have_text("0:05")
    assert node.command("stop")["status"] == "ok"
    expect(page.locator("#time")).to_have_text("0:00")


def test_what_has_passed_where_the_node_was_heard_before_the_page_was_there(node, web, browse):
    assert node.command("start")["status"] == "ok"
    page = browse()
    held = []
    page.route("**/display/page.js*", lambda route: held.append(route))
    with page.expect_response("**/api/events?*"):
        page.goto(web.url + f"n/{node.id}?display=numerical&count=up", wait_until="commit")
    held[0].continue_()
    wait_for_mode(page, "Running")
    shown = page.locator("#time").text_content()
    assert node.command("add", {"seconds": 60})["status"] == "ok"
    expect(page.locator("#time")).to_have_text(f"0:{int(shown.split(':')[1]) + 4:02}")


def test_transparent_background(node, web, browse, tmp_path):
    page = browse()
    for parameters in ({"display": "lower-third"}, {"display": "numerical", "background": "transparent"}):
        open_display(page, web, node, **parameters)
        wait_for_mode(page, "Stopped")
        page.screenshot(path=tmp_path / "clear.png", omit_background=True)
        image = Image.open(tmp_path / "clear.png")
        assert image.getpixel((1900, 600))[3] == 0
        assert image.getbbox() is not None


def test_display_of_the_group_and_of_views(bench, node, browse):
    web = bench.start_web(views={"hall": "display=circular&count=up"})
    page = browse()
    open_display(page, web, node)
    expect(page.locator("#stage")).to_have_attribute("data-kind", "stoplights")
    assert node.command("select", "2/1")["status"] == "ok"
    expect(page.locator("#stage")).to_have_attribute("data-kind", "numerical")
    open_display(page, web, node, view="hall")
    expect(page.locator("#stage")).to_have_attribute("data-kind", "circular")
    expect(page.locator("#time")).to_have_text("0:00")
    open_display(page, web, node, view="hall", count="down")
    expect(page.locator("#time")).to_have_text("10:00")


def test_language_of_a_view(bench, node, browse):
    web = bench.start_web(views={"saal": "language=de"})
    page = browse()
    open_display(page, web, node, view="saal")
    wait_for_mode(page, "Gestoppt")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.mouse.move(500, 500)
    expect(page.locator("#controls")).to_contain_text("Vollbild")
    open_display(page, web, node, view="saal", language="en")
    wait_for_mode(page, "Stopped")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_documentation_has_every_parameter():
    clone = pathlib.Path(__file__).parents[2]
    source = (clone / "www/assets/display/parameters.js").read_text().splitlines()
    rows = [line.removeprefix("// ") for line in source if line.startswith("// |")]
    assert len(rows) > 20
    page = (clone / "docs/web.md").read_text()
    assert [row for row in rows if row not in page] == []
