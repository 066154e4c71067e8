import TimerEngine

// Runs the examples and prints their results.
let engine = runByItself()
let other = TimerEngine()
print("virtual time:", testInVirtualTime())
print("carried over:", carryOver(from: engine, to: other), other.mode)
other.stop()
await follow(TimerEngine(startingTimeInSeconds: 1))

print("countdown:", try count().count, "events;", refused())
print("sequence:", try playSequence().count, "events")
let clock = TimerEngine.ManualClock()
let sequence = try playByItself(on: clock)
clock.advance(by: .seconds(1500))
print("in its own loop:", sequence.mode, sequence.used)
print("on the main actor:", try await show())
var player = TimerPlayer()
try rename(&player, at: TimerEngine.SystemClock().now)
print("edit:", edit(&player, at: TimerEngine.SystemClock().now))
