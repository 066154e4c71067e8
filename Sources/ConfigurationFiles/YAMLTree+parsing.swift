internal import NodeConfiguration

extension YAMLTree {
    /// How deep lists and mappings may nest. No key needs as much, and any stack has room for it.
    static let maximumDepth = 16

    /// Reads one document.
    ///
    /// - Throws: ``YAMLError`` for what is not YAML, for none or several documents, and for nesting over ``maximumDepth``.
    static func parse(_ bytes: [UInt8]) throws(YAMLError) -> YAMLTree {
        var parser = try YAMLParser(bytes)
        var event = try parser.next()
        while event.kind == .streamStart { event = try parser.next() }
        let nothing = YAMLError(line: 1, problem: "there is nothing in this file")
        guard event.kind == .documentStart else { throw nothing }
        let root = try tree(from: try parser.next(), of: &parser, depth: 0)
        _ = try parser.next()
        event = try parser.next()
        guard event.kind == .streamEnd else {
            throw YAMLError(line: event.line, problem: "a second document begins; there may be one only")
        }
        // A line of three dashes begins a document, even if nothing follows.
        guard !root.isNull else { throw nothing }
        return root
    }

    private static func tree(
        from event: YAMLEvent, of parser: inout YAMLParser, depth: Int
    ) throws(YAMLError) -> YAMLTree {
        guard depth <= maximumDepth else {
            throw YAMLError(line: event.line, problem: "nesting over \(maximumDepth) levels")
        }
        let content: Content
        switch event.kind {
        case .sequenceStart:
            var elements: [YAMLTree] = []
            var next = try parser.next()
            while next.kind != .collectionEnd {
                elements.append(try tree(from: next, of: &parser, depth: depth + 1))
                next = try parser.next()
            }
            content = .sequence(elements)
        case .mappingStart:
            var entries: [Entry] = []
            var next = try parser.next()
            while next.kind != .collectionEnd {
                let key = try tree(from: next, of: &parser, depth: depth + 1)
                let value = try tree(from: try parser.next(), of: &parser, depth: depth + 1)
                entries.append(Entry(key: key, value: value))
                next = try parser.next()
            }
            content = .mapping(entries)
        case .scalar(let text, let plain): content = .scalar(text, plain: plain)
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .collectionEnd:
            throw YAMLError(line: event.line, problem: "libyaml lost its way")
        }
        return YAMLTree(content: content, origin: .line(event.line))
    }
}
