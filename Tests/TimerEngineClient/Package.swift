// swift-tools-version: 6.2
import PackageDescription

/// A client of only this library: the examples of its documentation, compiled as in a third-party package, and the
/// library's own tests, which `make test` runs here under the thread sanitizer.
let package = Package(
    name: "timer-engine-client",
    platforms: [.macOS(.v14)],  // For the observable object in the user interface example.
    // Without traits, none of timer-web's dependencies are fetched.
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
