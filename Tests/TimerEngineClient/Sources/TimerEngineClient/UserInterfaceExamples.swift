import Observation
import TimerEngine

/// What a view shows of a sequence, on the main actor.
@MainActor @Observable
final class TalkTimer {
    private(set) var display = ""
    private(set) var mode = TimerEngine.Mode.stopped
    let engine: PlayerEngine

    init(_ model: TimerModel) {
        engine = PlayerEngine(model)
        update()
        engine.onMainActor { [weak self] _ in self?.update() }
    }

    private func update() {
        display = engine.timerDisplay
        mode = engine.mode
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    /// The example of the documentation; where there is no SwiftUI only what it shows is compiled.
    struct TalkView: View {
        @State var timer: TalkTimer

        var body: some View {
            VStack {
                Text(timer.display).font(.largeTitle).monospacedDigit()
                Button(timer.mode.isRunning ? "Pause" : "Start") { try? timer.engine.toggle() }
            }
        }
    }
#endif

/// What the view shows after a second, without the view.
@MainActor
func show() async throws -> String {
    let talk = TimerItem(name: "Talk", thresholds: try TimerEngine.Thresholds(start: 90))
    let timer = TalkTimer(try TimerModel(groups: [TimerGroup(timers: [talk])]))
    try timer.engine.start()
    while timer.display != "1:29" { await Task.yield() }
    defer { timer.engine.stop() }
    return "\(timer.display) \(timer.mode)"
}
