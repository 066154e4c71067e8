"""Tests each button, the select and the number: the command arrives, the node runs it, and Home Assistant shows it."""
import json

import contract
from bench import NodeTest
from home_assistant import KNOWS_MESSAGE_EXPIRY
from processes import wait_until

SHORT = {"groups": [{"name": "Short", "at_zero": "alarm", "timers": [
    {"name": "Talk", "start": 6, "warning": 4, "final": 2}, {"name": "Questions", "start": 6}]}]}


class Commands(NodeTest):
    def setUp(self):
        super().setUp()
        self.node = self.start_node()
        self.wait_for_state("sensor.lectern_mode", "stopped")
        self.wait_for_state("select.lectern_timer", "1/1 Talk")

    def call(self, domain, service, key, verb, payload, **data):
        """Calls a service, checks the command that arrives at the broker, and returns the node's response."""
        # Home Assistant accepts the press of an unavailable button like any other, so only the message proves it.
        entity_id = contract.entity_id(key)
        self.wait_for_state(entity_id, lambda state: state["state"] != "unavailable")
        since = self.mqtt.position()
        self.home.call(domain, service, entity_id=entity_id, **data)
        arrived = self.node.wait_for_message(f"command/{verb}", since=since)
        self.assertEqual(json.loads(arrived) if arrived.startswith("{") else arrived, payload)
        command = self.mqtt.messages(f"timer/lectern/command/{verb}", since)[0]
        # One second may already have passed.
        self.assertIn(command.expiry, (9, 10) if KNOWS_MESSAGE_EXPIRY else (None,))
        return self.node.response(verb, since)

    def press(self, key, verb=None, payload="PRESS"):
        response = self.call("button", "press", key, verb or key, payload)
        self.assertEqual(response["status"], "ok", response)
        return response

    def expect(self, mode, running):
        self.wait_for_state("sensor.lectern_mode", mode)
        self.wait_for_state("binary_sensor.lectern_running", "on" if running else "off")

    def expect_timer(self, option, name):
        self.wait_for_state("select.lectern_timer", option)
        self.wait_for_state("sensor.lectern_timer_name", name)

    def test_start_pause_resume_stop(self):
        self.press("start")
        self.expect("countdown", running=True)
        ends_at = self.node.json("state")["ends_at"]
        self.wait_for_state("sensor.lectern_ends_at", ends_at[:19] + "+00:00")
        self.press("pause")
        self.expect("paused", running=False)
        self.wait_for_state("sensor.lectern_ends_at", "unknown")
        self.press("resume")
        self.expect("countdown", running=True)
        self.wait_for_state("sensor.lectern_ends_at", lambda state: state["state"].startswith("20"))
        self.press("stop")
        self.expect("stopped", running=False)
        self.wait_for_state("sensor.lectern_ends_at", "unknown")

    def test_toggle_and_end(self):
        self.press("toggle")
        self.expect("countdown", running=True)
        self.press("toggle")
        self.expect("paused", running=False)
        self.press("toggle")
        self.expect("countdown", running=True)
        self.press("end")
        self.expect("alarm", running=True)
        self.press("silence")
        self.press("stop")
        self.expect("stopped", running=False)

    def test_next_and_previous(self):
        self.press("next")
        self.expect_timer("1/2 Questions", "Questions")
        self.press("previous")
        self.expect_timer("1/1 Talk", "Talk")

    def test_a_minute_more_and_less(self):
        self.press("start")
        before = self.press("pause")["remaining"]
        more = self.press("plus_1_min", "add", "+60")["remaining"]
        less = self.press("minus_1_min", "add", "-60")["remaining"]
        self.assertEqual([more - before, less - before], [60, 0])

    def test_identify_and_lamp_test(self):
        self.press("identify")
        self.press("lamp_test")

    def test_what_is_refused_is_answered_with_an_error(self):
        response = self.call("button", "press", "pause", "pause", "PRESS")
        self.assertEqual((response["status"], response["code"]), ("error", "not_allowed"))
        self.expect("stopped", running=False)

    def test_the_select_selects(self):
        for option, name in [("2/1 Break", "Break"), ("1/2 Questions", "Questions")]:
            response = self.call("select", "select_option", "timer", "select", option, option=option)
            self.assertEqual(response["status"], "ok", response)
            self.expect_timer(option, name)

    def test_the_number_sets_the_duration(self):
        for minutes, seconds in [(2.5, 150), (1, 60), (30, 1800)]:
            response = self.call("number", "set_value", "duration", "edit", {"start": seconds}, value=minutes)
            self.assertEqual(response["status"], "ok", response)
            self.wait_for_number("number.lectern_duration", minutes)
            self.assertEqual(self.node.json("state")["start"], seconds)

    def test_the_number_follows_the_selected_timer(self):
        self.node.command("select", "1/2")
        self.wait_for_number("number.lectern_duration", 5)

    def test_the_mode_has_the_whole_state_as_attributes(self):
        self.node.command("start")
        self.node.command("pause")
        expected = self.node.json("state")
        self.assertEqual(expected["mode"], "paused")

        def complete(state):
            return {key: state["attributes"].get(key) for key in expected} == expected
        self.wait_for_state("sensor.lectern_mode", complete)


