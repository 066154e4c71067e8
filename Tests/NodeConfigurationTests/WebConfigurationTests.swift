import BrokerLink
import ConfigurationFiles
internal import LinuxSystem
internal import NodeConfiguration
internal import TestSupport
internal import Testing

@Suite("The configuration of timer-web")
struct WebConfigurationTests {
    private func load(
        _ yaml: String, _ environment: [String: String] = [:]
    ) throws(ConfigurationError) -> WebConfiguration.Loaded {
        try WebConfiguration.load(
            yaml: Array(yaml.utf8), file: "web.yaml", environment: environment, readFile: File.read)
    }

    /// The lines of the faults.
    private func faults(_ yaml: String, _ environment: [String: String] = [:]) -> [String] {
        do throws(ConfigurationError) {
            _ = try load(yaml, environment)
            return []
        } catch { return error.lines }
    }

    @Test("may be empty")
    func empty() throws {
        let configuration = try load("{}").configuration
        #expect(configuration == WebConfiguration())
        #expect(configuration.web.listen.description == "[::]:8080")
        #expect(configuration.web.path == "/")
        #expect(configuration.mqtt == nil)
    }

    @Test("may have every setting that web.md describes")
    func everything() throws {
        let configuration = try load(
            """
            mqtt: {brokers: [mqtts://broker.example], prefix: hall/timer, discovery: {style: none}, client_id: mine}
            web:
              listen: 127.0.0.1:8081
              public_url: HTTPS://x
            """.replacing("HTTPS://x", with: "https://Timer.example:443/hall")
                + """

                  trusted_proxies: [127.0.0.1, 10.0.0.0/8, "::1"]
                  authenticating_proxies: [172.30.32.2]
                  view: pin
                  frame_ancestors: ["https://ha.example:8123"]
                  nodes: [lectern]
                  messages: ["One more minute"]
                  views: {projector: "?display=circular&digits=off"}
                storage: {directory: /srv/web}
                log: {level: debug, format: json}
                """
        ).configuration
        #expect(configuration.web.listen == .init(host: "127.0.0.1", port: 8081))
        #expect(configuration.web.publicURL?.origin == "https://timer.example")
        #expect(configuration.web.publicURL?.description == "https://timer.example/hall/")
        #expect(configuration.web.path == "/hall/")
        #expect(configuration.web.proxies.count == 4)
        #expect(configuration.web.views.map(\.query) == ["display=circular&digits=off"])
        #expect(configuration.mqtt?.prefix == "hall/timer")
        #expect(configuration.storage.directory == "/srv/web")
    }

    @Test(
        "has faults that name the location and the expected form",
        arguments: [
            ("web: {lisen: x}", "web.yaml:1: web.lisen: unknown; did you mean listen?"),
            ("webb: {}", "web.yaml:1: webb: unknown; did you mean web?"),
            ("web: {listen: 8080}", "web.yaml:1: web.listen: found \"8080\", expected ADDRESS:PORT"),
            ("web: {listen: \"::1:8080\"}", "web.yaml:1: web.listen: found \"::1:8080\", expected ADDRESS:PORT"),
            ("web: {listen: \"localhost:0\"}", "web.yaml:1: web.listen: found \"localhost:0\", expected ADDRESS:PORT"),
            ("web: {public_url: timer.example}", "web.yaml:1: web.public_url: found \"timer.example\", expected a URL"),
            ("web: {public_url: \"https://u:p@x\"}", "web.yaml:1: web.public_url: found \"https://…\", expected a URL"),
            ("web: {base_path: /n}", "web.yaml:1: web.base_path: found \"/n\", expected a path such as /timer/"),
            ("web: {base_path: /a/../b}", "web.yaml:1: web.base_path: found \"/a/../b\", expected a path"),
            ("web: {base_path: timer}", "web.yaml:1: web.base_path: found \"timer\", expected a path"),
            (
                "web: {base_path: /a, public_url: \"https://x/b\"}",
                "web.yaml:1: web.base_path: found \"/a/\", expected /b/"
            ),
            ("web: {view: yes}", "web.yaml:1: web.view: found \"yes\", expected open or pin"),
            (
                "web: {trusted_proxies: [proxy]}",
                "web.yaml:1: web.trusted_proxies[1]: found \"proxy\", expected an address"
            ),
            ("web: {trusted_proxies: [10.0.0.0/33]}", "web.yaml:1: web.trusted_proxies[1]: found \"10.0.0.0/33\""),
            (
                "web: {frame_ancestors: [\"x; script-src *\"]}",
                "web.yaml:1: web.frame_ancestors[1]: found \"x; script-src *\""
            ),
            ("web: {nodes: [Lectern]}", "web.yaml:1: web.nodes[1]: found \"Lectern\", expected 1 to 63"),
            ("web: {views: {p: \"a b\"}}", "web.yaml:1: web.views.p: found \"a b\", expected a query"),
            ("web: {views: {P: x}}", "web.yaml:1: web.views.P: found \"P\", expected 1 to 63"),
            ("mqtt: {brokers: [x]}", "web.yaml:1: mqtt.brokers[1]: found \"x\", expected mqtt://HOST"),
            (
                "mqtt: {password: hunter2}",
                "web.yaml:1: mqtt.password: found a password in the file, expected password_file"
            ),
        ])
    func wrong(yaml: String, fault: String) {
        #expect(faults(yaml).contains { $0.hasPrefix(fault) }, "\(faults(yaml))")
    }

