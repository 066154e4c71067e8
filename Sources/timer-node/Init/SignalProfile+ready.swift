internal import NodeConfiguration

/// The ready timers of each profile, which are those of `config/timer-node.yaml` and `config/toastmasters.yaml`.
extension SignalProfile {
    /// What follows `timers:` in a configuration.
    var readyTimers: String {
        switch self {
        case .podium:
            """
              settings:
                start_timer_immediately: true      # next and previous also start the timer; false waits for a start
              groups:
                - name: Talk
                  display: stoplights
                  alarm: sound                     # none, sound, vibrate or soundVibrate
                  sound: alarm                     # the pattern of the alarm; none for silence
                  transition: beep                 # the pattern between two timers; none for silence
                  at_zero: next                    # goes on with the next timer; or alarm
                  timers:
                    - {name: Talk, start: 20:00, warning: 5:00, final: 1:00}
                    - {name: Questions, start: 5:00, warning: 1:00, final: 0:15}
            """
        case .toastmasters:
            """
              settings:
                start_timer_immediately: false     # next selects; start, or a button with toggle, starts
              groups:                              # green from min, yellow from mid, red from max
                - name: Prepared speeches
                  display: stoplights
                  at_zero: alarm                   # red stays after each speaker until somebody stops it
                  timers:
                    - {name: Ice Breaker, min: 4:00, mid: 5:00, max: 6:00}
                    - {name: Speech, min: 5:00, mid: 6:00, max: 7:00}
                    - {name: Long speech, min: 10:00, mid: 11:00, max: 12:00}
                - name: Table Topics
                  display: stoplights
                  at_zero: alarm
                  timers:
                    - {name: Table Topic, min: 1:00, mid: 1:30, max: 2:00}
                - name: Evaluations
                  display: stoplights
                  at_zero: alarm
                  timers:
                    - {name: Evaluation, min: 2:00, mid: 2:30, max: 3:00}
            """
        }
    }

    /// What follows `profile:` in a configuration.
    var readySignals: String {
        switch self {
        case .podium: "alarm_sound_for: 10s           # the lamps go on until the timer is stopped; 0 for silence"
        case .toastmasters: "grace: 30s                     # from then on red flashes: the speech does not qualify"
        }
    }
}
