package import NodeConfiguration
package import NodePorts
package import NodeTape

/// A tape in memory, with configurations that are values instead of files.
package final class MemoryTape: TapeSink {
    /// The segments, each as a file would hold it.
    package private(set) var segments: [[UInt8]] = []
    private var configurations: [NodeConfiguration] = []

    package init() {}

    package func beginSegment(_ header: [UInt8], runs: (any Savable)?) {
        segments.append(header)
        if let runs { _ = append(Tape.runs(runs.document)) }
    }

    package func append(_ record: [UInt8]) -> Bool {
        segments[segments.count - 1] += record
        return true
    }

    /// Returns what the tape keeps of a configuration: its number.
    package func keep(_ configuration: NodeConfiguration) -> TapeConfiguration {
        configurations.append(configuration)
        return TapeConfiguration(file: "\(configurations.count - 1)", text: [])
    }

    /// Replays the tape.
    ///
    /// - Parameter first: how many of the oldest segments are lost.
    package func replay(from first: Int = 0) throws(TapeError) -> Replay {
        try replay(Tape(Array(segments[first...])))
    }

    /// Replays a changed copy of the tape.
    package func replay(_ tape: Tape) throws(TapeError) -> Replay {
        try Replay(tape) { (configuration) throws(ConfigurationError) in
            guard let number = Int(configuration.file), self.configurations.indices.contains(number) else {
                throw .faulty([])
            }
            return self.configurations[number]
        }
    }
}
