import Testing

/// The test program's entry point.
///
/// All tests here are Swift Testing's. Without this file SwiftPM looks for those of XCTest as well, in the index that the
/// compiler writes for an editor, which takes a fifth of the time of a build.
@main
struct TestProgram {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
