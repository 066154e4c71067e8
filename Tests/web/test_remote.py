"""The remote: presses, holds, the slider, refusals, and its layout."""
import time

import pytest
from playwright.sync_api import expect

from conftest import assert_fits
from remote import MODES, Remote
from test_screens import LOST

# Each button that ends or replaces a run, with its command.
HELD = [("#stop", "stop"), ("#rewind", "rewind"), ("#forward", "fast_forward"), ("#next", "next")]


@pytest.fixture
def remote(bench, node, web, browse):
    return Remote(bench, node, web, browse(size="phone", role="remote"))


# The position and the width of each control.
CONTROLS = """() => [...document.querySelectorAll('main :is(button, input, select)')]
    .filter((element) => element.checkVisibility())
    .map((element) => {
        const { left, width } = element.getBoundingClientRect();
        return [element.id || element.dataset.add, Math.round(left), Math.round(width)];
    })"""


@pytest.mark.parametrize("width,height", [(320, 568), (390, 844), (844, 390), (820, 1180), (1366, 768), (1920, 1080)])
def test_texts_of_any_length_leave_the_controls_where_they_are(remote, width, height):
    remote.set_viewport_size({"width": width, "height": height})
    remote.start()
    expect(remote.locator("#timer")).not_to_be_empty()
    before = remote.evaluate(CONTROLS)
    assert len(before) >= 14
    for letters in ("W", "Wort "):
        assert remote.node.command("message", (letters * 200)[:200].strip())["status"] == "ok"
        assert remote.node.command("speaker", (letters * 128)[:128].strip())["status"] == "ok"
        name = (letters * 128)[:127].strip() + "!"
        assert remote.node.command("edit", {"name": name})["status"] == "ok"
        expect(remote.locator("#card option:checked")).to_contain_text("!")
        expect(remote.locator("#shown-message")).to_be_visible()
        assert remote.evaluate(CONTROLS) == before
        assert_fits(remote.page)
        assert remote.evaluate(LOST) == []


def test_a_run_that_is_over_within_the_grace_says_so(bench, web, browse):
    node = bench.start_node(signals={"grace": "1m"}, timers={"groups": [
        {"at_zero": "alarm", "timers": [{"name": "Talk", "start": 2, "maximum": 2}]}]})
    remote = Remote(bench, node, web, browse(size="phone", role="remote"))
    remote.start()
    expect(remote.locator("#qualified")).to_have_text("over, within grace (60 s)", timeout=10_000)
    assert_fits(remote.page)
    assert remote.evaluate(LOST) == []
    assert node.command("stop")["status"] == "ok"
    remote.goto(web.url + f"n/{node.id}/report")
    expect(remote.locator("tbody .verdict")).to_have_text("✓ over, within grace (60 s)")


def test_play_pauses_and_goes_on(remote):
    remote.click("#play")
    remote.expect_mode(MODES)
    expect(remote.locator("#play-text")).to_have_text("Pause")
    remote.click("#play")
    remote.expect_mode("paused")
    expect(remote.locator("#play-text")).to_have_text("Resume")
    remote.click("#play")
    remote.expect_mode(MODES)
    remote.wait_for(("start", {}), ("pause", {}), ("resume", {}))


@pytest.mark.parametrize("button,verb", HELD)
def test_what_ends_a_run_is_held_while_one_goes_on(remote, button, verb):
    remote.start()
    remote.click(button)
    remote.expect_status("Hold for a second")
    remote.click("#silence")
    remote.wait_for(("silence", {}))
    began = time.monotonic()
    remote.hold(button)
    assert time.monotonic() - began >= 1
    remote.wait_for(("silence", {}), (verb, {}))


@pytest.mark.parametrize("button,verb", HELD[1:])
def test_a_press_is_enough_while_nothing_runs(remote, button, verb):
    remote.click(button)
    remote.wait_for((verb, {}))


def test_a_finger_holds_as_a_mouse_does(remote):
    remote.start()
    finger = remote.page.context.new_cdp_session(remote.page)
    x, y = remote.place("#stop")

    def touch(kind, *points):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    touch("touchEnd")
    remote.expect_status("Hold for a second")
    assert remote.commands() == []
    touch("touchStart", {"x": x, "y": y})
    touch("touchMove", {"x": x + 6, "y": y + 4})  # No finger keeps completely still.
    remote.expect_mode("stopped")
    touch("touchEnd")
    # The button under the finger is another one by now, and is not pressed.
    remote.page.wait_for_timeout(1500)
    remote.expect_mode("stopped")
    assert remote.commands() == [("stop", {})]


