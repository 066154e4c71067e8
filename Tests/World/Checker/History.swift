package import TimerProtocol

/// One entry of a world's history: what anybody could have seen or measured from outside.
package struct Entry: Sendable {
    /// The time since the world began, which no machine knows.
    package let time: Duration
    /// The machine that it concerns.
    package let machine: String
    package let what: What

    package init(time: Duration, machine: String, what: What) {
        (self.time, self.machine, self.what) = (time, machine, what)
    }
}

/// What happened.
package enum What: Sendable {
    /// The machine booted.
    case booted(BootClock)
    /// The machine's process started.
    case started
    /// The process was asked to stop, as by SIGTERM.
    case askedToStop
    /// The process ended.
    case ended(Ending)
    /// The process stopped running for a while, as after SIGSTOP, or ran again.
    case hung(Bool)
    /// These lamps and the buzzer are on, after a change.
    case lamps(Set<String>)
    /// The chip was unplugged, or plugged in.
    case chip(isPresent: Bool)
    /// A button went down or up, and the process watches it or not.
    case button(String, isDown: Bool, isWatched: Bool)
    /// The wall clock was set, by this many seconds.
    case clockSet(Double)
    /// The process received a message.
    case heard(topic: String, payload: [UInt8], isRetained: Bool)
    /// The process lost its connection, or was connected.
    case connected(Bool)
    /// The process published a message.
    case said(topic: String, Said)
    /// The state reached the disk.
    case saved
    /// The disk behaves like this from now on.
    case disk(String)
    /// Messages may be late or lost until this time.
    case trouble(until: Duration)
    /// The broker's servers do not reach each other, or do again.
    case partitioned(Bool)
    /// A rare state was reached that only the world can see.
    case rare(RareState)
    /// The number of elements in all collections of the process, and the largest one's place.
    case size(Int, largest: String)
    /// The process read its configuration again.
    case reloaded
    /// A client shows this for a node.
    case counted(node: String, Counted)
    /// The world is quiet: everything works and has had time to settle. The broker retains these messages.
    case settled([String: [UInt8]])

    /// How a process ended.
    package enum Ending: Sendable {
        /// It exited by itself.
        case exited
        /// It was killed.
        case killed
        /// The machine lost its power.
        case powerCut
    }

    /// The content of a message.
    package enum Said: Sendable {
        case message(PublishedMessage)
        case bytes([UInt8])

        package var payload: [UInt8] {
            switch self {
            case .message(let message): message.bytes
            case .bytes(let bytes): bytes
            }
        }
    }

    /// What a client shows.
    package struct Counted: Sendable {
        /// The state that it received last.
        package let state: StateMessage
        package let remaining: Duration
        /// Whether it says that it only estimates the time.
        package let isEstimate: Bool

        package init(state: StateMessage, remaining: Duration, isEstimate: Bool) {
            (self.state, self.remaining, self.isEstimate) = (state, remaining, isEstimate)
        }
    }
}

/// A machine's boot clock.
package struct BootClock: Hashable, Sendable {
    /// The id of the boot.
    package let boot: String
    /// When the clock showed zero, in the world's time.
    package let origin: Duration
    /// How much the clock advances in a second of the world.
    package let rate: Double

    package init(boot: String, origin: Duration, rate: Double) {
        (self.boot, self.origin, self.rate) = (boot, origin, rate)
    }

    /// Returns the clock's reading.
    package func reading(at time: Duration) -> Duration { (time - origin) * rate }

    /// Returns the world's time of a reading, rounded up.
    package func time(of reading: Duration) -> Duration {
        let exact = reading / rate
        return origin + exact + .nanoseconds(10)
    }
}

/// A difference between what happened and what must happen.
package struct Violation: CustomStringConvertible, Sendable {
    package let time: Duration
    package let machine: String
    /// The law that was broken.
    package let law: String
    package let text: String

    package init(time: Duration, machine: String, law: String, text: String) {
        (self.time, self.machine, self.law, self.text) = (time, machine, law, text)
    }

    package var description: String { "\(time.clockText) \(machine): \(law): \(text)" }
}

extension Duration {
    /// The time as hours, minutes and seconds, such as `0:01:02.345`.
    package var clockText: String {
        let milliseconds = Int64(self / .milliseconds(1))
        let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000)
        let pad = { (number: Int64, width: Int) in
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(seconds / 3600):\(pad(seconds / 60 % 60, 2)):\(pad(seconds % 60, 2)).\(pad(rest, 3))"
    }
}
