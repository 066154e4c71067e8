import Testing

@Suite("the guest", .enabled(if: SimulatedChip.current == nil, "runs on the host"))
struct GuestTests {
    @Test("hands through output and status", arguments: [[], [.simulatedTime], [.systemd]] as [[Guest.Option]])
    func handsThrough(options: [Guest.Option]) throws {
        let words = ["it's", "two  words", "", "$HOME \"x\" \\"]
        let result = try Guest.run(
            ["sh", "-c", #"printf '<%s>' "$@"; echo error >&2; exit 42"#, "sh"] + words, options: options)
        #expect(result == Shell.Result(output: words.map { "<\($0)>" }.joined() + "error\n", status: 42))
    }

    @Test("has a chip with named lines")
    func hasChip() throws {
        let result = try Guest.run(["sh", "-c", "ls /dev/$GPIO_SIM_CHIP $GPIO_SIM_DIR/sim_gpio15/value"])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test("waits for a day in simulated time without waiting", .timeLimit(.minutes(1)))
    func simulatesTime() throws {
        let result = try Guest.run(["sh", "-c", "sleep 86400; cut -d. -f1 /proc/uptime"], options: [.simulatedTime])
        let uptime = Int(result.output.prefix(while: \.isNumber))
        #expect(uptime.map { (86400...86410).contains($0) } == true, "\(result.output)")
    }

    @Test(
        "passes the tests that need its chip",
        arguments: [
            ("SimulatedDay", [.simulatedTime]), ("InSimulatedTime", [.simulatedTime]),
            ("InSystemd", [.simulatedTime, .systemd]), ("InGuest", []),
        ] as [(String, [Guest.Option])])
    func passesTests(suites: String, options: [Guest.Option]) throws {
        let result = try Guest.runTests(matching: suites, options: options)
        #expect(result.status == 0, "\(result.output)")
        // A filter that matches nothing passes as well.
        let summary = result.output.split(separator: "\n").last ?? ""
        let passed = summary.firstMatch(of: /Test run with (\d+) tests? in \d+ suites? passed/).flatMap { Int($0.1) }
        #expect(passed ?? 0 > 0, "\(result.output)")
        #expect(!result.output.contains("skipped"), "\(result.output)")
    }
}
