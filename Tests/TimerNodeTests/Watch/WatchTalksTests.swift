import FoundationEssentials
import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import IoTNode
@testable import TimerClient
@testable import TimerProtocol
@testable import timer_node

@Suite("watch, during a talk")
struct WatchTalksTests {
    /// Returns a story on a Tuesday at 22:13:20 UTC, optionally with a meeting that began at 22:13.
    private func story(
        _ ids: [String] = ["lectern"], style: TerminalStyle = TerminalStyle(), meetingFor duration: Int? = nil
    ) throws -> WatchStory {
        try WatchStory(ids, style: style) {
            guard let duration, let at = TimeOfDay(hour: 22, minute: 13) else { return }
            let meeting = Agenda.Meeting(
                name: "Toastmasters", days: [.weekday(.tue)], at: at, duration: duration, group: 1)
            $0.agenda = Agenda(zone: "UTC", remindAfter: 0, meetings: [meeting])
        }
    }

    private func type(_ text: String, _ story: inout WatchStory) -> [WatchScreen.Action] {
        text.flatMap { story.press(.character($0)) }
    }

    // MARK: - Keys

    @Test("takes keys as the letters of a message while one is being typed, and sends it")
    func typing() throws {
        var story = try story()
        #expect(story.press(.character("m")) == [])
        #expect(type("sq é", &story) == [])
        #expect(story.press(.backspace, .up, .down, .redraw) == [.redraw])
        #expect(type("x?", &story) == [])
        #expect(story.text()[22] == "message: sq x?")
        #expect(story.text(40, 12)[11] == "enter sends, esc cancels, empty clears")
        #expect(story.client.nodes["lectern"]?.message == nil)
        #expect(story.press(.enter) == [.send(.talk(.message(MessageToSpeaker("sq x?"))), to: "lectern")])
        #expect(story.client.nodes["lectern"]?.message?.text == "sq x?")
        #expect(story.text()[22] == "" && story.text().contains("sq x?"))
        // Keys are commands again.
        #expect(story.press(.character("s")) == [.send(.player(.stop), to: "lectern")])
    }

