/// A countdown with thresholds on a clock of its own.
public final class TimerEngine {}
