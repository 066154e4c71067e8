import Foundation
import Testing

/// `sudo timer-node run` in the state folder of a compromised service; see `PlantedFileTests` for each case.
@Suite("A node that is run by hand, in a folder with planted files")
struct TrialByHandTests {
    private let box = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")

    @Test("never writes or gives away another file, or waits for a pipe", arguments: ["ln -s", "ln", "mkfifo"])
    func planted(command: String) throws {
        let (folder, victim) = (box.appending(path: "state").path, box.appending(path: "victim").path)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: box) }
        try "secret".write(toFile: victim, atomically: false, encoding: .utf8)
        let planted =
            command == "mkfifo" ? "mkfifo \(folder)/state.json" : "\(command) \(victim) \(folder)/state.json.new"
        try #require(Shell.run(planted).status == 0)
        let service = geteuid() == 0 ? "61234" : "\(geteuid())"
        if geteuid() == 0 { try #require(Shell.run("chown \(service) \(folder)").status == 0) }

        let node = try SpawnedNode("node: {id: lectern}\nstorage: {directory: \(folder)}")
        let state = folder + "/state.json"
        // A node that is asked to stop does not wait long for the disk, so wait for the state first.
        try waitUntil("the first state") { try Shell.run("stat -c %F \(state)").output == "regular file\n" }
        #expect(try node.process.terminate() == .exited(0))
        #expect(try String(contentsOfFile: state, encoding: .utf8).hasPrefix("timer-node-state 1 "))
        #expect(try Shell.run("stat -c '%F %u' \(state)").output == "regular file \(service)\n")
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "secret")
        #expect(try Shell.run("stat -c %u \(victim)").output == "\(geteuid())\n")
        let isSetAside = node.process.errors.contains {
            $0.contains("not a regular file; kept the old file as \(state).set-aside-")
        }
        #expect(isSetAside == (command == "mkfifo"))
    }
}
