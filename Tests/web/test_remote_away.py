"""The remote while the server, the broker or the node is away, and after it is back; and two phones at once."""
import pytest
from playwright.sync_api import expect

from remote import MODES, Remote, forgive_refusals


@pytest.fixture
def remote(bench, node, web, browse):
    return Remote(bench, node, web, browse(size="phone", role="remote"))


def test_the_server_goes_and_comes_back(remote, web):
    remote.start()
    web.kill()
    expect(remote.locator("#link")).to_have_text("no server", timeout=30_000)
    remote.click("#play")
    remote.expect_status("The server cannot be reached")
    assert remote.commands() == []
    web.start()
    expect(remote.locator("#link")).to_have_text("live", timeout=30_000)
    remote.click("#play")  # No new login is necessary.
    remote.expect_mode("paused")
    remote.wait_for(("pause", {}))
    forgive_refusals(remote.page)


def test_the_broker_goes_and_comes_back(bench, node, web, browse):
    remote = Remote(bench, node, web, browse(size="phone", role="remote"))
    remote.start()
    bench.broker.stop()
    expect(remote.locator("#link")).to_have_text("no broker", timeout=30_000)
    remote.click("#play")
    remote.expect_status("nothing was sent")
    expect(remote.locator("#digits")).to_contain_text("19:")  # It continues to count.
    bench.broker.start()
    expect(remote.locator("#link")).to_have_text("live", timeout=60_000)
    bench.mqtt.wait_until_connected()
    remote.forget()
    remote.click("#play")
    remote.expect_mode("paused")
    forgive_refusals(remote.page)


def test_the_node_goes_and_comes_back(remote, node):
    remote.start()
    node.kill()
    expect(remote.locator("#link")).to_have_text("offline", timeout=30_000)
    expect(remote.locator("#mode")).to_have_text("Running (estimate)")
    expect(remote.locator("#digits")).to_contain_text("19:")  # It continues to count.
    node.start()
    expect(remote.locator("#link")).to_have_text("live", timeout=60_000)
    remote.expect_mode(MODES)  # The run has continued.
    remote.click("#play")
    remote.expect_mode("paused")
    remote.wait_for(("pause", {}))


def press_in_vain(remote):
    """Presses play while the node is halted: there is no response, and the page does not claim to be live."""
    remote.click("#play")
    remote.expect_status("No answer")
    expect(remote.locator("#link")).to_have_text("no answer yet")
    forgive_refusals(remote.page)


def test_a_broker_that_comes_back_without_the_node_is_not_live(bench, remote, node):
    link = remote.locator("#link")
    with node.halted():
        bench.broker.kill()
        expect(link).to_have_text("no broker", timeout=30_000)
        bench.broker.start()
        expect(link).to_have_text("no answer yet", timeout=60_000)
        press_in_vain(remote)
    expect(link).to_have_text("live", timeout=60_000)


def test_a_node_that_leaves_a_command_unanswered_is_not_live(bench, web, browse):
    # The broker does not notice that the node is halted.
    node = bench.start_node(mqtt={"keepalive": "60s"})
    remote = Remote(bench, node, web, browse(size="phone", role="remote"))
    link = remote.locator("#link")
    expect(link).to_have_text("live")
    with node.halted():
        press_in_vain(remote)
    expect(link).to_have_text("live", timeout=30_000)


def test_a_press_for_a_node_that_is_offline_says_so_and_sends_nothing(remote, node):
    node.kill()
    expect(remote.locator("#link")).to_have_text("offline", timeout=30_000)
    remote.click("#play")
    # The page does not wait 5 s for a response that cannot come.
    expect(remote.locator("#status")).to_have_text("The stoplight is offline; nothing was sent", timeout=3_000)
    assert remote.commands() == []
    forgive_refusals(remote.page)


def test_a_key_that_is_down_while_the_window_goes_does_nothing(remote):
    remote.start()
    remote.keyboard.down("s")
    expect(remote.locator("#stop")).to_contain_class("holding")
    remote.evaluate("window.dispatchEvent(new Event('blur'))")
    expect(remote.locator("#stop")).not_to_contain_class("holding")
    remote.keyboard.up("s")
    remote.keyboard.press("x")
    remote.wait_for(("silence", {}))


def test_two_phones_that_press_at_once_pause_once(remote, browse, node, web):
    other = Remote(remote.bench, node, web, browse(size="phone", role="operator"))
    remote.start()
    other.expect_mode(MODES)
    with node.halted():  # Until both have pressed, so that neither has seen the other's command.
        remote.click("#play")
        other.click("#play")
        remote.wait_for(("pause", {}), ("pause", {}))
    for phone in (remote, other):
        phone.expect_mode("paused")
        expect(phone.locator("#play[aria-busy]")).to_have_count(0)
        phone.expect_mode("paused")
    assert len(remote.commands()) == 2
    forgive_refusals(remote.page)
    forgive_refusals(other.page)
