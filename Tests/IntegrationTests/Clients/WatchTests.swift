import Foundation
import IoTNode
import Mosquitto
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

    private func command(_ arguments: String = "lectern") throws -> String {
        "\(try SpawnedNode.program) watch --broker \(broker.url) \(arguments)"
    }

    private func watch(
        _ arguments: String = "lectern", columns: Int = 80, rows: Int = 24, variables: [String: String] = [:]
    ) throws -> TmuxTerminal {
        let terminal = try TmuxTerminal(
            command(arguments), columns: columns, rows: rows,
            variables: ["LC_ALL": "C.UTF-8", "NO_COLOR": ""].merging(variables) { $1 })
        try terminal.wait(for: "the node") { $0.hasPrefix("stopped  1/1 Talk") }
        return terminal
    }

    @Test(
        "fills terminals of these sizes, with colours and without",
        arguments: [(80, 24), (40, 12), (200, 60)], [true, false])
    func sizes(size: (Int, Int), hasColours: Bool) throws {
        let terminal = try watch(
            columns: size.0, rows: size.1, variables: hasColours ? [:] : ["NO_COLOR": "1"])
        try terminal.press("Space")
        try terminal.wait(for: "the run") { $0.hasPrefix("countdown  1/1 Talk · Talk 1") }
        // The mode is published first, and the state, which tells the end, after it.
        let tellsTheEnd = { (row: String) in
            row.hasPrefix("next: Questions 5:00") && row.contains(/ends \d\d:\d\d:\d\d$/)
        }
        try terminal.wait(for: "the end of the run", where: tellsTheEnd)
        let screen = try terminal.screen()
        #expect(screen.count == size.1)
        #expect(screen[0].hasPrefix("lectern ") && screen[0].hasSuffix(" online"))
        #expect(screen.contains(where: tellsTheEnd))
        #expect(screen[size.1 - 1].hasPrefix("space play/pause  s stop") && screen[size.1 - 1].hasSuffix("q quit"))
        // Five rows of digits, in the largest size that there is room for.
        let high = screen.dropFirst().count { $0.contains("█") }
        #expect(high >= (size.0 == 200 ? 25 : 5), "\(screen)")
        let colours = try terminal.screen(escapes: true).joined().matches(of: /\u{1B}\[[0-9;]*3[0-7]m/)
        #expect(colours.isEmpty == !hasColours)
    }

    @Test("has a key for each of these, and says what the node refuses")
    func keys() throws {
        let probe = try MQTTProbe(broker, "timer/lectern/response")
        let terminal = try watch()
        for key in ["s", "Space", "+", "-", "Space", "n", "p", "f", "r", "x"] { try terminal.press(key) }
        let verbs = ["stop", "toggle", "add", "add", "toggle", "next", "previous", "fast_forward", "rewind", "silence"]
        try probe.wait(for: "ten responses") { $0.count >= verbs.count }
        let answered = probe.messages.compactMap {
            $0.payload.firstMatch(of: /"command":"([a-z_]+)"/).map { String($0.1) }
        }
        #expect(answered == verbs)
        try terminal.press("s")
        try terminal.wait(for: "the stop") { $0.hasPrefix("stopped") }
        try terminal.press("+")
        try terminal.wait(for: "the refusal") { $0.hasPrefix("lectern: add needs") }
        try terminal.press("?")
        try terminal.wait(for: "the help") { $0.contains("play or pause") }
        try terminal.press("?")
        try terminal.wait(for: "the node") { $0.hasPrefix("stopped") }
        try terminal.press("q")
        try terminal.wait(for: "the end") { $0 == "status 0" }
    }

    @Test("follows the size of its window")
    func resized() throws {
        let terminal = try watch()
        for (columns, rows) in [(40, 12), (200, 60), (30, 8), (80, 24)] {
            try terminal.resize(columns: columns, rows: rows)
            try waitUntil("a screen of \(columns) by \(rows)") {
                let screen = try terminal.screen()
                let keys = screen.last ?? ""
                return screen.count == rows && keys.hasPrefix("space play/pause") && screen[0].hasPrefix("lectern")
                    && (screen[0].count == columns || columns < 15)
            }
        }
    }

    @Test("shows that the node is gone, that it is back, and that the broker is")
    func gone() throws {
        let terminal = try watch()
        try terminal.press("Space")
        try terminal.wait(for: "the run") { $0.hasPrefix("countdown") }
        node.process.signal(SIGKILL)
        try terminal.wait(for: "offline") { $0.hasSuffix(" offline") }
        #expect(try terminal.screen().contains { $0.hasPrefix("countdown") }, "as it was last heard of")
        try node.restart()
        try terminal.wait(for: "online") { $0.hasSuffix(" online") }
        try broker.kill()
        try terminal.wait(for: "the loss") { $0.hasPrefix("no connection: ") }
        try terminal.press("s")
        try broker.restart()
        // What was typed in between is not done afterwards.
        try terminal.wait(for: "the status of the key") { $0.contains("not sent, as there is no connection") }
        try terminal.wait(for: "the run") { $0.hasPrefix("countdown") }
    }

    @Test("leaves the terminal as it was, whatever ends it", arguments: ["q", "C-c", "TERM", "HUP", "C-z"])
    func restores(end: String) throws {
        let terminal = try TmuxTerminal(
            "bash --norc --noprofile -i", columns: 80, rows: 24, variables: ["PS1": "prompt> ", "LC_ALL": "C.UTF-8"])
        try terminal.wait(for: "the prompt") { $0.hasPrefix("prompt>") }
        try terminal.press("stty -a > /tmp/before-$$; echo on the screen", "Enter")
        // What is typed before the shell reads it would be shown twice.
        try terminal.wait(for: "the next prompt") { $0 == "prompt>" }
        try terminal.press("\(command())", "Enter")
        try terminal.wait(for: "the node") { $0.hasPrefix("stopped  1/1 Talk") }
        #expect(try !terminal.hasCursor)
        switch end {
        case "TERM", "HUP":
            let shell = try terminal.shell
            let watch = try Shell.run("pkill -\(end) -P $(pgrep -P \(shell) bash || echo \(shell)) timer-node")
            #expect(watch.status == 0, "\(watch.output)")
        default: try terminal.press(end)
        }
        try terminal.wait(for: "what there was before") { $0 == "on the screen" }
        try terminal.press("stty -a | diff /tmp/before-$$ - && echo unchanged; rm /tmp/before-$$", "Enter")
        try terminal.wait(for: "the terminal's settings") { $0 == "unchanged" }
        #expect(try terminal.hasCursor)
        guard end == "C-z" else { return }
        try terminal.press("fg", "Enter")
        try terminal.wait(for: "the node again") { $0.hasPrefix("stopped  1/1 Talk") }
        try terminal.press("Space")
        try terminal.wait(for: "the run") { $0.hasPrefix("countdown") }
    }

    @Test("sleeps while nothing counts, and wakes a few times a second while something does")
    func sleeps() throws {
        let terminal = try watch()
        let id = try #require(pid_t(Shell.run("pgrep -P \(try terminal.shell) timer-node").output.dropLast()))
        func switches() throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
            return try #require(status.firstMatch(of: /\nvoluntary_ctxt_switches:\t(\d+)/).flatMap { Int($0.1) })
        }
        // What is retained has come by then.
        usleep(1_000_000)
        let before = try switches()
        usleep(3_000_000)
        #expect(try switches() - before <= 1, "at most a keep-alive")
        try terminal.press("Space")
        try terminal.wait(for: "the run") { $0.hasPrefix("countdown") }
        let (began, running) = (ContinuousClock.now, try switches())
        usleep(3_000_000)
        // Each second has a tick and the second of its own.
        let awake = try switches() - running
        let seconds = Int((ContinuousClock.now - began) / .seconds(1)) + 1
        #expect(awake >= 3 && awake <= 4 * seconds, "\(awake) times in \(seconds) s")
    }

    @Test("prints lines into a pipe, or JSON, and ends with its reader", arguments: [false, true])
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
        #expect(head.output.contains("lectern") && head.status == 0, "it ends with its reader")
    }
}

