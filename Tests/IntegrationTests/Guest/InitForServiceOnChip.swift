import Foundation
import Testing

extension InSystemd {
    @Suite("The command init, for the installed service")
    struct InitForServiceOnChip {
        @Test("writes a configuration that makes the service light a lamp, and backs up the installed one")
        func firstLight() throws {
            let chip = try #require(SimulatedChip.current)
            // A line that no process drives is high, so a process must hold the line of a dark lamp.
            for line in SimulatedChip.lineNames { try chip.setPull(.up, of: line) }
            let user = MQTTProbe.User(name: "lectern")
            let broker = try MosquittoBroker(users: [user.name])
            let service = try InstalledService(chip, "node: {id: installed}\n")

            let result = try SpawnedNode.run(
                "init", "--force", "--profile=podium", "--chip=auto", "--green=GREEN", "--yellow=YELLOW", "--red=RED",
                "--buzzer=BUZZER", "--broker=\(broker.url)", "--username=lectern",
                "--password-file=/etc/credstore/timer-node.mqtt-password", "--id=lectern", "--name=none")
            #expect(result.status == .exited(0), "\(result.errors)")
            #expect(result.output.contains("  sudo systemctl restart timer-node     # and now"), "\(result.output)")
            let old = try String(contentsOfFile: InstalledService.configuration + ".bak", encoding: .utf8)
            #expect(old == "node: {id: installed}\n")

            #expect(try service.systemctl("restart").status == 0)
            let probe = try MQTTProbe(broker, "timer/lectern/#", as: user)
            try probe.wait(for: "online", on: "timer/lectern/availability")
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "", as: user)
            try waitUntil("green") { try chip.highLines().subtracting(["BUTTON"]) == ["GREEN"] }
        }
    }
}
