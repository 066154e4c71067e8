import Foundation
import Fuzz
import TestSupport
import Testing

/// `make fuzz` looks for new inputs, guided by the code that they reach. These tests need no build of their own.
@Suite("Everything that reads what others wrote")
struct CorpusTests {
    @Test("reads each input that the fuzzer keeps, and changed copies of it", arguments: FuzzTarget.allCases)
    func corpus(target: FuzzTarget) throws {
        let folder = repositoryFile("Tests/Fuzz/corpus/\(target.rawValue)")
        let inputs = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
            try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\($0)")))
        }
        try #require(!inputs.isEmpty)
        inputs.forEach(target.read)
        var generator = SeededGenerator(printedFor: target.rawValue)
        for _ in 0..<500 {
            guard var input = inputs.randomElement(using: &generator) else { return }
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                Self.change(&input, inputs, using: &generator)
            }
            target.read(input)
        }
    }

    /// Changes a byte, removes some, or inserts some from another input.
    private static func change(
        _ input: inout [UInt8], _ inputs: [[UInt8]], using generator: inout SeededGenerator
    ) {
        let place = Int.random(in: 0...input.count, using: &generator)
        let end = Int.random(in: place...min(place + 16, input.count), using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0 where place < input.count: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1 where place < input.count: input[place] = .random(in: .min ... .max, using: &generator)
        case 2: input.removeSubrange(place..<end)
        default:
            let other = inputs.randomElement(using: &generator) ?? []
            let start = Int.random(in: 0...other.count, using: &generator)
            input.insert(contentsOf: other[start..<min(start + 16, other.count)], at: place)
        }
    }
}
