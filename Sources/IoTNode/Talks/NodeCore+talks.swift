internal import BrokerLink
internal import FoundationEssentials
internal import TimerEngine
internal import TimerProtocol

/// The commands for talks.
extension NodeCore {
    mutating func execute(_ command: TalkCommand, into batch: inout EffectBatch) {
        let now = batch.now.instant
        switch command {
        case .speaker(let name): talk.speaker = name
        case .message(let message):
            changeMessage(into: &batch) { $0.show(message, at: now) }
            if message?.attention == true { outputs.attract(at: now) }
        case .lock(let level): talk.locked = level
        case .unlock: talk.locked = nil
        }
    }

    /// Changes the message to the speaker, and reports that.
    mutating func changeMessage(into batch: inout EffectBatch, _ change: (inout Talk) -> Void) {
        let before = talk.message
        change(&talk)
        reports.messageChanged(from: before, to: talk.message, timer, into: &batch)
    }

    /// - Returns: the page that was asked for.
    mutating func execute(
        _ command: RunsCommand, into batch: inout EffectBatch
    ) throws(Refusal) -> Response.RunsPage? {
        switch command {
        case .page(let number):
            guard let page = history.page(number) else {
                throw Refusal(.notFound, "there is no page \(number) of \(history.message.total) runs")
            }
            return page
        case .amend(let run, let speaker):
            guard history.amend(run, speaker: speaker) else {
                throw Refusal(.notFound, "there is no run with the id \(run.uuidString.lowercased())")
            }
        case .clear:
            guard persistence.canSetEditsAside else {
                throw Refusal(
                    .notAllowed, "clear_runs has to wait: earlier files are not set aside yet, which needs the disk")
            }
            if !history.runs.isEmpty {
                persistence.setRunsAside(because: "the runs were cleared", at: batch.now)
                history.removeAll()
            }
        }
        return nil
    }
}