    @Test("does not send a cancelled message, and clears a message with an empty one")
    func leaving() throws {
        var story = try story()
        story.press(.character("m"))
        #expect(type("Stop", &story) == [] && story.press(.escape) == [])
        #expect(story.text()[22] == "" && !story.screen.isTyping)
        story.nodes[0].send("message", "Please wrap up")
        story.wait(.zero)
        #expect(story.text().contains("Please wrap up"))
        #expect(
            story.press(.character("m"), .character(" "), .enter) == [.send(.talk(.message(nil)), to: "lectern")])
        #expect(!story.text().contains("Please wrap up"))
        story.press(.character("m"))
        #expect(story.press(.interrupt) == [.quit])
    }

    @Test("limits a message to what a node accepts, and shows its end if it does not fit")
    func limits() throws {
        var story = try story()
        story.press(.character("m"))
        _ = type(String(repeating: "ab ", count: 66), &story)
        _ = type("yz\u{85}", &story)
        #expect(story.rows(40, 12)[10].text == "message: …\(String(repeating: "ab ", count: 9))yz ")
        _ = type("x", &story)
        guard case .send(.talk(.message(let message?)), _)? = story.press(.enter).first else {
            Issue.record("it sends nothing")
            return
        }
        #expect(message.text.count == 200 && message.text.hasSuffix("yz"))
        #expect(story.client.nodes["lectern"]?.message?.text == message.text)
        // With characters of four bytes, the limit in bytes applies.
        story.press(.character("m"))
        _ = type(String(repeating: "🎤", count: 200), &story)
        story.press(.enter)
        #expect(story.client.nodes["lectern"]?.message?.text.count == 128)
    }

    @Test("sends a message to the node for which typing began")
    func pinned() throws {
        var story = try story(["lectern", "stage"])
        story.press(.down, .character("m"))
        _ = type("Hi", &story)
        for topic in TopicKind.allCases.filter(\.isRetained) {
            story.handle(.message(topic: "timer/stage/\(topic.rawValue)", payload: [], retained: false))
        }
        #expect(story.press(.enter) == [.send(.talk(.message(MessageToSpeaker("Hi"))), to: "stage")])
        var empty = WatchScreen(style: TerminalStyle())
        #expect(empty.press(.character("m"), NodeClient()) == nil && !empty.isTyping)
    }

    @Test("locks a node, and unlocks a locked one")
    func lock() throws {
        var story = try story()
        #expect(story.press(.character("l")) == [.send(.talk(.lock(.inputs)), to: "lectern")])
        #expect(story.text(40, 12)[0] == "lectern                   locked  online")
        #expect(story.press(.character("l")) == [.send(.talk(.unlock), to: "lectern")])
        #expect(story.text(40, 12)[0] == "lectern                           online")
        story.nodes[0].send("lock", #"{"commands":true}"#)
        story.wait(.zero)
        #expect(story.text()[0].contains("locked, including commands  online"))
        story.press(.character(" "))
        #expect(story.text()[22].hasPrefix("lectern: "), "the node refuses: \(story.text()[22])")
        #expect(story.press(.character("l")) == [.send(.talk(.unlock), to: "lectern")])
    }

    // MARK: - The screen

    @Test("shows the speaker, the message and the meeting")
    func shown() throws {
        // The talk and the questions take 6 minutes from 22:13:20.
        for (duration, delay) in [(360, "0:20 behind"), (396, "0:16 ahead"), (380, "on time")] {
            var story = try story(meetingFor: duration)
            #expect(story.text().contains { $0.contains(/^Toastmasters +until \d\d:\d\d:\d\d$/) }, "\(story.text())")
            story.nodes[0].send("start", #"{"speaker":"Ada Lovelace"}"#)
            story.wait(.seconds(7))
            #expect(story.text().contains("Running  1/1 Talk · Ada Lovelace · Talk 1"))
            #expect(story.text().contains { $0.contains(/^Toastmasters +\d+:\d\d (behind|ahead)|on time/) })
            #expect(story.text().contains { $0.hasPrefix("Toastmasters  \(delay) ") }, "\(story.text())")
            #expect(story.text(40, 12).contains { $0.hasPrefix("Toastmasters  \(delay) ") }, "\(story.text(40, 12))")
            // On a small terminal, the message replaces the meeting, and the digits stay.
            story.nodes[0].send("message", "Please come to the end of your talk now, thank you")
            story.wait(.zero)
            let small = story.text(40, 12)
            #expect(small.contains("Please come to the end of your talk now…"), "\(small)")
            #expect(!small.contains { $0.hasPrefix("Toastmasters") } && small.count { $0.contains("█") } >= 5)
            #expect(story.text().contains { $0.hasPrefix("Toastmasters") })
            story.press(.character("s"))
            #expect(!story.text().contains { $0.hasPrefix("Please") }, "the message ends with the run")
            #expect(story.text().contains { $0.contains(/^Toastmasters +until/) }, "it has an end only in a run")
        }
    }

    @Test(
        "shows no delay for a meeting that is longer or shorter than its group",
        arguments: [401, 7200, 300])
    func partOfMeeting(duration: Int) throws {
        var story = try story(meetingFor: duration)
        story.nodes[0].send("start")
        story.wait(.zero)
        #expect(story.text().contains { $0.contains(/^Toastmasters +until \d\d:\d\d:\d\d$/) }, "\(story.text())")
        // A meeting that began almost an hour early has its planned length.
        var early = try WatchStory {
            let meeting = Agenda.Meeting(
                name: "Toastmasters", days: [.weekday(.tue)],
                at: TimeOfDay(hour: 23, minute: 0) ?? .init(secondOfDay: 0),
                duration: 360, group: 1)
            $0.agenda = Agenda(zone: "UTC", remindAfter: 0, meetings: [meeting])
        }
        early.nodes[0].send("begin", "1")
        early.nodes[0].send("start")
        early.wait(.zero)
        #expect(early.text().contains { $0.hasPrefix("Toastmasters  46:40 ahead ") }, "\(early.text())")
    }

    @Test("breaks a long message between words, and marks where it is cut")
    func longMessage() throws {
        var story = try story()
        story.nodes[0].send("message", (1...40).map { "w\($0)" }.joined(separator: " "))
        story.wait(.zero)
        let rows = story.text().filter { $0.contains(/\bw\d/) }
        #expect(rows.count == 2 && rows[0].hasPrefix("w1 w2 ") && rows[1].hasSuffix(" w40"), "\(rows)")
        #expect(story.text(20, 20).filter { $0.contains(/\bw\d/) }.count == 4)
        #expect(story.text(20, 20).contains { $0.hasPrefix("w") && $0.hasSuffix("…") })
        #expect("ab cdefgh i".wrapped(columns: 3) == ["ab", "cde", "fgh", "i"])
        #expect("日本語 x".wrapped(columns: 4) == ["日本", "語 x"])
        #expect("".wrapped(columns: 5) == [])
    }

    @Test("flashes three times for a message that asks for attention, and wakes only for that")
    func flashes() throws {
        for ids in [["lectern"], ["lectern", "stage"]] {
            var story = try story(ids, style: TerminalStyle(hasColours: false))
            story.nodes[0].send("message", #"{"text":"Wrap up","attention":true}"#)
            story.wait(.zero)
            var looks: [Bool] = []
            for _ in 0..<8 {
                let row = story.rows().first { $0.text.contains("Wrap up") }
                looks.append(row?.rendered.contains(/\u{1B}\[1;7m *Wrap up/) == true)
                let next = story.screen.nextInstant(story.client, after: story.now.instant)
                #expect(next == (looks.count <= 5 ? story.now.instant + .milliseconds(150) : nil))
                story.wait(.milliseconds(150))
            }
            #expect(looks == [true, false, true, false, true, false, false, false])
            story.nodes[0].send("message", "No hurry")
            story.wait(.zero)
            #expect(story.screen.nextInstant(story.client, after: story.now.instant) == nil)
        }
    }

    @Test("shows the same details in the list, as far as there is room")
    func list() throws {
        var story = try story(["lectern", "stage"], meetingFor: 360)
        story.nodes[0].send("start", #"{"speaker":"Ada"}"#)
        story.nodes[0].send("message", "Wrap up")
        story.nodes[0].send("lock")
        story.wait(.zero)
        let wide = story.text(120, 24)[1]
        #expect(
            wide.contains("locked  Talk · Ada  Wrap up") && wide.contains(/0:20 behind  ends \d\d:\d\d:\d\d$/),
            "\(wide)")
        let narrow = story.text(80, 24)[1]
        #expect(narrow.contains("locked  Talk · Ada") && narrow.contains(/ends \d\d:\d\d:\d\d$/), "\(narrow)")
        #expect(!story.text(120, 24)[2].contains("Ada"))
    }

    @Test("fits each size in full, with and without colours", arguments: WatchScreenTests.sizes, [true, false])
    func fits(size: (Int, Int), isPlain: Bool) throws {
        let style = TerminalStyle(hasColours: !isPlain, isUnicode: !isPlain)
        for ids in [["lectern"], ["lectern", "stage"]] {
            var story = try story(ids, style: style, meetingFor: 360)
            story.nodes[0].send("start", #"{"speaker":"日本語のスピーカー"}"#)
            story.nodes[0].send("lock", #"{"commands":true}"#)
            for text in [String(repeating: "🎤", count: 100), String(repeating: "wort ", count: 39), "é"] {
                story.nodes[0].send("message", #"{"text":"\#(text)","attention":true}"#)
                story.wait(.zero)
                for isTyping in [false, true] {
                    let rows = story.rows(size.0, size.1)
                    #expect(rows.count == size.1)
                    #expect(rows.allSatisfy { $0.text.columns <= size.0 }, "\(rows.map(\.text))")
                    if isPlain { #expect(rows.allSatisfy { $0.rendered.utf8.allSatisfy { $0 < 0x80 } }) }
                    if !isTyping { story.press(.character("m"), .character("é"), .character("🎤")) }
                }
                story.press(.escape)
            }
        }
    }

    @Test("is a line of text or an object in a pipe")
    func lines() throws {
        var story = try story(meetingFor: 360)
        story.nodes[0].send("start", #"{"speaker":"Ada"}"#)
        story.nodes[0].send("message", "Wrap up")
        story.nodes[0].send("lock")
        story.wait(.zero)
        let node = try #require(story.client.nodes["lectern"])
        let line = NodeLine(node: node, now: story.now)
        #expect(
            line.text == "lectern  countdown  5:00 left  Talk  green  speaker: Ada  message: Wrap up  locked  "
                + "meeting: Toastmasters, 0:20 behind")
        let json = try JSON(parsing: Array(line.json.utf8))
        #expect(json["message"]?["text"] == "Wrap up" && json["state"]?["speaker"] == "Ada")
        #expect(json["state"]?["locked"] == "inputs" && json["state"]?["meeting"]?["left"] == 360)
    }
}
