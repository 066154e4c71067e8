import Foundation
import Testing

extension InSimulatedTime {
    @Suite("Crashes")
    struct CrashInSimulatedTime {
        @Test("a node killed in each mode of a run and restarted at once reports one alarm, when it is due")
        func kills() throws {
            let broker = try MosquittoBroker(log: "information")
            let node = try SpawnedNode("10s", warning: "6s", final: "3s", brokers: broker.url, mqtt: ", keepalive: 1h")
            for seconds in [1, 5, 8] as [UInt32] {
                let log = try MessageLog(broker, node: "lectern")
                try node.waitForConnection()
                try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
                sleep(seconds)
                node.process.signal(SIGKILL)
                try node.process.waitForExit()
                try node.restart()
                sleep(12 - seconds)
                let modes = try log.messages().filter { $0.topic == "mode" }
                let began = try #require(modes.first { $0.payload == "countdown" }).time
                let alarms = modes.filter { $0.payload == "alarm" }.map(\.time)
                #expect(alarms.count == 1, "killed after \(seconds) s")
                #expect(abs(try #require(alarms.first) - began - 10) < 0.02, "killed after \(seconds) s")
                try MQTTProbe.publish(broker, "timer/lectern/command/stop", "")
                try node.waitForSavedStop()
            }
        }

        @Test("a full disk gives one warning, and the node keeps running")
        func fullDisk() throws {
            let folder = "/run/full"
            try #require(
                Shell.run("mkdir -p \(folder) && mount -t tmpfs -o size=4k,mode=755 full \(folder)").status == 0)
            defer { _ = try? Shell.run("umount \(folder)") }
            try #require(Shell.run("head -c 4096 /dev/zero >\(folder)/filler").status == 0)
            let broker = try MosquittoBroker()
            let node = try SpawnedNode(
                """
                node: {id: lectern}
                mqtt: {brokers: [\(broker.url)]}
                timers: {groups: [{timers: [{name: Talk, start: 3s, warning: 2s}]}]}
                storage: {directory: \(folder)}
                tape: {directory: \(folder)/tape}
                """)
            let probe = try MQTTProbe(broker, "timer/#")
            try probe.wait(for: "online", on: "timer/lectern/availability")
            try MQTTProbe.publish(broker, "timer/lectern/command/start", "")
            try probe.wait(for: "alarm", on: "timer/lectern/mode")
            // The tape is tried again each minute.
            sleep(200)
            node.process.read()
            #expect(node.process.errors.count { $0.contains("cannot write the tape") } == 1)
            #expect(node.process.errors.count { $0.contains("No space left on device") } == 2)
            #expect(try Shell.run("ls \(folder)/tape").output == "")
            try #require(Shell.run("rm \(folder)/filler").status == 0)
            try node.process.waitForLine("the recovery", timeout: .seconds(90)) { $0.contains("can be saved again") }
        }

        @Test("a read-only folder gives one warning, and an unknown file in it is set aside once that is possible")
        func readOnly() throws {
            let folder = "/run/read-only"
            let mount = "mkdir -p \(folder) && mount -t tmpfs state \(folder) && echo foreign >\(folder)/state.json"
            try #require(Shell.run("\(mount) && mount -o remount,ro \(folder)").status == 0)
            defer { _ = try? Shell.run("umount \(folder)") }
            let node = try SpawnedNode("node: {id: lectern}\nstorage: {directory: \(folder)}")
            sleep(180)
            node.process.read()
            #expect(node.process.errors.count { $0.contains("Read-only file system") } == 1)
            try #require(Shell.run("mount -o remount,rw \(folder)").status == 0)
            try node.process.waitForLine("the recovery", timeout: .seconds(90)) { $0.contains("can be saved again") }
            #expect(try Shell.run("cat \(folder)/state.json.set-aside-*").output == "foreign\n")
            #expect(try Shell.run("head -c 19 \(folder)/state.json").output == "timer-node-state 1 ")
        }
    }
}
