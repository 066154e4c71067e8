/// The names of nodes, of groups of nodes and of outputs: `[a-z0-9][a-z0-9_-]{0,62}`, not `all`.
enum Identifier {
    /// What is expected, in words.
    static let expected =
        "1 to 63 of the characters a-z, 0-9, _ and -, the first a letter or digit, and not the word all"

    /// Whether a text is an identifier.
    static func isValid(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text.unicodeScalars.count <= 63, text != "all" else {
            return false
        }
        return isAlphanumeric(first) && text.unicodeScalars.allSatisfy(isAllowed)
    }

    /// The identifier of a node that has none: the first label of the host's name, in lower case, other characters
    /// replaced by `-`; `timer-node` where nothing is left.
    static func fromHostName(_ name: String) -> String {
        let label = name.lowercased().unicodeScalars.prefix { $0 != "." }
        let usable = label.map { isAllowed($0) ? $0 : "-" }.drop { !isAlphanumeric($0) }
        let id = String(String.UnicodeScalarView(usable.prefix(63)))
        return isValid(id) ? id : "timer-node"
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        isAlphanumeric(scalar) || scalar == "_" || scalar == "-"
    }
}