    @Test("has a path of at most 256 bytes")
    func longPath() throws {
        let longest = "/" + String(repeating: "a", count: 255)
        #expect(try load("web: {base_path: \(longest)}").configuration.web.path == longest + "/")
        #expect(faults("web: {base_path: \(longest)a}").count == 1)
    }

    @Test("is overridden by variables, whose names omit the section web")
    func environment() throws {
        let environment = [
            "TIMER_WEB_LISTEN": "[::1]:9000", "TIMER_WEB_MQTT_BROKERS": "mqtt://a, mqtt://b", "TIMER_WEB_VIEW": "pin",
        ]
        let configuration = try load("web: {listen: 127.0.0.1:80}", environment).configuration
        #expect(configuration.web.listen == .init(host: "::1", port: 9000))
        #expect(configuration.web.view == .pin)
        #expect(configuration.mqtt?.link.brokers.map(\.host) == ["a", "b"])
        #expect(
            faults("{}", ["TIMER_WEB_LISTN": "x"]) == ["TIMER_WEB_LISTN: unknown; did you mean TIMER_WEB_LISTEN?"])
    }

    @Test("warns of a viewer's PIN if everybody may use the remote")
    func warning() throws {
        let warnings = try load("web: {view: pin, remote: open}").warnings.map(\.description)
        #expect(warnings.first?.hasPrefix("web.yaml:1: warning: web.view: not used: remote is open") == true)
    }

    @Test(
        "warns that all programs and websites on this machine are operators if it is an authenticating proxy",
        arguments: [("127.0.0.1", 1), ("\"::/0\"", 1), ("172.30.32.2", 0)])
    func ownMachine(proxy: String, count: Int) throws {
        let warnings = try load("web: {authenticating_proxies: [\(proxy)]}").warnings.map(\.description)
        #expect(warnings.count { $0.contains("web.authenticating_proxies: includes this machine") } == count)
    }

    @Test("has a page with every key, generated from the declarations: timer-web configuration-reference")
    func reference() throws {
        let page = try File.read(repositoryFile("docs/web-configuration.md"), upTo: 1 << 20)
        #expect(
            String(decoding: page, as: UTF8.self) == WebConfiguration.reference,
            "docs/web-configuration.md must be generated again")
    }

    @Test("as shipped has no fault")
    func shipped() throws {
        let loaded = try WebConfiguration.load(
            path: repositoryFile("config/timer-web.yaml"), environment: [:], readFile: File.read)
        #expect(loaded.warnings.isEmpty)
        #expect(loaded.configuration.web.listen == WebConfiguration.Web().listen)
    }
}
