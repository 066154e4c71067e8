internal import ArgumentParser
internal import CommandLineSupport

/// Gets answers: from the options, else in the terminal, else those that are offered.
struct Interview {
    /// Where a person is asked; nil if nobody is to be asked, and what is offered is taken.
    let terminal: Dialogue?
    /// Checks the answers as a whole, after each one.
    let check: (Answers) throws(WrongAnswer) -> Void

    /// Gets one answer. A wrong one is asked again in the terminal, with the reason.
    ///
    /// - Parameter given: the value of the question's option, where there is one.
    /// - Throws: a wrong answer that nobody can correct, or the end of the input.
    func ask(_ question: Question, given: String?, _ answers: inout Answers) throws(InitFailure) {
        guard given == nil, let terminal else {
            do throws(WrongAnswer) { try put(given ?? question.offer, for: question, &answers) } catch {
                let code: ExitCode = error.isUnavailable ? .unavailable : .validationFailure
                throw InitFailure("\(question.option): \(error)", code)
            }
            return
        }
        while true {
            let typed = try terminal.ask("\(question.text) [\(question.offer)]: ")
            do throws(WrongAnswer) {
                try put(typed.isEmpty ? question.offer : typed, for: question, &answers)
                return
            } catch {
                terminal.say("  \(error)\n")
            }
        }
    }

    private func put(_ answer: String, for question: Question, _ answers: inout Answers) throws(WrongAnswer) {
        var next = answers
        try question.put(answer, &next)
        try check(next)
        answers = next
    }
}

/// What is shown to a person, and what the person types.
struct Dialogue {
    /// Shows a text, without a line end of its own.
    let say: (String) -> Void
    /// Waits for a line; nil at the end of the input.
    let readLine: () -> String?

    /// Asks for a line, and returns it without the spaces around it.
    func ask(_ prompt: String) throws(InitFailure) -> String {
        say(prompt)
        guard let line = readLine() else {
            say("\n")
            throw InitFailure("the input ended before the answer", .io)
        }
        let start = line.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Asks for a yes or a no; Enter takes what is offered.
    func confirm(_ question: String, offer: Bool) throws(InitFailure) -> Bool {
        while true {
            switch try ask("\(question) [\(offer ? "Y/n" : "y/N")]: ").lowercased() {
            case "": return offer
            case "y", "yes": return true
            case "n", "no": return false
            default: say("  answer y or n\n")
            }
        }
    }
}
