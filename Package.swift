// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is compiled with, besides the Swift 6 language mode.
let strict: [SwiftSetting] = [
    // `any P` is written out: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // An import shows in our API only where it says so: …/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A member is visible only where its module is imported: …/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // An async function stays with its caller: …/0461-async-function-isolation.md
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // A conformance has the isolation of its type: …/0470-isolated-conformances.md
    .enableUpcomingFeature("InferIsolatedConformances"),
    // `weak let` in captures: …/0481-weak-let.md
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    // What the compiler cannot prove safe is marked `unsafe`: …/0458-strict-memory-safety.md
    .strictMemorySafety(),
]

let package = Package(
    name: "timer-node",
    // For the library; the node is for Linux. What is older has no `Duration`.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "TimerEngine", targets: ["TimerEngine"]),
        .executable(name: "timer-node", targets: ["timer-node"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(name: "CGPIOD", linkerSettings: [.linkedLibrary("gpiod")]),
        .target(name: "CLinux"),

        .target(name: "TimerEngine", swiftSettings: strict),
        .target(
            name: "IoTNode",
            dependencies: ["TimerEngine", "CMosquitto", "CYAML", "CGPIOD", "CLinux"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "timer-node",
            dependencies: [
                "IoTNode", "TimerEngine",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),

        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .executableTarget(
            name: "store-writer", dependencies: ["IoTNode", "TestSupport"], path: "Tests/StoreWriter",
            swiftSettings: strict),
        .testTarget(name: "TimerEngineTests", dependencies: ["TimerEngine", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "IoTNodeTests", dependencies: ["IoTNode", "TimerEngine", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "IntegrationTests",
            dependencies: ["IoTNode", "TimerEngine", "TestSupport", "timer-node", "store-writer"],
            swiftSettings: strict),
    ]
)
