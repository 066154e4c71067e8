package import BrokerLink
package import Calendar
internal import Glibc
internal import NodePorts
internal import Synchronization
package import TimerEngine
internal import TimerProtocol

/// The system's time zones, as TZif files from the package tzdata.
package struct SystemTimeZones: Sendable {
    /// A zone of the system.
    package struct Zone: Hashable, Sendable {
        /// The name, such as `Europe/Berlin`; nil for a zone without a name.
        package let name: String?
        /// The TZif file.
        package let bytes: [UInt8]
    }

    /// The maximum size of a file, in bytes. The tzdata files have 4 KiB at most.
    package static let maximumSize = 262_144

    /// UTC, which needs no file. Its bytes are the shortest valid TZif.
    package static let utc = Zone(
        name: "UTC",
        // Version 1, no transitions, and one type: UTC, whose name has four bytes with its NUL.
        bytes: Array("TZif".utf8) + [UInt8](repeating: 0, count: 16 + 4 * 4) + [0, 0, 0, 1, 0, 0, 0, 4]
            + [0, 0, 0, 0, 0, 0] + Array("UTC\0".utf8))

    /// The folder of the zones' files.
    let folder: String
    /// The value of `TZ`; nil if it is not set.
    let variable: String?
    let localtime: String
    let timezone: String

    /// Creates the zones of this machine.
    ///
    /// - Parameters:
    ///   - environment: the environment, of which `TZ` and `TZDIR` are used.
    ///   - root: the folder to use as the root of the file system; empty for `/`.
    package init(environment: [String: String], root: String = "") {
        folder = environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? root + "/usr/share/zoneinfo"
        variable = environment["TZ"]
        localtime = root + "/etc/localtime"
        timezone = root + "/etc/timezone"
    }

    /// Reads the file of a zone. Links are followed.
    ///
    /// - Throws: ``FileError`` if the name is not valid for a zone, the file is missing, or it cannot be read.
    package func bytes(of name: String) throws(FileError) -> [UInt8] {
        let path = "\(folder)/\(name)"
        guard ZoneName.isValid(name) else {
            throw FileError(path: path, kind: .invalidName, reason: "it is not a valid time zone name")
        }
        return try read(path)
    }

    /// Returns the machine's zone: the one that `TZ` names, `/etc/localtime` links to, or `/etc/timezone` names.
    ///
    /// - Returns: the zone. If its name cannot be determined, the content of `/etc/localtime` without a name; UTC if
    ///   that file is missing. A `TZ` that is a rule instead of a zone name is ignored.
    /// - Throws: ``FileError`` if a file exists but cannot be read.
    package func machine() throws(FileError) -> Zone {
        if let variable {
            let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
            if text.isEmpty { return Self.utc }
            if text.hasPrefix("/") {
                if let bytes = try present(text) { return Zone(name: name(ofPath: text), bytes: bytes) }
            } else if let zone = try zone(text) {
                return zone
            }
        }
        if let name = linkedName(), let zone = try zone(name) { return zone }
        let named = try namedInFile().flatMap { (name) throws(FileError) in try zone(name) }
        guard let bytes = try present(localtime) else { return named ?? Self.utc }
        // The name may be left over from another zone, so it is used only if the content matches.
        return named?.bytes == bytes ? named ?? Self.utc : Zone(name: nil, bytes: bytes)
    }
}

extension SystemTimeZones {
    /// Returns the zone with a name, or nil if there is none, or if the name is invalid.
    private func zone(_ name: String) throws(FileError) -> Zone? {
        guard ZoneName.isValid(name) else { return nil }
        return try present("\(folder)/\(name)").map { Zone(name: name, bytes: $0) }
    }

    /// Returns the bytes of a file, or nil if there is none.
    private func present(_ path: String) throws(FileError) -> [UInt8]? {
        do throws(FileError) { return try read(path) } catch {
            guard error.kind == .missing || error.kind == .invalidName else { throw error }
            return nil
        }
    }

    private func read(_ path: String) throws(FileError) -> [UInt8] {
        let bytes = try File.read(path, upTo: Self.maximumSize + 1)
        guard bytes.count <= Self.maximumSize else {
            throw FileError(path: path, kind: .other, reason: "it is larger than \(Self.maximumSize) bytes")
        }
        return bytes
    }

