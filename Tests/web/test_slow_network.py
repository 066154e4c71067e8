"""A page over a slow network: 1.6 Mbit/s and 150 ms to the server."""
import pytest

from processes import wait_until

pytestmark = pytest.mark.alone


@pytest.fixture
def slow_page(browse):
    page = browse(size="phone")
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8})
    return page


def shown_after(page, text):
    """The ms from the request until the page shows a string."""
    page.add_init_script("""(text => {
        const look = () => {
            if (document.body?.innerText.includes(text)) window.shownAt ??= performance.now();
            else requestAnimationFrame(look);
        };
        look();
    })(%r)""" % text)
    # The pages' own policy forbids Playwright's wait_for_function, which needs eval.
    return lambda: wait_until(lambda: page.evaluate("window.shownAt"), f"the page shows {text}")


def weight(page):
    """The bytes that were transferred over the network, without those of the stream."""
    return page.evaluate("""performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
        .reduce((sum, entry) => sum + entry.transferSize, 0)""")


@pytest.mark.parametrize("address, text", [("", "Lectern"), ("n/lectern?display=numerical", "20:00")])
def test_first_digits(web, node, slow_page, address, text):
    shown = shown_after(slow_page, text)
    slow_page.goto(web.url + address)
    first = shown()
    slow_page.wait_for_load_state("load")
    complete = slow_page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    size = weight(slow_page)
    print(f"\n/{address}: first after {first:.0f} ms, complete after {complete:.0f} ms, {size / 1000:.1f} kB")
    # The targets are 1 s, 2 s and 100 kB; a busy machine draws later, but fetches no more.
    assert first < 5000
    assert complete < 10_000
    assert size < 100_000
