/// What must show nowhere: every password that a test gives to a node.
enum TestSecrets {
    /// The right password of a broker's user.
    static let password = "correct-horse-battery"
    /// One that is refused.
    static let wrongPassword = "wrong-horse-battery"

    /// Every one of them has this in it, and nothing else has.
    static let mark = "-horse-battery"
}
