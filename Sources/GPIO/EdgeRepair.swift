internal import IoTNode
internal import TimerEngine

/// Makes up for edges that the kernel dropped, by the levels that the lines have afterwards.
///
/// The kernel keeps a number of edges and drops the rest, with libgpiod 2 those of other lines too: the last one of a line
/// may be missing, and the button would stay down. The level tells.
struct EdgeRepair {
    /// Whether any line may have lost edges since its level was looked at.
    private var isSuspect = false

    /// Adds an edge for each line whose level is another than its last edge says.
    ///
    /// - Parameters:
    ///   - edges: what was read.
    ///   - lines: all lines that are held.
    ///   - isFull: whether as many were read as the kernel keeps, so that it may have dropped some.
    ///   - isAll: whether there are no more to read; while there are, it is too early to look at a level.
    ///   - level: tells whether a line is active now.
    mutating func repaired<Failure: Error>(
        _ edges: [Edge], of lines: some Sequence<InputName>, isFull: Bool, isAll: Bool, at now: TimerEngine.Instant,
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

/// What was read in portions of something that may never end.
struct BoundedReading<Element> {
    /// What there was.
    private(set) var elements: [Element] = []
    /// Whether there was no more.
    private(set) var isAll = false

    /// Reads until there is no more, or a number is reached.
    ///
    /// - Parameters:
    ///   - limit: how many to read; the last portion may go beyond it.
    ///   - portion: reads some; nil where there are none at present.
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
