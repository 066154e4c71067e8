"""The pictures of README.md and docs/web.md, which `make pictures` takes: it sets PICTURES to their folder."""
import os
import pathlib

import pytest
from PIL import Image
from playwright.sync_api import expect

EVENING = {"groups": [
    {"name": "Spring conference", "display": "stoplights", "timers": [
        {"name": "Talk", "event": "Spring conference", "location": "Hall A", "start": 1200, "warning": 300, "final": 60},
        {"name": "Questions", "event": "Spring conference", "location": "Hall A", "start": 300, "warning": 60,
         "final": 15}]},
    {"name": "Prepared speeches", "display": "circular", "timers": [
        {"name": "Speech", "start": 450, "warning": 90, "final": 30, "minimum": 270, "maximum": 480},
        {"name": "Evaluation", "start": 210, "warning": 60, "final": 30, "minimum": 90, "maximum": 240}]},
    {"name": "Break", "timers": [{"name": "Break", "start": 900}]}]}
ORDER = {"entries": [
    {"title": "Opening", "speaker": "Grace Hopper", "start": "5:00", "at": "19:00"},
    {"title": "Notes on the engine", "speaker": "Ada Lovelace", "timer": "1/1"},
    {"title": "Questions", "timer": "1/2"},
    {"title": "Subroutines", "speaker": "Jean Bartik", "timer": "1/1"},
    {"title": "Break", "timer": "3/1"},
    {"title": "Error correction", "speaker": "Richard Hamming", "timer": "1/1"}]}
# The shortest side of each picture is that of its screen.
PICTURES = [
    ("web-rooms.png", "", "tablet", "light", "Lectern"),
    ("web-display.png", "n/lectern", "projector", "dark", "Ada"),
    ("web-remote.png", "n/lectern/remote", "phone", "light", "Ada"),
    ("web-remote-laptop.png", "n/lectern/remote", "laptop", "dark", "Ada"),
    ("web-editor.png", "n/lectern/edit", (1280, 800), "light", "Evaluation"),
]


@pytest.fixture
def folder(tmp_path):
    return pathlib.Path(os.environ.get("PICTURES", tmp_path))


def test_pictures(bench, web, browse, folder):
    node = bench.start_node(timers=EVENING)
    bench.start_node("stage", name="Stage", timers=EVENING)
    assert node.command("programme", ORDER)["status"] == "ok"
    for entry, ago in ((1, "4:48"), (2, "8:36")):
        assert node.command("entry", str(entry))["status"] == "ok"
        assert node.command("start", {"ago": ago})["status"] == "ok"
    for name, path, size, theme, text in PICTURES:
        page = browse(size=size, theme=theme, role="operator")
        page.goto(web.url + path)
        expect(page.locator("body")).to_contain_text(text)
        if page.locator("#stage iframe").is_visible():
            expect(page.frame_locator("#stage iframe").locator("#mode")).to_have_text("Running")
        page.evaluate("document.fonts.ready.then(() => true)")
        file = folder / name
        page.screenshot(path=file)
        image = Image.open(file).convert("RGB")
        image.thumbnail((960, 960))
        save(image, file)


def save(image, file):
    # Few colours make a small file, and this method preserves those of the lamps. A picture of a single colour
    # would be an empty page.
    assert len(image.getcolors(1 << 24)) > 20
    image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, optimize=True)


def test_without_red_and_green(bench, web, browse, folder):
    """Warning and final as people with deuteranopia see them: above in the usual colours, below in those of the palette."""
    node = bench.start_node(timers=EVENING)
    assert node.command("start")["status"] == "ok"
    picture = Image.new("RGB", (960, 544))
    for column, (left, word) in enumerate((("4:12", "Warning"), ("0:47", "Final"))):
        assert node.command("set", left)["status"] == "ok"
        for row, palette in enumerate(("usual", "red-green")):
            page = browse(size=(478, 270))
            page.goto(web.url + f"n/lectern?display=numerical&palette={palette}")
            expect(page.locator("#mode")).to_have_text(word)
            page.context.new_cdp_session(page).send(
                "Emulation.setEmulatedVisionDeficiency", {"type": "deuteranopia"})
            file = folder / "part.png"
            page.screenshot(path=file)
            picture.paste(Image.open(file).convert("RGB"), (column * 482, row * 274))
            file.unlink()
    save(picture, folder / "web-deuteranopia.png")
