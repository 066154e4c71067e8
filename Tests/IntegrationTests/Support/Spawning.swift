import Foundation

/// A pipe with the largest buffer that the system allows, read without blocking.
struct Pipe {
    /// The end to read from.
    let read: Int32
    /// The end to write to.
    let write: Int32

    /// Creates a pipe. Each user of an end must close it.
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw TestFailure("pipe: \(errorText(errno))") }
        (read, write) = (ends[0], ends[1])
        _ = fcntl(read, F_SETFL, O_NONBLOCK)
        let setPipeSize: Int32 = 1031  // F_SETPIPE_SZ, which glibc declares only for GNU sources
        _ = fcntl(write, setPipeSize, 1024 * 1024)
    }
}

/// Starts a program that inherits nothing from the test process except its two output pipes: it gets no other
/// descriptors, and no blocked or ignored signals.
func spawn(_ arguments: [String], output: Int32, error: Int32, environment: [String: String]) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, error, 2)
    // A test that runs at the same time may have sockets open, which would stay open for the lifetime of this child.
    try unsafe closeFrom(3, &actions)

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let program = arguments.first ?? ""
    var pid: pid_t = 0
    let code = unsafe withCStrings(arguments) { arguments in
        unsafe withCStrings(environment.map { "\($0)=\($1)" }) { variables in
            unsafe posix_spawnp(&pid, program, &actions, &attributes, arguments, variables)
        }
    }
    guard code == 0 else { throw TestFailure("cannot start \(program): \(errorText(code))") }
    return pid
}

/// Makes a child start without any descriptors from a given number up.
///
/// glibc declares the function only for GNU sources, so it is looked up at run time.
private func closeFrom(_ first: Int32, _ actions: inout posix_spawn_file_actions_t) throws {
    typealias Function = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
        throw TestFailure("this C library has no posix_spawn_file_actions_addclosefrom_np")
    }
    unsafe _ = unsafeBitCast(symbol, to: Function.self)(&actions, first)
}

private func withCStrings<Result>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let pointers = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(pointers + [nil])
}
