/// Times of a timer as people write them.
public enum TimeText {
    /// The seconds in `90`, `1:30` or `0:01:30`.
    ///
    /// - Parameter text: up to three fields of ASCII digits: seconds, minutes and seconds, or hours, minutes and
    ///   seconds. All but the first field have two digits up to 59; the first has one to six digits.
    /// - Returns: the seconds, 0 or more; nil for any other text.
    public static func seconds(_ text: some StringProtocol) -> Int? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let first = fields.first, fields.count <= 3, var total = WholeNumber.parse(first) else { return nil }
        for field in fields.dropFirst() {
            guard field.utf8.count == 2, let value = WholeNumber.parse(field), value < 60 else { return nil }
            total = total * 60 + value
        }
        return total
    }
}
