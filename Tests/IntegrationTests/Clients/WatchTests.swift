import Foundation
import Testing

/// `timer-node watch` in a real terminal, with a real node.
@Suite("watch, in a terminal")
struct WatchTests {
    private let broker: MosquittoBroker
    private let node: SpawnedNode

    init() throws {
        broker = try MosquittoBroker()
        node = try SpawnedNode(
            """
            node: {id: lectern}
            mqtt: {brokers: [\(broker.url)]}
            timers: {groups: [{name: Talk 1, timers: [{name: Talk, start: 20:00, warning: 5:00, final: 1:00},
              {name: Questions, start: 5:00, warning: 1:00}]}]}
            storage: {directory: FOLDER/state}
            """)
        try node.waitForConnection()
    }

    private func command(_ arguments: String = "lectern", at other: MosquittoBroker? = nil) throws -> String {
        "\(try SpawnedNode.program) watch --broker \((other ?? broker).url) \(arguments)"
    }

    private func watch(
        _ arguments: String = "lectern", columns: Int = 80, rows: Int = 24, variables: [String: String] = [:]
    ) throws -> TmuxTerminal {
        let terminal = try TmuxTerminal(
            command(arguments), columns: columns, rows: rows,
            variables: ["LC_ALL": "C.UTF-8", "NO_COLOR": ""].merging(variables) { $1 })
        try terminal.wait(for: "the node") { $0.hasPrefix("Stopped  1/1 Talk") }
        return terminal
    }

