import Foundation

/// A disk for a spawned program that is slow or faulty on request: a library that replaces the C library's `fsync`.
///
/// The library reads its instruction from a file, so a test can change it: the duration of each `fsync`, in
/// microseconds, or the name of a fault to raise in the calling thread.
final class FaultyDisk {
    /// The faults that can end a thread.
    enum Fault: String, CaseIterable {
        case segmentation, bus, division, illegal, trap, abort, system, overflow

        /// The signal that the fault raises.
        var signal: Int32 {
            switch self {
            case .segmentation, .overflow: SIGSEGV
            case .bus: SIGBUS
            case .division: SIGFPE
            case .illegal: SIGILL
            case .trap: SIGTRAP
            case .abort: SIGABRT
            case .system: SIGSYS
            }
        }
    }

    /// The environment variables that make a program use the disk.
    var environment: [String: String] {
        ["LD_PRELOAD": folder.appending(path: "disk.so").path, "FAULTY_DISK": order.path]
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "faulty-disk-\(UUID().uuidString)")
    private var order: URL { folder.appending(path: "order") }

    /// Builds the library. The disk works normally at first.
    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = folder.appending(path: "disk.c")
        try Self.source.write(to: source, atomically: true, encoding: .utf8)
        let made = try Shell.run(
            "cd \(folder.path) && for cc in cc clang gcc; do command -v $cc && exec $cc -shared -fPIC -o disk.so disk.c; done; exit 1"
        )
        guard made.status == 0 else { throw TestFailure("cannot build the library: \(made.output)") }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Makes each subsequent `fsync` take this long.
    func delay(microseconds: Int) throws { try write("\(microseconds)") }

    /// Makes the next `fsync` end its thread with a fault.
    func fault(_ fault: Fault) throws { try write(fault.rawValue) }

    private func write(_ text: String) throws { try text.write(to: order, atomically: true, encoding: .utf8) }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <signal.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        static volatile int zero, *null;

        static int overflow(volatile char *above) {
            volatile char below[65536];
            below[0] = above ? above[0] : 0;
            return overflow(below) + below[1];
        }

        static void fault(const char *order) {
            if (!strcmp(order, "segmentation")) *null = 1;
            if (!strcmp(order, "overflow")) zero = overflow(NULL);
            if (!strcmp(order, "abort")) abort();
            if (!strcmp(order, "system")) raise(SIGSYS);
            if (!strcmp(order, "bus")) {
                int file = open(getenv("FAULTY_DISK"), O_RDWR | O_TRUNC);
                *(volatile char *)mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, file, 0) = 1;
            }
        #if defined __x86_64__ || defined __i386__
            if (!strcmp(order, "division")) zero = 1000 / zero;
            if (!strcmp(order, "illegal")) __asm__ volatile("ud2");
            if (!strcmp(order, "trap")) __asm__ volatile("int3");
        #else
            if (!strcmp(order, "division")) raise(SIGFPE);
            if (!strcmp(order, "illegal")) raise(SIGILL);
            if (!strcmp(order, "trap")) raise(SIGTRAP);
        #endif
        }

        int fsync(int file) {
            char order[32] = "";
            int orders = open(getenv("FAULTY_DISK"), O_RDONLY | O_CLOEXEC);
            if (orders >= 0) {
                order[read(orders, order, sizeof order - 1) > 0 ? sizeof order - 1 : 0] = 0;
                close(orders);
            }
            if (order[0] >= '0' && order[0] <= '9') usleep(atoi(order));
            else if (order[0]) fault(order);
            return syscall(SYS_fsync, file);
        }
        """#
}
