import BrokerLink
internal import Foundation
internal import LinuxSystem
internal import NodeConfiguration
import NodePorts
internal import Testing
internal import TimerProtocol
internal import WebCore

@testable internal import timer_web

@Suite("The settings")
struct SettingsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)").path

    /// The settings of a machine with these two files, if given.
    private func settings(web: String? = nil, node: String? = nil) throws -> Settings {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try web?.write(toFile: folder + "/timer-web.yaml", atomically: true, encoding: .utf8)
        try node?.write(toFile: folder + "/timer-node.yaml", atomically: true, encoding: .utf8)
        return try Settings(
            file: nil, environment: [:], serviceFile: folder + "/timer-web.yaml",
            nodeFile: folder + "/timer-node.yaml")
    }

    @Test("without a file use the broker of this machine")
    func nothing() throws {
        let settings = try settings()
        #expect(settings.mqtt.link.brokers == [Broker(host: "127.0.0.1")])
        #expect(settings.notes.isEmpty)
    }

    @Test("use the broker of a node on this machine, whatever else its file contains, and say so")
    func node() throws {
        let node =
            "mqtt: {brokers: [mqtt://hall], prefix: hall, client_id: lectern}\ngpio: {chip: /nowhere, outputs: 7}"
        let settings = try settings(web: "web: {view: pin}", node: node)
        #expect(settings.mqtt.link.brokers == [Broker(host: "hall")])
        #expect(settings.mqtt.prefix == "hall")
        #expect(settings.mqtt.link.clientID.isEmpty)
        #expect(settings.configuration.web.view == .pin)
        #expect(settings.notes.map(\.level) == [.info])
    }

    @Test("report errors in the node's broker, and fall back to this machine's")
    func faultyNode() throws {
        let settings = try settings(node: "mqtt: {brokers: [hall]}")
        #expect(settings.mqtt.link.brokers == [Broker(host: "127.0.0.1")])
        #expect(settings.notes.map(\.level) == [.warning, .warning])
        #expect(settings.notes.first?.text.contains("timer-node.yaml:1: mqtt.brokers[1]: found \"hall\"") == true)
    }

    @Test("refuse a base path that begins like an address of the site")
    func basePath() {
        let addresses = Page.allCases.map(\.pattern) + APIRoute.allCases.map(\.rules.path) + ["/assets"]
        for first in Set(addresses.compactMap { $0.split(separator: "/").first }) {
            #expect(throws: ConfigurationError.self, "\(first)") { try settings(web: "web: {base_path: /\(first)/}") }
        }
    }

    @Test("prefer the broker of the file over any other")
    func own() throws {
        let settings = try settings(web: "mqtt: {brokers: [mqtt://own]}", node: "mqtt: {brokers: [mqtt://hall]}")
        #expect(settings.mqtt.link.brokers == [Broker(host: "own")])
    }

    @Test("take the state directory from the file, from systemd, or from the user's home")
    func directory() throws {
        var settings = try settings()
        let home = ["HOME": "/home/pi"]
        #expect(try settings.stateDirectory(home, isServer: true) == "/home/pi/.local/state/timer-web")
        let service = home.merging(["STATE_DIRECTORY": "/var/lib/timer-web"]) { first, _ in first }
        #expect(try settings.stateDirectory(service, isServer: true) == "/var/lib/timer-web")
        settings.configuration.storage.directory = "/srv/web"
        #expect(try settings.stateDirectory(service, isServer: false) == "/srv/web")
        settings.configuration.storage.directory = nil
        #expect(throws: StateDirectoryFault.self) { try settings.stateDirectory([:], isServer: true) }
    }
}

@Suite("The file with the PINs")
struct AccessFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "access-\(UUID().uuidString)").path

    @Test("is refused if it is too large, and left unchanged")
    func overlong() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = AccessFile(directory: folder + "/state")
        let document = try file.load()
        let path = folder + "/state/access.json"
        let spaces = String(repeating: " ", count: 1 << 20)
        try (String(decoding: document.bytes, as: UTF8.self) + spaces).write(
            toFile: path, atomically: false, encoding: .utf8)
        let reason = "cannot use \(path): it is larger than 1048576 bytes"
        #expect(throws: StoreError(reason)) { try file.read() }
        #expect(throws: StoreError(reason)) { try file.renewPINs() }
        #expect(try String(contentsOfFile: path, encoding: .utf8).utf8.count > 1 << 20)
    }

    @Test("is created once, for its owner only, and concurrent changes lose nothing")
    func file() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = AccessFile(directory: folder + "/state")
        #expect(try file.read() == nil)
        let document = try file.load()
        #expect(try file.load() == document)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/state/access.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try file.update {
                        $0.tokens.append(
                            .init(
                                name: "t\(number)", role: .viewer, nodes: nil, hash: Crypto.hash(ofToken: "\(number)")))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(try file.load().tokens.map(\.name)).count == 20)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/state") == ["access.json"])
    }

    @Test("is not written if it would be too large to be read again")
    func tooLarge() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = AccessFile(directory: folder)
        let document = try file.load()
        #expect(throws: StoreError.self) {
            try file.update { document in
                let hash = String(repeating: "0", count: 1024)
                document.tokens = (0..<1024).map { .init(name: "t\($0)", role: .viewer, nodes: nil, hash: hash) }
            }
        }
        #expect(try file.load() == document)
    }

    @Test("is not replaced if it is damaged")
    func damaged() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "{}".write(toFile: folder + "/access.json", atomically: true, encoding: .utf8)
        let file = AccessFile(directory: folder)
        #expect(throws: StoreError.self) { try file.load() }
        #expect(throws: StoreError.self) { try file.update { $0.tokens = [] } }
        #expect(try String(contentsOfFile: folder + "/access.json", encoding: .utf8) == "{}")
    }
}
