"""The operators' page of the displays: the list, names, identify, and blackout."""
from playwright.sync_api import expect

from conftest import assert_accessible
from processes import wait_until
from remote import forgive_refusals

# Opens a stream as a display's page does, and reports to the test what it receives.
STREAM = """([node, query]) => {
  window.told = [];
  window.stream = new EventSource(document.baseURI + `api/events?node=${node}&display=${encodeURIComponent(query)}`);
  window.stream.addEventListener('display', (event) => window.told.push(JSON.parse(event.data)));
}"""


def open_display(browse, web, node, query=""):
    page = browse(size="tablet")
    page.goto(web.url + "agenda")  # Any page of the site will do; the stream is what makes a display.
    page.evaluate(STREAM, [node.id, query])
    return page


def told(display, expected):
    wait_until(lambda: expected in display.evaluate("window.told"), f"the display is told {expected}",
               otherwise=lambda: str(display.evaluate("window.told")))


def open_list(browse, web, count, **options):
    page = browse(role="operator", **options)
    page.add_init_script("delete URLSearchParams.prototype.size")  # Browsers from before 2023 do not have it.
    page.goto(web.url + "displays")
    wait_until(lambda: page.locator("#displays li").count() == count, f"{count} displays")
    return page


def test_displays_come_and_go_and_each_is_told_alone(bench, node, browse):
    web = bench.start_web(views={"stream": "display=lower-third&background=transparent"})
    page = browse(role="operator", server=web)
    page.goto(web.url + "displays")
    page.wait_for_selector("#count:text('No display is open')")
    first = open_display(browse, web, node, "display=circular&mirror=1")
    page.wait_for_selector("#displays li:has-text('circular, mirror: 1')")
    second = open_display(browse, web, node, "display=lower-third&background=transparent")
    page.wait_for_selector("#displays li:has-text('stream')")
    third = open_display(browse, web, node)
    page.wait_for_selector("#displays li:has-text('chosen by the group of timers')")
    assert "127.0.0.1" in page.locator("#displays li").first.inner_text()

    card = page.locator("#displays li", has_text="stream")
    card.get_by_role("button", name="Identify").click()
    told(second, {"identify": True})
    card.get_by_role("button", name="Black out").click()
    told(second, {"blackout": True})
    page.wait_for_selector(".is-dark .blackout[aria-pressed=true]")
    assert page.locator(".is-dark").count() == 1
    assert first.evaluate("window.told") == third.evaluate("window.told") == []
    card.get_by_role("button", name="Black out").click()
    told(second, {"blackout": False})

    page.get_by_role("button", name="Black out all").click()
    for display in (first, second, third):
        told(display, {"blackout": True})
    wait_until(lambda: page.locator(".is-dark").count() == 3, "all are dark")
    page.get_by_role("button", name="Show all again").click()
    told(third, {"blackout": False})
    page.get_by_role("button", name="Identify all").click()
    told(first, {"identify": True})

    second.evaluate("window.stream.close()")
    wait_until(lambda: page.locator("#displays li").count() == 2, "the display is gone")
    assert page.locator("#displays li", has_text="stream").count() == 0


def test_a_link_opens_the_same_display(node, web, browse):
    open_display(browse, web, node, "display=circular&elements=next")
    page = open_list(browse, web, 1)
    link = page.get_by_role("link", name="Open this view here")
    assert link.get_attribute("href") == "n/lectern?display=circular&elements=next"


def test_only_operators_see_it(node, web, browse):
    page = browse(role="remote")
    page.goto(web.url + "displays")
    page.wait_for_url("**/login?next=displays&role=operator")


def test_a_page_stays_where_its_login_ends(bench, node, browse):
    """If viewing needs a PIN the stream is refused, too; what is typed in a page must not be lost."""
    web = bench.start_web(view="pin")
    page = browse(role="operator", server=web)
    page.goto(web.url + "displays")
    page.wait_for_selector("#count:text('No display is open')")
    with page.expect_response("**/api/events?*"):
        page.evaluate("fetch('api/session', {method: 'DELETE'})")
    page.wait_for_selector("[role=alert]:has-text('You are logged out')")
    with page.expect_response("**/api/events?*"):
        pass  # Once more, a while later.
    assert page.url == web.url + "displays"
    assert page.locator("[role=alert]").count() == 1
    headers = {"origin": web.url.rstrip("/")}
    assert page.context.request.post(web.url + "api/session", data={"pin": web.pin("operator")}, headers=headers).ok
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.wait_for_selector("[role=alert]", state="detached")
    wait_until(lambda: page.locator("#status").text_content() == "", "the stream is back")
    forgive_refusals(page)


def test_a_display_is_named_where_it_is_listed_and_keeps_its_name(node, web, browse):
    display = browse()
    display.goto(web.url + f"n/{node.id}?display=circular")
    expect(display.locator("#time")).to_be_visible()
    page = open_list(browse, web, 1)
    page.get_by_role("button", name="Name of Display").click()
    assert_accessible(page)
    page.get_by_role("textbox").fill("Rear screen")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#displays h2")).to_have_text("Rear screen")
    expect(page.locator("#displays dd").first).to_contain_text(f"of {node.configuration['node']['name']}")
    # The name is in the browser of the display, for this address, and in no other place.
    wait_until(lambda: display.evaluate("localStorage.getItem('timer-web')") or "", "the display keeps its name")
    display.reload()
    expect(page.locator("#displays h2")).to_have_text("Rear screen")
    expect(page.locator("#displays li")).to_have_count(1)
    page.get_by_role("button", name="Identify Rear screen").click()
    expect(display.locator("#identity")).to_contain_text("Rear screen")
    page.get_by_role("button", name="Name of Rear screen").click()
    page.get_by_role("textbox").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#displays h2")).not_to_contain_text("Rear screen")
