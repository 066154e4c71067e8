internal import CGPIOD
internal import Glibc
internal import IoTNode

/// Input lines with their edges, held together; the owner of their handle.
@safe final class GPIOInputRequest {
    /// A line to hold.
    struct Line {
        var offset: UInt32
        var activeLow: Bool
        var bias: NodeConfiguration.Bias
        var debounce: Duration
    }

    /// A change of a line's level.
    struct LineEdge {
        let offset: UInt32
        let isActive: Bool
        /// On `CLOCK_MONOTONIC`.
        let sinceMonotonicEpoch: Duration
    }

    /// Whether the kernel debounces the lines; where not, `debounce` is ignored.
    static var debounces: Bool { cgpiod_debounces }

    /// The chip, open for as long as its lines are held.
    let chip: GPIOChip
    /// What becomes readable with an edge: one for each line in libgpiod 1, one for all in 2.
    let descriptors: [Int32]
    private let handle: OpaquePointer
    private let lineCount: Int

    /// Takes lines of a chip.
    ///
    /// - Parameters:
    ///   - lines: 1 to 64 lines of the chip, each once.
    ///   - chip: where they are.
    ///   - consumer: who others are told holds the lines; at most 31 bytes.
    /// - Throws: `EBUSY` where somebody holds one of them.
    init(_ lines: [Line], of chip: GPIOChip, consumer: String) throws(GPIOError) {
        let inputs = lines.map {
            cgpiod_input(
                offset: $0.offset, active_low: $0.activeLow, bias: $0.bias.inC,
                debounce_us: UInt32(clamping: Int($0.debounce / .microseconds(1))))
        }
        var requested: OpaquePointer?
        try GPIOError.check(unsafe cgpiod_inputs_request(chip.handle, consumer, inputs, inputs.count, &requested))
        guard let requested = unsafe requested else { throw GPIOError(code: 0) }
        self.chip = chip
        unsafe handle = requested
        lineCount = lines.count
        var descriptors = [Int32](repeating: -1, count: Int(CGPIOD_LINES_MAX))
        let count = unsafe cgpiod_inputs_get_descriptors(requested, &descriptors)
        self.descriptors = Array(descriptors[..<count])
        // A descriptor that is not readable after all must not stop the loop.
        for descriptor in self.descriptors where fcntl(descriptor, F_SETFL, O_RDONLY | O_NONBLOCK) < 0 {
            throw GPIOError(code: errno)
        }
    }

    deinit {
        unsafe cgpiod_inputs_release(handle)
    }

    /// How many edges the kernel keeps for a descriptor: 16 for each of its lines.
    var capacity: Int { 16 * lineCount / descriptors.count }

    /// Reads the edges that a descriptor had when this began, and not those for ever that a line brings which never rests.
    func edges(of descriptor: Int32) throws(GPIOError) -> BoundedReading<LineEdge> {
        var buffer = [cgpiod_edge](repeating: cgpiod_edge(), count: 16)
        return try BoundedReading(upTo: capacity) { () throws(GPIOError) in
            let count = unsafe cgpiod_inputs_read(handle, descriptor, &buffer, buffer.count)
            if count == -EAGAIN { return nil }
            try GPIOError.check(count)
            return buffer.prefix(Int(count)).map {
                LineEdge(
                    offset: $0.offset, isActive: $0.is_active,
                    sinceMonotonicEpoch: .nanoseconds(Int64(clamping: $0.timestamp_ns)))
            }
        }
    }

    /// Tells whether a line is active at present.
    func isActive(_ offset: UInt32) throws(GPIOError) -> Bool {
        let level = unsafe cgpiod_inputs_get_level(handle, offset)
        try GPIOError.check(level)
        return level != 0
    }
}
