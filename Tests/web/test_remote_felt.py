"""The remote: each press is acknowledged at once, a refusal gives its reason, and no command is sent twice."""
import pytest
from playwright.sync_api import expect

from remote import MODES, Remote, forgive_refusals

# Measures the time from a press until its acknowledgement is drawn, in ms; the page's own handlers run before.
WATCH = """() => {
  window.felt = {};
  document.addEventListener('pointerdown', (event) => {
    const button = event.target.closest('button');
    const pressed = event.timeStamp;
    const look = () => requestAnimationFrame(() => {
      const name = button.id || button.dataset.add;
      if (button.classList.contains('felt')) (window.felt[name] ??= []).push(performance.now() - pressed);
      else if (performance.now() - pressed < 2000) look();
    });
    if (button) look();
  }, { capture: true });
}"""
BUTTONS = ["#play", "#stop", "#rewind", "#forward", "#next", "#previous", "#silence", "#time", "#speaker",
           "#message"]


@pytest.fixture
def remote(bench, node, web, browse):
    return Remote(bench, node, web, browse(size="phone", role="remote"))


def test_each_press_is_felt_within_a_tenth_of_a_second(remote):
    remote.start()
    remote.evaluate(WATCH)
    for number in range(1, 4):
        for button in BUTTONS:
            remote.click(button)
            remote.keyboard.press("Escape")  # Closes any dialog that has opened.
            expect(remote.locator("dialog")).to_have_count(0)
        remote.wait_for_function(
            f"() => Object.values(window.felt).filter((all) => all.length === {number}).length === {len(BUTTONS)}")
    # The best of three presses counts, because another program may use the processor for a moment.
    felt = {button: min(times) for button, times in remote.evaluate("window.felt").items()}
    print(f"felt within {max(felt.values()):.0f} ms")
    assert max(felt.values()) <= 100, felt
    forgive_refusals(remote.page)


def test_a_press_is_felt_although_the_node_does_not_answer(remote):
    remote.node.kill()
    remote.evaluate(WATCH)
    remote.click("#play")
    remote.wait_for_function("() => 'play' in window.felt")
    assert min(remote.evaluate("window.felt.play")) <= 100
    forgive_refusals(remote.page)


def test_nothing_is_repeated_where_nobody_answers(remote):
    remote.start()
    with remote.node.halted():
        remote.click("#play")
        expect(remote.locator("#play")).to_have_attribute("aria-busy", "true")
        remote.click("#play")  # An impatient finger, while the first command is in progress.
        remote.expect_status("No answer")
        # The last state received is shown.
        remote.expect_mode(MODES)
        remote.wait_for(("pause", {}))
    forgive_refusals(remote.page)
    expect(remote.locator("#link")).to_have_text("live")
    assert remote.commands() == [("pause", {})]


def test_the_last_wish_counts_where_one_is_under_way(remote):
    """A command that sets a value is not lost, and no later command arrives before it."""
    remote.start()
    remote.click("#play")
    remote.expect_mode("paused")
    remote.forget()
    with remote.node.halted():
        remote.locator("#slider").focus()
        left = int(remote.locator("#slider").input_value())
        remote.keyboard.press("ArrowLeft")
        remote.wait_for(("set", {"remaining": left - 1}))
        remote.keyboard.press("ArrowLeft")
        remote.keyboard.press("ArrowLeft")
    remote.wait_for(("set", {"remaining": left - 1}), ("set", {"remaining": left - 3}))
    expect(remote.locator("#slider")).to_have_value(str(left - 3))


def test_a_message_and_a_name_are_not_lost_where_others_are_under_way(remote):
    def write(text):
        remote.click("#message")
        remote.fill("#message-field", text)
        remote.click("text=Send")

    def name(speaker):
        remote.click("#speaker")
        remote.fill("#speaker-field", speaker)
        remote.keyboard.press("Enter")

    with remote.node.halted():
        for action, text in ((write, "One"), (name, "Ada"), (write, "Two"), (name, "Grace")):
            action(text)
    expect(remote.locator("#shown-message")).to_have_text("Two")
    expect(remote.locator("#speaker-name")).to_have_text("Grace")
    assert [verb for verb, _ in remote.commands()].count("message") == 2


def test_a_timer_is_chosen_while_another_choice_is_under_way(remote):
    with remote.node.halted():
        remote.select_option("#card", "1/2")
        remote.wait_for(("select", {"timer": "1/2"}))
        remote.select_option("#card", "2/1")
    expect(remote.locator("#card")).to_have_value("2/1")
    remote.wait_for(("select", {"timer": "1/2"}), ("select", {"timer": "2/1"}))


def test_a_refusal_says_why(remote):
    remote.click("#previous")
    remote.expect_status("Not possible now")
    assert remote.node.command("lock", '{"commands": true}')["status"] == "ok"
    expect(remote.locator("#link")).to_have_text("all locked")
    remote.click("#play")
    remote.expect_status("Locked")
    expect(remote.locator("#play")).to_contain_class("refused")
    forgive_refusals(remote.page)


