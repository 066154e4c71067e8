"""Tests the speaker, the message to the speaker, the lock, and the meetings on the agenda."""
import json
import unittest
from datetime import timedelta

import contract
from bench import NodeTest
from node import agenda, meeting
from processes import wait_until

# Strings that are difficult for JSON, templates or the eye, or that a node could mistake for something else.
HARD_TEXTS = ["ON", "5", "none", "{Ada}", '{"text": 1}', '"quoted"', "it's 5 o'clock", "back\\slash", "{{ 7 * 7 }}",
              "{% if true %}", "Zoë «now» 🎤", "<b>bold</b> & more"]


class TalkTest(NodeTest):
    def setUp(self):
        super().setUp()
        self.node = self.start_node(**self.sections())
        self.wait_for_state("sensor.lectern_mode", "stopped")
        self.wait_for_state("text.lectern_speaker", "")

    def sections(self):
        return {}

    def obey(self, domain, service, key, verb, **data):
        """Calls a service, and returns the node's response."""
        self.wait_for_state(contract.entity_id(key), lambda state: state["state"] != "unavailable")
        since = self.mqtt.position()
        self.home.call(domain, service, entity_id=contract.entity_id(key), **data)
        return self.node.response(verb, since)

    def expect_ok(self, response):
        self.assertEqual(response["status"], "ok", response)

    def wait_for_event(self, kind):
        """Waits until the latest event has this type, and returns its attributes."""
        return self.wait_for_state("event.lectern_transition",
                                   lambda state: state["attributes"].get("event_type") == kind)["attributes"]


class Message(TalkTest):
    def send(self, message):
        return self.obey("notify", "send_message", "message", "message", message=message)

    def shown(self):
        return self.mqtt.retained(self.node.topic("message"))

    def wait_until_shown(self, text):
        wait_until(lambda: self.shown() and json.loads(self.shown())["text"] == text, f"{text} is shown",
                   otherwise=lambda: str(self.shown()))
        self.wait_for_state("text.lectern_shown_message", text)
        return json.loads(self.shown())

    def wait_until_none(self):
        wait_until(lambda: not self.shown(), "no message is shown")
        self.wait_for_state("text.lectern_shown_message", "")

    def test_a_notification_is_shown_and_cleared(self):
        self.expect_ok(self.send("Please wrap up"))
        message = self.wait_until_shown("Please wrap up")
        self.assertEqual((message["attention"], message["until"]), (False, None))
        event = self.wait_for_event("message")
        self.assertEqual((event["text"], event["attention"]), ("Please wrap up", False))
        self.wait_for_state("notify.lectern_message", lambda state: state["state"].startswith("20"))
        self.expect_ok(self.send(""))
        self.wait_until_none()
        self.wait_for_event("message_cleared")
        self.assertEqual(self.node.json("state")["mode"], "stopped")

    def test_a_notification_may_ask_for_attention_and_end_by_itself(self):
        self.expect_ok(self.send('{"text": "Time is up", "attention": true, "for": "2s"}'))
        self.assertTrue(self.wait_for_event("message")["attention"])
        self.node.wait_for_message("message", lambda payload: payload and json.loads(payload)["attention"])
        self.wait_until_none()
        self.wait_for_event("message_cleared")

    def test_what_is_typed_is_shown_whatever_it_is(self):
        for text in [*HARD_TEXTS, "x" * 200, "ä" * 200]:
            with self.subTest(text):
                self.expect_ok(self.obey("text", "set_value", "shown_message", "message", value=text))
                self.wait_until_shown(text)
        self.expect_ok(self.obey("text", "set_value", "shown_message", "message", value=""))
        self.wait_until_none()

    def test_what_is_too_long_is_refused(self):
        self.assertEqual(self.send("x" * 201)["code"], "invalid_payload")
        self.assertFalse(self.shown())

    def test_a_message_that_ended_while_home_assistant_was_away_is_gone(self):
        self.expect_ok(self.send("Please wrap up"))
        self.wait_until_shown("Please wrap up")
        self.home.stop()
        self.node.command("message")
        self.bench.start_home()
        self.wait_for_state("text.lectern_shown_message", "")


class Speaker(TalkTest):
    def set(self, name):
        return self.obey("text", "set_value", "speaker", "speaker", value=name)

    def test_the_speaker_is_set_and_cleared(self):
        for name in ["Ada Lovelace", *HARD_TEXTS, "x" * 128]:
            with self.subTest(name):
                self.expect_ok(self.set(name))
                self.assertEqual(self.node.json("state")["speaker"], name)
                self.wait_for_state("text.lectern_speaker", name)
        self.expect_ok(self.set(""))
        self.assertIsNone(self.node.json("state")["speaker"])
        self.wait_for_state("text.lectern_speaker", "")

    def test_a_name_of_too_many_bytes_changes_nothing(self):
        self.expect_ok(self.set("Ada"))
        self.assertEqual(self.set("ä" * 128)["code"], "invalid_payload")
        self.wait_for_state("text.lectern_speaker", "Ada")

    def test_it_follows_what_others_say(self):
        self.node.command("start", {"speaker": "Grace Hopper"})
        self.wait_for_state("text.lectern_speaker", "Grace Hopper")
        # A run that lasted long enough not to be a mistake clears the speaker when it ends.
        self.node.command("select", "1/2")
        self.wait_for_state("text.lectern_speaker", "")


