"""The login: a PIN of eight digits, and the way back."""
import pytest
from playwright.sync_api import expect

from remote import forgive_refusals


def wrong(web):
    """A number of eight digits that is not a valid PIN."""
    return f"{(int(web.pin('remote')) + 1) % 10 ** 8:08}"


@pytest.mark.parametrize("role", ["remote", "operator"])
def test_a_pin_leads_to_the_page_that_one_wanted(web, browse, role):
    page = browse(size="phone")
    page.goto(web.url + f"login?next=settings&role={role}")
    page.fill("#pin", web.pin(role))  # The last digit submits it.
    page.wait_for_url("**/settings")
    expect(page.locator("#session")).to_contain_text({"remote": "Remote", "operator": "Operator"}[role])


def test_a_pin_may_be_written_in_groups(web, browse):
    pin = web.pin("remote")
    page = browse(size="phone")
    page.goto(web.url + "login?next=settings")
    page.locator("#pin").press_sequentially(f"{pin[:4]} {pin[4:]}")
    page.wait_for_url("**/settings")


def test_a_wrong_pin_is_told_and_can_be_typed_again(web, browse):
    page = browse(size="phone")
    page.goto(web.url + "login?next=settings")
    page.fill("#pin", "123")
    page.click("#submit")
    expect(page.locator("#problem")).to_have_text("The PIN has eight digits")
    page.fill("#pin", wrong(web))
    expect(page.locator("#problem")).to_have_text("This PIN is wrong")
    assert page.evaluate("document.activeElement.id") == "pin"
    forgive_refusals(page)
    page.keyboard.type(web.pin("remote"))  # It replaces the wrong PIN, which is selected.
    page.wait_for_url("**/settings")


def test_after_five_wrong_pins_one_waits(web, browse):
    page = browse(size="phone")
    page.goto(web.url + "login?next=settings")
    for _ in range(6):
        with page.expect_response("**/api/session"):
            page.fill("#pin", wrong(web))
    expect(page.locator("#problem")).to_contain_text("Too many wrong PINs: wait ")
    expect(page.locator("#submit")).to_be_disabled()
    first = page.locator("#problem").inner_text()
    expect(page.locator("#problem")).not_to_have_text(first)
    forgive_refusals(page)


def test_a_pin_that_is_for_less_is_told(web, browse):
    page = browse(size="phone")
    page.goto(web.url + "login?next=settings&role=operator")
    page.fill("#pin", web.pin("remote"))
    expect(page.locator("#problem")).to_have_text("This PIN is for: Remote. The page needs: Operator.")
    page.fill("#pin", web.pin("operator"))
    page.wait_for_url("**/settings")


@pytest.mark.parametrize("next_page", [
    "https://example.org/", "//example.org/", "\\\\example.org", "javascript:alert(1)", "/\\example.org", "login", ""])
def test_it_never_leads_away_from_the_site(web, browse, next_page):
    page = browse(size="phone")
    addresses = []
    page.on("framenavigated", lambda frame: addresses.append(frame.url))
    page.goto(web.url + "login")
    page.goto(web.url + "login?next=" + page.evaluate("encodeURIComponent", next_page))
    page.route("**/*", lambda route: route.continue_())
    page.fill("#pin", web.pin("remote"))
    page.wait_for_url(lambda address: "login" not in address)
    assert page.url == web.url
    assert all(address.startswith((web.url, "about:")) for address in addresses)


def test_password_managers_find_a_name_and_a_password(web, browse):
    page = browse(size="phone")
    page.goto(web.url + "login?role=operator")
    name, pin = page.locator("#role"), page.locator("#pin")
    expect(name).to_have_attribute("autocomplete", "username")
    expect(name).to_have_value("Operator")
    expect(pin).to_have_attribute("autocomplete", "current-password")
    expect(pin).to_have_attribute("type", "password")
    expect(pin).to_have_attribute("inputmode", "numeric")
    page.click("#reveal")
    expect(pin).to_have_attribute("type", "text")
    page.click("#reveal")
    expect(pin).to_have_attribute("type", "password")


def test_who_is_logged_in_sees_that(web, browse):
    page = browse(size="phone", role="operator")
    page.goto(web.url + "login?next=settings&role=remote")
    expect(page.locator("#already")).to_have_text("You are logged in as: Operator.")
    page.click("#go-on")
    page.wait_for_url("**/settings")
