import NodePorts
import Testing

@testable import GPIO
@testable import timer_node

@Suite("The line checks of init")
struct LineSurveyTests {
    /// Returns a chip with lines that have these names, or none, in the order of their offsets, and these holders.
    private static func chip(_ name: String, _ lines: [String?], held: [String: String] = [:]) -> GPIOChipListing {
        GPIOChipListing(
            name: name, label: "label of \(name)",
            lines: lines.enumerated().map { offset, line in
                let holder = line.flatMap { held[$0] }
                return GPIOLine(
                    offset: UInt32(offset), name: line, isUsed: holder != nil,
                    consumer: holder == "" ? nil : holder, isOutput: false)
            })
    }

    private static let board = chip(
        "gpiochip0", ["GPIO17", "GPIO27", "GPIO22", "GPIO18", "GPIO2", "GPIO3"],
        held: ["GPIO2": "i2c", "GPIO3": "", "GPIO18": "timer-node"])
    private static let expander = chip("gpiochip1", [nil, nil, "GPIO17"])

    private func survey(_ chips: GPIOChipListing...) -> LineSurvey {
        LineSurvey { name throws(LinesFault) in
            let found = chips.filter { name == nil || $0.name == name }
            if found.isEmpty { throw LinesFault("there is no such chip") }
            return (found, [])
        }
    }

    /// Returns why a line is rejected for red, beside a green line; nil if it is accepted.
    private func problem(_ line: String, green: String? = nil, on chip: String, _ survey: LineSurvey) -> String? {
        var answers = Answers()
        answers.chip = chip
        answers.lines = ["green": green, "red": line].compactMapValues { $0 }
        do throws(InvalidAnswer) {
            try survey.checkLine(of: "red", answers)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("accept a line that is free or held by a node")
    func right() {
        let both = survey(Self.expander, Self.board)
        #expect(problem("GPIO17", on: "auto", survey(Self.board)) == nil)
        #expect(problem("GPIO18", on: "auto", both) == nil)
        #expect(problem("GPIO17", green: "GPIO27", on: "auto", both) == nil, "one chip has both")
        #expect(problem("1", on: "gpiochip1", both) == nil)
        var answers = Answers()
        (answers.chip, answers.lines) = ("auto", ["green": "GPIO17", "buzzer": "GPIO18"])
        #expect(survey(Self.board).heldByNode(answers) == ["GPIO18"])
    }

    @Test("reject a line that is missing, busy or in use for another lamp, with the reason")
    func wrong() {
        let both = survey(Self.expander, Self.board)
        #expect(
            problem("GPIO2", on: "auto", both) == #"line GPIO2 on gpiochip0 is busy: held by "i2c""#)
        #expect(problem("GPIO3", on: "auto", both) == "line GPIO3 on gpiochip0 is busy: held by an unnamed consumer")
        #expect(
            problem("GPIO99", on: "gpiochip0", both)
                == #"there is no line GPIO99 on gpiochip0 "label of gpiochip0" (6 lines)"#)
        #expect(problem("3", on: "gpiochip1", both)?.hasPrefix("there is no line 3 on gpiochip1") == true)
        #expect(problem("3", on: "auto", both)?.contains("name the chip") == true)
        #expect(
            problem("GPIO17", on: "auto", both)?.hasPrefix("more than one chip has line GPIO17: gpiochip1,") == true)
        #expect(problem("0", green: "GPIO17", on: "gpiochip0", both)?.hasSuffix("already used for green") == true)
        #expect(problem("GPIO17", on: "gpiochip7", both) == "there is no such chip")
    }

    @Test("offer the chip with the usual lines, else the first chip, else simulated lamps")
    func offered() {
        #expect(survey(Self.expander, Self.board).offeredChip == "auto")
        #expect(survey(Self.expander).offeredChip == "gpiochip1")
        #expect(survey().offeredChip == "simulated")
    }

    @Test("show a chip with its free and used lines, in short rows")
    func summary() {
        #expect(
            survey(Self.board).summary == """
                gpiochip0 "label of gpiochip0", 6 lines
                  free: GPIO17, GPIO27, GPIO22
                  in use: GPIO18 (timer-node), GPIO2 (i2c), GPIO3 (unknown)

                """)
        #expect(survey().summary == "there is no such chip: the lamps can be drawn in the terminal for now\n")
        let large = Self.chip("gpiochip0", (0..<58).map { "GPIO\($0)" })
        let rows = survey(large).summary.split(separator: "\n")
        #expect(rows.count > 4 && rows.allSatisfy { $0.count <= 100 })
    }
}
