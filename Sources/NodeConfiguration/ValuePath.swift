package import TimerProtocol

/// The path of a value in a JSON document: names separated by dots and indexes in brackets, as in
/// `params.events[0].event`.
package struct ValuePath: Hashable, Sendable, CustomStringConvertible {
    private enum Step: Hashable {
        case key(String)
        /// Counted from 0.
        case place(Int)
    }

    /// As it was written.
    package let description: String
    private let steps: [Step]

    /// Reads a path; nil if the string is not a path.
    package init?(_ text: String) {
        var steps: [Step] = []
        for (number, part) in text.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            // Only a path into a top-level array begins with an index.
            guard let key = pieces.first, !key.isEmpty || number == 0 && pieces.count > 1, !key.contains("]") else {
                return nil
            }
            if !key.isEmpty { steps.append(.key(String(key))) }
            for piece in pieces.dropFirst() {
                guard piece.last == "]", let place = WholeNumber.parse(piece.dropLast()) else { return nil }
                steps.append(.place(place))
            }
        }
        // Deeper nesting is rejected when a payload is read.
        guard steps.count <= JSON.maximumDepth else { return nil }
        description = text
        self.steps = steps
    }

    /// Returns the value at the path, or nil if there is none.
    package func value(in json: JSON) -> JSON? {
        var value = json
        for step in steps {
            switch (step, value) {
            case (.key(let key), .object(let members)):
                guard let member = members.first(where: { $0.key == key }) else { return nil }
                value = member.value
            case (.place(let place), .array(let values)):
                guard values.indices.contains(place) else { return nil }
                value = values[place]
            case (.key, _), (.place, _): return nil
            }
        }
        return value
    }
}