    @Test(
        "fills terminals of these sizes, with colours and without",
        arguments: [(80, 24), (40, 12), (200, 60)], [true, false])
    func sizes(size: (Int, Int), hasColours: Bool) throws {
        let terminal = try watch(
            columns: size.0, rows: size.1, variables: hasColours ? [:] : ["NO_COLOR": "1"])
        try terminal.press("Space")
        try terminal.wait(for: "the run") { $0.hasPrefix("Running  1/1 Talk · Talk 1") }
        // The mode is published first, and then the state, which contains the end time.
        let tellsTheEnd = { (row: String) in
            row.hasPrefix("next: Questions 5:00") && row.contains(/ends \d\d:\d\d:\d\d$/)
        }
        try terminal.waitForScreen("the whole screen") { screen in
            // Five rows of digits, in the largest size that fits.
            screen.count == size.1 && screen.contains(where: tellsTheEnd)
                && screen[0].hasPrefix("lectern ") && screen[0].hasSuffix(" online")
                && screen[size.1 - 1].hasPrefix("space play/pause  s stop") && screen[size.1 - 1].hasSuffix("q quit")
                && screen.count { $0.contains("█") } >= (size.0 == 200 ? 25 : 5)
        }
        let hasColour = { try !terminal.screen(escapes: true).joined().matches(of: /\u{1B}\[[0-9;]*3[0-7]m/).isEmpty }
        if hasColours { try waitUntil("a colour", hasColour) } else { #expect(try !hasColour()) }
    }

    /// The verbs of the commands that received a response, except requests for the time, which no key sends.
    private static func answered(_ probe: MQTTProbe) -> [String] {
        probe.messages.filter { $0.topic == "timer/lectern/response" }
            .compactMap { $0.payload.firstMatch(of: /"command":"([a-z_]+)"/).map { String($0.1) } }
            .filter { $0 != "time" }
    }

    @Test("has a key for each of these commands, and shows refusals from the node")
    func keys() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/response")
        let terminal = try watch()
        for key in ["s", "Space", "+", "-", "Space", "n", "p", "f", "r", "x"] { try terminal.press(key) }
        let verbs = ["stop", "toggle", "add", "add", "toggle", "next", "previous", "fast_forward", "rewind", "silence"]
        try waitUntil("ten responses") { Self.answered(probe).count >= verbs.count }
        #expect(Self.answered(probe) == verbs)
        try terminal.press("s")
        try terminal.wait(for: "the stop") { $0.hasPrefix("Stopped") }
        try terminal.press("+")
        try terminal.wait(for: "the refusal") { $0.hasPrefix("lectern: add needs") }
        try terminal.press("?")
        try terminal.wait(for: "the help") { $0.contains("play or pause") }
        try terminal.press("?")
        try terminal.wait(for: "the node") { $0.hasPrefix("Stopped") }
        try terminal.press("q")
        try terminal.wait(for: "the end") { $0 == "status 0" }
    }

    @Test("sends typed and pasted text, including letters that are also shortcut keys, and locks")
    func talk() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/response", "timer/lectern/message")
        let terminal = try watch()
        try terminal.press("m", "Space", "s", "é", "q", "BSpace", "?")
        try terminal.wait(for: "the typed text") { $0.hasPrefix("message:  sé?") }
        try terminal.press("Enter")
        try terminal.wait(for: "the message") { $0 == "sé?" }
        try probe.wait(for: "its text") {
            $0.contains { $0.topic == "timer/lectern/message" && $0.payload.contains(#""text":"sé?""#) }
        }
        try terminal.press("m", "n", "o")
        try terminal.wait(for: "another message") { $0 == "message: no" }
        try terminal.press("Escape")
        try terminal.wait(for: "the keys") { $0.hasPrefix("space play/pause") }
        // A paste of several lines: no letter after the first line is a command.
        try terminal.press("m")
        try terminal.wait(for: "the message to type") { $0 == "message:" }
        try terminal.paste("wrap up\nsss nnn")
        try terminal.wait(for: "the other message") { $0 == "wrap up" }
        try terminal.press("l")
        try terminal.wait(for: "the lock") { $0.hasSuffix(" locked  online") }
        try terminal.press("l")
        try terminal.wait(for: "the end of the lock") { $0.hasPrefix("lectern") && !$0.contains("locked") }
        try terminal.press("m", "Enter")
        try waitUntil("no message") { try !terminal.screen().contains("wrap up") }
        try waitUntil("five responses") { Self.answered(probe).count >= 5 }
        #expect(Self.answered(probe) == ["message", "message", "lock", "unlock", "message"])
    }

    @Test("shows the speaker, and how far the meeting is behind, in a terminal and as lines")
    func meeting() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/response")
        // A meeting of 25 minutes that began three or four minutes ago, whatever the current time. It is as long as its
        // group.
        let begin = Int(Date(timeIntervalSinceNow: -180).timeIntervalSince1970) / 60 * 60
        func local(_ zone: String, _ seconds: Int, _ format: String) throws -> String {
            String(try Shell.run("TZ=\(zone) date -d @\(seconds) '+\(format)'").output.dropLast())
        }
        let agenda = """
            {"zone":"Asia/Kolkata","meetings":[{"name":"Club","day":"\(try local("Asia/Kolkata", begin, "%F"))",\
            "at":"\(try local("Asia/Kolkata", begin, "%H:%M"))","for":"25m","group":1}]}
            """
        let lines = try ChildProcess(shell: "exec \(command())")
        try MQTTProbe.publish(broker, "timer/lectern/command/agenda", agenda)
        try MQTTProbe.publish(broker, "timer/lectern/command/start", #"{"speaker":"Ada Lovelace"}"#)
        try probe.wait(for: "both") { $0.count >= 2 }
        let terminal = try TmuxTerminal(
            command(), columns: 80, rows: 24, variables: ["LC_ALL": "C.UTF-8", "NO_COLOR": "", "TZ": "UTC"])
        try terminal.wait(for: "the speaker") { $0.hasPrefix("Running  1/1 Talk · Ada Lovelace · Talk 1") }
        // The end is shown in the agenda's zone, whatever the terminal's zone is.
        let end = try local("Asia/Kolkata", begin + 1500, "%H:%M:00")
        try terminal.wait(for: "the meeting") { $0.contains(/^Club  [34]:\d\d behind +until/) && $0.hasSuffix(end) }
        try lines.waitForLine("the line") {
            $0.contains("  speaker: Ada Lovelace  ") && $0.contains(/meeting: Club, [34]:\d\d behind$/)
        }
        lines.signal(SIGTERM)

        // A state received before the timers and the agenda does not show the delay yet, but a second line does.
        let retained = try MQTTProbe(broker, "timer/lectern/state", "timer/lectern/timers", "timer/lectern/agenda")
            .wait(for: "the retained messages") { $0.count == 3 }
        let slow = try MosquittoBroker()
        let slowLines = try ChildProcess(shell: "exec \(command(at: slow))")
        for kind in ["state", "timers", "agenda"] {
            for message in retained where message.topic.hasSuffix(kind) {
                try MQTTProbe.publish(slow, message.topic, message.payload, retain: true)
            }
            if kind == "state" { try slowLines.waitForLine("the state") { $0.hasSuffix("meeting: Club") } }
        }
        try slowLines.waitForLine("the delay") { $0.contains(/meeting: Club, [34]:\d\d behind$/) }
        slowLines.signal(SIGTERM)
    }

    @Test("adapts to the size of its window")
    func resized() throws {
        let terminal = try watch()
        for (columns, rows) in [(40, 12), (200, 60), (30, 8), (80, 24)] {
            try terminal.resize(columns: columns, rows: rows)
            try terminal.waitForScreen("a screen of \(columns) by \(rows)") { screen in
                let keys = screen.last ?? ""
                return screen.count == rows && keys.hasPrefix("space play/pause") && screen[0].hasPrefix("lectern")
                    && (screen[0].count == columns || columns < 15)
            }
        }
    }

    @Test("shows when the node or the broker disappears and returns")
    func gone() throws {
        let terminal = try watch()
        try terminal.press("Space")
        try terminal.wait(for: "the run") { $0.hasPrefix("Running") }
        try node.waitForSavedRun()
        node.process.signal(SIGKILL)
        try terminal.wait(for: "offline") { $0.hasSuffix(" offline") }
        try terminal.wait(for: "the last known state of the node") { $0.hasPrefix("Running") }
        try node.restart()
        try terminal.wait(for: "online") { $0.hasSuffix(" online") }
        try broker.kill()
        try terminal.wait(for: "the loss") { $0.hasPrefix("no connection to ") }
        try terminal.press("s")
        try broker.restart()
        // A command that was typed without a connection is not executed later.
        try terminal.wait(for: "the status of the key") { $0.contains("not sent, no connection") }
        try terminal.wait(for: "the run") { $0.hasPrefix("Running") }
    }

    @Test("restores the terminal, whatever ends the program", arguments: ["q", "C-c", "TERM", "HUP", "C-z"])
    func restores(end: String) throws {
        let terminal = try TmuxTerminal(
            "bash --norc --noprofile -i", columns: 80, rows: 24, variables: ["PS1": "prompt> ", "LC_ALL": "C.UTF-8"])
        try terminal.wait(for: "the prompt") { $0.hasPrefix("prompt>") }
        try terminal.press("stty -a > /tmp/before-$$; echo on the screen", "Enter")
        // The terminal would show text twice if it were typed before the shell reads it.
        try terminal.waitForScreen("the next prompt") { screen in
            screen.contains("on the screen") && screen.last { !$0.isEmpty } == "prompt>"
        }
        try terminal.press("\(command())", "Enter")
        try terminal.wait(for: "the node") { $0.hasPrefix("Stopped  1/1 Talk") }
        #expect(try !terminal.hasCursor)
        switch end {
        case "TERM", "HUP":
            let shell = try terminal.shell
            let watch = try Shell.run("pkill -\(end) -P $(pgrep -P \(shell) bash || echo \(shell)) timer-node")
            #expect(watch.status == 0, "\(watch.output)")
        default: try terminal.press(end)
        }
        try terminal.wait(for: "the previous screen") { $0 == "on the screen" }
        try terminal.press("stty -a | diff /tmp/before-$$ - && echo unchanged; rm /tmp/before-$$", "Enter")
        try terminal.wait(for: "the terminal's settings") { $0 == "unchanged" }
        #expect(try terminal.hasCursor)
        guard end == "C-z" else { return }
        try terminal.press("fg", "Enter")
        try terminal.wait(for: "the node again") { $0.hasPrefix("Stopped  1/1 Talk") }
        try terminal.press("Space")
        try terminal.wait(for: "the run") { $0.hasPrefix("Running") }
    }

    @Test("sleeps while no timer is counting, and otherwise wakes a few times a second")
    func sleeps() throws {
        let terminal = try watch()
        let id = try #require(pid_t(Shell.run("pgrep -P \(try terminal.shell) timer-node").output.dropLast()))
        func switches() throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
            return try #require(status.firstMatch(of: /\nvoluntary_ctxt_switches:\t(\d+)/).flatMap { Int($0.1) })
        }
        // Wait until the client has requested the time.
        try waitUntil("three seconds with at most a keep-alive") {
            let before = try switches()
            usleep(3_000_000)
            return try switches() - before <= 1
        }
        try terminal.press("Space")
        try terminal.wait(for: "the run") { $0.hasPrefix("Running") }
        let (began, running) = (ContinuousClock.now, try switches())
        usleep(3_000_000)
        // Each second causes a tick and a display update.
        let awake = try switches() - running
        let seconds = Int((ContinuousClock.now - began) / .seconds(1)) + 1
        #expect(awake >= 3 && awake <= 4 * seconds, "\(awake) times in \(seconds) s")
    }

    @Test("prints lines or JSON to a pipe, and exits when the reader closes it", arguments: [false, true])
    func piped(isJSON: Bool) throws {
        let process = try ChildProcess(shell: "exec \(command(isJSON ? "lectern --json" : "lectern"))")
        try process.waitForLine("the state") {
            $0.contains(isJSON ? #""mode":"stopped""# : "lectern  stopped  20:00 left  Talk")
        }
        try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
        try process.waitForLine("the run") {
            $0.contains(isJSON ? #""mode":"countdown""# : "lectern  countdown  20:00 left  Talk")
        }
        try node.process.terminate()
        try process.waitForLine("the end") { $0.contains(isJSON ? #""online":false"# : "lectern  offline") }
        for line in process.output where isJSON {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
        }
        #expect(process.output.allSatisfy { !$0.contains("\u{1B}") })
        #expect(try process.terminate() == .signalled(SIGTERM))
        try node.restart()
        let head = try Shell.run("bash -c 'set -o pipefail; timeout 60 \(command()) | head -n 1'")
        #expect(head.output.contains("lectern") && head.status == 0, "it exits with its reader")
    }
}
