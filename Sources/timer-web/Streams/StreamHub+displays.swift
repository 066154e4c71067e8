internal import LinuxSystem
internal import Synchronization
internal import WebCore

// The displays that are open, and what operators do with them.
extension StreamHub {
    /// The list as somebody may have it.
    func displayList(for identity: Identity) -> [UInt8] { displays.withLock { $0.list(for: identity) } }

    /// A display has opened its stream.
    func opened(_ number: Int, _ display: Displays.Display) {
        let isDark = displays.withLock { $0.add(number, display, date: WallClock.seconds, at: .now) }
        if isDark { send(number) { $0.addBlackout(true) } }
        displaysChanged()
    }

    /// A stream has ended, which may have been a display's.
    func closed(_ number: Int) {
        if displays.withLock({ $0.remove(number, at: .now) }) { displaysChanged() }
    }

    /// Has displays show which they are; returns false where there is none of that name.
    func identify(_ name: String, for identity: Identity) -> Bool {
        guard let numbers = displays.withLock({ $0.numbers(of: name, for: identity) }) else { return false }
        for number in numbers { send(number) { $0.addIdentify() } }
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
        for number in numbers { send(number) { $0.addBlackout(isDark) } }
        displaysChanged()
        return true
    }

    /// Tells the pages that show the list.
    private func displaysChanged() {
        for number in numbersOfLists { send(number) { $0.addDisplays() } }
    }
}
