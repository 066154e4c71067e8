import Foundation
import Testing

/// In the guest of `make test-cluster` only, which installs ejabberd.
@Suite(
    "a cluster of ejabberds in trouble",
    .enabled(if: SimulatedChip.isTimeSimulated && ClusterFiles.isWhole, "is for make test-cluster"), .serialized)
struct SimulatedEjabberd {
    /// One for all cases, which are tried one after another and leave it as they found it.
    nonisolated(unsafe) private static let cluster = Result { try EjabberdCluster() }

    @Test(
        "has every topic of the node right on every member afterwards, and the lamps on their second",
        arguments: ClusterTrouble.allCases)
    func inTrouble(trouble: ClusterTrouble) throws {
        try ClusterTalk(trouble, in: unsafe Self.cluster.get(), first: 0).play()
    }
}
