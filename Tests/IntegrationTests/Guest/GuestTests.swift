import Foundation
import Testing

@Suite("the guest", .enabled(if: Guest.isHere, "\(Guest.missing ?? "this is it")"))
struct GuestTests {
    @Test("passes on output and status", arguments: [[], [.simulatedTime], [.systemd]] as [[Guest.Option]])
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

    @Test("waits for a simulated day in no real time", .timeLimit(.minutes(10)))
    func simulatesTime() throws {
        let result = try Guest.run(["sh", "-c", "sleep 86400; cut -d. -f1 /proc/uptime"], options: [.simulatedTime])
        let uptime = Int(result.output.prefix(while: \.isNumber))
        #expect(uptime.map { (86400...86410).contains($0) } == true, "\(result.output)")
    }

    @Test("runs a node that follows an agenda for a year in simulated time, across each clock change in three zones")
    func simulatesYear() throws {
        let result = try Guest.run([Guest.script("year"), try SpawnedNode.program], options: [.simulatedTime])
        let summary = "1042 beginnings and ends, 261 starts, 520 reminders\n"
        #expect(result.status == 0 && result.output.hasSuffix(summary), "\(result.output.suffix(2000))")
    }
}

/// Tests for machines on which no guest can be built, run on a machine on which one can.
@Suite("without a guest", .enabled(if: Guest.isHere, "\(Guest.missing ?? "this is one")"))
struct NoGuestTests {
    @Test("on a processor other than x86-64, the script reports that")
    func otherProcessor() throws {
        let result = try Shell.run("exec setarch i686 \(Shell.quote(Guest.script("build-kernel")))")
        let reason = "no guest can be built on i686: User-Mode Linux is for x86-64\n"
        #expect(result == Shell.Result(output: reason, status: Guest.unavailable))
    }

    @Test("the machine's own GPIO simulator also works; here, it is the guest's")
    func ownChip() throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let script = """
            unset GPIO_SIM_CHIP GPIO_SIM_DIR
            \(Guest.script("chip")) remove
            \(Guest.script("own-chip")) \(program) --testing-library swift-testing --filter LinesCommandOnChip
            echo "status $?, $(ls /sys/kernel/config/gpio-sim | wc -l) chips left"
            """
        let result = try Guest.run(["sh", "-c", script])
        #expect(result.output.hasSuffix("status 0, 0 chips left\n"), "\(result.output)")
        #expect(result.output.contains(/Test run with [1-9]\d* tests in \d+ suites passed/), "\(result.output)")
    }
}
