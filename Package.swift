// swift-tools-version: 6.2
import PackageDescription

/// The settings that every Swift target is compiled with, besides the Swift 6 language mode.
let strict: [SwiftSetting] = [
    // `any` is mandatory: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // Imports are internal unless they say otherwise: …/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A member is visible only in files that import its module: …/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // An async function runs on its caller's actor: …/0461-async-function-isolation.md
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // A conformance has the isolation of its type: …/0470-isolated-conformances.md
    .enableUpcomingFeature("InferIsolatedConformances"),
    // `weak let` in captures: …/0481-weak-let.md
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    // Code that the compiler cannot prove to be memory-safe must be marked `unsafe`: …/0458-strict-memory-safety.md
    .strictMemorySafety(),
]

/// Whether timer-web is part of the package. `make demo` omits it, along with the two dozen packages that only the
/// web server needs. Packages that depend on this one can omit them by disabling the trait `Web`. The Makefile
/// cannot use the trait: SwiftPM passes each enabled trait to the compiler, so every module would be recompiled for
/// timer-web.
let hasWeb = Context.environment["WITHOUT_WEB"] == nil

let webPackages: [Package.Dependency] = [
    // Without its traits it needs neither swift-configuration nor all of Foundation.
    // Our event streams write to the channel directly, bypassing Hummingbird's own writer. A test checks that a new
    // version still allows this.
    .package(
        url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.0"), traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
]

let webTargets: [Target] = [
    .executableTarget(
        name: "timer-web",
        dependencies: [
            "BrokerLink", "BrokerSession", "CCrypto", "CQREncode", "CZlib", "CommandLineSupport", "ConfigurationFiles",
            "LinuxSystem", "NodeConfiguration", "NodePorts", "TimerClient", "TimerEngine", "TimerProtocol", "WebCore",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Web"])),
            .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Web"])),
        ],
        swiftSettings: strict),
    .testTarget(
        name: "TimerWebTests",
        dependencies: [
            "BrokerLink", "LinuxSystem", "NodeConfiguration", "NodePorts", "TimerClient", "TimerProtocol", "WebCore",
            "timer-web",
        ],
        swiftSettings: strict),
]

let package = Package(
    name: "timer-node",
    // These are for the libraries; the node runs only on Linux. Older platforms lack `Duration`.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "TimerEngine", targets: ["TimerEngine"]),
        .library(name: "TimerProtocol", targets: ["TimerProtocol"]),
        .library(name: "TimerClient", targets: ["TimerClient"]),
        .executable(name: "timer-node", targets: ["timer-node"]),
    ] + (hasWeb ? [.executable(name: "timer-web", targets: ["timer-web"])] : []),
    traits: [
        .default(enabledTraits: ["Web"]),
        .trait(name: "Web", description: "timer-web and the packages that it needs"),
    ],
    dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")]
        + (hasWeb ? webPackages : []),
    targets: [
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev", "libssl-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CGPIOD", linkerSettings: [.linkedLibrary("gpiod")]),
        .target(name: "CLinux"),

        .target(name: "TimerEngine", swiftSettings: strict),
        .target(name: "TimerProtocol", dependencies: ["TimerEngine"], swiftSettings: strict),
        // Pure: the state and the logic of a node client.
        .target(name: "TimerClient", dependencies: ["TimerEngine", "TimerProtocol"], swiftSettings: strict),
        // Pure: computes when the meetings on an agenda begin and end, in their time zone.
        .target(name: "Calendar", dependencies: ["TimerProtocol"], swiftSettings: strict),
        // Pure: the parts of a broker connection that the node and its clients share.
        .target(name: "BrokerLink", dependencies: ["TimerEngine", "TimerProtocol"], swiftSettings: strict),
        // Pure: the settings in the configuration files.
        .target(
            name: "NodeConfiguration", dependencies: ["BrokerLink", "TimerEngine", "TimerProtocol"],
            swiftSettings: strict),
        // Pure: the protocols through which a node uses the system that it runs on.
        .target(
            name: "NodePorts",
            dependencies: ["BrokerLink", "Calendar", "NodeConfiguration", "TimerEngine"],
            swiftSettings: strict),
        // Pure: the decisions of a node, without system calls, C or a clock.
        .target(
            name: "IoTNode",
            dependencies: ["BrokerLink", "Calendar", "NodeConfiguration", "NodePorts", "TimerEngine", "TimerProtocol"],
            swiftSettings: strict),
        // Pure: records what a node is told and decides, and replays it.
        .target(
            name: "NodeTape",
            dependencies: [
                "BrokerLink", "Calendar", "IoTNode", "NodeConfiguration", "NodePorts", "TimerEngine", "TimerProtocol",
            ],
            swiftSettings: strict),
        // The edge of the configuration: reads YAML with libyaml.
        .target(
            name: "ConfigurationFiles",
            dependencies: ["BrokerLink", "NodeConfiguration", "TimerEngine", "TimerProtocol", "CYAML"],
            swiftSettings: strict),
        // The edge: implementations of the ports, each on top of one C library.
        .target(
            name: "LinuxSystem",
            dependencies: [
                "BrokerLink", "Calendar", "NodeConfiguration", "NodePorts", "TimerEngine", "TimerProtocol", "CLinux",
            ],
            swiftSettings: strict),
        .target(
            name: "Mosquitto",
            dependencies: ["BrokerLink", "LinuxSystem", "TimerEngine", "TimerProtocol", "CMosquitto"],
            swiftSettings: strict),
        .target(
            name: "GPIO",
            dependencies: [
                "BrokerLink", "LinuxSystem", "NodeConfiguration", "NodePorts", "TimerEngine", "TimerProtocol", "CGPIOD",
            ],
            swiftSettings: strict),
        // How the programs report a fatal error and exit.
        .target(
            name: "CommandLineSupport",
            dependencies: [
                "LinuxSystem", "NodeConfiguration", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "timer-node",
            dependencies: [
                "BrokerLink", "BrokerSession", "CommandLineSupport", "ConfigurationFiles", "GPIO", "IoTNode",
                "LinuxSystem", "Mosquitto", "NodeConfiguration", "NodePorts", "NodeTape", "TimerClient", "TimerEngine",
                "TimerProtocol",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),

        // The web. Pure: the permissions of each role, and the data that the pages receive.
        .target(
            name: "WebCore", dependencies: ["BrokerLink", "TimerClient", "TimerEngine", "TimerProtocol"],
            swiftSettings: strict),
        // Runs NodeClient on a connection, for the command line and the web.
        .target(
            name: "BrokerSession",
            dependencies: [
                "BrokerLink", "LinuxSystem", "Mosquitto", "NodeConfiguration", "TimerClient", "TimerEngine",
                "TimerProtocol",
            ],
            swiftSettings: strict),

        // Code that the tests share: TestSupport does not depend on the node; NodeTestSupport has in-memory versions of
        // the node's ports.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .target(
            name: "NodeTestSupport",
            dependencies: [
                "BrokerLink", "Calendar", "ConfigurationFiles", "IoTNode", "LinuxSystem", "NodeConfiguration",
                "NodePorts", "NodeTape", "TimerEngine", "TimerProtocol",
            ],
            path: "Tests/NodeTestSupport", swiftSettings: strict),
        .executableTarget(
            name: "store-writer",
            dependencies: [
                "BrokerLink", "IoTNode", "LinuxSystem", "NodeConfiguration", "NodePorts", "TestSupport", "TimerEngine",
            ],
            path: "Tests/StoreWriter",
            swiftSettings: strict),
        .executableTarget(
            name: "page-cases",
            dependencies: [
                "BrokerLink", "NodeConfiguration", "NodeTestSupport", "TestSupport", "TimerClient", "TimerEngine",
                "TimerProtocol",
                "WebCore",
            ],
            path: "Tests/PageCases", swiftSettings: strict),
        // The world: nodes, brokers, clients and people on one seed. What judges its history shares nothing with the
        // node but the protocol.
        .target(
            name: "WorldChecker", dependencies: ["TimerEngine", "TimerProtocol"], path: "Tests/World/Checker",
            swiftSettings: strict),
        .target(
            name: "World",
            dependencies: [
                "BrokerLink", "BrokerSession", "Calendar", "IoTNode", "NodeConfiguration", "NodePorts", "NodeTape",
                "NodeTestSupport", "TestSupport", "TimerClient", "TimerEngine", "TimerProtocol", "WebCore",
                "WorldChecker",
            ],
            path: "Tests/World/Simulation", swiftSettings: strict),
        .executableTarget(
            name: "run-world",
            dependencies: [
                "World", "WorldChecker", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Tests/World/Program",
            swiftSettings: strict),
        .testTarget(
            name: "NodeTapeTests",
            dependencies: [
                "BrokerLink", "Calendar", "IoTNode", "LinuxSystem", "NodeConfiguration", "NodePorts", "NodeTape",
                "NodeTestSupport", "TestSupport", "TimerEngine", "TimerProtocol",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WorldTests",
            dependencies: [
                "BrokerLink", "NodeConfiguration", "TestSupport", "TimerEngine", "TimerProtocol", "World",
                "WorldChecker",
            ],
            path: "Tests/World/Tests",
            swiftSettings: strict),
        // What libFuzzer calls; see scripts/fuzz. It is no executable, because SwiftPM cannot link one with libFuzzer.
        .target(
            name: "Fuzz",
            dependencies: [
                "BrokerLink", "Calendar", "ConfigurationFiles", "IoTNode", "NodeConfiguration", "NodePorts", "NodeTape",
                "TimerEngine", "TimerProtocol", "WebCore",
            ],
            path: "Tests/Fuzz", exclude: ["corpus"], swiftSettings: strict),
        .testTarget(name: "FuzzTests", dependencies: ["Fuzz", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "TimerEngineTests", dependencies: ["TimerEngine", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "TimerProtocolTests", dependencies: ["TimerEngine", "TimerProtocol", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TimerClientTests",
            dependencies: [
                "BrokerLink", "IoTNode", "NodeConfiguration", "NodeTestSupport", "TestSupport", "TimerClient",
                "TimerEngine", "TimerProtocol",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "IoTNodeTests",
            dependencies: [
                "BrokerLink", "Calendar", "IoTNode", "NodeConfiguration", "NodePorts", "NodeTestSupport", "TestSupport",
                "TimerEngine", "TimerProtocol",
            ],
            swiftSettings: strict),
        // Random input for the core, in a separate target because it takes longer than all other tests of the core.
        .testTarget(
            name: "NodeRandomTests",
            dependencies: [
                "BrokerLink", "IoTNode", "NodeConfiguration", "NodeTestSupport", "TestSupport", "TimerEngine",
                "TimerProtocol",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NodeConfigurationTests",
            dependencies: [
                "BrokerLink", "ConfigurationFiles", "IoTNode", "LinuxSystem", "NodeConfiguration", "NodeTestSupport",
                "TestSupport", "TimerEngine", "TimerProtocol",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LinuxSystemTests",
            dependencies: [
                "BrokerLink", "Calendar", "IoTNode", "LinuxSystem", "NodeConfiguration", "NodePorts", "NodeTestSupport",
                "TimerEngine",
                "TimerProtocol",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MosquittoTests", dependencies: ["BrokerLink", "Mosquitto", "TimerEngine"],
            swiftSettings: strict),
        .testTarget(
            name: "GPIOTests", dependencies: ["GPIO", "NodeConfiguration", "NodePorts", "TimerEngine"],
            swiftSettings: strict),
        .testTarget(
            name: "TimerNodeTests",
            dependencies: [
                "BrokerLink", "CommandLineSupport", "ConfigurationFiles", "GPIO", "IoTNode", "LinuxSystem",
                "NodeConfiguration", "NodePorts", "NodeTestSupport", "TestSupport", "TimerClient", "TimerEngine",
                "TimerProtocol", "timer-node", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WebCoreTests",
            dependencies: [
                "BrokerLink", "NodeConfiguration", "NodeTestSupport", "TestSupport", "TimerClient",
                "TimerEngine", "TimerProtocol", "WebCore",
            ],
            swiftSettings: strict),
        // These tests spawn timer-node and store-writer. Neither is a dependency, because each change to them would
        // then recompile parts of all these tests; `swift build --build-tests` builds both anyway.
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "BrokerLink", "CGPIOD", "Calendar", "GPIO", "IoTNode", "LinuxSystem", "Mosquitto", "NodeConfiguration",
                "NodePorts", "NodeTestSupport", "TestSupport", "TimerClient", "TimerEngine", "TimerProtocol",
            ],
            swiftSettings: strict),
    ] + (hasWeb ? webTargets : [])
)