class ARun(NodeTest):
    def test_a_run_goes_through_every_mode(self):
        node = self.start_node(timers=SHORT)
        self.wait_for_state("sensor.lectern_mode", "stopped")
        self.wait_for_state("select.lectern_timer", "1/1 Talk")
        self.wait_for_state("event.lectern_transition", "unknown")
        since = self.mqtt.position()
        with self.home.recorded() as changes:
            def events():
                return [state["attributes"] for state in changes if state["entity_id"] == "event.lectern_transition"]
            self.home.call("button", "press", entity_id="button.lectern_start")
            self.wait_for_state("sensor.lectern_mode", "alarm")
            wait_until(lambda: events() and events()[-1]["event_type"] == "alarm", "the alarm is an event")
            node.command("stop")
            self.wait_for_state("sensor.lectern_mode", "stopped")
            node.command("start")
            node.command("pause")
            self.wait_for_state("sensor.lectern_mode", "paused")
            node.command("next")
            node.command("edit", {"name": "Answers"})
            self.wait_for_state("select.lectern_timer", "1/2 Answers")
            wait_until(lambda: events() and events()[-1]["event_type"] == "timer_edited", "the edit is an event")
        fired = events()
        modes = [state["state"] for state in changes if state["entity_id"] == "sensor.lectern_mode"]
        self.assertEqual([mode for index, mode in enumerate(modes) if modes[index - 1:index] != [mode]][:5],
                         ["countdown", "warning", "final", "alarm", "stopped"])
        self.assertEqual([event["event_type"] for event in fired][:4], ["countdown", "warning", "final", "alarm"])
        self.assertLessEqual({"stopped", "run_ended", "paused"}, {event["event_type"] for event in fired})
        warning = fired[1]
        self.assertEqual((warning["from"], warning["remaining"], warning["timer"]), ("countdown", 4, "1/1"))
        sent = [json.loads(message.payload)["event_type"] for message in self.mqtt.messages(node.topic("event"), since)]
        self.assertEqual([event["event_type"] for event in fired], sent)

    def test_what_was_used_and_over_is_known_after_a_run(self):
        node = self.start_node(timers=SHORT)
        self.wait_for_state("sensor.lectern_last_used", "unknown")
        self.wait_for_state("sensor.lectern_last_over", "unknown")
        node.command("start", {"duration": 1})
        self.wait_for_state("sensor.lectern_mode", "alarm")
        node.command("stop")
        last = node.json("state")["last"]
        self.wait_for_state("sensor.lectern_last_used", lambda state: state["state"] == str(last["used"]))
        self.wait_for_state("sensor.lectern_last_over", lambda state: state["state"] == str(last["over"]))
        self.assertGreaterEqual(last["used"], 1)