    /// Returns the name of the zone that `/etc/localtime` links to; nil if the file is not such a link.
    private func linkedName() -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        // SAFETY: the call writes at most as many bytes as the array has, and keeps no pointer.
        let count = unsafe readlink(localtime, &target, target.count)
        guard count > 0, count < target.count else { return nil }
        return name(ofPath: String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Returns the name of the zone whose file is at a path; nil if no zone has this path.
    private func name(ofPath path: String) -> String? {
        let isInFolder = path.hasPrefix(folder + "/")
        guard let start = isInFolder ? folder.endIndex : path.firstRange(of: "/zoneinfo")?.upperBound else {
            return nil
        }
        let name = String(path[start...].drop { $0 == "/" })
        return path[start...].hasPrefix("/") && ZoneName.isValid(name) ? name : nil
    }

    /// Returns the name in `/etc/timezone`, or nil if there is none.
    private func namedInFile() throws(FileError) -> String? {
        guard let bytes = try present(timezone) else { return nil }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        let name = String(decoding: line, as: UTF8.self)
        return ZoneName.isValid(name) ? name : nil
    }
}

/// Reads time zones on a temporary thread, because reading from a disk may block.
package final class BackgroundTimeZones: TimeZoneSource, Sendable {
    private let system: SystemTimeZones
    private let results: Results

    /// Readable once zones have been read.
    package let interests: [Interest]

    /// Creates a reader of the system's zones.
    ///
    /// - Throws: ``SystemError`` if the process has no descriptor left.
    package init(_ system: SystemTimeZones) throws(SystemError) {
        self.system = system
        results = try Results()
        interests = [Interest(descriptor: results.flag.number, events: .read)]
    }

    /// Starts to read; if no thread can be created, reads synchronously.
    package func read(_ names: [String]) {
        let work = { @Sendable [system, results] in results.add(system.zones(names)) }
        do throws(SystemError) { try HelperThread.start(work) } catch { work() }
    }

    /// Returns the zones that have been read since the last call.
    package func takeEvents(ready: [Interest], at now: Instant) -> [TimeZones] {
        ready.isEmpty ? [] : results.drain()
    }
}

/// The results that have not been consumed yet.
private final class Results: Sendable {
    let flag: EventFD
    private let pending = Mutex<[TimeZones]>([])

    init() throws(SystemError) { flag = try EventFD() }

    func add(_ result: TimeZones) {
        pending.withLock { $0.append(result) }
        flag.set()
    }

    func drain() -> [TimeZones] {
        // Reset first: a result that arrives after this sets the flag again.
        flag.reset()
        return pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }
}

extension SystemTimeZones {
    /// Reads the machine's zone and the named ones.
    fileprivate func zones(_ names: [String]) -> TimeZones {
        var faults: [String] = []
        func rules(_ bytes: [UInt8], _ name: String) -> TimeZoneRules? {
            do throws(TimeZoneFault) { return try TimeZoneRules(tzif: bytes) } catch {
                faults.append("the time zone \(name) cannot be used: \(error)")
                return nil
            }
        }
        var own = Self.utc
        do throws(FileError) { own = try machine() } catch {
            faults.append("the machine's time zone is unknown, so UTC is used: \(error)")
        }
        var named: [String: TimeZoneRules] = [:]
        for name in names {
            do throws(FileError) { named[name] = rules(try bytes(of: name), name) } catch {
                // The code that requested a missing zone reports that.
                if error.kind != .missing { faults.append("\(error)") }
            }
        }
        let machine = rules(own.bytes, own.name ?? "of this machine") ?? .utc
        return TimeZones(
            machine: machine, machineName: own.name, named: named, asked: Set(names), faults: faults)
    }
}

/// Determines whether the wall clock can be trusted.
package enum WallClock {
    /// Returns whether the machine has a real-time clock, which runs while the power is off, or systemd has
    /// synchronised the time.
    package static func isTrusted(root: String = "") -> Bool {
        ["/sys/class/rtc/rtc0", "/run/systemd/timesync/synchronized"].contains { path in
            // SAFETY: the call reads the string and keeps no pointer.
            unsafe access(root + path, F_OK) == 0
        }
    }
}
