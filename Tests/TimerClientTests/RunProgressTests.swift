import NodeConfiguration
import NodeTestSupport
import Testing
import TimerEngine

@testable import TimerClient
@testable import TimerProtocol

@Suite("The progress of a run")
struct RunProgressTests {
    @Test("grows between messages, from 0 at the start to 1 at zero, and stays there")
    func grows() throws {
        var story = ClientStory(try Scenario(60, 40, 20) { $0.mqtt?.tickEvery = .zero })
        #expect(story.mirror?.progress(at: story.now.instant) == nil)
        story.connect()
        #expect(story.mirror?.progress(at: story.now.instant) == 0)
        story.send(.player(.start(selector: nil)))
        // No state is published during these seconds.
        story.wait(.seconds(6))
        let progress = try #require(story.mirror?.progress(at: story.now.instant))
        #expect(abs(progress - 0.1) < 0.0001)
        story.wait(.seconds(60))
        #expect(story.mirror?.progress(at: story.now.instant) == 1)
    }
}
