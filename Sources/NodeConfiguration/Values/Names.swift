internal import TimerProtocol

extension Identifier {
    /// The identifier of a node that has none: the first label of the host's name in lower case, with `-` in place of
    /// other characters. It is `timer-node` where nothing is left.
    static func fromHostName(_ name: String) -> String {
        let label = name.lowercased().unicodeScalars.prefix { $0 != "." }
        let usable = label.map { isAllowed($0) ? $0 : "-" }.drop { !isAlphanumeric($0) }
        let id = String(String.UnicodeScalarView(usable.prefix(63)))
        return isValid(id) ? id : "timer-node"
    }
}
