import Observation
import TimerEngine

/// The values that a view shows for a sequence, on the main actor.
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

    /// The example in the documentation. Without SwiftUI, only the class above is compiled.
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

/// Returns what the view would show after a second.
@MainActor
func show() async throws -> String {
    let talk = TimerItem(name: "Talk", thresholds: try TimerEngine.Thresholds(start: 90))
    let timer = TalkTimer(try TimerModel(groups: [TimerGroup(timers: [talk])]))
    try timer.engine.start()
    while timer.display != "1:29" { await Task.yield() }
    defer { timer.engine.stop() }
    return "\(timer.display) \(timer.mode)"
}
