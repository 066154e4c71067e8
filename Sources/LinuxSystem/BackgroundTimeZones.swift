package import BrokerLink
package import Calendar
internal import Glibc
internal import NodePorts
internal import Synchronization
package import TimerEngine

/// Reads time zones on a thread that lives as long as that takes, since the files are on a disk.
package final class BackgroundTimeZones: TimeZoneSource, Sendable {
    private let system: SystemTimeZones
    private let results: Results

    /// Readable once zones were read.
    package let interests: [Interest]

    /// A reader of the system's zones.
    ///
    /// - Throws: ``SystemError`` if the process has no descriptor left.
    package init(_ system: SystemTimeZones) throws(SystemError) {
        self.system = system
        results = try Results()
        interests = [Interest(descriptor: results.flag.number, events: .read)]
    }

    /// Begins to read; where there is no thread for that, it is done at once.
    package func read(_ names: [String]) {
        let work = { @Sendable [system, results] in results.add(system.zones(names)) }
        do throws(SystemError) { try HelperThread.start(work) } catch { work() }
    }

    /// What was read.
    package func takeEvents(ready: [Interest], at now: Instant) -> [TimeZones] {
        ready.isEmpty ? [] : results.drain()
    }
}

/// What was read and not taken yet.
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
    /// The machine's zone, and those of some names.
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
            faults.append("the machine's time zone is not known, UTC is used: \(error)")
        }
        var named: [String: TimeZoneRules] = [:]
        for name in names {
            do throws(FileError) { named[name] = rules(try bytes(of: name), name) } catch {
                // Whoever names a zone that is missing is told so.
                if error.kind != .missing { faults.append("\(error)") }
            }
        }
        let machine = rules(own.bytes, own.name ?? "of this machine") ?? .utc
        return TimeZones(
            machine: machine, machineName: own.name, named: named, asked: Set(names), faults: faults)
    }
}

/// Whether the wall clock can be believed.
package enum WallClock {
    /// Whether the machine has a clock that goes on while it is off, or systemd says that its time is synchronised.
    package static func isTrusted(root: String = "") -> Bool {
        ["/sys/class/rtc/rtc0", "/run/systemd/timesync/synchronized"].contains { path in
            // SAFETY: the call reads the text and keeps no pointer.
            unsafe access(root + path, F_OK) == 0
        }
    }
}
