import Testing
import TimerEngine

@Suite("Thresholds")
struct ThresholdsTests {
    struct Ranges: Sendable, CustomTestStringConvertible {
        let times: (Int, Int, Int)
        let start, warn, final: ClosedRange<Int>
        var testDescription: String { "\(times)" }

        init(_ times: (Int, Int, Int), _ start: ClosedRange<Int>, _ warn: ClosedRange<Int>, _ final: ClosedRange<Int>) {
            (self.times, self.start, self.warn, self.final) = (times, start, warn, final)
        }
    }

    @Test(
        "the ranges match the published table",
        arguments: [
            Ranges((10, 0, 0), 0...10, 0...0, 0...0), Ranges((10, 5, 0), 6...10, 1...5, 0...0),
            Ranges((10, 0, 5), 6...10, 0...0, 1...5), Ranges((10, 5, 2), 6...10, 3...5, 1...2),
            Ranges((10, 5, 1), 6...10, 1...5, 0...0), Ranges((6, 4, 2), 5...6, 3...4, 1...2),
            Ranges((60, 30, 15), 31...60, 16...30, 1...15), Ranges((1, 0, 0), 0...1, 0...0, 0...0),
            Ranges((10, 0, 1), 0...10, 0...0, 0...0),
        ])
    func ranges(_ row: Ranges) throws {
        let thresholds = try times(row.times.0, row.times.1, row.times.2)
        #expect(thresholds.startRange == row.start)
        #expect(thresholds.warnRange == row.warn)
        #expect(thresholds.finalRange == row.final)
        #expect(thresholds.fullRange == 0...row.times.0)
    }

    @Test(
        "valid times are accepted",
        arguments: [(0, 0, 0), (1, 0, 0), (86_399, 86_398, 86_397), (86_399, 0, 86_398), (2, 1, 0), (3, 2, 1)])
    func valid(_ row: (Int, Int, Int)) throws {
        let thresholds = try times(row.0, row.1, row.2)
        #expect((thresholds.start, thresholds.warning, thresholds.final) == row)
    }

    @Test(
        "invalid times are refused with their numbers",
        arguments: [
            ((-1, 0, 0), "start -1 is outside 0…86399"), ((86_400, 0, 0), "start 86400 is outside 0…86399"),
            ((.max, 0, 0), "start 9223372036854775807 is outside 0…86399"),
            ((10, 10, 0), "warning 10 is outside 0…9 (below start 10)"),
            ((10, -1, 0), "warning -1 is outside 0…9 (below start 10)"),
            ((0, 1, 0), "warning 1 is outside 0…0 (below start 0)"),
            ((10, 5, 5), "final 5 is outside 0…4 (below warning 5)"),
            ((10, 5, -1), "final -1 is outside 0…4 (below warning 5)"),
            ((10, 0, 10), "final 10 is outside 0…9 (below start 10)"),
            ((0, 0, 1), "final 1 is outside 0…0 (below start 0)"),
        ] as [((Int, Int, Int), String)])
    func invalid(_ row: (Int, Int, Int), message: String) {
        let error = #expect(throws: TimerEngine.ThresholdsError.self) { try times(row.0, row.1, row.2) }
        #expect(error?.description == message)
        #expect(error.map { ($0.start, $0.warning, $0.final) }.map { $0 == row } == true)
    }

    @Test(
        "setting the start clamps warning and final",
        arguments: [
            (20, (20, 5, 2)), (5, (5, 4, 2)), (3, (3, 2, 1)), (2, (2, 1, 0)), (1, (1, 0, 0)), (0, (0, 0, 0)),
            (-7, (0, 0, 0)), (100_000, (86_399, 5, 2)), (.min, (0, 0, 0)),
        ] as [(Int, (Int, Int, Int))])
    func settingStart(_ start: Int, result: (Int, Int, Int)) throws {
        #expect(try times(10, 5, 2).setting(start: start) == times(result.0, result.1, result.2))
    }

    @Test(
        "setting the warning clamps it and final",
        arguments: [
            (12, (10, 9, 4)), (6, (10, 6, 4)), (4, (10, 4, 3)), (1, (10, 1, 0)), (0, (10, 0, 4)), (-1, (10, 0, 4)),
        ])
    func settingWarning(_ warning: Int, result: (Int, Int, Int)) throws {
        #expect(try times(10, 5, 4).setting(warning: warning) == times(result.0, result.1, result.2))
    }

    @Test(
        "setting final clamps it below the warning, or below the start if there is no warning",
        arguments: [
            ((10, 5, 2), 7, 4), ((10, 5, 2), 3, 3), ((10, 0, 0), 12, 9), ((10, 5, 2), -2, 0), ((0, 0, 0), 3, 0),
        ])
    func settingFinal(_ row: (Int, Int, Int), final: Int, result: Int) throws {
        #expect(try times(row.0, row.1, row.2).setting(final: final) == times(row.0, row.1, result))
    }
}
