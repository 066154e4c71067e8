internal import NodeConfiguration

extension Answers {
    /// The configuration file that the answers make, with comments.
    var text: String {
        [heading, node, mqtt, gpio, signals, timers, storage].joined(separator: "\n")
    }

    private var heading: String {
        """
        # The configuration of timer-node, made by `timer-node init`.
        #
        # `timer-node check FILE` reports everything that is wrong with a file like this one. All keys are described in
        # docs/configuration.md, and timer-node.yaml among the examples shows them; both are installed in
        # share/doc/timer-node. Durations are seconds (90), minutes and seconds (1:30), or have a unit (500ms, 2m, 1h).

        """
    }

    private var node: String {
        """
        # Who the node is. Its topics are timer/ID/…
        node:
          id: \(id.yaml)
          \(name.map { "name: \($0.yaml)" } ?? "# name: Lectern stoplight      # for people; by default the id")

        """
    }

    private var mqtt: String {
        guard let broker else {
            return """
                # The broker. Without this section the node runs with its lamps alone.
                # mqtt:
                #   brokers:
                #     - mqtt://127.0.0.1:1883

                """
        }
        return """
            # The broker. Without this section the node runs with its lamps alone.
            mqtt:
              brokers:                       # tried in turn; with TLS mqtts://broker.example:8883
                - \(broker.yaml)
              \(username.map { "username: \($0.yaml)" } ?? "# username: lectern")
              # The password is never in this file. The systemd unit takes it from \(Self.passwordFile);
              # \(Self.passwordVariable) in the environment goes before the file named here.
              \(passwordFile.map { "password_file: \($0.yaml)" } ?? "# password_file: \(Self.passwordFile)")

            """
    }

    private var gpio: String {
        guard chip != Self.simulatedChip else {
            return """
                # The lamps are drawn in the terminal. For real ones name a chip and the lines, as in the examples;
                # `timer-node lines` shows the lines.
                gpio:
                  chip: simulated

                """
        }
        let outputs = Self.outputs.compactMap { output in
            lines[output].map { "    \(output): {line: \($0.yaml), active_low: \(activeLow), safe: off}\n" }
        }
        return """
            # The lamps and the buzzer. `timer-node lines` shows the lines; docs/buttons.md shows how to add buttons.
            gpio:
              chip: \(chip.yaml)\(chip == "auto" ? "                 # the chip that has the lines below" : "")
              outputs:                       # active_low: low is on; safe: on or off while no node runs
            \(outputs.joined())
            """
    }

    private var signals: String {
        """
        # What each mode looks and sounds like; docs/signals.md shows how to define your own.
        signals:
          profile: \(profile.rawValue)
          \(profile.readySignals)

        """
    }

    private var timers: String {
        """
        # The timers of a node that has none saved: groups of 1 to 4 timers.
        timers:
        \(profile.readyTimers)

        """
    }

    private var storage: String {
        """
        # Where the state is kept over restarts. Without this section nothing is kept.
        storage:
          directory: /var/lib/timer-node
          after_reboot: pause            # what happens to a run after a reboot: pause, resume or stop

        """
    }
}

extension String {
    /// The text as YAML, in double quotes. What an editor or YAML might not show or keep as it is, is escaped.
    var yaml: String {
        let scalars = unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case _ where scalar == "\"" || scalar == "\\": "\\\(scalar)"
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                "\\U" + String(repeating: "0", count: 8 - scalar.digits.count) + scalar.digits
            default: String(scalar)
            }
        }
        return "\"" + scalars.joined() + "\""
    }
}

extension Unicode.Scalar {
    /// The number in hexadecimal.
    fileprivate var digits: String { String(value, radix: 16, uppercase: true) }
}
