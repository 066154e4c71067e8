"""A group in the editor: its settings, the preview of its display, and its sounds."""
import json

import pytest

from editor import FOUR, closed, model, open_editor, save
from processes import wait_until


@pytest.fixture
def node(bench):
    return bench.start_node(timers=FOUR, signals={"patterns": {"chirp": ["80ms", "40ms", "80ms"]}})


def open_group(page, name):
    page.get_by_role("button", name=f"Settings for group {name}").click()
    return page.locator("dialog[open]")


def test_all_settings_of_a_group(node, web, browse):
    page = open_editor(browse, web, node)
    dialog = open_group(page, "Talks")
    dialog.get_by_label("Name", exact=True).fill("Speeches")
    for field, value in [("Display", "circular"), ("Alarm", "soundVibrate"), ("Sound of the alarm", "long"),
                         ("At zero", "alarm")]:
        dialog.get_by_label(field, exact=True).select_option(value)
    dialog.get_by_label("Sound between timers", exact=True).select_option("none")
    save(dialog)
    closed(page)
    group = model(node)["groups"][0]
    assert {key: group[key] for key in group if key != "timers"} == {
        "name": "Speeches", "display": "circular", "alarm": "soundVibrate", "sound": "long", "transition": "none",
        "at_zero": "alarm"}
    assert "Ring · Sound and vibration · At zero: alarm" in page.locator(".row").first.inner_text()
    dialog = open_group(page, "Speeches")
    dialog.get_by_label("Sound of the alarm", exact=True).select_option("")
    save(dialog)
    closed(page)
    assert "sound" not in model(node)["groups"][0]


def test_the_preview_is_live(node, web, browse):
    page = open_editor(browse, web, node)
    dialog = open_group(page, "Talks")
    preview = dialog.locator(".preview")
    assert preview.locator(".lamp").count() == 3
    modes = set()
    # One run of the preview takes 12.5 s.
    wait_until(lambda: modes.add(preview.get_attribute("data-mode")) or len(modes) == 4, "each mode is shown",
               otherwise=lambda: str(modes))
    assert modes == {"countdown", "warning", "final", "alarm"}
    dialog.get_by_label("Display", exact=True).select_option("circular")
    assert (preview.locator(".ring").count(), preview.locator(".lamp").count()) == (1, 0)
    dialog.get_by_label("Display", exact=True).select_option("numerical")
    assert (preview.locator(".ring").count(), preview.locator(".digits").count()) == (0, 1)


def test_the_preview_has_the_colours_of_the_node(bench, web, browse):
    node = bench.start_node(timers=FOUR, signals={"profile": "toastmasters"})
    preview = open_group(open_editor(browse, web, node), "Talks").locator(".preview")
    tones = {}

    def look():
        # Both are read at once, because the mode may change between two reads.
        mode, tone = preview.evaluate("(preview) => [preview.dataset.mode, preview.dataset.tone]")
        tones[mode] = tone
        return len(tones) == 4

    wait_until(look, "each mode is shown", patience=30)
    assert tones == {"countdown": "", "warning": "green", "final": "yellow", "alarm": "red"}


def test_the_preview_is_steady_where_motion_is_reduced(node, web, browse):
    page = open_editor(browse, web, node, reduced_motion="reduce")
    preview = open_group(page, "Talks").locator(".preview")
    wait_until(lambda: preview.get_attribute("data-mode") == "alarm", "the alarm")
    lit = [preview.get_attribute("data-lit") for _ in range(20)]
    assert set(lit) == {"true"}


def test_a_sound_can_be_listened_to(node, web, browse):
    page = open_editor(browse, web, node, refused=True)
    dialog = open_group(page, "Talks")
    listen = dialog.get_by_role("button", name="Listen: Sound of the alarm")
    assert listen.is_disabled()
    since = node._bench.mqtt.position()
    dialog.get_by_label("Sound of the alarm", exact=True).select_option("triple")
    listen.click()
    assert node.response("beep", since)["status"] == "ok"
    wait_until(lambda: any(json.loads(message.payload)["outputs"]["buzzer"] != "off"
                           for message in node._bench.mqtt.messages(node.topic("state"), since)), "the buzzer sounds")

    dialog.get_by_label("Sound of the alarm", exact=True).select_option(label="Another pattern…")
    dialog.locator(".sound").first.get_by_label("Name of the pattern").fill("squeak")
    listen.click()
    wait_until(lambda: "squeak" in dialog.locator(".sound").first.inner_text(), "the node does not know it")
    dialog.locator(".sound").first.get_by_label("Name of the pattern").fill("chirp")
    save(dialog)
    closed(page)
    assert model(node)["groups"][0]["sound"] == "chirp"
    dialog = open_group(page, "Full")  # By now the pattern is known.
    dialog.get_by_label("Sound between timers", exact=True).select_option("chirp")
    save(dialog)
    closed(page)
    assert model(node)["groups"][1]["transition"] == "chirp"
