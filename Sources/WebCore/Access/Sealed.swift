/// A text with the code that proves who wrote it: `TEXT~CODE`.
package enum Sealed {
    /// Puts the code behind a text.
    ///
    /// - Parameter code: makes the code of a text, in characters that a cookie may have.
    package static func seal(_ text: String, by code: (String) -> String) -> String { "\(text)~\(code(text))" }

    /// The text; nil where the code is another one.
    ///
    /// - Parameter equals: compares in a time that does not depend on the texts.
    package static func open(
        _ sealed: some StringProtocol, by code: (String) -> String, equals: (String, String) -> Bool
    ) -> String? {
        let parts = sealed.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, sealed.utf8.count <= 512 else { return nil }
        let text = String(parts[0])
        return equals(String(parts[1]), code(text)) ? text : nil
    }
}
