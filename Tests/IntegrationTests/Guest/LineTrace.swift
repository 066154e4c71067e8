/// What was done to the lines of a request, read from strace's lines, for both generations of the kernel's interface.
struct LineTrace: Hashable {
    /// The offsets of the request, in its order.
    private(set) var offsets: [UInt32] = []
    /// Each call that set lines, with the levels that it handed to the kernel.
    private(set) var writes: [[UInt32: Bool]] = []

    private var levels: [Bool] = []

    /// Reads the calls of one request from its making on.
    init(_ calls: [String]) {
        for call in calls {
            if let match = call.firstMatch(of: /GET_LINEHANDLE.* lineoffsets=\[(.*?)\].* default_values=\[(.*?)\]/) {
                offsets = numbers(match.1)
                levels = numbers(match.2).map { $0 != 0 }
            } else if let match = call.firstMatch(of: /GPIO_V2_GET_LINE_IOCTL.* offsets=\[(.*?)\]/) {
                offsets = numbers(match.1)
            } else if let match = call.firstMatch(of: /GPIOHANDLE_SET_LINE_VALUES_IOCTL, \{values=\[(.*?)\]/) {
                // All lines of the request are set again; those that change matter.
                let next = numbers(match.1).prefix(offsets.count).map { $0 != 0 }
                note(offsets.indices.filter { next[$0] != levels[$0] }, next)
                levels = next
            } else if let match = call.firstMatch(
                of: /GPIO_V2_LINE_SET_VALUES_IOCTL, \{bits=(?:0x)?([0-9a-f]+), mask=(?:0x)?([0-9a-f]+)/)
            {
                let bits = UInt64(match.1, radix: 16) ?? 0
                let mask = UInt64(match.2, radix: 16) ?? 0
                note(offsets.indices.filter { mask >> $0 & 1 == 1 }, offsets.indices.map { bits >> $0 & 1 == 1 })
            }
        }
    }

    private mutating func note(_ changed: [Int], _ levels: [Bool]) {
        writes.append(Dictionary(uniqueKeysWithValues: changed.map { (offsets[$0], levels[$0]) }))
    }
}

private func numbers(_ list: Substring) -> [UInt32] {
    list.split(separator: ", ").compactMap { UInt32($0) }
}
