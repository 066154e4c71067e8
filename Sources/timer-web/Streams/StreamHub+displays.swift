internal import LinuxSystem
internal import Synchronization
internal import WebCore

// The displays that are open, and what operators do with them.
extension StreamHub {
    /// The list as somebody may have it.
    func displayList(for identity: Identity) -> [UInt8] { displays.withLock { $0.list(for: identity) } }

    /// A display has opened its stream.
    func opened(_ number: Int, _ display: Displays.Display) {
        let now = now
        let isDark = displays.withLock { $0.add(number, display, date: WallClock.seconds, at: now) }
        if isDark { owe(number) { $0.oweBlackout(true) } }
        displaysChanged()
    }

    /// A stream has ended, which may have been a display's.
    func closed(_ number: Int) {
        let now = now
        if displays.withLock({ $0.remove(number, at: now) }) { displaysChanged() }
    }

    /// Has displays show which they are; returns false where there is none of that name.
    func identify(_ name: String, for identity: Identity) -> Bool {
        guard let numbers = displays.withLock({ $0.numbers(of: name, for: identity) }) else { return false }
        for number in numbers { owe(number) { $0.oweIdentify() } }
        return true
    }

    /// Makes displays dark, or light again; returns false where there is none of that name.
    func darken(_ name: String, _ isDark: Bool, for identity: Identity) -> Bool {
        let numbers = displays.withLock { displays in
            let numbers = displays.numbers(of: name, for: identity)
            displays.darken(numbers ?? [], isDark)
            return numbers
        }
        guard let numbers else { return false }
        for number in numbers { owe(number) { $0.oweBlackout(isDark) } }
        displaysChanged()
        return true
    }

    /// Tells the pages that show the list.
    private func displaysChanged() {
        for number in numbersOfLists { owe(number) { $0.oweDisplays() } }
    }
}