def test_a_finger_that_leaves_its_button_does_nothing(remote):
    remote.start()
    remote.down("#stop")
    expect(remote.locator("#stop")).to_contain_class("holding")
    x, y = remote.place("#clock")
    remote.page.mouse.move(x, y, steps=5)
    expect(remote.locator("#stop")).not_to_contain_class("holding")
    remote.page.mouse.up()
    remote.click("#silence")
    remote.wait_for(("silence", {}))


def test_who_cannot_hold_is_asked(remote):
    remote.start()
    remote.locator("#stop").evaluate("button => button.click()")  # As a screen reader does: without a pointer press.
    remote.locator("dialog button[value=no]").click()
    remote.locator("#stop").evaluate("button => button.click()")
    remote.locator("dialog button[value=yes]").click()
    remote.wait_for(("stop", {}))


def test_the_large_button_stops_an_overdue_run_and_the_same_timer_is_ready(remote):
    """Not the first timer of its group: the next speaker has the same card."""
    assert remote.node.command("select", "1/2")["status"] == "ok"
    assert remote.node.command("end")["status"] == "ok"
    remote.expect_mode("alarm")
    expect(remote.locator("#play-text")).to_have_text("Stop")
    expect(remote.locator("#digits")).to_contain_text("+0:0")
    remote.forget()
    remote.click("#play")
    remote.expect_status("Hold for a second")
    remote.hold("#play")
    remote.wait_for(("stop", {}))
    remote.expect_mode("stopped")
    expect(remote.locator("#play-text")).to_have_text("Start")
    expect(remote.locator("#card")).to_have_value("1/2")


def test_more_starts_again_and_ends_after_a_hold(remote):
    remote.start()
    for verb in ("start", "end"):
        button = {"start": "#restart", "end": "#end"}[verb]
        remote.click(button)
        remote.expect_status("Hold for a second")
        remote.hold(button)
    remote.wait_for(("start", {}), ("end", {}))


def test_the_slider_sends_when_it_is_let_go(remote):
    remote.start()
    slider = remote.locator("#slider")
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    remote.page.mouse.move(box["x"] + box["width"] - 8, y)
    remote.page.mouse.down()
    remote.page.mouse.move(box["x"] + box["width"] / 2, y, steps=10)
    shown = remote.locator("#digits").inner_text()
    assert shown.startswith(("9:", "10:")), shown
    time.sleep(0.5)  # There is nothing to wait for, because nothing must happen.
    assert remote.commands() == []
    assert remote.locator("#digits").inner_text() == shown, "the chosen time stays while the finger is down"
    remote.page.mouse.up()
    minutes, seconds = shown.split(":")
    remote.wait_for(("set", {"remaining": int(minutes) * 60 + int(seconds)}))
    remote.expect_mode("countdown|warning")


def test_another_timer_is_selected_at_once_or_after_a_question(remote):
    assert remote.node.command("speaker", "Ada Lovelace")["status"] == "ok"
    expect(remote.locator("#speaker-name")).to_have_text("Ada Lovelace")
    remote.forget()
    remote.select_option("#card", "1/2")
    # Selecting a timer clears the speaker; one who was named for the coming talk is kept.
    remote.wait_for(("select", {"timer": "1/2"}), ("speaker", {"name": "Ada Lovelace"}))
    remote.start()
    remote.select_option("#card", "2/1")
    remote.locator("dialog button[value=no]").click()
    expect(remote.locator("#card")).to_have_value("1/2")
    remote.select_option("#card", "2/1")
    remote.locator("dialog button[value=yes]").click()
    expect(remote.locator("#card")).to_have_value("2/1")
    remote.wait_for(("select", {"timer": "2/1"}))


def test_a_speaker_is_named_and_chosen_again(remote):
    remote.click("#speaker")
    remote.fill("#speaker-field", "Ada Lovelace")
    remote.keyboard.press("Enter")
    expect(remote.locator("#speaker-name")).to_have_text("Ada Lovelace")
    remote.click("#speaker")
    remote.click("text=No speaker")
    expect(remote.locator("#speaker-name")).to_have_text("Add speaker")
    remote.click("#speaker")
    remote.click("#recent-speakers >> text=Ada Lovelace")
    expect(remote.locator("#speaker-name")).to_have_text("Ada Lovelace")
    remote.wait_for(*(("speaker", {"name": name}) for name in ("Ada Lovelace", "", "Ada Lovelace")))


def test_messages_are_sent_and_taken_away(remote):
    remote.click("#message")
    remote.click("text=Please wrap up")
    expect(remote.locator("#shown-message")).to_have_text("Please wrap up")
    remote.click("#message")
    remote.click("#message-clear")
    expect(remote.locator("#shown-message")).to_be_hidden()
    remote.click("#message")
    remote.fill("#message-field", "Two more questions")
    remote.check("#attention")
    remote.select_option("#message-time", "60")
    remote.click("text=Send")
    expect(remote.locator("#shown-message")).to_have_text("Two more questions")
    remote.wait_for(("message", {"text": "Please wrap up", "attention": False, "for": 20}), ("message", {"text": ""}),
                    ("message", {"text": "Two more questions", "attention": True, "for": 60}))


