"""Validates the discovery with Home Assistant's own schemas: they reject nothing and silently drop nothing."""
import json

import check_payload
from bench import DISCOVERY, NodeTest
from contract import ENTITIES
from home_assistant import MAJOR_VERSION, MINOR_VERSION
from processes import wait_until

IGNORED = {key for key, since in check_payload.NEWER_KEYS.items() if (MAJOR_VERSION, MINOR_VERSION) < since}


class Payload(NodeTest):
    def announced(self, style, count):
        self.start_node(mqtt={"discovery": {"style": style}})

        def messages():
            topics = {message.topic for message in self.mqtt.messages(DISCOVERY + "/#") if "/lectern/" in message.topic}
            return {topic: payload for topic in topics if (payload := self.mqtt.retained(topic))}
        wait_until(lambda: len(messages()) == count, f"there are {count} discovery messages")
        return messages()

    def expect_no_findings(self, messages):
        for topic, payload in messages.items():
            with self.subTest(topic):
                self.assertEqual(check_payload.findings(topic, payload, IGNORED), [])

    def test_the_message_of_the_device(self):
        messages = self.announced("device", 1)
        self.expect_no_findings(messages)
        # Checks with a faulty message that the schemas do report problems.
        (topic, text), = messages.items()
        broken = json.loads(text)
        parts = broken.get("components") or broken["cmps"]
        parts["mode"]["device_klass"] = "enum"
        parts["timer"].pop("command_topic")
        found = dict(check_payload.findings(topic, json.dumps(broken), IGNORED))
        self.assertEqual(set(found), {"mode", "timer"}, found)
        self.assertEqual(found["mode"], "silently dropped: device_klass")
        (broken.get("device") or broken["dev"])["colour"] = "red"
        self.assertEqual([key for key, _ in check_payload.findings(topic, json.dumps(broken), IGNORED)], [""])

    def test_one_message_each(self):
        self.expect_no_findings(self.announced("component", len(ENTITIES)))
