import Foundation

/// The lines that arrive on a descriptor, which it owns and reads without blocking.
final class LineReader {
    /// The whole lines so far.
    private(set) var lines: [String] = []
    /// Whether more lines may arrive, because the other end is not closed.
    private(set) var isOpen = true
    /// The descriptor that it reads from.
    let descriptor: Int32
    private var rest: [UInt8] = []

    /// All text so far, unchanged.
    var text: String { lines.map { $0 + "\n" }.joined() + String(decoding: rest, as: UTF8.self) }

    /// Takes ownership of a descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // The rest has not been checked yet.
        read()
        TestSecrets.check(String(decoding: rest, as: UTF8.self))
        close(descriptor)
    }

    /// Reads the available data.
    func read() {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var count = 0
        repeat {
            count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
            rest += buffer.prefix(max(0, count))
        } while count > 0
        if count == 0 { isOpen = false }
        let whole = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in whole.dropLast() {
            lines.append(String(decoding: line, as: UTF8.self))
            TestSecrets.check(lines[lines.count - 1])
        }
        rest = Array(whole.last ?? [])
    }
}
