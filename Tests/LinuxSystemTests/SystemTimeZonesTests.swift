import BrokerLink
import Calendar
import Foundation
import NodeTestSupport
import Testing

@testable import LinuxSystem

@Suite("The system's time zones")
struct SystemTimeZonesTests {
    /// Runs a body on a machine with the zones `Europe/Berlin` and `UTC`, whose files contain their names.
    private func withMachine(
        localtime: String? = nil, copied: String? = nil, timezone: String? = nil,
        environment: [String: String] = [:], _ body: (String, SystemTimeZones) throws -> Void
    ) throws {
        try withTemporaryFolder { root in
            let zones = root + "/usr/share/zoneinfo"
            for folder in [zones + "/Europe", root + "/etc"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            func write(_ text: String, _ path: String) throws {
                try text.write(toFile: path, atomically: false, encoding: .utf8)
            }
            try write("berlin", zones + "/Europe/Berlin")
            try write("utc", zones + "/UTC")
            try write("secret", root + "/etc/secret")
            if let localtime {
                try FileManager.default.createSymbolicLink(
                    atPath: root + "/etc/localtime", withDestinationPath: localtime)
            }
            if let copied { try write(copied, root + "/etc/localtime") }
            if let timezone { try write(timezone, root + "/etc/timezone") }
            try body(root, SystemTimeZones(environment: environment, root: root))
        }
    }

    private func zone(_ name: String?, _ text: String) -> SystemTimeZones.Zone {
        .init(name: name, bytes: Array(text.utf8))
    }

    @Test("are read by name, even through links")
    func bytes() throws {
        try withMachine { root, zones in
            let found = try zones.bytes(of: "Europe/Berlin")
            #expect(found == Array("berlin".utf8))
            try FileManager.default.createSymbolicLink(
                atPath: root + "/usr/share/zoneinfo/GB", withDestinationPath: "Europe/Berlin")
            let linked = try zones.bytes(of: "GB")
            #expect(linked == Array("berlin".utf8))
        }
    }

    @Test(
        "are refused under any other name", arguments: ["../../../etc/secret", "/etc/secret", "", "UTC/", "a\0", "."])
    func noNames(name: String) throws {
        try withMachine { _, zones in
            let error = #expect(throws: FileError.self) { try zones.bytes(of: name) }
            #expect(error?.kind == .invalidName)
        }
    }

    private func fault(_ zones: SystemTimeZones, _ name: String) -> FileError? {
        #expect(throws: FileError.self) { try zones.bytes(of: name) }
    }

    @Test("are reported if they are missing, folders or too long")
    func faults() throws {
        try withMachine { root, zones in
            #expect(fault(zones, "Mars")?.kind == .missing)
            #expect(fault(zones, "Europe")?.kind == .other)
            let path = root + "/usr/share/zoneinfo/Long"
            try Data(repeating: 0, count: 262_144).write(to: URL(fileURLWithPath: path))
            #expect(try zones.bytes(of: "Long").count == 262_144)
            try Data(repeating: 0, count: 262_145).write(to: URL(fileURLWithPath: path))
            #expect(
                fault(zones, "Long")?.description
                    == "cannot read \(path): it is larger than 262144 bytes")
        }
    }

    @Test("include the machine's zone: the one to which /etc/localtime links")
    func link() throws {
        for target in ["/usr/share/zoneinfo/Europe/Berlin", "../usr/share/zoneinfo/Europe/Berlin"] {
            try withMachine(localtime: target, timezone: "UTC\n") { _, zones in
                let found = try zones.machine()
                #expect(found == zone("Europe/Berlin", "berlin"))
            }
        }
    }

    @Test("include the machine's zone: the one that /etc/timezone names, unless /etc/localtime differs")
    func name() throws {
        try withMachine(timezone: "Europe/Berlin\n") { _, zones in
            let found = try zones.machine()
            #expect(found == zone("Europe/Berlin", "berlin"))
        }
        try withMachine(copied: "berlin", timezone: "Europe/Berlin\n") { _, zones in
            let found = try zones.machine()
            #expect(found == zone("Europe/Berlin", "berlin"))
        }
        try withMachine(copied: "other", timezone: "Europe/Berlin\n") { _, zones in
            let found = try zones.machine()
            #expect(found == zone(nil, "other"))
        }
        try withMachine(copied: "other", timezone: "../../etc/secret") { _, zones in
            let found = try zones.machine()
            #expect(found == zone(nil, "other"))
        }
        // A dangling link.
        try withMachine(localtime: "/usr/share/zoneinfo/Mars", timezone: "UTC") { _, zones in
            let found = try zones.machine()
            #expect(found == zone("UTC", "utc"))
        }
    }

    @Test("include the machine's zone: the one that TZ names takes precedence")
    func variable() throws {
        let berlin = zone("Europe/Berlin", "berlin")
        for (variable, expected) in [
            ("Europe/Berlin", berlin), (":Europe/Berlin", berlin), ("", SystemTimeZones.utc),
            (":", SystemTimeZones.utc),
            ("CET-1CEST,M3.5.0,M10.5.0/3", zone("UTC", "utc")), ("Mars", zone("UTC", "utc")),
        ] {
            try withMachine(localtime: "/usr/share/zoneinfo/UTC", environment: ["TZ": variable]) { _, zones in
                let found = try zones.machine()
                #expect(found == expected, "\(variable)")
            }
        }
        try withMachine { root, _ in
            let path = root + "/usr/share/zoneinfo/Europe/Berlin"
            let found = try SystemTimeZones(environment: ["TZ": path], root: root).machine()
            #expect(found == berlin)
            let other = SystemTimeZones(environment: ["TZ": root + "/etc/secret"], root: root)
            let copied = try other.machine()
            #expect(copied == zone(nil, "secret"))
        }
    }

    @Test("are in the folder that TZDIR names")
    func folder() throws {
        try withMachine { root, _ in
            let zones = SystemTimeZones(
                environment: ["TZDIR": root + "/usr/share/zoneinfo/Europe", "TZ": "Berlin"], root: root)
            let found = try zones.bytes(of: "Berlin")
            #expect(found == Array("berlin".utf8))
            let machine = try zones.machine()
            #expect(machine == zone("Berlin", "berlin"))
            #expect(throws: FileError.self) { try zones.bytes(of: "UTC") }
        }
    }

    @Test("default to UTC, a valid zone without an offset, if the machine has no setting")
    func nothing() throws {
        try withMachine { _, zones in
            let found = try zones.machine()
            #expect(found == SystemTimeZones.utc)
        }
        #expect(try TimeZoneRules(tzif: SystemTimeZones.utc.bytes) == .utc)
    }
}