class Lock(TalkTest):
    def sections(self):
        return {"remotes": [{"topic": "wall/action", "ignore_repeat": "0s", "map": {"single": "start"}}]}

    def lock(self, service):
        self.expect_ok(self.obey("switch", service, "lock", {"turn_on": "lock", "turn_off": "unlock"}[service]))

    def press_on_the_wall(self):
        self.mqtt.publish("wall/action", "single")
        return self.node.command("state")["mode"]  # The response arrives after the press was handled.

    def test_the_switch_locks_what_people_press(self):
        self.wait_for_state("switch.lectern_lock", "off")
        self.lock("turn_on")
        self.wait_for_state("switch.lectern_lock", "on")
        self.wait_for_state("sensor.lectern_mode", lambda state: state["attributes"]["locked"] == "inputs")
        self.assertEqual(self.press_on_the_wall(), "stopped")
        self.expect_ok(self.obey("button", "press", "start", "start"))  # Commands are not locked.
        self.expect_ok(self.obey("button", "press", "stop", "stop"))
        self.lock("turn_off")
        self.wait_for_state("switch.lectern_lock", "off")
        self.assertEqual(self.press_on_the_wall(), "countdown")

    def test_what_is_locked_for_commands_is_shown_and_unlocked(self):
        self.node.command("lock", {"commands": True})
        self.wait_for_state("switch.lectern_lock", "on")
        self.wait_for_state("sensor.lectern_mode", lambda state: state["attributes"]["locked"] == "commands")
        self.assertEqual(self.obey("button", "press", "start", "start")["code"], "locked")
        self.assertEqual(self.obey("text", "set_value", "speaker", "speaker", value="Ada")["code"], "locked")
        self.wait_for_state("text.lectern_speaker", "")
        self.expect_ok(self.obey("notify", "send_message", "message", "message", message="Please wrap up"))
        self.lock("turn_off")
        self.wait_for_state("switch.lectern_lock", "off")
        self.expect_ok(self.obey("button", "press", "start", "start"))

    def test_the_lock_is_still_there_after_a_restart_of_the_node(self):
        self.lock("turn_on")
        self.node.stop()
        self.wait_for_state("switch.lectern_lock", "unavailable")
        self.node.start()
        self.wait_for_state("switch.lectern_lock", "on")


class Agenda(TalkTest):
    def test_the_meetings_are_shown_and_nobody_forgets_them(self):
        self.expect_ok(self.node.command("agenda", agenda(meeting("Toastmasters", group=2, begin="select"))))
        self.wait_for_state("sensor.lectern_meeting", "Toastmasters")
        shown, told = self.node.json("state")["meeting"], self.node.json("agenda")
        self.wait_for_state("sensor.lectern_meeting_ends_at", shown["planned_end"][:19] + "+00:00")
        self.wait_for_state("sensor.lectern_next_meeting", "Spring conference")
        self.wait_for_state("sensor.lectern_next_meeting_at", told["next"]["begins_at"][:19] + "+00:00")
        self.wait_for_state("select.lectern_timer", "2/1 Break")
        event = self.wait_for_event("reminder")
        self.assertEqual((event["meeting"], event["count"]), ("Toastmasters", 1))
        for expected in contract.AGENDA:
            entity = self.bench.entities_of("lectern")[expected.key]
            self.assertEqual((entity["entity_id"], entity["original_name"], entity["entity_category"]),
                             (contract.entity_id(expected.key), expected.name, None))
            attributes = self.home.state(entity["entity_id"])["attributes"]
            self.assertEqual({key: attributes.get(key) for key in expected.attributes}, expected.attributes)
        # No meeting is in progress any more, and none follows.
        self.node.command("agenda", {"meetings": [meeting("Last year", timedelta(days=-365))]})
        for key in contract.AGENDA_KEYS:
            self.wait_for_state(contract.entity_id(key), "unknown")


class RunningOrder(TalkTest):
    def test_a_press_goes_to_the_next_entry_and_another_undoes_a_stop(self):
        self.expect_ok(self.node.command("programme", {"entries": [
            {"title": "Opening", "speaker": "Ada Lovelace", "timer": "1/1"}, {"title": "Break"}]}))
        wait_until(lambda: contract.PROGRAMME_KEYS <= set(self.bench.entities_of("lectern")), "the entities")
        self.wait_for_state("sensor.lectern_entry", "unknown")
        self.home.call("button", "press", entity_id="button.lectern_next_entry")
        self.wait_for_state("sensor.lectern_entry", "Opening")
        self.assertEqual(self.home.state("sensor.lectern_entry")["attributes"]["count"], 2)
        self.wait_for_state("text.lectern_speaker", "Ada Lovelace")
        for entity in ("start", "stop", "undo"):
            self.home.call("button", "press", entity_id=f"button.lectern_{entity}")
            self.wait_for_state("sensor.lectern_mode", "stopped" if entity == "stop" else "countdown")


class AgendaEntities(NodeTest):
    def keys(self):
        return set(self.bench.entities_of("lectern"))

    def try_to_come_and_go(self, style):
        node = self.start_node(mqtt={"discovery": {"style": style}})
        self.wait_until_available()
        for _ in range(2):
            node.command("agenda", agenda())
            self.wait_for_state("sensor.lectern_next_meeting", "Spring conference")
            wait_until(lambda: self.keys() == contract.KEYS | contract.AGENDA_KEYS, "the agenda has entities",
                       otherwise=lambda: str(self.keys()))
            # Home Assistant ignores part of a new message for a device while it is still adding one of its entities.
            self.wait_until_available()
            node.command("agenda", {"meetings": []})
            wait_until(lambda: self.keys() == contract.KEYS, "they are gone", otherwise=lambda: str(self.keys()))
            wait_until(lambda: not self.home.state("sensor.lectern_next_meeting"), "so is the state")

    def test_they_come_and_go_with_the_agenda(self):
        self.try_to_come_and_go("device")

    def test_they_come_and_go_with_the_agenda_one_message_each(self):
        self.try_to_come_and_go("component")


if __name__ == "__main__":
    unittest.main()
