/// One step of ``YAMLParser`` through a file.
struct YAMLEvent {
    /// What was met.
    enum Kind: Equatable {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        /// A text; `plain` where it stands without quotes.
        case scalar(String, plain: Bool)
        case sequenceStart
        case mappingStart
        /// The end of the innermost sequence or mapping.
        case collectionEnd
    }

    /// What was met.
    let kind: Kind
    /// Where it begins, from 1.
    let line: Int
}

/// Why bytes are not the YAML that a configuration may be.
struct YAMLError: Error, Hashable {
    /// The line at which reading stopped, from 1.
    let line: Int
    /// What libyaml, or the tree builder, says.
    let problem: String
}
