internal import Testing
internal import TimerEngine
internal import TimerProtocol
internal import WebCore

@Suite("PIN attempts")
struct PINAttemptsTests {
    private func instant(_ seconds: Double) -> Instant {
        .init(sinceEpoch: .milliseconds(Int(seconds * 1000)))
    }

    @Test("that are correct leave the wrong ones of the hour in the log")
    func rightAfterGuesses() {
        var attempts = PINAttempts()
        for number in 0..<100 { _ = attempts.begin(from: "\(number)", at: instant(0)) }
        _ = attempts.begin(from: "hall", at: instant(60))
        attempts.succeed(from: "hall", at: instant(60))
        #expect(attempts.guesses(at: instant(60)) == 100)
    }

    @Test("are limited to five wrong ones from an address in a minute")
    func fromOneAddress() {
        var attempts = PINAttempts()
        for second in 0..<5 { #expect(attempts.begin(from: "a", at: instant(Double(second))) == .after(.zero)) }
        #expect(attempts.begin(from: "a", at: instant(10)) == .refused(until: .seconds(50)))
        #expect(attempts.begin(from: "b", at: instant(10)) == .after(.zero))
        #expect(attempts.begin(from: "a", at: instant(59.9)) == .refused(until: .seconds(1)))
        #expect(attempts.begin(from: "a", at: instant(60)) == .after(.zero))
    }

    @Test("that are correct do not count as wrong, and many at once do not get around the limit")
    func rightOnes() {
        var attempts = PINAttempts()
        for _ in 0..<10 {
            #expect(attempts.begin(from: "a", at: instant(1)) == .after(.zero))
            attempts.succeed(from: "a", at: instant(1))
        }
        let verdicts = (0..<100).map { _ in attempts.begin(from: "a", at: instant(1)) }
        #expect(verdicts.count { $0 == .after(.zero) } == 5)
    }

    @Test("that are correct do not cancel the wrong ones from their network")
    func rightAmongWrong() {
        var attempts = PINAttempts()
        for _ in 0..<4 { #expect(attempts.begin(from: "a", at: instant(0)) == .after(.zero)) }
        #expect(attempts.begin(from: "a", at: instant(1)) == .after(.zero))
        attempts.succeed(from: "a", at: instant(1))
        #expect(attempts.begin(from: "a", at: instant(2)) == .after(.zero))
        #expect(attempts.begin(from: "a", at: instant(3)) == .refused(until: .seconds(57)))
    }

    @Test("that are correct are limited to twenty from an address in a minute")
    func manyRightOnes() {
        var attempts = PINAttempts()
        for _ in 0..<20 {
            #expect(attempts.begin(from: "a", at: instant(1)) == .after(.zero))
            attempts.succeed(from: "a", at: instant(1))
        }
        #expect(attempts.begin(from: "a", at: instant(11)) == .refused(until: .seconds(50)))
        #expect(attempts.begin(from: "b", at: instant(11)) == .after(.zero))
        #expect(attempts.begin(from: "a", at: instant(61)) == .after(.zero))
    }

    @Test("wait two seconds each after fifty wrong ones from everywhere, ten at a time")
    func fromEverywhere() {
        var attempts = PINAttempts()
        for number in 0..<50 { #expect(attempts.begin(from: "\(number)", at: instant(0)) == .after(.zero)) }
        for number in 50..<60 {
            #expect(attempts.begin(from: "\(number)", at: instant(1)) == .after(.seconds(2)))
        }
        #expect(attempts.begin(from: "60", at: instant(1)) == .refused(until: .seconds(2)))
        #expect(attempts.begin(from: "60", at: instant(3)) == .after(.seconds(2)))
        #expect(attempts.begin(from: "61", at: instant(70)) == .after(.zero))
    }

    @Test("from everywhere stay far below the rate that would find a PIN: six a second")
    func guesses() {
        var attempts = PINAttempts()
        var compared = 0
        // A hundred guesses a second from as many addresses, for ten minutes.
        for second in 0..<600 {
            for number in 0..<100 {
                if case .after = attempts.begin(from: "\(number)", at: instant(Double(second))) { compared += 1 }
            }
        }
        #expect(compared < 600 * 6)
    }

    /// Makes guesses from ever new addresses, as many as are compared, and more; calls `body` every ten seconds.
    ///
    /// - Returns: the number of compared guesses in each hour.
    private func guess(
        hours: Int, _ attempts: inout PINAttempts,
        _ body: (inout PINAttempts, Instant) -> Void = { _, _ in }
    ) -> [Int] {
        var compared = [Int](repeating: 0, count: hours)
        for step in 0..<hours * 360 {
            let now = instant(Double(step * 10))
            for number in 0..<11 {
                if case .after = attempts.begin(from: "\(step) \(number)", at: now) { compared[step / 360] += 1 }
            }
            body(&attempts, now)
        }
        return compared
    }

    @Test("from everywhere become fewer with each hour, down to one in half a minute, and are reported once an hour")
    func hoursOfGuesses() {
        var attempts = PINAttempts()
        var told: [Int] = []
        let compared = guess(hours: 12, &attempts) { if let count = $0.guesses(at: $1) { told.append(count) } }
        #expect(zip(compared, compared.dropFirst()).prefix(4).allSatisfy { $0 > $1 }, "\(compared)")
        #expect(compared[6...].allSatisfy { $0 <= 3600 / 32 }, "\(compared)")
        #expect(told.count == 12 && told.allSatisfy { $0 >= PINAttempts.totalPerHour }, "\(told)")
        // It takes as many quiet hours to return to normal.
        let (end, wait) = (Double(12 * 3600), PINAttempts.delay * (1 << PINAttempts.highestLevel))
        #expect(attempts.begin(from: "late", at: instant(end)) == .after(wait))
        #expect(attempts.begin(from: "later", at: instant(end + 3 * 3600)) == .after(.seconds(4)))
        #expect(attempts.begin(from: "at last", at: instant(end + 5 * 3600)) == .after(.zero))
        #expect(attempts.guesses(at: instant(end + 5 * 3600)) == nil)
    }

    @Test("from a network that has a session are admitted and wait two seconds, however long the guessing lasts")
    func places() {
        var attempts = PINAttempts()
        attempts.keepPlace(for: "hall", at: instant(0))
        var verdicts: [PINAttempts.Verdict] = []
        var hall = 0
        _ = guess(hours: 6, &attempts) { attempts, now in
            hall += 1
            if hall.isMultiple(of: 60) {
                verdicts.append(attempts.begin(from: "hall", at: now))
                attempts.succeed(from: "hall", at: now)
            }
        }
        #expect(verdicts.dropFirst().allSatisfy { $0 == .after(.seconds(2)) }, "\(verdicts)")
        #expect(verdicts.count == 36)
    }
}

@Suite("A session's ticket")
struct SessionTicketTests {
    private let ticket = SessionTicket(role: .remote, expires: 1_800_000_000, generation: 3, id: "abc")

    @Test("is written as a string, and read back")
    func text() {
        #expect(ticket.text == "remote.1800000000.3.abc")
        #expect(SessionTicket(ticket.text) == ticket)
    }

    @Test(
        "is not read from any other text",
        arguments: ["", "remote", "remote.1.2", "remote.1.2.", "admin.1.2.x", "remote.x.2.y", "a.b.c.d.e"])
    func refused(text: String) { #expect(SessionTicket(text) == nil) }
}
