internal import ArgumentParser

/// A question of `timer-node init`: one answer, and what it means among the others.
struct Question {
    /// The option that gives the answer, such as `--profile`.
    let option: String
    /// What is asked, in a line.
    let text: String
    /// The answer that is offered: Enter takes it.
    let offer: String
    /// Puts an answer among the others.
    let put: (_ answer: String, _ answers: inout Answers) throws(WrongAnswer) -> Void
}

/// Why an answer is not taken.
struct WrongAnswer: Error, Hashable, CustomStringConvertible {
    let description: String
    /// Whether it could be right on another machine or later: a line that is busy, a broker that does not answer.
    let isUnavailable: Bool

    init(_ description: String, isUnavailable: Bool = false) {
        self.description = description
        self.isUnavailable = isUnavailable
    }
}

/// Why `timer-node init` ends before it is done, and its exit code.
struct InitFailure: Error, CustomStringConvertible {
    let description: String
    let code: ExitCode

    init(_ description: String, _ code: ExitCode) {
        self.description = description
        self.code = code
    }
}
