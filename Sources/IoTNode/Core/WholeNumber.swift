/// Numbers without sign as people write them.
enum WholeNumber {
    /// A number of one to six ASCII digits; never more, so that no arithmetic with it overflows.
    static func parse(_ text: some StringProtocol) -> Int? {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
