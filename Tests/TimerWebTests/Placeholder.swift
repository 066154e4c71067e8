internal import Testing

@testable internal import timer_web
