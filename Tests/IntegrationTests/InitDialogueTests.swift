import Foundation
import Testing

@Suite("The command init in a terminal")
final class InitDialogueTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "timer-node-\(UUID().uuidString)")
    private var file: String { folder.appending(path: "timer-node.yaml").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func text(_ name: String = "timer-node.yaml") throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test("asks one question after another, and repeats it with the reason after a wrong answer")
    func dialogue() throws {
        let broker = try MosquittoBroker()
        let dialogue = try InitDialogue(file)
        try dialogue.answer("Profile", "disco")
        try dialogue.expect(#"found "disco", expected podium, toastmasters or rhythm"#)
        try dialogue.answer("Profile", "toastmasters")
        try dialogue.answer("Chip", "simulated")
        try dialogue.answer("MQTT broker", "127.0.0.1")
        try dialogue.expect(#"found "127.0.0.1", expected mqtt://HOST"#)
        try dialogue.answer("MQTT broker", "mqtt://127.0.0.1:\(try freePort())")
        try dialogue.answer("User name", "")
        try dialogue.expect("Connection refused; if no broker is installed here: sudo apt install mosquitto")
        try dialogue.answer("Use this broker anyway? [y/N]", "")
        try dialogue.answer("MQTT broker", broker.url)
        try dialogue.answer("User name", "")
        try dialogue.expect("the broker answered")
        try dialogue.answer("Id", "Lectern 1")
        try dialogue.expect(#"found "Lectern 1", expected 1 to 63 of the characters"#)
        try dialogue.answer("Id", "lectern")
        try dialogue.answer("Display name", #"The "big" hall # 1"#)
        #expect(try dialogue.waitForExit() == .exited(0))
        #expect(dialogue.text.contains("\(file): valid\n"))
        #expect(dialogue.text.contains("timer-node send lectern start\n"))
        let written = try text()
        #expect(written.contains("profile: toastmasters\n") && written.contains("- \"\(broker.url)\"\n"))
        #expect(written.contains(#"name: "The \"big\" hall # 1""#))
        #expect(try SpawnedNode.run("check", file).errors == [])
        #expect(try files == ["timer-node.yaml"])
    }

    @Test("asks only for values that no option provides, and uses an unreachable broker if the user insists")
    func anyway() throws {
        let url = "mqtt://127.0.0.1:\(try freePort())"
        let dialogue = try InitDialogue(
            file, "--profile=podium", "--chip=simulated", "--broker=\(url)", "--username=none", "--name=none")
        try dialogue.answer("Use this broker anyway?", "yes")
        try dialogue.answer("Id", "desk")
        #expect(try dialogue.waitForExit() == .exited(0))
        #expect(!dialogue.text.contains("Profile") && !dialogue.text.contains("Display name"))
        #expect(try text().contains("- \"\(url)\"\n"))
    }

    @Test("replaces an existing file only after a yes, and then keeps a backup")
    func existing() throws {
        try "mine: 1\n".write(toFile: file, atomically: true, encoding: .utf8)
        let no = try InitDialogue(file)
        try no.answer("\(file) exists. Replace it, and keep the old one as \(file).bak? [y/N]", "")
        #expect(try no.waitForExit() == .exited(0))
        #expect(no.text.hasSuffix("\(file) is unchanged\n"))
        #expect(try files == ["timer-node.yaml"])
        #expect(try text() == "mine: 1\n")

        let yes = try InitDialogue(
            file, "--profile=podium", "--chip=simulated", "--broker=none", "--id=desk", "--name=none")
        try yes.answer("exists. Replace it", "y")
        #expect(try yes.waitForExit() == .exited(0))
        #expect(try text("timer-node.yaml.bak") == "mine: 1\n")
        #expect(try text().contains("id: \"desk\"\n"))
    }

    @Test(
        "leaves nothing behind when it is cancelled",
        arguments: [("\u{3}", .signalled(SIGINT)), ("\u{4}", .exited(74))]
            as [(String, ChildProcess.ExitStatus)])
    func ended(key: String, status: ChildProcess.ExitStatus) throws {
        for existing in [false, true] {
            if existing { try "mine: 1\n".write(toFile: file, atomically: true, encoding: .utf8) }
            let dialogue = try InitDialogue(file, "--profile=podium", "--chip=simulated", "--broker=none", "--id=desk")
            if existing { try dialogue.answer("exists. Replace it", "y") }
            try dialogue.answer("Display name", key)
            #expect(try dialogue.waitForExit() == status)
            #expect(try files == (existing ? ["timer-node.yaml"] : []))
            if existing { #expect(try text() == "mine: 1\n") }
        }
    }
}
