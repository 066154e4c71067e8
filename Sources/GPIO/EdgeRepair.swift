internal import NodeConfiguration
internal import NodePorts
internal import TimerEngine

/// Adds edges that the kernel dropped, by comparing with the current levels of the lines.
///
/// The kernel's buffer is limited, and with libgpiod 2 it is shared by all lines. If the last edge of a line was
/// dropped, its button would seem to stay pressed. The current level shows this.
struct EdgeRepair {
    /// Whether any line may have lost edges since the levels were last compared.
    private var isSuspect = false

    /// Adds an edge for each line whose level differs from its last edge.
    ///
    /// - Parameters:
    ///   - edges: the edges that were read.
    ///   - lines: all held lines.
    ///   - isFull: whether a full buffer was read, so that the kernel may have dropped edges.
    ///   - isAll: whether there are no more edges to read. If there are, it is too early to compare levels.
    ///   - level: returns whether a line is active now.
    mutating func repaired<Failure: Error>(
        _ edges: [Edge], of lines: some Sequence<InputName>, isFull: Bool, isAll: Bool, at now: Instant,
        level: (InputName) throws(Failure) -> Bool
    ) throws(Failure) -> [Edge] {
        isSuspect = isSuspect || isFull
        guard isAll else { return edges }
        var repaired = edges
        for line in lines {
            let last = edges.last { $0.line == line }
            guard last != nil || isSuspect else { continue }
            let isActive = try level(line)
            guard isActive != last?.isActive else { continue }
            repaired.append(Edge(line: line, isActive: isActive, at: max(now, last?.instant ?? now)))
        }
        isSuspect = false
        return repaired
    }
}

/// Elements read in portions from a source that may never run dry.
struct BoundedReading<Element> {
    private(set) var elements: [Element] = []
    /// Whether the source ran dry.
    private(set) var isAll = false

    /// Reads until the source runs dry or the limit is reached.
    ///
    /// - Parameters:
    ///   - limit: how many elements to read; the last portion may exceed it.
    ///   - portion: reads some elements; nil if there are none at present.
    init<Failure: Error>(upTo limit: Int, _ portion: () throws(Failure) -> [Element]?) throws(Failure) {
        while elements.count < limit {
            guard let more = try portion() else {
                isAll = true
                return
            }
            elements += more
        }
    }
}
