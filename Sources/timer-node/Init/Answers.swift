internal import BrokerLink
internal import ConfigurationFiles
internal import FoundationEssentials
internal import NodeConfiguration

/// The answers to the questions of `timer-node init`. The initial answers describe a node that works anywhere, with
/// simulated lamps and without a broker.
///
/// The answers form a valid configuration at any time, see ``text``. So an answer is checked by checking this
/// configuration, which also reports why the answer is wrong.
struct Answers: Hashable, Sendable {
    var profile = SignalProfile.podium
    /// The chip: `auto`, `simulated`, or the path, the name or the label of a chip.
    var chip = Self.simulatedChip
    /// The line of each output, by name or offset; empty for simulated lamps.
    var lines: [OutputName: String] = [:]
    /// Whether the lamps are on when their lines are low.
    var activeLow = false
    /// The broker's URL; nil for none.
    var broker: String?
    var username: String?
    var passwordFile: String?
    var id = "timer-node"
    /// The name for people; nil to use the id.
    var name: String?

    static let simulatedChip = "simulated"

    /// The outputs in the order of the questions and of the file.
    static let outputs: [OutputName] = ["green", "yellow", "red", "buzzer"]

    /// Reads the configuration that the answers form.
    ///
    /// - Parameters:
    ///   - file: where the configuration will be written; relative paths in it are relative to its folder.
    ///   - environment: may contain the broker's password; other variables are ignored.
    /// - Throws: ``InvalidAnswer`` with the first error.
    func load(
        file: String, environment: [String: String] = [:], readFile: @escaping FileReader
    ) throws(InvalidAnswer) -> NodeConfiguration {
        // A password without a user name would be an error.
        let passwords = username == nil ? [:] : environment.filter { $0.key == Self.passwordVariable }
        do throws(ConfigurationError) {
            return try NodeConfiguration.load(
                yaml: Array(text.utf8), file: file, environment: passwords, purpose: .checking, readFile: readFile
            ).configuration
        } catch {
            guard case .faulty(let faults) = error, let fault = faults.first(where: { $0.severity == .fault }) else {
                throw InvalidAnswer("\(error)")
            }
            throw InvalidAnswer("\(fault.problem)")
        }
    }

    /// The variable that may hold the broker's password.
    static let passwordVariable = "TIMER_NODE_MQTT_PASSWORD"
    /// The file from which the systemd unit takes the broker's password.
    static let passwordFile = "/etc/credstore/timer-node.mqtt-password"
}

extension Answers {
    /// The content of the configuration file for these answers, with comments.
    var text: String {
        [heading, node, mqtt, gpio, signals, timers, storage].joined(separator: "\n")
    }

    private var heading: String {
        """
        # The configuration of timer-node, written by `timer-node init`.
        #
        # `timer-node check FILE` reports everything that is wrong with a file like this one. All keys are described in
        # docs/configuration.md, and the example timer-node.yaml shows them; both are installed in
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
              # \(Self.passwordVariable) in the environment takes precedence over the file here.
              \(passwordFile.map { "password_file: \($0.yaml)" } ?? "# password_file: \(Self.passwordFile)")

            """
    }

    private var gpio: String {
        guard chip != Self.simulatedChip else {
            return """
                # The lamps are drawn in the terminal. For real ones, name a chip and the lines, as in the examples;
                # `timer-node lines` shows the lines.
                gpio:
                  chip: simulated

                """
        }
        let outputs = Self.outputs.compactMap { output in
            lines[output].map { "    \(output): {line: \($0.yaml), active_low: \(activeLow), safe: off}\n" }
        }
        return """
            # The lamps and the buzzer. `timer-node lines` shows the lines; docs/wiring.md shows how to add buttons.
            gpio:
              chip: \(chip.yaml)\(chip == "auto" ? "                 # the chip that has the lines below" : "")
              outputs:                       # active_low: low is on; safe: on or off while no node runs
            \(outputs.joined())
            """
    }

    private var signals: String {
        """
        # What each mode looks and sounds like; docs/wiring.md shows how to define your own.
        signals:
          profile: \(profile.rawValue)
          \(profile.defaultSignals)

        """
    }

    private var timers: String {
        """
        # The timers, unless the node has saved others: groups of 1 to 4 timers.
        timers:
        \(profile.defaultTimers)

        """
    }

    private var storage: String {
        """
        # Where the state is kept across restarts. Without this section nothing is kept.
        storage:
          directory: /var/lib/timer-node
          after_reboot: pause            # what happens to a run after a reboot: pause, resume or stop

        """
    }
}

extension String {
    /// The string as YAML, in double quotes. Characters that an editor or YAML might hide or change are escaped.
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

/// The predefined timers of each profile, the same as in `config/timer-node.yaml` and `config/toastmasters.yaml`.
extension SignalProfile {
    /// The text that follows `timers:` in a configuration.
    var defaultTimers: String {
        switch self {
        case .podium, .rhythm:
            """
              settings:
                start_timer_immediately: true      # next and previous also start the timer; false waits for a start
              groups:
                - name: Talk
                  display: stoplights
                  alarm: sound                     # none, sound, vibrate or soundVibrate
                  sound: alarm                     # the pattern of the alarm; none for silence
                  transition: beep                 # the pattern between two timers; none for silence
                  at_zero: next                    # goes on with the next timer; or alarm
                  timers:
                    - {name: Talk, start: 20:00, warning: 5:00, final: 1:00}
                    - {name: Questions, start: 5:00, warning: 1:00, final: 0:15}
            """
        case .toastmasters:
            """
              settings:
                start_timer_immediately: false     # next selects; start, or a button with toggle, starts
              groups:                              # green from min, yellow from mid, red from max
                - name: Prepared speeches
                  display: stoplights
                  at_zero: alarm                   # red stays on after each speaker until stopped
                  timers:
                    - {name: Ice Breaker, min: 4:00, mid: 5:00, max: 6:00}
                    - {name: Speech, min: 5:00, mid: 6:00, max: 7:00}
                    - {name: Long speech, min: 10:00, mid: 11:00, max: 12:00}
                - name: Table Topics
                  display: stoplights
                  at_zero: alarm
                  timers:
                    - {name: Table Topic, min: 1:00, mid: 1:30, max: 2:00}
                - name: Evaluations
                  display: stoplights
                  at_zero: alarm
                  timers:
                    - {name: Evaluation, min: 2:00, mid: 2:30, max: 3:00}
            """
        }
    }

    /// The text that follows `profile:` in a configuration.
    var defaultSignals: String {
        switch self {
        case .podium, .rhythm:
            "alarm_sound_for: 10s           # the lamps keep flashing until the timer is stopped; 0: silent"
        case .toastmasters: "grace: 30s                     # from then on red flashes: the speech does not qualify"
        }
    }
}
