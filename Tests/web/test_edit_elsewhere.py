"""The editor and the agenda: below a path, for a closed audience, of a follower, and with restarted revisions."""
from conftest import TIMERS
from editor import FOUR, Unexpected, closed, model, open_editor, open_timer, save, timer, wait_for_rows
from processes import wait_until


def test_below_a_path(bench, browse):
    node = bench.start_node(timers=FOUR, agenda={"zone": "UTC", "meetings": [
        {"name": "Weekly", "day": "mon", "at": "10:00", "for": "1h"}]})
    web = bench.start_web(base_path="/stage/timer")
    page = browse()
    page.goto(web.url + f"n/{node.id}/edit")
    page.wait_for_url("**/stage/timer/login?next=n%2Flectern%2Fedit&role=operator")
    page.locator("#pin").fill(web.pin("operator"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/stage/timer/n/lectern/edit")
    dialog = open_timer(page, "A")
    dialog.get_by_label("Name", exact=True).fill("Below")
    save(dialog)
    closed(page)
    assert timer(node, "Below")
    page.get_by_role("link", name="Agenda").click()
    page.wait_for_selector("main strong:text('Weekly')")
    page.get_by_role("link", name="Displays").click()
    page.wait_for_selector("#count:text('No display is open')")
    page.get_by_role("link", name="Rooms").click()
    page.wait_for_url("**/stage/timer/")


def test_where_viewing_needs_a_pin(bench, node, browse):
    web = bench.start_web(view="pin")
    for path in ("agenda", "displays", f"n/{node.id}/edit"):
        page = browse()
        page.errors = Unexpected()
        page.goto(web.url + path)
        page.wait_for_url("**/login?next=**")


def test_a_follower_has_no_timers_of_its_own(bench, node, web, browse):
    side = bench.start_node("side", "Side", follow={"node": node.id})
    page = browse(role="operator")
    page.goto(web.url + f"n/{side.id}/edit")
    page.wait_for_selector("#status:has-text('follows')")
    link = page.get_by_role("link", name="Timers of lectern")
    link.focus()
    # The page redraws with each state that it receives, and then sets its title; the link stays, and keeps the focus.
    page.evaluate("""() => new MutationObserver(() => { document.body.dataset.drawn = ''; })
        .observe(document.querySelector('title'), {childList: true})""")
    assert node.command("start")["status"] == "ok"
    page.wait_for_selector("body[data-drawn]")
    assert link.evaluate("link => link === document.activeElement")
    link.click()
    wait_for_rows(page, [[one["name"] for one in group["timers"]] for group in TIMERS["groups"]])


def test_a_node_that_forgets_its_edits_counts_anew(bench, web, browse):
    """Its revisions start again, and the page's records of earlier ones are no longer valid."""
    node = bench.start_node(timers=FOUR)
    page = open_editor(browse, web, node)

    def rename(old, new):
        dialog = open_timer(page, old)
        dialog.get_by_label("Name", exact=True).fill(new)
        save(dialog)
        closed(page)

    rename("A", "First")
    rename("First", "Second")
    assert model(node)["model_revision"] == 3
    node.stop()
    for file in (node._folder / "state").iterdir():
        file.unlink()
    node.start()
    wait_until(lambda: page.locator("#status").text_content() == "", "the node is back")
    wait_for_rows(page, [["A", "B", "C"], list("DEFG"), ["H"]])
    rename("A", "Third")
    assert timer(node, "Third")
    assert model(node)["model_revision"] == 2
