"""The editor on a node with the lamps of Toastmasters: a timer is a countdown or a card."""
import pytest
from playwright.sync_api import expect

from editor import clock, closed, model, open_editor, open_timer, save, timer

GREEN, YELLOW, RED = "Green · Qualified", "Yellow · Wrap up", "Red · Time"


@pytest.fixture
def node(bench):
    return bench.start_node(signals={"profile": "toastmasters"}, timers={"groups": [{"name": "Speeches", "timers": [
        {"name": "Countdown", "start": 600, "warning": 120, "final": 30, "minimum": 200, "maximum": 700},
        {"name": "Speech", "min": "5:00", "mid": "6:00", "max": "7:00"}]}]})


def lamps(dialog):
    return [clock(dialog, label) for label in (GREEN, YELLOW, RED)]


def times_of(node, name):
    found = timer(node, name)
    return [found.get(key) for key in ("start", "warning", "final", "minimum", "maximum")]


def become(dialog, kind):
    dialog.get_by_label(kind, exact=True).check()


def is_chosen(dialog, kind):
    expect(dialog.get_by_label(kind, exact=True)).to_be_checked()


def note(field):
    return field.locator("xpath=..").locator(".field-note")


def test_a_card_is_three_times_from_which_its_bounds_follow(node, web, browse):
    page = open_editor(browse, web, node)
    page.get_by_role("button", name="Add timer to Speeches").click()
    dialog = page.locator("dialog[open]")
    green, yellow, red = lamps(dialog)
    # The new card is like the last one of its group.
    is_chosen(dialog, "Cards")
    assert [field.input_value() for field in (green, yellow, red)] == ["5:00", "6:00", "7:00"]
    expect(dialog.locator(".clock:visible")).to_have_count(3)
    dialog.get_by_label("Name", exact=True).fill("Ice Breaker")
    green.fill("4:00")
    yellow.fill("5")
    red.fill("6:00")
    expect(dialog).to_contain_text("with 2:00 left")
    save(dialog)
    closed(page)
    assert times_of(node, "Ice Breaker") == [360, 120, 60, 240, 360]
    # Bounds of their own are fields of their own.
    dialog = open_timer(page, "Ice Breaker")
    become(dialog, "Countdown")
    clock(dialog, "maximum").fill("6:30")
    save(dialog)
    closed(page)
    assert times_of(node, "Ice Breaker") == [360, 120, 60, 240, 390]
    dialog = open_timer(page, "Ice Breaker")
    is_chosen(dialog, "Countdown")
    assert clock(dialog, "maximum").input_value() == "6:30"


def test_the_switch_loses_nothing(node, web, browse):
    page = open_editor(browse, web, node)
    revision = model(node)["model_revision"]
    dialog = open_timer(page, "Countdown")
    is_chosen(dialog, "Countdown")
    clock(dialog, "minimum").fill("3:00")
    clock(dialog, "maximum").fill("soon")
    become(dialog, "Cards")
    assert [field.input_value() for field in lamps(dialog)] == ["8:00", "9:30", "10:00"]
    expect(dialog.locator(".clock:visible")).to_have_count(3)
    lamps(dialog)[0].fill("7:00")
    become(dialog, "Countdown")
    assert [clock(dialog, name).input_value() for name in ("minimum", "maximum", GREEN)] == ["3:00", "soon", "7:00"]
    clock(dialog, "maximum").fill("11:00")
    # An order that a countdown cannot have comes back as it was entered.
    become(dialog, "Cards")
    lamps(dialog)[1].fill("6:00")
    become(dialog, "Countdown")
    assert clock(dialog, YELLOW).input_value() == "7:01"
    become(dialog, "Cards")
    assert [field.input_value() for field in lamps(dialog)] == ["7:00", "6:00", "10:00"]
    lamps(dialog)[1].fill("9:00")
    become(dialog, "Countdown")
    assert model(node)["model_revision"] == revision
    save(dialog)
    closed(page)
    assert times_of(node, "Countdown") == [600, 180, 60, 180, 660]


def test_a_card_that_becomes_a_countdown_keeps_its_bounds(node, web, browse):
    page = open_editor(browse, web, node)
    dialog = open_timer(page, "Speech")
    become(dialog, "Countdown")
    lamps(dialog)[2].fill("8:00")
    assert [clock(dialog, name).input_value() for name in ("minimum", "maximum")] == ["5:00", "7:00"]
    save(dialog)
    closed(page)
    assert times_of(node, "Speech") == [480, 180, 120, 300, 420]


def test_what_is_wrong_with_a_card_is_said_at_its_field(node, web, browse):
    page = open_editor(browse, web, node)
    revision = model(node)["model_revision"]
    dialog = open_timer(page, "Speech")
    green, yellow, red = lamps(dialog)
    for field, text, wrong, said in [
            (red, "6:00", red, "Must be after “Wrap up” (6:00)."),
            (red, "5:30", red, "Must be after “Wrap up” (6:00)."),
            (yellow, "5:00", yellow, "Must be after “Qualified” (5:00)."),
            (yellow, "", yellow, "A time such as 5:00"),
            (green, "6:00", yellow, "Must be after “Qualified” (6:00)."),
            (green, "", green, "A time such as 5:00")]:
        before = field.input_value()
        field.fill(text)
        expect(note(wrong)).to_have_text(said)
        expect(wrong).to_have_attribute("aria-invalid", "true")
        expect(dialog.locator("[aria-invalid]")).to_have_count(1)
        expect(dialog.locator(".field-note:not(:empty)")).to_have_count(1)
        dialog.get_by_label("Name", exact=True).focus()
        save(dialog)
        expect(wrong).to_be_focused()
        # It stays as it was typed, and is right again without it.
        assert field.input_value() == text
        field.fill(before)
        expect(dialog.locator("[aria-invalid]")).to_have_count(0)
    red.fill("6:01")
    expect(note(yellow)).to_have_text("The last second alone is too short for it: it is left out.")
    yellow.fill("7:00")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keep editing").click()
    expect(yellow).to_have_value("7:00")
    assert model(node)["model_revision"] == revision


def test_only_lamps_of_toastmasters_make_cards(bench, web, browse):
    node = bench.start_node("podium")
    page = open_editor(browse, web, node)
    dialog = open_timer(page, "Talk")
    expect(dialog.get_by_role("group", name="Kind")).to_have_count(0)
    expect(dialog.locator(".clock:visible")).to_have_count(5)
