import Foundation
import Testing

/// Runs only in the guest of `make test-cluster`, which installs ejabberd.
@Suite(
    "a cluster of ejabberds in trouble",
    .enabled(if: SimulatedChip.isTimeSimulated && ClusterFiles.isWhole, "is for make test-cluster"), .serialized)
struct SimulatedEjabberd {
    /// One cluster for all cases, which run one after another and leave it as they found it.
    nonisolated(unsafe) private static let cluster = Result { try EjabberdCluster() }

    @Test(
        "has the correct node topics on every member afterwards, while each lamp lights on its second",
        arguments: ClusterTrouble.allCases)
    func inTrouble(trouble: ClusterTrouble) throws {
        try ClusterTalk(trouble, in: unsafe Self.cluster.get(), first: 0).play()
    }
}
