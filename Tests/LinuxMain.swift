import Testing

/// The test program's entry point.
///
/// All tests use Swift Testing. Without this file SwiftPM searches the compiler's index for XCTest tests and needs that index
/// to be written, which takes a fifth of the build.
@main
struct TestProgram {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
