// swift-tools-version: 6.2
import PackageDescription

/// A client of only the library: the examples of its documentation, compiled as in a third-party package, and the
/// library's own tests, which `make test` runs here under the thread sanitizer.
let package = Package(
    name: "timer-engine-client",
    platforms: [.macOS(.v14)],  // For the observable object of the user interface.
    // Without traits, none of what timer-web needs is fetched.
    dependencies: [.package(name: "timer-node", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "TimerEngineClient", dependencies: [.product(name: "TimerEngine", package: "timer-node")]),
        .target(name: "TestSupport"),
        .testTarget(
            name: "TimerEngineTests",
            dependencies: ["TestSupport", .product(name: "TimerEngine", package: "timer-node")]),
    ]
)
