internal import BrokerLink
package import TimerProtocol

extension Programme {
    /// A section `programme` with the key `entries`, as `timer-node programme` writes and reads it. A node takes its
    /// running order from clients only, so this is not part of its configuration.
    package static let schema: Schema<Self> = .section(
        Keys(
            prototype: Self(),
            .optional(
                "entries", \.entries,
                .list(of: Entry.schema, count: 0...maximumEntries, "a list of at most \(maximumEntries) entries"),
                absent: "none", "The entries."))
    ) { section in
        let programme = section.readAll()
        return section.isFaulty(\.entries) ? nil : programme
    }
}

extension Programme.Entry {
    /// The keys are the fields of the command, so that the same declaration reads both.
    fileprivate static let schema = Schema<Self>(
        expected: "keys such as title and timer", shape: .section([])
    ) { node in
        guard let entries = node.entries(expected: "keys such as title and timer") else { return nil }
        let members = entries.map { JSON.Member(key: $0.name, value: .string($0.node.tree.text ?? "")) }
        do throws(Refusal) { return try Self.read(PayloadFields(members)) } catch {
            node.report(.other(error.message))
            return nil
        }
    }
}