/// `timer-node watch` with many nodes: one that runs, and what 99 others have left at the broker.
@Suite("watch, with 100 nodes")
struct WatchManyTests {
    @Test("lists them all, and reaches the one that runs")
    func list() throws {
        let broker = try MosquittoBroker(log: "information")
        let node = try SpawnedNode("20:00", brokers: broker.url)
        try node.waitForConnection()
        let probe = try MQTTProbe(broker, "timer/#")
        try probe.wait(for: "all that is retained") { Set($0.map(\.topic)).count >= 5 }
        let driver = ConnectionDriver()
        try driver.connect(
            ConnectOptions(
                broker: Broker(host: "127.0.0.1", port: broker.port), version: .v5, clientID: "copy", keepAlive: 60,
                credentials: nil, will: nil))
        for number in 1...99 {
            for message in Set(probe.messages.map(\.topic)).compactMap({ topic in
                probe.messages.last { $0.topic == topic }
            }) {
                let topic = message.topic.replacing("lectern", with: "node-\(number)")
                driver.connection.publish(OutgoingMessage(topic: topic, text: message.payload, retain: true))
            }
        }
        driver.connection.disconnect(patience: .seconds(30))

        let terminal = try TmuxTerminal(
            "\(try SpawnedNode.program) watch --broker \(broker.url)", columns: 80, rows: 24,
            variables: ["LC_ALL": "C.UTF-8"])
        try terminal.wait(for: "100 nodes") { $0.hasPrefix("100 nodes, 100 online") }
        try terminal.wait(for: "the first one") { $0.hasPrefix("> lectern") }
        // Who is online is known before the modes are.
        try waitUntil("a screen full of modes") { try terminal.screen().count { $0.contains("stopped") } == 21 }
        for _ in 0..<99 { try terminal.press("Down") }
        try terminal.wait(for: "the last one") { $0.hasPrefix("> node-99") }
        for _ in 0..<99 { try terminal.press("Up") }
        try terminal.press("Space")
        try terminal.wait(for: "its run") { $0.hasPrefix("> lectern") && $0.contains("countdown") }
        try terminal.press("Enter")
        try terminal.wait(for: "it alone") { $0.hasPrefix("lectern  ") }
    }
}
