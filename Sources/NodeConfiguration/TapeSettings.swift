internal import TimerProtocol

extension NodeConfiguration {
    /// `tape`: where what the node is told and what it decides is recorded.
    package struct TapeSettings: Hashable, Sendable {
        package var directory = "/var/lib/timer-node/tape"
        /// The maximum size of the tape in bytes; the oldest part is removed.
        package var size = 16 * megabyte
        /// The size of a segment, of which the tape has eight.
        package var segmentSize: Int { size / 8 }

        fileprivate static let megabyte = 1_000_000
        fileprivate static let sizes = 1...1000
    }
}

extension NodeConfiguration.TapeSettings {
    private static let keys = Keys(
        prototype: Self(),
        .optional(
            "directory", \.directory, .text(.name),
            "The folder, relative to this file; it is created if missing."),
        .optional("size", \.size, .megabytes(in: sizes), "The size of the tape. The oldest part is removed.")
    )

    static let schema: Schema<Self> = .section(keys) { section in
        var tape = section.readAll()
        tape.directory = section.context.resolve(tape.directory)
        return tape
    }
}

extension Schema where Value == Int {
    /// A size in bytes, written in megabytes.
    fileprivate static func megabytes(in range: ClosedRange<Int>) -> Schema {
        let megabyte = NodeConfiguration.TapeSettings.megabyte
        return scalar(
            "a size from \(range.lowerBound) MB to \(range.upperBound) MB", format: { "\($0 / megabyte) MB" }
        ) { text in
            guard text.hasSuffix("MB"), let number = WholeNumber.parse(text.dropLast(text.hasSuffix(" MB") ? 3 : 2))
            else {
                return nil
            }
            return range.contains(number) ? number * megabyte : nil
        }
    }
}
