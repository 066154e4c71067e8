internal import FoundationEssentials
package import TimerEngine
package import TimerProtocol

/// Collects the runs of a node, page by page, and ends within bounds, whatever the node answers.
///
/// Whoever has the connection sends ``question``, passes each answer to ``receive(_:at:)``, and does what that returns.
package struct RunsDownload: Sendable {
    /// A node keeps at most 1,000 runs, and a page has 25 of them.
    package static let maximumPages = 100
    /// No page is asked for later than that: a node that takes one command a second needs 40 s for 1,000 runs, and a
    /// proxy waits 60 s for an answer.
    package static let timeLimit: Duration = .seconds(50)
    /// How long to wait after the node has refused because there are too many commands a second.
    package static let pause: Duration = .seconds(1)

    /// What is to be done after an answer.
    package enum Step: Hashable, Sendable {
        /// Send ``RunsDownload/question``.
        case ask
        /// Send ``RunsDownload/question`` after this time.
        case wait(Duration)
        /// There is nothing more to ask: ``RunsDownload/runs`` has all that the node keeps, or the newest of them.
        case done(isComplete: Bool)
        /// The node refuses, and why; nil if its answer has no runs.
        case failed(Refusal?)
    }

    /// The runs so far, the newest first.
    package private(set) var runs: [RunRecord] = []
    private var ids: Set<UUID> = []
    private var page = 1
    private let deadline: Instant

    /// A download that begins now.
    package init(at now: Instant) { deadline = now + Self.timeLimit }

    /// What to ask the node next.
    package var question: Command { .runs(.page(page)) }

    /// Takes the answer to ``question``.
    package mutating func receive(_ response: Response, at now: Instant) -> Step {
        if let refusal = response.refusal {
            switch refusal.code {
            case .rateLimited where now + Self.pause <= deadline: return .wait(Self.pause)
            case .rateLimited where page > 1: return .done(isComplete: false)
            // Somebody has set the report aside in between.
            case .notFound where page > 1: return .done(isComplete: true)
            default: return .failed(refusal)
            }
        }
        guard case .runs(let found)? = response.details else { return .failed(nil) }
        // A run that has ended in between has moved the others back, so that some of them come twice.
        runs += found.runs.filter { ids.insert($0.id).inserted }
        guard page < found.pages, !found.runs.isEmpty else { return .done(isComplete: true) }
        guard page < Self.maximumPages, now <= deadline else { return .done(isComplete: false) }
        page += 1
        return .ask
    }
}