def test_a_message_is_kept_for_all_remotes(remote, web, browse):
    remote.click("#message")
    remote.fill("#message-field", "Microphone 2, please")
    remote.check("#keep")
    remote.get_by_role("button", name="Send").click()
    expect(remote.locator("#shown-message")).to_have_text("Microphone 2, please")
    assert remote.node.command("message", "")["status"] == "ok"
    other = Remote(remote.bench, remote.node, web, browse(size="phone", role="remote"), more=False)
    other.click("#message")
    other.get_by_role("button", name="Microphone 2, please", exact=True).click()
    expect(other.locator("#shown-message")).to_have_text("Microphone 2, please")
    other.click("#message")
    kept = other.locator("#kept").get_by_role("button", name="Microphone 2, please", exact=True)
    other.get_by_role("button", name="Remove “Microphone 2, please”").click()
    expect(kept).to_have_count(0)
    # What was removed by mistake is there to be kept again.
    expect(other.locator("#message-field")).to_have_value("Microphone 2, please")


def test_nothing_written_is_no_message(remote):
    """Nor does it remove the message that is shown."""
    assert remote.node.command("message", "Please wrap up")["status"] == "ok"
    expect(remote.locator("#shown-message")).to_have_text("Please wrap up")
    remote.forget()
    remote.click("#message")
    for text in ("", "  "):
        remote.fill("#message-field", text)
        remote.click("text=Send")
    expect(remote.locator("#message-field")).to_be_focused()
    remote.fill("#message-field", "One more minute")
    remote.click("text=Send")
    remote.wait_for(("message", {"text": "One more minute", "attention": False, "for": 20}))


def test_messages_of_the_configuration_are_ready(bench, node, browse):
    web = bench.start_web(messages=["Speak up, please"])
    remote = Remote(bench, node, web, browse(size="phone", role="remote", server=web))
    remote.click("#message")
    expect(remote.locator("#ready button")).to_have_text(["Speak up, please"])


CARD = [{"name": "Speeches", "at_zero": "alarm", "timers": [{"name": "Speech", "min": "0:05", "mid": "2:00",
                                                              "max": "4:00"}]}]


def seconds_of(page, selector):
    minutes, seconds = page.locator(selector).inner_text().split(":")
    return 60 * int(minutes) + int(seconds)


def test_what_was_used_is_the_nodes_word_and_the_same_after_a_reload(bench, web, browse):
    node = bench.start_node(timers={"groups": CARD}, signals={"profile": "toastmasters"})
    remote = Remote(bench, node, web, browse(size="phone", role="remote"))
    expect(remote.locator("#minimum")).to_have_text("0:05")
    remote.start()
    assert node.command("add", "+60")["status"] == "ok"
    assert node.command("set", "1:30")["status"] == "ok"
    expect(remote.locator("#mode")).to_have_text("Wrap up")
    expect(remote.locator("#mode")).to_have_attribute("data-tone", "yellow")
    colour = "(element) => getComputedStyle(element).color"
    assert remote.locator("#mode").evaluate(colour) != remote.locator("#timer").evaluate(colour)
    assert node.command("pause")["status"] == "ok"
    remote.expect_mode("paused")
    used = node.json("state")["run"]["used"]
    expect(remote.locator("#elapsed")).to_have_text(f"0:{int(used):02}")
    before = [remote.locator(name).inner_text() for name in ("#elapsed", "#minimum", "#maximum", "#qualified")]
    remote.page.reload()
    remote.expect_mode("paused")
    expect(remote.locator("#elapsed")).to_have_text(before[0])
    assert [remote.locator(name).inner_text() for name in ("#elapsed", "#minimum", "#maximum", "#qualified")] == before
    remote.page.goto(web.url + f"n/{node.id}?count=up")
    expect(remote.locator("#time")).to_have_text(before[0])


def test_a_run_of_one_time_only_has_no_bounds(bench, web, browse):
    node = bench.start_node(timers={"groups": CARD}, signals={"profile": "toastmasters"})
    remote = Remote(bench, node, web, browse(size="phone", role="remote"))
    assert node.command("start", {"duration": 90, "name": "Toast"})["status"] == "ok"
    expect(remote.locator("#timer")).to_contain_text("Toast")
    assert [remote.locator(name).inner_text() for name in ("#minimum", "#maximum", "#qualified")] == ["–"] * 3
    assert seconds_of(remote, "#elapsed") < 90
