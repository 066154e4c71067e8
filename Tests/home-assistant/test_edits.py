"""Tests edits over MQTT: the options of the select follow, whatever the names of the timers are."""

from bench import NodeTest
from processes import wait_until

# Names that are difficult for YAML, JSON, templates, the select or the eye.
HARD_NAMES = [
    'She said "now"', "it's 5 o'clock", "back\\slash", "{{ 7 * 7 }}", "{% if true %}", "Rückfragen äöüß", "Fragen 🎤👩‍🏫",
    "日本語", "none", "None", "a, b; c", "<b>bold</b> & more", "trailing blank ", "  leading blanks", "two  blanks",
    "[1, 2]", '{"a": 1}', "1/1 Talk", "true", "unknown", "unavailable", "#+/", "\u00a0", "e\u0301",
]


def model(*groups):
    """Returns the payload of a `timers` command; each group is given as a list of names."""
    return {"groups": [{"name": f"Group {index}", "timers": [{"name": name, "start": 300} for name in names]}
                       for index, names in enumerate(groups, 1)]}


class Edits(NodeTest):
    def setUp(self):
        super().setUp()
        self.node = self.start_node()
        self.wait_for_state("select.lectern_timer", "1/1 Talk")

    def options(self):
        return self.home.state("select.lectern_timer")["attributes"].get("options", [])

    def expect_options(self, expected):
        wait_until(lambda: self.options() == expected, f"the options are {expected}",
                   otherwise=lambda: str(self.options()))

    def edit(self, payload, verb="edit"):
        response = self.node.command(verb, payload)
        self.assertEqual(response["status"], "ok", response)

    def expect_valid_select(self):
        """Checks that the select shows the selected timer, and that choosing any option selects that timer."""
        for option in self.options():
            since = self.mqtt.position()
            self.home.call("select", "select_option", entity_id="select.lectern_timer", option=option)
            response = self.node.response("select", since)
            self.assertEqual(response["status"], "ok", (option, response))
            self.wait_for_state("select.lectern_timer", option)

    def test_a_timer_gets_another_name(self):
        self.edit({"name": "Lecture"})
        self.expect_options(["1/1 Lecture", "1/2 Questions", "2/1 Break"])
        self.wait_for_state("select.lectern_timer", "1/1 Lecture")
        self.wait_for_state("sensor.lectern_timer_name", "Lecture")

    def test_another_timer_gets_another_name(self):
        self.edit({"timer": "2/1", "name": "Coffee"})
        self.expect_options(["1/1 Talk", "1/2 Questions", "2/1 Coffee"])
        self.wait_for_state("select.lectern_timer", "1/1 Talk")

    def test_there_are_fewer_timers_and_more(self):
        self.edit("2/1", "select")
        self.wait_for_state("select.lectern_timer", "2/1 Break")
        for groups in (["Only"],), (["A", "B", "C"], ["D"], ["E", "F"]), (["A"],), (["Z", "A"],):
            self.edit(model(*groups), "timers")
            expected = [f"{group}/{index} {name}" for group, names in enumerate(groups, 1)
                        for index, name in enumerate(names, 1)]
            self.expect_options(expected)
            self.wait_for_state("select.lectern_timer", lambda state: state["state"] in expected)
            self.expect_valid_select()

    def test_many_edits_in_a_row_end_with_the_last(self):
        for number in range(30):
            self.mqtt.publish(self.node.topic("command/edit"), {"name": f"Talk {number}"})
        self.wait_for_state("select.lectern_timer", "1/1 Talk 29")
        self.expect_options(["1/1 Talk 29", "1/2 Questions", "2/1 Break"])

    def test_an_edit_while_it_runs(self):
        self.node.command("start")
        self.wait_for_state("sensor.lectern_mode", "countdown")
        self.edit({"name": "Lecture", "start": 1500})
        self.wait_for_state("select.lectern_timer", "1/1 Lecture")
        self.wait_for_state("sensor.lectern_mode", "countdown")

    def test_a_run_that_is_not_saved_leaves_the_select_valid(self):
        for payload in {"duration": 45, "name": "Announcements"}, {"duration": 86399, "name": "Long"}, {"duration": 1}:
            with self.subTest(payload):
                self.edit(payload, "start")
                self.wait_for_state("sensor.lectern_timer_name", self.node.json("state")["timer"]["name"])
                self.wait_for_number("number.lectern_duration", payload["duration"] / 60)
                self.assertEqual(self.home.state("select.lectern_timer")["state"], "1/1 Talk")
                self.edit("", "stop")
        self.edit("1/2", "select")
        self.wait_for_state("select.lectern_timer", "1/2 Questions")
        self.expect_options(["1/1 Talk", "1/2 Questions", "2/1 Break"])

    def test_the_longest_and_the_shortest_timer_are_in_the_range_of_the_number(self):
        for seconds in (86399, 1, 61):
            self.edit({"start": seconds})
            self.wait_for_number("number.lectern_duration", seconds / 60)


class Names(NodeTest):
    def select_each(self, node):
        expected = [f"{group}/{index}" for group, content in enumerate(node.json("timers")["groups"], 1)
                    for index in range(1, len(content["timers"]) + 1)]

        def paths():
            state = self.home.state("select.lectern_timer")
            return state and [option.split(" ")[0] for option in state["attributes"].get("options", [])]
        wait_until(lambda: paths() == expected, "there is an option for each timer", otherwise=lambda: str(paths()))
        for option in self.home.state("select.lectern_timer")["attributes"]["options"]:
            with self.subTest(option):
                self.assertLessEqual(len(option), 255)
                since = self.mqtt.position()
                self.home.call("select", "select_option", entity_id="select.lectern_timer", option=option)
                response = node.response("select", since)
                self.assertEqual(response["status"], "ok", response)
                self.assertEqual(node.json("state")["timer"]["path"], option.split(" ")[0])
                self.wait_for_state("select.lectern_timer", option)
                name = node.json("state")["timer"]["name"]
                self.wait_for_state("sensor.lectern_timer_name", lambda state: state["state"] in (
                    name.strip(), name.strip()[:255], "unknown"))

    def test_any_name_can_be_selected(self):
        groups = [HARD_NAMES[start:start + 4] for start in range(0, len(HARD_NAMES), 4)]
        node = self.start_node()
        self.wait_for_state("select.lectern_timer", "1/1 Talk")
        self.assertEqual(node.command("timers", model(*groups))["status"], "ok")
        self.select_each(node)

    def test_names_that_are_long_or_missing(self):
        node = self.start_node()
        self.wait_for_state("select.lectern_timer", "1/1 Talk")
        accepted = []
        # The node may refuse a name that is too long; Home Assistant must accept every name that the node accepts.
        for name in ("", "x" * 128, "ä" * 64, "x" * 251, "x" * 300, "ä" * 300, "👩‍🏫" * 100, "x" * 254 + "  y"):
            if node.command("edit", {"name": name})["status"] == "ok":
                accepted.append(name)
                self.select_each(node)
        self.assertIn("x" * 128, accepted)

    def test_the_node_may_be_called_anything(self):
        for name in ('The "big" stage', "Bühne {{ 1 }}", "🎤", "x" * 128):
            with self.subTest(name):
                node = self.start_node(name=name)
                wait_until(lambda: (self.bench.device("lectern") or {}).get("name") == name, "the device has the name")
                wait_until(lambda: len(self.bench.entities_of("lectern")) > 20, "it has its entities")
                self.bench.remove_node(node)
