"""What the tests of the editor share: the page, and the node's timers."""
import json

from processes import wait_until

FOUR = {"groups": [
    {"name": "Talks", "display": "stoplights", "timers": [
        {"name": "A", "start": 400, "warning": 100, "final": 20}, {"name": "B", "start": 300},
        {"name": "C", "start": 200}]},
    {"name": "Full", "timers": [{"name": name, "start": 100} for name in "DEFG"]},
    {"name": "Alone", "timers": [{"name": "H", "start": 60}]}]}


class Unexpected(list):
    """The errors of a page, without the browser's own report of a refused request."""

    def append(self, error):
        if not error.startswith("Failed to load resource: the server responded with a status of"):
            super().append(error)


def open_editor(browse, web, node, refused=False, **options):
    """Opens the editor; if a refusal is expected, the browser may report it."""
    page = browse(role="operator", **options)
    if refused:
        page.errors = Unexpected()
    page.goto(web.url + f"n/{node.id}/edit")
    page.wait_for_selector(".cell")
    return page


def model(node):
    """The timers that the node published last."""
    return json.loads(node._bench.mqtt.messages(node.topic("timers"), 0)[-1].payload)


def names(timers):
    return [[timer["name"] for timer in group["timers"]] for group in timers["groups"]]


def timer(node, name):
    return next(one for group in model(node)["groups"] for one in group["timers"] if one["name"] == name)


def wait_for_names(node, expected):
    wait_until(lambda: names(model(node)) == expected, f"the node has {expected}",
               otherwise=lambda: str(names(model(node))))


def wait_for_rows(page, expected):
    """Waits until the page shows the timers with these names."""
    def rows():
        return page.evaluate("""[...document.querySelectorAll('.row:not(.new)')].map(row =>
            [...row.querySelectorAll('.cell .name')].map(name => name.textContent))""")
    wait_until(lambda: rows() == expected, f"the page shows {expected}", otherwise=lambda: str(rows()))


def card(page, name):
    return page.locator("#matrix .cell", has=page.locator(".name", has_text=name).and_(page.get_by_text(name, exact=True)))


def open_timer(page, name):
    """Opens the form of a timer, with everything that is folded in it."""
    card(page, name).locator(".timer").click()
    dialog = page.locator("dialog[open]")
    dialog.locator("details").evaluate("folded => { folded.open = true; }")
    return dialog


# The fields for the times of a node with the lamps of a podium, by their names in the node's model.
FIELDS = {"warning": "Yellow · Warning", "final": "Red · Final", "start": "Red flashing · Time is up",
          "minimum": "Qualifies from", "maximum": "Qualifies up to"}


def clock(dialog, name):
    """The field of a time."""
    return dialog.get_by_label(FIELDS.get(name, name), exact=True)


def save(dialog):
    dialog.get_by_role("button", name="Save").click()


def closed(page):
    page.wait_for_selector("dialog", state="detached")


def shown_times(dialog):
    """The times in the form, which all count from the start; empty ones are omitted."""
    texts = {name: clock(dialog, name).input_value() for name in FIELDS}
    return {name: text for name, text in texts.items() if text}