def test_the_lock_is_for_operators(remote, node, web):
    expect(remote.locator("#silence")).to_be_visible()
    expect(remote.locator("#lock")).to_be_hidden()
    remote.keyboard.press("l")
    remote.keyboard.press("x")
    remote.wait_for(("silence", {}))
    remote.keyboard.press("?")
    expect(remote.locator("dialog kbd")).to_have_count(11)
    remote.keyboard.press("Escape")
    # A remote sees that it is locked, whoever has locked it.
    assert node.command("lock")["status"] == "ok"
    expect(remote.locator("#link")).to_have_text("push-buttons locked")
    expect(remote.locator("#lock")).to_be_hidden()
    remote.click("#links >> text=operator")
    remote.fill("#pin", web.pin("operator"))
    remote.wait_for_url(f"**/n/{node.id}/remote")
    remote.forget()
    remote.click("#more")
    expect(remote.locator("#lock")).to_have_attribute("aria-pressed", "true")
    remote.click("#lock")
    expect(remote.locator("#link")).to_have_text("live")
    remote.click("#lock")
    expect(remote.locator("#link")).to_have_text("push-buttons locked")
    remote.wait_for(("unlock", {}), ("lock", {}))


def test_who_is_not_logged_in_is_led_there_and_back(node, web, browse):
    page = browse(size="phone")
    page.goto(web.url + f"n/{node.id}/remote")
    page.wait_for_url("**/login?*")
    page.fill("#pin", web.pin("remote"))
    page.wait_for_url(f"**/n/{node.id}/remote")
    expect(page.locator("#play-text")).to_have_text("Start")


def test_an_ended_login_leads_to_the_login(remote):
    remote.page.context.request.delete(
        remote.page.url.split("/n/")[0] + "/api/session", headers={"origin": "/".join(remote.page.url.split("/")[:3])})
    remote.wait_for_url("**/login?*")


def test_an_open_remote_needs_no_login(bench, node, browse):
    web = bench.start_web(remote="open")
    remote = Remote(bench, node, web, browse(size="phone", server=web))
    remote.click("#play")
    remote.expect_mode(MODES)
    # There is a higher role to log in to, and nothing to log out of.
    expect(remote.page.locator("#navigation .session")).to_have_text("Log in")


def test_a_user_of_an_authenticating_proxy_has_nothing_to_log_in_to_or_out_of(bench, node, browse):
    web = bench.start_web(authenticating_proxies=["127.0.0.1"])
    remote = Remote(bench, node, web, browse(size="phone", server=web))
    remote.click("#play")
    remote.expect_mode(MODES)
    expect(remote.page.locator("#navigation .site a")).not_to_have_count(0)
    expect(remote.page.locator("#navigation .session")).to_have_count(0)


def test_another_name_than_that_of_the_site_is_told(bench, node, browse):
    """A PIN or a role would not help here."""
    web = bench.start_web(remote="open", public_url="http://timer.example")
    remote = Remote(bench, node, web, browse(size="phone", server=web))
    remote.click("#play")
    remote.expect_status("only pages of http://timer.example may send this")
    expect(remote.locator("#status")).not_to_contain_text("Log in")
    remote.goto(web.url + "login")
    remote.fill("#pin", web.pin("operator"))
    expect(remote.locator("#problem")).to_contain_text("only pages of http://timer.example may send this")
    forgive_refusals(remote.page)


def test_a_node_that_was_never_seen_is_named(web, browse):
    page = browse(size="phone", role="remote")
    page.goto(web.url + "n/nowhere/remote")
    expect(page.locator("#link")).to_have_text("never seen")
    expect(page.locator("#name")).to_have_text("Nowhere")


def test_the_screen_stays_on_while_a_run_goes_on(remote):
    remote.evaluate("() => { window.locks = 0; navigator.wakeLock.request = async () => { window.locks += 1;"
                    "const lock = new EventTarget(); lock.release = async () => { window.locks -= 1; };"
                    "return lock; }; }")
    remote.start()
    remote.wait_for_function("() => window.locks === 1")
    remote.hold("#stop")
    remote.wait_for_function("() => window.locks === 0")


def test_the_time_used_is_that_of_the_report(remote):
    remote.start("1/2")
    remote.keyboard.press("+")
    remote.wait_for(("add", {"seconds": 60}))
    expect(remote.locator("#digits")).to_contain_text("5:")
    remote.wait_for_elapsed(3)
    remote.click("#play")
    remote.expect_mode("paused")
    remote.click("#play")
    remote.expect_mode(MODES)
    remote.wait_for_elapsed(5)
    remote.hold("#stop")
    remote.expect_mode("stopped")
    run = remote.node.json("runs")["runs"][0]
    assert 6 <= run["used"] < 40, run  # Without the minute that was added; the hold takes a second.
