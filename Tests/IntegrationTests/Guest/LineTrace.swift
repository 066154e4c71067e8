/// The changes to the lines of an output request, parsed from strace's output, for both generations of the kernel's
/// interface.
struct LineTrace: Hashable {
    /// The offsets of the lines, in the order of the request.
    private(set) var offsets: [UInt32] = []
    /// The initial levels of the lines.
    private(set) var first: [UInt32: Bool] = [:]
    /// Each call that set lines, with the levels that it passed to the kernel.
    private(set) var writes: [[UInt32: Bool]] = []

    private var levels: [Bool] = []

    /// Parses the calls of one request, from its creation on.
    init(_ calls: [String]) {
        for call in calls {
            if let match = call.firstMatch(of: /GET_LINEHANDLE.* lineoffsets=\[(.*?)\].* default_values=\[(.*?)\]/) {
                offsets = numbers(match.1)
                levels = numbers(match.2).map { $0 != 0 }
                first = Dictionary(uniqueKeysWithValues: zip(offsets, levels))
            } else if let match = call.firstMatch(of: /GPIO_V2_GET_LINE_IOCTL.* offsets=\[(.*?)\].*LINE_FLAG_OUTPUT/) {
                offsets = numbers(match.1)
                // An attribute lists the lines that are high from the beginning, if there are any.
                let values = call.firstMatch(of: /\bvalues=(?:0x)?([0-9a-f]+)/)
                let bits = values.flatMap { UInt64($0.1, radix: 16) } ?? 0
                first = Dictionary(uniqueKeysWithValues: offsets.enumerated().map { ($1, bits >> $0 & 1 == 1) })
            } else if let match = call.firstMatch(of: /GPIOHANDLE_SET_LINE_VALUES_IOCTL, \{values=\[(.*?)\]/) {
                // The call sets all lines of the request again, but only the lines that change matter.
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

    /// The lines that are high after all calls.
    var lit: Set<UInt32> { states.last ?? [] }

    /// The largest number of lines that may have been high together: the lines that were high before or after a call.
    var mostLitTogether: Int {
        zip(states, states.dropFirst()).map { $0.union($1).count }.max() ?? lit.count
    }

    /// The lines that were high: at first, and after each call.
    private var states: [Set<UInt32>] {
        let begin = Set(first.filter(\.value).keys)
        return writes.reduce(into: [begin]) { states, write in
            var state = states[states.count - 1]
            for (line, isHigh) in write { if isHigh { state.insert(line) } else { state.remove(line) } }
            states.append(state)
        }
    }

    private mutating func note(_ changed: [Int], _ levels: [Bool]) {
        writes.append(Dictionary(uniqueKeysWithValues: changed.map { (offsets[$0], levels[$0]) }))
    }
}

private func numbers(_ list: Substring) -> [UInt32] {
    list.split(separator: ", ").compactMap { UInt32($0) }
}
