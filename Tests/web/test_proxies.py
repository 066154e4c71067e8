"""timer-web behind nginx and Caddy, with TLS and HTTP/2, by the recipes of config/web."""
import http.client
import json
import re
import socket
import ssl

import pytest
from playwright.sync_api import expect

from proxies import NAME, Caddy, Nginx


@pytest.fixture(params=[Nginx, Caddy])
def proxied(request, bench, chromium):
    """A timer-web that can be reached only through a proxy, the proxy, and a page that trusts its certificate."""
    web = bench.start_web(trusted_proxies=["127.0.0.1"])
    proxy = request.param(bench.folder / "proxy", web.port)
    web.stop()
    web.configuration["web"]["public_url"] = proxy.url.rstrip("/")
    web.start()
    # This lets Chromium resolve the name.
    browser = chromium.browser_type.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"])
    context = browser.new_context(ignore_https_errors=True, viewport={"width": 1920, "height": 1080})
    yield web, proxy, context
    browser.close()
    proxy.stop()


def test_live_page(proxied, node):
    """A page behind the proxy receives a change at once, and its requests use HTTP/2."""
    web, proxy, context = proxied
    page = context.new_page()
    page.goto(f"{proxy.url}n/{node.id}?display=numerical")
    expect(page.locator("body")).to_contain_text("20:00")
    node.command("start")
    expect(page.locator("body")).to_contain_text(re.compile(r"19:[0-5]\d"))
    protocols = page.evaluate(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
        ".map(entry => entry.nextHopProtocol)")
    assert set(protocols) - {""} == {"h2"}


def test_login(proxied, node):
    """A PIN creates a session with a cookie for HTTPS only, with which a command is carried out."""
    web, proxy, context = proxied
    origin = {"origin": proxy.url.rstrip("/")}
    page = context.new_page()
    page.goto(proxy.url)
    answer = page.evaluate(
        """pin => fetch("api/session", {method: "POST", headers: {"content-type": "application/json"},
            body: JSON.stringify({pin})}).then(answer => answer.status)""", web.pin("remote"))
    assert answer == 200
    cookie = next(cookie for cookie in context.cookies() if cookie["name"].endswith("timer_web_session"))
    assert cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    status = page.evaluate(
        """id => fetch(`api/nodes/${id}/commands/start`, {method: "POST",
            headers: {"content-type": "application/json"}, body: "{}"}).then(answer => answer.status)""", node.id)
    assert status == 200
    node.wait_for_message("mode", lambda mode: mode == "countdown")


def test_a_server_that_is_gone_is_told(proxied, node):
    """A proxy responds with its own page, and HTTP/2 has no status text."""
    web, proxy, context = proxied
    page = context.new_page()
    page.goto(f"{proxy.url}login?next=n/{node.id}/remote")
    page.fill("#pin", web.pin("remote"))
    page.wait_for_url("**/remote")
    expect(page.locator("#link")).to_have_text("live")
    web.kill()
    expect(page.locator("#link")).to_have_text("no server")
    page.click("#play")
    expect(page.locator("#status")).to_contain_text("The server behind the proxy is not responding")
    # A message is shown even if no specific string exists.
    page.evaluate("window.fetch = async () => new Response('', { status: 418 })")
    page.click("#silence")
    expect(page.locator("#status")).to_have_text("HTTP 418")


def request(proxy, method, path, fields, body=None, client="127.0.0.1"):
    """The status of a request through the proxy from an address of this machine, with any fields."""
    trusting = ssl.create_default_context(cafile=proxy.folder / "timer.example.pem")
    stream = socket.create_connection(("127.0.0.1", proxy.port), 30, source_address=(client, 0))
    connection = http.client.HTTPConnection(NAME, proxy.port)
    connection.sock = trusting.wrap_socket(stream, server_hostname=NAME)
    connection.request(method, path, body, fields)
    return connection.getresponse()


def test_a_client_says_nothing_for_the_proxy(proxied):
    """The name and the scheme of the site are those that the proxy has seen, whatever the client claims."""
    web, proxy, context = proxied
    own = f"{NAME}:{proxy.port}"
    forged = {"X-Forwarded-Host": own, "X-Forwarded-Proto": "http", "Forwarded": f"for=192.0.2.1;host={own};proto=http"}
    answer = request(proxy, "GET", "/api/nodes", {"Host": own})
    assert answer.status == 200
    # Caddy has no site of that name, and sends no response on its own.
    answer = request(proxy, "GET", "/api/nodes", {"Host": "evil.example", **forged})
    assert (answer.status, answer.read()) == (200, b"") or answer.status == 421
    # Nor does a foreign name that the client claims hide the right one.
    answer = request(proxy, "GET", "/api/nodes", {"Host": own, **forged, "X-Forwarded-Host": "evil.example"})
    assert answer.status == 200


def test_each_client_has_its_own_attempts(proxied):
    """Wrong PINs of one client behind the proxy do not lock out another one, whatever the first one claims."""
    web, proxy, context = proxied
    wrong = "00000000" if web.pin("remote") != "00000000" else "11111111"

    def attempt(pin, client, pretended):
        # 127.0.0.1 is the proxy's own address, so the client has a different one.
        return request(proxy, "POST", "/api/session", {
            "Host": f"{NAME}:{proxy.port}", "Origin": proxy.url.rstrip("/"), "Content-Type": "application/json",
            "X-Forwarded-For": pretended}, json.dumps({"pin": pin}), client).status

    statuses = [attempt(wrong, "127.0.0.2", f"192.0.2.{number}") for number in range(8)]
    assert statuses == [401] * 5 + [429] * 3
    assert attempt(web.pin("remote"), "127.0.0.3", "192.0.2.1") == 200
