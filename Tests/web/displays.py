"""What the tests of the displays share: the display of a node in a page, and what must hold for each picture."""
import itertools
import os
import pathlib

from PIL import Image
from playwright.sync_api import expect

from conftest import SIZES

TONES = {"green": (0x2E, 0xE0, 0x6A), "yellow": (0xFF, 0xD0, 0x2E), "red": (0xFF, 0x55, 0x49)}
WHITE = "rgb(242, 244, 247)"
# The smallest phone that is supported, upright and in landscape.
SCREENS = SIZES | {"small phone": (360, 640), "lying phone": (640, 360)}
KINDS = ("numerical", "circular", "stoplights", "lower-third", "backstage")

# The boxes of the readable text, and of the screen. Truncated text ends in an ellipsis; digits are never truncated.
BOXES = """() => {
    const boxes = {};
    const ids = ['now', 'name', 'place', 'speaker', 'mode', 'time', 'next', 'expected', 'end', 'behind', 'clock', 'list',
        'text', 'connection', 'notice-title', 'notice-hint'];
    for (const id of ids) {
        const element = document.getElementById(id);
        if (!element?.textContent || !element.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(element);
        const text = range.getBoundingClientRect();
        const box = element.getBoundingClientRect();
        // The line of the digits is as high as they are; a range is higher, and includes hidden lines.
        const isBox = id === 'time' || getComputedStyle(element).overflowY === 'hidden';
        const { top, bottom } = isBox ? box : text;
        boxes[id] = [Math.max(text.left, box.left), top, Math.min(text.right, box.right), bottom];
    }
    return boxes;
}"""


def open_display(page, web, node, **parameters):
    query = "&".join(f"{name.replace('_', '-')}={value}" for name, value in parameters.items())
    page.goto(web.url + f"n/{getattr(node, 'id', node)}?{query}")


def resize(page, size, sizes=SCREENS):
    """Resizes the window. Then it waits until the page has adapted, which takes a frame, and returns the size."""
    width, height = sizes[size]
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return width, height


def boxes(page):
    return page.evaluate(BOXES)


def assert_readable(page):
    """Everything is on the screen, and nothing overlaps."""
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    found = boxes(page)
    assert page.locator("#message").is_visible() == ("text" in found)
    for name, (left, top, right, bottom) in found.items():
        assert -1 <= left and right <= width + 1 and -1 <= top and bottom <= height + 1, (name, found[name])
    for (one, a), (other, b) in itertools.combinations(found.items(), 2):
        apart = a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 2 or b[3] <= a[1] + 2
        assert apart, (one, a, other, b)
    return found


def assert_large(page, kind):
    """The digits fill the available width or height; a lower third is small on purpose."""
    if kind == "lower-third":
        return
    left, top, right, bottom = boxes(page)["time"]
    dial = page.locator("#digits").bounding_box()
    assert (right - left) / dial["width"] > 0.85 or (bottom - top) / dial["height"] > 0.85, (kind, dial)
    if kind == "numerical":
        height = page.viewport_size["height"]
        width = page.viewport_size["width"]
        assert (bottom - top) / height > 0.35 or (right - left) / width > 0.85


def take(page, name):
    """Takes a picture, which is kept if DISPLAY_PICTURES names a folder, for people to look at; returns the image."""
    folder = os.environ.get("DISPLAY_PICTURES")
    file = pathlib.Path(folder or os.environ.get("TMPDIR", "/tmp")) / f"{name}.png".replace(" ", "-")
    page.screenshot(path=file)
    image = Image.open(file).convert("RGB")
    image.load()
    if not folder:
        file.unlink()
    return image


def share_of(image, colour, tolerance=24):
    """The fraction of a picture that has roughly that colour."""
    small = image.resize((96, 96), Image.Resampling.NEAREST)
    pixels = [small.getpixel((x, y)) for x in range(96) for y in range(96)]
    near = sum(all(abs(part - wanted) <= tolerance for part, wanted in zip(pixel, colour)) for pixel in pixels)
    return near / len(pixels)


def wait_for_mode(page, word, timeout=30_000):
    expect(page.locator("#mode")).to_have_text(word, timeout=timeout)


def colour(page, selector, name="color"):
    return page.locator(selector).evaluate("(element, name) => getComputedStyle(element)[name]", name)


def tone(name):
    return "rgb({}, {}, {})".format(*TONES[name])
