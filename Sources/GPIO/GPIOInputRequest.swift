internal import CGPIOD
internal import Glibc
internal import NodeConfiguration

/// Input lines with edge events, held in one request; owns its handle.
@safe final class GPIOInputRequest {
    struct Line {
        var offset: UInt32
        var activeLow: Bool
        var bias: NodeConfiguration.Bias
        var debounce: Duration
    }

    /// A level change of a line.
    struct LineEdge {
        let offset: UInt32
        let isActive: Bool
        /// The time on `CLOCK_MONOTONIC`.
        let sinceMonotonicEpoch: Duration
    }

    /// Whether the kernel debounces the lines; if not, `debounce` is ignored.
    static var debounces: Bool { cgpiod_debounces }

    /// The chip, kept open while its lines are held.
    let chip: GPIOChip
    /// Readable when an edge arrives: one per line in libgpiod 1, one for all lines in 2.
    let descriptors: [Int32]
    private let handle: OpaquePointer
    private let lineCount: Int

    /// Requests lines of a chip.
    ///
    /// - Parameters:
    ///   - lines: 1 to 64 distinct lines of the chip.
    ///   - consumer: the holder's name, as other programs see it; at most 31 bytes.
    /// - Throws: `EBUSY` if another consumer holds one of the lines.
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
        // Reading a descriptor that is not readable after all must not block the loop.
        for descriptor in self.descriptors where fcntl(descriptor, F_SETFL, O_RDONLY | O_NONBLOCK) < 0 {
            throw GPIOError(code: errno)
        }
    }

    deinit {
        unsafe cgpiod_inputs_release(handle)
    }

    /// How many edges the kernel buffers per descriptor: 16 for each of its lines.
    var capacity: Int { 16 * lineCount / descriptors.count }

    /// Reads the edges that are available when the call starts. Reading stops after one buffer, so a line that changes
    /// constantly cannot keep it busy forever.
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

    /// Returns whether a line is currently active.
    func isActive(_ offset: UInt32) throws(GPIOError) -> Bool {
        let level = unsafe cgpiod_inputs_get_level(handle, offset)
        try GPIOError.check(level)
        return level != 0
    }
}
