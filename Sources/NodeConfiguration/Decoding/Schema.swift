internal import BrokerLink
internal import TimerProtocol

/// The form of a value: its description in words, and the code that reads it.
///
/// Faults and the reference page both use these words.
package struct Schema<Value>: Sendable {
    /// The description of the form, as it follows "expected": `a duration …`.
    let expected: String
    let shape: SchemaShape
    /// Formats a value as in a file; nil if a default of this type never has to be shown.
    let format: (@Sendable (Value) -> String)?
    /// Reads a value that is present; returns nil after reporting a fault.
    package let read: @Sendable (YAMLNode) -> Value?

    init(
        expected: String, shape: SchemaShape, format: (@Sendable (Value) -> String)? = nil,
        read: @escaping @Sendable (YAMLNode) -> Value?
    ) {
        self.expected = expected
        self.shape = shape
        self.format = format
        self.read = read
    }

    /// The same schema for an optional property.
    var orNil: Schema<Value?> {
        Schema<Value?>(expected: expected, shape: shape) { [read] node in read(node).map(Optional.some) }
    }
}

/// The structure of a value, in as much detail as the reference page and the environment need.
package enum SchemaShape: Sendable {
    /// A scalar.
    case scalar
    /// A list of scalars.
    case scalars
    /// A mapping of these keys.
    case section([DeclaredKey])
    /// A list of such mappings.
    case sections([DeclaredKey])
    /// A mapping of user-chosen names to such mappings, or to something else if there are no keys.
    case named([DeclaredKey])
}

// MARK: - Collections

extension Schema {
    /// A mapping of these keys.
    ///
    /// - Parameter build: reads the keys and builds the value; returns nil after a fault.
    static func section<Draft>(
        _ keys: Keys<Draft>, _ build: @escaping @Sendable (Section<Draft>) -> Value?
    ) -> Schema {
        let declared = keys.declared
        let expected = "keys such as \(declared.prefix(2).map(\.name).joined(separator: " and "))"
        return Schema(expected: expected, shape: .section(declared)) { node in
            Section(node, keys: keys, expected: expected).flatMap(build)
        }
    }

    /// A mapping of these keys, whose draft already is the value.
    static func section(_ keys: Keys<Value>) -> Schema {
        section(keys) { $0.readAll() }
    }

    /// A list.
    ///
    /// - Parameters:
    ///   - element: the schema of each element.
    ///   - count: the allowed number of elements.
    ///   - expected: the list in words.
    static func list<Element>(
        of element: Schema<Element>, count: ClosedRange<Int>, _ expected: String
    ) -> Schema where Value == [Element] {
        let shape: SchemaShape = if case .section(let keys) = element.shape { .sections(keys) } else { .scalars }
        return Schema(expected: expected, shape: shape) { node in
            guard case .sequence(let trees) = node.tree.content else {
                node.report(expected: expected)
                return nil
            }
            let values = trees.enumerated().map { element.read(node.element($0.offset + 1, $0.element)) }
            guard count.contains(trees.count) else {
                let found = trees.isEmpty ? "an empty list" : "a list of \(trees.count)"
                node.report(.unexpected(found: found, expected: expected))
                return nil
            }
            let read = values.compactMap(\.self)
            return read.count == values.count ? read : nil
        }
    }

    /// A mapping of user-chosen names, which must be valid ids, in the order of the file.
    static func named<Element>(
        _ element: Schema<Element>, _ expected: String
    ) -> Schema where Value == [(name: String, value: Element)] {
        let shape: SchemaShape = if case .section(let keys) = element.shape { .named(keys) } else { .named([]) }
        return Schema(expected: expected, shape: shape) { node in
            node.entries(expected: expected)?.compactMap { entry in
                guard Identifier.isValid(entry.name) else {
                    entry.node.context.report(
                        .unexpected(found: entry.nameTree.found, expected: Identifier.expected), origin: entry.origin,
                        key: entry.node.path)
                    return nil
                }
                return element.read(entry.node).map { (name: entry.name, value: $0) }
            }
        }
    }
}

extension YAMLNode {
    /// Returns the path of the file that is named here after checking its content; nil after a fault.
    ///
    /// - Parameters:
    ///   - isSecret: whether a user may have written the secret itself here by mistake. If so, the name is not shown.
    ///   - limit: the maximum number of bytes to read.
    ///   - problem: describes the error in the content of the file at a path; nil if the content is valid.
    func file(
        isSecret: Bool = false, upTo limit: Int, _ problem: (_ path: String, [UInt8]) -> ConfigurationFault.Problem?
    ) -> String? {
        guard let name = tree.text, !name.isEmpty else {
            report(expected: Self.expectedFile)
            return nil
        }
        let path = context.resolve(name)
        do throws(FileError) {
            guard let problem = problem(path, try context.readFile(path, limit)) else { return path }
            report(problem)
            return nil
        } catch {
            return unreadable(error, isHidden: isSecret || name.contains("\n"))
        }
    }

    /// What is expected, in words.
    static let expectedFile = "the path of a readable file"

    /// Reports why a file cannot be read.
    ///
    /// - Returns: the path if only a permission is missing, which the service's user may have; otherwise nil.
    private func unreadable(_ error: FileError, isHidden: Bool) -> String? {
        guard error.kind != .notPermitted || context.purpose == .running else {
            report(.other("\(shown(error)); the \(context.service)'s user may be able to read it"), severity: .warning)
            return error.path
        }
        if isHidden, [.missing, .invalidName].contains(error.kind) {
            let found = "a path (not shown) without a file"
            report(.unexpected(found: found, expected: "the path of a file"))
        } else {
            report(.other(shown(error)))
        }
        return nil
    }

    /// Returns the error with its path shortened if that is too long to read.
    private func shown(_ error: FileError) -> String {
        let name = tree.text ?? ""
        return name.brief == name
            ? error.description : FileError(path: name.excerpt, kind: error.kind, reason: error.reason).description
    }
}

extension Schema where Value == String {
    static var certificateFile: Schema {
        pemFile(expected: "PEM certificates") { pem in
            let certificates = pem.blocks.filter(\.isCertificate)
            if certificates.isEmpty { return "no certificate" }
            return certificates.allSatisfy { $0.isSequence(beginningWith: 0x30) } ? nil : "a damaged certificate"
        }
    }

    static var keyFile: Schema {
        pemFile(expected: "an unencrypted PEM key", isSecret: true) { pem in
            guard let key = pem.blocks.first(where: \.isKey) else { return "no private key" }
            if key.isEncrypted { return "a key with a passphrase" }
            return key.isSequence(beginningWith: 0x02) ? nil : "a damaged private key"
        }
    }

    /// The maximum size of a file, in bytes. All certificates of a system need a fraction of it.
    private static var maximumSize: Int { 4 << 20 }

    private static func pemFile(
        expected: String, isSecret: Bool = false, _ violation: @escaping @Sendable (PEM) -> String?
    ) -> Schema {
        Schema(expected: YAMLNode.expectedFile, shape: .scalar) { node in
            node.file(isSecret: isSecret, upTo: maximumSize) { path, content in
                violation(PEM(content)).map { .unexpected(found: "\($0) in \(path)", expected: expected) }
            }
        }
    }
}
