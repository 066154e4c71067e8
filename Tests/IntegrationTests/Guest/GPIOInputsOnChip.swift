import CGPIOD
import Glibc
import Testing

extension InGuest {
    @Suite("GPIO inputs, in C")
    struct GPIOInputsOnChip {
        let chip: SimulatedChip

        init() throws {
            chip = try #require(SimulatedChip.current)
        }

        @Test("report the edges of a button as logical levels, with their line and time")
        func edges() throws {
            var handle: OpaquePointer?
            try #require(unsafe cgpiod_chip_open("/dev/" + chip.name, &handle) == 0)
            guard let opened = unsafe handle else { return }
            defer { unsafe cgpiod_chip_close(opened) }
            let lines = [
                cgpiod_input(offset: 4, active_low: true, bias: CGPIOD_BIAS_PULL_UP, debounce_us: 0),
                cgpiod_input(offset: 5, active_low: false, bias: CGPIOD_BIAS_PULL_DOWN, debounce_us: 0),
            ]
            var request: OpaquePointer?
            try #require(unsafe cgpiod_inputs_request(opened, "test", lines, lines.count, &request) == 0)
            guard let inputs = unsafe request else { return }
            defer { unsafe cgpiod_inputs_release(inputs) }
            #expect(unsafe cgpiod_inputs_get_level(inputs, 4) == 0)
            #expect(unsafe cgpiod_inputs_get_level(inputs, 9) == -EINVAL)

            let before = now()
            var edges: [cgpiod_edge] = []
            // Each edge is read before the next, since libgpiod 1's interface reports the level at the time of reading.
            for (line, pull) in [("BUTTON", .down), ("5", .up), ("BUTTON", .up)] as [(String, SimulatedChip.Pull)] {
                try chip.setPull(pull, of: line)
                unsafe edges.append(contentsOf: read(1, of: inputs))
            }
            #expect(edges.map(\.offset) == [4, 5, 4])
            #expect(edges.map(\.is_active) == [true, true, false])
            #expect(edges.allSatisfy { (before...now()).contains($0.timestamp_ns) })
            #expect(unsafe cgpiod_inputs_get_level(inputs, 5) == 1)
        }

        private func read(_ count: Int, of inputs: OpaquePointer) -> [cgpiod_edge] {
            var descriptors = [Int32](repeating: -1, count: Int(CGPIOD_LINES_MAX))
            let descriptorCount = unsafe cgpiod_inputs_get_descriptors(inputs, &descriptors)
            var polled = descriptors[..<descriptorCount].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            var edges: [cgpiod_edge] = []
            while edges.count < count, unsafe poll(&polled, nfds_t(polled.count), 10_000) > 0 {
                for descriptor in polled where descriptor.revents != 0 {
                    var buffer = [cgpiod_edge](repeating: cgpiod_edge(), count: 8)
                    let read = unsafe cgpiod_inputs_read(inputs, descriptor.fd, &buffer, buffer.count)
                    edges += buffer.prefix(Int(max(read, 0)))
                }
            }
            return edges
        }

        private func now() -> UInt64 {
            var time = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
    }
}
