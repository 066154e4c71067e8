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

/// Whether timer-web is part of the package. `make demo` leaves it out, and with it the two dozen packages that only the web
/// server needs. Packages that depend on this one leave them out by the trait `Web`. The Makefile cannot use the trait:
/// SwiftPM passes each enabled trait to the compiler, so every module would be compiled again for timer-web.
let hasWeb = Context.environment["WITHOUT_WEB"] == nil

let webPackages: [Package.Dependency] = [
    // Without its traits it needs neither swift-configuration nor the whole of Foundation.
    // Streams of events write to the channel beside its own writer: a test says whether another version still allows that.
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
    // For the libraries; the node is for Linux. What is older has no `Duration`.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "TimerEngine", targets: ["TimerEngine"]),
        .library(name: "TimerProtocol", targets: ["TimerProtocol"]),
        .library(name: "TimerClient", targets: ["TimerClient"]),
        .executable(name: "timer-node", targets: ["timer-node"]),
    ] + (hasWeb ? [.executable(name: "timer-web", targets: ["timer-web"])] : []),
    traits: [
        .default(enabledTraits: ["Web"]),
        .trait(name: "Web", description: "timer-web, with the packages that it needs"),
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
        // Pure: what a client of nodes knows and does.
        .target(name: "TimerClient", dependencies: ["TimerEngine", "TimerProtocol"], swiftSettings: strict),
        // Pure: when the meetings of an agenda begin and end, in which time zone.
        .target(name: "Calendar", dependencies: ["TimerProtocol"], swiftSettings: strict),
        // Pure: what a node and its clients share of a connection to brokers.
        .target(name: "BrokerLink", dependencies: ["TimerEngine", "TimerProtocol"], swiftSettings: strict),
        // Pure: what the configuration files say.
        .target(
            name: "NodeConfiguration", dependencies: ["BrokerLink", "TimerEngine", "TimerProtocol"],
            swiftSettings: strict),
        // Pure: what a node asks of the system that it runs on.
        .target(
            name: "NodePorts",
            dependencies: ["BrokerLink", "Calendar", "NodeConfiguration", "TimerEngine"],
            swiftSettings: strict),
        // Pure: what a node decides, without the system, C or a clock.
        .target(
            name: "IoTNode",
            dependencies: ["BrokerLink", "Calendar", "NodeConfiguration", "NodePorts", "TimerEngine", "TimerProtocol"],
            swiftSettings: strict),
        // The edge of the configuration: YAML, by libyaml.
        .target(
            name: "ConfigurationFiles",
            dependencies: ["BrokerLink", "NodeConfiguration", "TimerEngine", "TimerProtocol", "CYAML"],
            swiftSettings: strict),
        // The edge: the ports, made of one C library each.
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
        // How the programs end where they cannot go on.
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
                "LinuxSystem", "Mosquitto", "NodeConfiguration", "NodePorts", "TimerClient", "TimerEngine",
                "TimerProtocol",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),

        // The web. Pure: who may do what, and what a page is told.
        .target(
            name: "WebCore", dependencies: ["BrokerLink", "TimerClient", "TimerEngine", "TimerProtocol"],
            swiftSettings: strict),
        // A client at work: NodeClient on a connection, for the command line and the web.
        .target(
            name: "BrokerSession",
            dependencies: [
                "BrokerLink", "LinuxSystem", "Mosquitto", "NodeConfiguration", "TimerClient", "TimerEngine",
                "TimerProtocol",
            ],
            swiftSettings: strict),

        // What tests share: TestSupport needs nothing of the node, NodeTestSupport has its ports in memory.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .target(
            name: "NodeTestSupport",
            dependencies: [
                "BrokerLink", "ConfigurationFiles", "IoTNode", "LinuxSystem", "NodeConfiguration", "NodePorts",
                "TimerEngine", "TimerProtocol",
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
        // Random input for the core, in a target of its own: it takes longer than all other tests of the core.
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
        // They spawn timer-node and store-writer. Neither is a dependency, because each change would then have parts of
        // all these tests compiled again; `swift build --build-tests` makes both anyway.
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "BrokerLink", "CGPIOD", "Calendar", "GPIO", "IoTNode", "LinuxSystem", "Mosquitto", "NodeConfiguration",
                "NodePorts", "NodeTestSupport", "TestSupport", "TimerClient", "TimerEngine", "TimerProtocol",
            ],
            swiftSettings: strict),
    ] + (hasWeb ? webTargets : [])
)
