/// The names of nodes, of groups of nodes and of outputs: `[a-z0-9][a-z0-9_-]{0,62}`, not `all`.
package enum Identifier {
    /// The form as a regular expression; only the word `all` is left out.
    package static let pattern = "^[a-z0-9][a-z0-9_-]{0,62}$"

    /// The form in words.
    package static let expected =
        "1 to 63 of the characters a-z, 0-9, _ and -, the first a letter or digit, and not the word all"

    /// Whether a text may be such a name.
    package static func isValid(_ text: some StringProtocol) -> Bool {
        guard let first = text.unicodeScalars.first, text.unicodeScalars.count <= 63, text != "all" else {
            return false
        }
        return isAlphanumeric(first) && text.unicodeScalars.allSatisfy(isAllowed)
    }

    /// Whether a name may begin with a character.
    package static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    /// Whether a name may have a character.
    package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        isAlphanumeric(scalar) || scalar == "_" || scalar == "-"
    }
}
