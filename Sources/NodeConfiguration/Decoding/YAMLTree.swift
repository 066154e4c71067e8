internal import TimerProtocol

/// A parsed piece of the file.
package struct YAMLTree {
    package enum Content {
        /// A text; `plain` when it is written without quotes.
        case scalar(String, plain: Bool)
        /// A list.
        case sequence([YAMLTree])
        /// Keys with their values as written, duplicates included.
        case mapping([Entry])
    }

    package struct Entry {
        package let key: YAMLTree
        package var value: YAMLTree

        package init(key: YAMLTree, value: YAMLTree) { (self.key, self.value) = (key, value) }
    }

    package var content: Content
    package let origin: ConfigurationFault.Origin

    package init(content: Content, origin: ConfigurationFault.Origin) {
        (self.content, self.origin) = (content, origin)
    }

    /// Whether nothing is written: `key:`, `~` or `null`.
    package var isNull: Bool {
        if case .scalar(let text, plain: true) = content { ["", "~", "null"].contains(text) } else { false }
    }

    /// The text of a scalar that is not null.
    var text: String? {
        if case .scalar(let text, plain: _) = content, !isNull { text } else { nil }
    }

    /// What a fault says was found.
    var found: String {
        switch content {
        case _ where isNull: "nothing"
        case .scalar(let text, plain: _): text.quoted
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The names of a mapping's keys as they are written.
    var keys: [String] {
        guard case .mapping(let entries) = content else { return [] }
        return entries.compactMap(\.key.text)
    }
}
