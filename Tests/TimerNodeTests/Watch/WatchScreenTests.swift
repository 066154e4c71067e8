import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol
@testable import timer_node

@Suite("The screen of watch")
struct WatchScreenTests {
    static let sizes = [(80, 24), (40, 12), (200, 60), (20, 6), (10, 3), (1, 1)]

    @Test("shows one node on the whole screen, on a small terminal")
    func small() throws {
        var story = try WatchStory()
        story.press(.character(" "))
        story.wait(.seconds(48))
        let text = story.text(40, 12)
        #expect(text.count == 12)
        #expect(text[0] == "lectern                           online")
        #expect(
            text[1...5] == [
                "╭────╮  ██  ██          ██  ██████", "│ ░░ │  ██  ██  ██      ██      ██",
                "│ ░░ │  ██████          ██  ██████", "│ ██ │      ██  ██      ██  ██",
                "╰────╯      ██          ██  ██████",
            ], "\(text)")
        #expect(text.contains { $0.hasPrefix("Running  1/1 Talk · Talk 1") }, "\(text)")
        #expect(text.contains { $0.hasPrefix("next: Questions 1:00") && $0.contains("ends ") }, "\(text)")
        #expect(text[11] == "space play/pause  s stop  ? help  q quit")
    }

    @Test("fits each size, in each mode, with colours and without", arguments: sizes, [true, false])
    func fits(size: (Int, Int), isPlain: Bool) throws {
        let style = TerminalStyle(hasColours: !isPlain, isUnicode: !isPlain)
        for ids in [["lectern"], (0..<100).map { "node-\($0)" }] {
            var story = try WatchStory(ids, style: style)
            for action in [Key.character(" "), .character("s"), .character("?"), .character("n"), .character(" ")] {
                story.press(action)
                story.wait(.seconds(7))
                let rows = story.rows(size.0, size.1)
                #expect(rows.count == size.1)
                #expect(rows.allSatisfy { $0.text.columns <= size.0 }, "\(rows.map(\.text))")
                if isPlain {
                    #expect(rows.allSatisfy { $0.rendered.utf8.allSatisfy { $0 < 0x80 } })
                    #expect(!rows.contains { $0.rendered.contains(/\u{1B}\[[0-9;]*3[0-7]m/) })
                }
            }
        }
    }

    @Test("has the words and colours of the node's signals")
    func signals() throws {
        var story = try WatchStory(style: TerminalStyle(hasColours: true, isUnicode: false)) {
            $0.signals = SignalTable(.toastmasters)
            $0.signals.words[.final] = "Nearly over, dear Ada"
        }
        story.press(.character(" "))
        let green = "\u{1B}[32m"
        func bar() -> String { story.rows().map(\.rendered).last { $0.contains("###") } ?? "" }
        story.wait(.seconds(239))
        #expect(bar().contains("###") && !bar().contains("\u{1B}[3"), "nothing is lit")
        story.wait(.seconds(2))
        #expect(story.text().contains { $0.hasPrefix("Qualified  1/1 Talk") })
        #expect(bar().contains(green))
        story.press(.character(" "))
        #expect(story.text().contains { $0.hasPrefix("Paused in Qualified  1/1 Talk") })
        #expect(bar().contains(green))
        // A node that publishes no signals has the default ones.
        story.handle(.message(topic: "timer/lectern/health", payload: [], retained: false))
        #expect(story.text().contains { $0.hasPrefix("Paused in Warning  1/1 Talk") })
    }

    @Test("shows the time used, and how long a run must be to qualify")
    func used() throws {
        var story = try WatchStory {
            let talk = TimerItem(
                name: "Talk", thresholds: .zero.setting(start: 300),
                qualifying: .none.setting(maximum: 300).setting(minimum: 60))
            $0.timers = (try? .init(groups: [TimerGroup(name: "Talk 1", timers: [talk])])) ?? $0.timers
        }
        #expect(!story.text().contains { $0.hasPrefix("used") })
        story.press(.character(" "))
        story.wait(.seconds(48))
        story.press(.character("+"))
        story.wait(.seconds(2))
        #expect(story.text().contains { $0.hasPrefix("used 0:50, qualifies from 2:00 to 6:00") }, "\(story.text())")
        story.press(.character("s"))
        #expect(story.text().contains { $0.hasPrefix("last run: 1/1 used 0:50") }, "\(story.text())")
    }

    @Test("shows that a run is over, but within the grace time")
    func grace() throws {
        var story = try WatchStory {
            let talk = TimerItem(
                name: "Talk", thresholds: .zero.setting(start: 60), qualifying: .none.setting(maximum: 60))
            let group = TimerGroup(name: "Talk 1", atZero: .alarm, timers: [talk])
            $0.timers = (try? .init(groups: [group])) ?? $0.timers
            $0.signals.grace = .seconds(10)
        }
        story.press(.character(" "))
        let text = "qualifies to 1:00, over, within grace (10 s)"
        for (seconds, isShown) in [(60, false), (1, true), (9, true), (1, false)] {
            story.wait(.seconds(seconds))
            #expect(story.text().contains { $0.contains(text) } == isShown, "\(story.text())")
        }
    }

    @Test("has digits as large as fit, and a stoplight that shows which lamps are lit")
    func digits() throws {
        var story = try WatchStory(style: TerminalStyle(hasColours: true, isUnicode: false))
        story.press(.character(" "))
        let heights = [(40, 12), (80, 24), (200, 60)].map { columns, rows in
            story.text(columns, rows).count { $0.contains("##") }
        }
        #expect(heights[0] < heights[1] && heights[1] < heights[2], "\(heights)")
        let green = story.rows(40, 12).filter { $0.rendered.contains("\u{1B}[32m##\u{1B}[0m |") }
        #expect(green.count == 1)
        story.wait(.seconds(250))
        #expect(story.rows(40, 12).contains { $0.rendered.contains("\u{1B}[33m##\u{1B}[0m |") })
    }

    @Test("counts the overtime, with digits that blink")
    func overtime() throws {
        var story = try WatchStory()
        story.press(.character("n"))
        if story.client.nodes["lectern"]?.mode == .stopped { story.press(.character(" ")) }
        story.wait(.seconds(65))
        #expect(story.text().contains { $0.hasPrefix("Overtime  1/2 Questions") }, "\(story.text())")
        #expect(story.rows().contains { $0.rendered.contains("\u{1B}[1;5;31m") })
        let now = story.now.instant
        let next = try #require(story.screen.nextInstant(story.client, after: now))
        #expect(now.duration(to: next) <= .seconds(1))
    }

    @Test("is redrawn each second while a timer is counting, and never otherwise")
    func wakes() throws {
        var story = try WatchStory(["a", "b"])
        #expect(story.screen.nextInstant(story.client, after: story.now.instant) == nil)
        story.press(.down, .character(" "))
        story.wait(.milliseconds(400))
        let now = story.now.instant
        #expect(story.screen.nextInstant(story.client, after: now) == now + .milliseconds(600))
        // The other node, which is not counting, takes up the whole screen.
        story.press(.up, .enter)
        #expect(story.screen.nextInstant(story.client, after: now) == nil)
    }

    @Test(
        "has a key for each of these verbs",
        arguments: [
            (" ", Verb.toggle), ("s", .stop), ("r", .rewind), ("f", .fastForward), ("n", .next), ("p", .previous),
            ("+", .add), ("-", .add), ("x", .silence), ("l", .lock),
        ] as [(Character, Verb)])
    func keys(key: Character, verb: Verb) throws {
        var story = try WatchStory()
        guard case .send(let command, "lectern")? = story.press(.character(key)).first else {
            Issue.record("\(key) sends nothing")
            return
        }
        #expect(command.verb == verb)
        if verb == .add { #expect(command == .player(.add(seconds: key == "+" ? 60 : -60))) }
        #expect(story.press(.character("?")) == [])
        // The help shows each key, even on a small terminal.
        let help = Array(story.text(40, 12).prefix(10))
        let names = help.flatMap { $0.prefix(9).split(separator: " ") }
        #expect(names.contains { $0 == (key == " " ? "space" : String(key)) }, "\(help)")
        #expect(names.contains("m") && names.contains("q") && !help.contains { $0.hasSuffix("…") }, "\(help)")
        #expect(story.press(.character("s")) == [.redraw], "any key closes the help")
    }

    @Test("reports refused commands, commands that were not sent, and unknown keys")
    func status() throws {
        var story = try WatchStory()
        story.press(.character("+"))
        #expect(story.text()[22] == "lectern: add needs a running, paused or alarmed timer; this one is stopped")
        story.press(.character(" "))
        #expect(story.text()[22] == "")
        story.press(.character("z"))
        #expect(story.text()[22] == "z does nothing here; ? shows all keys")
        story.handle(.disconnected)
        story.press(.character("s"))
        #expect(story.text()[22] == "stop to lectern: not sent, no connection")
        story.fault = "mqtt://broker.test:1883: the broker closed the connection"
        #expect(story.text()[22] == "no connection to mqtt://broker.test:1883: the broker closed the connection")
        #expect(story.press(.character("q")) == [.quit] && story.press(.interrupt) == [.quit])
    }

    @Test("lists 100 nodes, and moves to each of them")
    func list() throws {
        var story = try WatchStory((0..<100).map { "node-\($0 < 10 ? "0" : "")\($0)" })
        #expect(story.text()[0].hasPrefix("100 nodes, 100 online"))
        for _ in 1...30 { story.press(.down) }
        #expect(story.text().contains { $0.hasPrefix("> node-30") })
        for _ in 1...100 { story.press(.down) }
        #expect(story.text().contains { $0.hasPrefix("> node-99") })
        story.press(.character(" "))
        #expect(story.client.nodes["node-99"]?.mode == .countdown && story.client.nodes["node-98"]?.mode == .stopped)
        story.press(.enter)
        #expect(story.text()[0].hasPrefix("node-99"))
        story.press(.escape, .up)
        #expect(story.text().contains { $0.hasPrefix("> node-98") })
    }

    @Test("sends a key to the node that was shown, even if other nodes have appeared or disappeared since")
    func pinned() throws {
        var story = try WatchStory(["lectern", "stage"])
        _ = story.text()
        let state = story.nodes[0].last("state") ?? ""
        story.handle(.message(topic: "timer/aula/state", payload: Array(state.utf8), retained: false))
        #expect(story.press(.character("s")) == [.send(.player(.stop), to: "lectern")])
        for topic in TopicKind.allCases.filter(\.isRetained) {
            story.handle(.message(topic: "timer/lectern/\(topic.rawValue)", payload: [], retained: false))
        }
        #expect(story.screen.press(.character("s"), story.client) == nil)
        #expect(story.text()[22] == "lectern is gone")
        #expect(story.press(.character("s")) == [.send(.player(.stop), to: "aula")])
    }

    @Test("shows the last known state of a node that is gone, and that it is offline")
    func offline() throws {
        for ids in [["lectern"], ["lectern", "stage"]] {
            var story = try WatchStory(ids)
            story.press(.character(" "))
            story.handle(.message(topic: "timer/lectern/availability", payload: Array("offline".utf8), retained: false))
            #expect(story.text().contains { $0.contains("offline") })
            #expect(story.text().contains { $0.contains("Running") })
        }
    }

    @Test("shows no control sequences from names, and keeps its columns with wide characters")
    func strangeNames() throws {
        var story = try WatchStory()
        story.nodes[0].send("edit", #"{"name":"日本語のスピーチ 🎤 e\u0301"}"#)
        story.wait(.zero)
        let row = try #require(story.rows(40, 12).first { $0.text.contains("日本語") })
        #expect(row.width <= 40 && row.text.columns == row.width)
        let hostile = "timer/x/state"
        let state = story.nodes[0].last("state") ?? ""
        for name in [#"\u001b[2Jhi"#, "a\u{202E}b"] {
            let other = state.replacing("日本語のスピーチ 🎤 e\u{301}", with: name)
            story.handle(.message(topic: hostile, payload: Array(other.utf8), retained: false))
        }
        story.press(.down, .enter)
        #expect(story.text().contains { $0.contains(#"a\u{202E}b"#) })
        #expect(!story.rows().contains { $0.rendered.contains("\u{1B}[2J") || $0.rendered.contains("\u{202E}") })
    }
}

@Suite("Keys")
struct KeyTests {
    @Test(
        "are read from what a terminal sends",
        arguments: [
            ("a", [Key.character("a")]), (" +", [.character(" "), .character("+")]), ("\u{1B}", [.escape]),
            ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[1;5Cq", [.character("q")]), ("\r", [.enter]),
            ("\u{03}", [.interrupt]), ("\u{1A}", [.suspend]), ("\u{0C}", [.redraw]),
            ("\u{7F}\u{08}\u{01}", [.backspace, .backspace]),
            ("é", [.character("é")]), ("\u{1B}[", []),
        ])
    func keys(text: String, keys: [Key]) {
        #expect(Key.keys(in: Array(text.utf8)) == keys)
    }
}

@Suite("The style of a terminal")
struct TerminalStyleTests {
    @Test(
        "follows the environment",
        arguments: [
            (["TERM": "xterm-256color", "LANG": "de_DE.UTF-8"], true, true),
            (["TERM": "xterm", "LANG": "de_DE.UTF-8", "NO_COLOR": "1"], false, true),
            (["TERM": "xterm", "LANG": "de_DE.UTF-8", "NO_COLOR": ""], true, true),
            (["TERM": "dumb", "LC_ALL": "C", "LANG": "de_DE.UTF-8"], false, false),
            (["LC_CTYPE": "C.utf8"], false, true), ([:], false, false),
        ])
    func environment(environment: [String: String], colours: Bool, unicode: Bool) {
        #expect(TerminalStyle(environment) == TerminalStyle(hasColours: colours, isUnicode: unicode))
    }
}
