package import TimerProtocol

/// A number of eight digits that somebody types to get a role.
package enum PIN {
    package static let length = 8

    /// Whether a text is such a number.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A PIN for each role, none the same.
    ///
    /// - Parameter number: a random number that nobody can guess.
    package static func each(_ number: () -> UInt64) -> [Role: String] {
        var pins: [Role: String] = [:]
        for role in Role.allCases {
            var pin: String
            repeat {
                let digits = String(number() % 100_000_000)
                pin = String(repeating: "0", count: length - digits.utf8.count) + digits
            } while pins.values.contains(pin)
            pins[role] = pin
        }
        return pins
    }
}
