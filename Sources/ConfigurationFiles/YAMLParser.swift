internal import CYAML
internal import NodeConfiguration

/// libyaml's parser with a copy of the bytes that it reads. No other file uses libyaml.
///
/// No pointer leaves this file. The parser returns its results as ``YAMLEvent``s.
@safe struct YAMLParser: ~Copyable {
    /// libyaml keeps pointers into its parser and into the input, so both stay where they are until `deinit`.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// Prepares to read `bytes` as UTF-8.
    init(_ bytes: [UInt8]) throws(YAMLError) {
        // If the encoding is set, libyaml treats a byte order mark as the first character of a line.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        unsafe parser = .allocate(capacity: 1)
        unsafe input = .allocate(capacity: bytes.count)
        _ = unsafe input.initialize(from: bytes)
        // SAFETY: initialize() needs no initialized memory. If it fails, the memory is freed here, as `deinit` does not
        // run.
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            unsafe input.deallocate()
            throw YAMLError(line: 1, problem: "libyaml is out of memory")
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        // SAFETY: `init` made both, and nothing else holds them.
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// Reads the next event. No event follows ``YAMLEvent/Kind/streamEnd``.
    ///
    /// - Throws: ``YAMLError`` for invalid YAML, and for anchors, aliases and tags. A configuration does not need them,
    ///   and aliases can turn a small file into a huge tree.
    mutating func next() throws(YAMLError) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        // SAFETY: libyaml filled the event. Everything that is kept is copied before the event is deleted.
        defer { unsafe yaml_event_delete(&event) }
        let line = unsafe Int(event.start_mark.line) + 1
        return YAMLEvent(kind: try unsafe kind(of: event, line: line), line: line)
    }

    private func kind(of event: yaml_event_t, line: Int) throws(YAMLError) -> YAMLEvent.Kind {
        switch unsafe event.type {
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .collectionEnd
        case YAML_ALIAS_EVENT: throw YAMLError(line: line, problem: "aliases (*name) are not supported")
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            unsafe try refuse(anchor: scalar.anchor, tag: scalar.tag, line: line)
            // SAFETY: the event has `length` bytes of UTF-8, which live as long as the event.
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let text = unsafe String(decoding: bytes, as: UTF8.self)
            return .scalar(text, plain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            unsafe try refuse(anchor: event.data.sequence_start.anchor, tag: event.data.sequence_start.tag, line: line)
            return .sequenceStart
        case YAML_MAPPING_START_EVENT:
            unsafe try refuse(anchor: event.data.mapping_start.anchor, tag: event.data.mapping_start.tag, line: line)
            return .mappingStart
        default: return .streamStart
        }
    }

    private func refuse(
        anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?, line: Int
    ) throws(YAMLError) {
        if unsafe anchor != nil { throw YAMLError(line: line, problem: "anchors (&name) are not supported") }
        if unsafe tag != nil { throw YAMLError(line: line, problem: "tags (!name) are not supported") }
    }

    /// Returns libyaml's error with the line at which it stopped.
    private func fault() -> YAMLError {
        let parser = unsafe parser.pointee
        // SAFETY: libyaml's messages are string literals.
        let problem = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "libyaml is out of memory"
        if unsafe parser.error == YAML_READER_ERROR {
            // libyaml's reader counts bytes, not lines.
            let before = unsafe input.prefix(parser.problem_offset)
            let line = unsafe before.count { $0 == UInt8(ascii: "\n") } + 1
            let value = unsafe parser.problem_value
            return YAMLError(line: line, problem: value < 0 ? problem : "\(problem) (0x\(String(value, radix: 16)))")
        }
        let line = unsafe Int(parser.problem_mark.line) + 1
        guard let context = unsafe parser.context.map({ unsafe String(cString: $0) }) else {
            return YAMLError(line: line, problem: problem)
        }
        let began = unsafe Int(parser.context_mark.line) + 1
        let since = began == line ? "" : " that begins on line \(began)"
        return YAMLError(line: line, problem: "\(problem) \(context)\(since)\(hint(line: line))")
    }

    /// Returns a hint at the usual reason for an error in such a line.
    private func hint(line: Int) -> String {
        let lines = unsafe input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard unsafe lines.indices.contains(line - 1) else { return "" }
        let text = unsafe Array(lines[line - 1])
        if text.prefix(while: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }).contains(UInt8(ascii: "\t")) {
            return " (indent with spaces; this line has a tab)"
        }
        let hasAddress = text.indices.contains { text[$0...].starts(with: "://[".utf8) }
        return hasAddress ? " (put a value that contains brackets in quotes: \"mqtt://[::1]:1883\")" : ""
    }
}

/// One step of ``YAMLParser`` through a file.
struct YAMLEvent {
    enum Kind: Equatable {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        /// A scalar; `plain` if it is written without quotes.
        case scalar(String, plain: Bool)
        case sequenceStart
        case mappingStart
        /// The end of the innermost sequence or mapping.
        case collectionEnd
    }

    let kind: Kind
    /// The line on which the event begins, counted from 1.
    let line: Int
}

/// Why a file is not YAML, or not the subset of it that a configuration may use.
struct YAMLError: Error, Hashable {
    /// The line at which reading stopped, counted from 1.
    let line: Int
    /// The message, from libyaml or from this parser.
    let problem: String
}

extension YAMLTree {
    /// The maximum nesting of lists and mappings. No key needs that much, and it fits on any stack.
    static let maximumDepth = 16

    /// Reads one document.
    ///
    /// - Throws: ``YAMLError`` for invalid YAML, for a file with no document or several documents, and for nesting
    ///   deeper than ``maximumDepth``.
    static func parse(_ bytes: [UInt8]) throws(YAMLError) -> YAMLTree {
        var parser = try YAMLParser(bytes)
        var event = try parser.next()
        while event.kind == .streamStart { event = try parser.next() }
        let nothing = YAMLError(line: 1, problem: "this file is empty")
        guard event.kind == .documentStart else { throw nothing }
        let root = try tree(from: try parser.next(), of: &parser, depth: 0)
        _ = try parser.next()
        event = try parser.next()
        guard event.kind == .streamEnd else {
            throw YAMLError(line: event.line, problem: "a second document begins; only one is allowed")
        }
        // A line of three dashes begins a document even if nothing follows.
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
            throw YAMLError(line: event.line, problem: "internal error: unexpected libyaml event")
        }
        return YAMLTree(content: content, origin: .line(event.line))
    }
}
