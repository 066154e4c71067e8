import Foundation
import Testing

extension InGuest {
    @Suite("The command lines")
    struct LinesCommandOnChip {
        let chip: SimulatedChip

        init() throws {
            chip = try #require(SimulatedChip.current)
            // Plugging the chip in again resets its lines, since a line stays an output after a process has held it.
            try chip.setPresent(false)
            try chip.setPresent(true)
        }

        @Test("lists each line with its name, its user and its direction", arguments: [nil, "NAME", "stoplight"])
        func table(only: String?) throws {
            let name = try chip.name
            let holder = try ChildProcess(shell: chip.holding(line: 2))
            defer { _ = try? holder.terminate(by: SIGKILL) }
            try waitUntil("the holder") { try chip.value(of: "RED") }
            let result =
                try only.map { try SpawnedNode.run("lines", "--chip", $0.replacing("NAME", with: name)) }
                ?? SpawnedNode.run("lines")
            #expect(result.status == .exited(0))
            #expect(result.errors == [])
            #expect(result.output.count == 1 + 16)
            #expect(
                result.output.prefix(4) == [
                    "CHIP" + String(repeating: " ", count: name.count - 4)
                        + "  LABEL      LINE  NAME    USED BY  DIRECTION",
                    "\(name)  stoplight  0     GREEN   -        input",
                    "\(name)  stoplight  1     YELLOW  -        input",
                    "\(name)  stoplight  2     RED     gpioset  output",
                ])
            #expect(result.output.last == "\(name)  stoplight  15    -       -        input")
        }

        @Test("lists the present chips when the requested one is missing")
        func missing() throws {
            let result = try SpawnedNode.run("lines", "--chip", "traffic")
            #expect(result.status == .exited(69))
            #expect(result.output == [])
            #expect(
                try result.errors == [
                    #"there is no GPIO chip with the path, name or label "traffic"; present: \#(chip.name) "stoplight" (16 lines)"#
                ])
        }

        @Test("reports which group to join if no chip may be opened")
        func permission() throws {
            let name = try chip.name
            #expect(try Shell.run("chgrp dialout /dev/\(name) && chmod 660 /dev/\(name)").status == 0)
            defer { _ = try? Shell.run("chgrp root /dev/\(name) && chmod 600 /dev/\(name)") }
            let process = try ChildProcess(
                "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", SpawnedNode.program, "lines"])
            #expect(try process.waitForExit() == .exited(69))
            #expect(process.errors.first?.contains("join the group dialout") == true, "\(process.errors)")
        }
    }
}
