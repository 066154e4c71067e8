import BrokerLink
import IoTNode
import NodePorts
import TestSupport
import TimerEngine
import WorldChecker

/// How a disk behaves.
package enum DiskCondition: Hashable, Sendable, CaseIterable {
    case good
    /// Each write fails, and leaves nothing.
    case failing
    /// Each write fails after a part of the bytes.
    case full
    /// Each request takes some seconds.
    case slow
    /// No request ends.
    case stuck
}

/// A machine's disk with the node's two files, down to the bytes that a power cut leaves.
///
/// It follows the rules of the real store: the state is appended to the file that this process has written, or a new
/// file replaces it; whatever has not been synced may be lost, or in part.
final class Disk: Store {
    private enum Job {
        case save(any Savable, runs: (any Savable)?, number: Int)
        case setAside(SetAside)
    }

    private unowned let world: World
    private unowned let machine: Machine
    var condition = DiskCondition.good {
        didSet {
            world.note(.disk("\(condition)"), on: machine)
            retime()
        }
    }
    /// The content of the state file; empty if there is no file.
    private var state: [UInt8] = []
    private var runs: [UInt8]?
    /// Whether this process has begun the state file, and may append to it.
    private var mayAppend = false

    private var jobs: [Job] = []
    private var doneAt: Duration?
    private var random: SeededGenerator

    init(_ world: World, _ machine: Machine) {
        (self.world, self.machine) = (world, machine)
        random = SeededGenerator(seed: machine.seed &+ 1)
    }

    // MARK: The port

    func load() throws(StoreError) -> [UInt8]? { state.isEmpty ? nil : state }
    func loadRuns() throws(StoreError) -> [UInt8]? { runs }

    func save(_ state: any Savable, runs: (any Savable)?, number: Int) {
        // The first job is under way.
        if case .save? = jobs.dropFirst().last { jobs.removeLast() }
        add(.save(state, runs: runs, number: number))
    }

    func setAside(_ what: SetAside) { add(.setAside(what)) }

    private func add(_ job: Job) {
        jobs.append(job)
        if doneAt == nil { begin() }
        machine.isDue()
    }

    private func begin() {
        let milliseconds = Int.random(in: condition == .slow ? 500...5000 : 1...40, using: &random)
        doneAt = world.time + .milliseconds(milliseconds)
    }

    private func retime() {
        if !jobs.isEmpty { begin() }
        machine.isDue()
    }

    var interests: [Interest] { [] }

    var nextInstant: Instant? {
        condition == .stuck ? nil : doneAt.map { machine.instant(at: $0) }
    }

    func takeEvents(ready: [Interest], at now: Instant) -> [StoreEvent] {
        guard condition != .stuck, let doneAt, doneAt <= world.time else { return [] }
        let event = event(of: jobs.removeFirst())
        self.doneAt = nil
        if !jobs.isEmpty { begin() }
        return [event]
    }

    private func event(of job: Job) -> StoreEvent {
        switch job {
        case .save(let state, let runs, let number):
            do throws(StoreError) {
                if let runs {
                    try check()
                    self.runs = runs.document
                }
                try write(state.document)
                // A newer state may be waiting.
                if jobs.isEmpty { world.note(.saved, on: machine) }
                return .stored(number)
            } catch { return .failed(number, error) }
        case .setAside(let what):
            do throws(StoreError) {
                try check()
                remove(what)
                return .setAside(what, .success("aside"))
            } catch { return .setAside(what, .failure(error)) }
        }
    }

    private func check() throws(StoreError) {
        if condition == .failing || condition == .full { throw StoreError("cannot write: No space left on device") }
    }

    /// Appends a document to the state file or replaces the file; the bytes are synced.
    private func write(_ document: [UInt8]) throws(StoreError) {
        let appends = fits(document)
        guard condition == .good || condition == .slow else {
            mayAppend = false
            if condition == .full, appends {
                state += [UInt8(ascii: "\n")] + document.prefix(Int.random(in: 0..<document.count, using: &random))
            }
            throw StoreError("cannot write: No space left on device")
        }
        if appends { state += [UInt8(ascii: "\n")] + document } else { state = document }
        mayAppend = true
    }

    /// Whether a document is appended to the state file; otherwise it replaces the file.
    private func fits(_ document: [UInt8]) -> Bool { mayAppend && state.count + document.count <= 64 * 1024 }

    private func remove(_ what: SetAside) {
        switch what {
        case .document: (state, mayAppend) = ([], false)
        case .runs: runs = nil
        case .edits: break
        }
    }

    // MARK: Faults

    /// The process ends. The write that is under way ends or does not begin.
    func lose(powerCut: Bool) {
        if let job = jobs.first, case .save(let saved, let runs, _) = job, condition == .good || condition == .slow {
            interrupt(saved, runs, powerCut: powerCut)
        }
        (jobs, doneAt, mayAppend) = ([], nil, false)
    }

    /// Stops a save in its middle.
    private func interrupt(_ saved: any Savable, _ runs: (any Savable)?, powerCut: Bool) {
        // First the runs are replaced as a whole, then the state is.
        if let runs {
            guard Bool.random(using: &random) else { return }
            self.runs = runs.document
            world.note(.rare(.killedBetweenTwoWrites), on: machine)
        }
        guard Bool.random(using: &random) else { return }
        let document = saved.document
        guard fits(document) else {
            state = document
            return
        }
        let count = powerCut ? Int.random(in: 0...document.count, using: &random) : document.count
        state += [UInt8(ascii: "\n")] + document.prefix(count)
        if count < document.count { world.note(.rare(.tornState), on: machine) }
    }
}
