import Foundation
import Testing

/// A separate group in `Tests/guest/tests`.
@Suite(
    "a star of mosquittos in trouble", .enabled(if: SimulatedChip.isTimeSimulated, "needs the guest's clocks"),
    .serialized)
struct SimulatedStar {
    /// The trouble, and the index in the star of the member that the node is connected to; 2 is the hub.
    static let cases =
        ClusterTrouble.allCases.map { ($0, 0) } + [(.killed, 2)]
        // `make test` omits cases that differ little from the rest.
        + (ClusterFiles.isWhole ? [(.frozen, 2), (.cutOff, 2), (.majority, 2), (.killedWithNode, 2)] : [])

    /// One star for all cases, which run one after another and leave it as they found it.
    nonisolated(unsafe) private static let star = Result { try MosquittoStar() }

    @Test(
        "has the correct node topics on every member afterwards, while each lamp lights on its second",
        arguments: cases)
    func inTrouble(trouble: ClusterTrouble, first: Int) throws {
        try ClusterTalk(trouble, in: unsafe Self.star.get(), first: first).play()
    }
}
