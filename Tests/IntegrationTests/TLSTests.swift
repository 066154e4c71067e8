import BrokerLink
import Foundation
internal import Mosquitto
import Testing

/// How a connection handles TLS, tested with a real broker and certificates from a private authority.
@Suite struct TLSTests {
    private let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority() }

    private func request(
        _ port: Int, host: String = "localhost", version: MQTTVersion = .v5, tls: TLSFiles
    ) -> ConnectOptions {
        ConnectOptions(
            broker: Broker(host: host, port: port, usesTLS: true), version: version, clientID: "node", keepAlive: 60,
            credentials: nil, tls: tls, will: OutgoingMessage(topic: "timer/node/availability", text: "offline"))
    }

    private func failure(_ request: ConnectOptions) throws -> ConnectionError {
        let driver = ConnectionDriver()
        driver.connection.connect(request)
        try driver.run(until: "the end") { !$0.events.isEmpty }
        driver.run(for: .milliseconds(100))
        #expect(driver.events.count == 1)
        return try #require(driver.failures.first, "connected")
    }

    @Test("it connects if the certificate is good, and messages get through", arguments: MQTTVersion.allCases)
    func good(version: MQTTVersion) throws {
        let broker = try MosquittoBroker(try authority.issue("broker"))
        for host in ["localhost", "127.0.0.1"] {
            let driver = ConnectionDriver()
            try driver.connect(
                request(broker.port, host: host, version: version, tls: TLSFiles(ca: authority.certificate)))
            driver.connection.subscribe([Subscription("timer/node/#")])
            // Several messages, each larger than a TLS record.
            let payload = Array(repeating: UInt8(ascii: "x"), count: 50_000)
            for number in 0..<3 {
                driver.connection.publish(OutgoingMessage(topic: "timer/node/\(number)", payload: payload))
            }
            try driver.run(until: "all three") { $0.messages.count == 3 }
            #expect(driver.messages.allSatisfy { $0.payload == payload })
            driver.connection.disconnect(timeout: .seconds(10))
        }
    }

    /// The possible faults in a broker's certificate.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var validity = CertificateAuthority.Validity.good
        var subject = "DNS:localhost"
        var isForeign = false
        let words: String
    }

    static let faults = [
        Fault(testDescription: "expired", validity: .expired, words: "certificate has expired"),
        Fault(testDescription: "self-signed", validity: .selfSigned, words: "self-signed certificate"),
        Fault(testDescription: "foreign", isForeign: true, words: "unable to get local issuer certificate"),
        Fault(
            testDescription: "for another host", subject: "DNS:other.test",
            words: "the broker's certificate is for a host other than localhost"),
    ]

    @Test("a bad certificate is rejected, with the reason in words", arguments: faults)
    func refused(fault: Fault) throws {
        let issuer = fault.isForeign ? try CertificateAuthority() : authority
        let pair = try issuer.issue("broker", validity: fault.validity, subject: fault.subject)
        let broker = try MosquittoBroker(pair)
        let failure = try failure(request(broker.port, tls: TLSFiles(ca: authority.certificate)))
        #expect(failure.description.hasPrefix("TLS failed: the broker's certificate"))
        #expect(failure.description.hasSuffix(fault.words), "\(failure)")
        #expect(!failure.hintsAtOlderProtocol)
    }

    @Test("without a file, only the system's authorities are trusted")
    func systemAuthorities() throws {
        let broker = try MosquittoBroker(try authority.issue("broker"))
        let failure = try failure(request(broker.port, tls: TLSFiles()))
        #expect(failure.description.hasSuffix("unable to get local issuer certificate"), "\(failure)")

        // A separate process, in which OpenSSL uses the system's authorities.
        let yaml = "node: {id: lectern}\nmqtt: {brokers: [mqtts://localhost:\(broker.port)]}"
        let node = try SpawnedNode(yaml, environment: ["SSL_CERT_FILE": authority.certificate])
        try node.process.waitForLine("the connection") { $0.hasSuffix("connected to mqtts://localhost:\(broker.port)") }
    }

    @Test("a broker that requires a client certificate accepts a valid one, and a missing or wrong one is reported")
    func clientCertificate() throws {
        let broker = try MosquittoBroker(
            try authority.issue("broker"), settings: ["cafile \(authority.certificate)", "require_certificate true"])
        let failure = try failure(request(broker.port, tls: TLSFiles(ca: authority.certificate)))
        // The network determines whether the broker's reason arrives before the connection closes.
        #expect(
            failure.description.hasSuffix("alert certificate required") || failure.description.hasSuffix(Self.noReason),
            "\(failure)")
        #expect(!failure.hintsAtOlderProtocol)

        let own = try authority.issue("node")
        let files = TLSFiles(ca: authority.certificate, certificate: own.certificate, key: own.key)
        try ConnectionDriver().connect(request(broker.port, tls: files))

        let other = try CertificateAuthority()
        let foreign = try other.issue("node")
        let wrong = TLSFiles(ca: authority.certificate, certificate: foreign.certificate, key: foreign.key)
        let refusal = try self.failure(request(broker.port, tls: wrong)).description
        #expect(refusal.hasSuffix("alert unknown ca") || refusal.hasSuffix(Self.noReason), "\(refusal)")
        let mixed = TLSFiles(ca: authority.certificate, certificate: own.certificate, key: foreign.key)
        let reason = try self.failure(request(broker.port, tls: mixed)).description
        #expect(reason.contains("TLS failed: ") && reason.contains(foreign.key), "\(reason)")
        withExtendedLifetime(other) {}
    }

    /// The error message if the broker gives no reason.
    private static let noReason =
        "the broker ended the handshake; it may not use TLS on this port, or may need a client certificate or a different one"

    @Test("a broker without TLS is reported, and is not mistaken for a broker with an older protocol")
    func noTLS() throws {
        let broker = try MosquittoBroker()
        for _ in 0..<10 {
            #expect(
                try failure(request(broker.port, tls: TLSFiles(ca: authority.certificate)))
                    == ConnectionError("TLS failed: \(Self.noReason)"))
        }
    }

    @Test("a server that ends the handshake is reported, however it closes the connection", arguments: [false, true])
    func closed(isReset: Bool) throws {
        let listener = try TCPListener()
        let driver = ConnectionDriver()
        driver.connection.connect(request(listener.port, host: "127.0.0.1", tls: TLSFiles(ca: authority.certificate)))
        let connection = try listener.acceptConnection()
        // Wait for the client's side of the handshake, since closing a socket with unread data resets the connection.
        var watched = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&watched, 1, 30_000) == 1)
        if isReset { listener.close(connection: connection) } else { shutdown(connection, Int32(SHUT_WR)) }
        try driver.run(until: "the end") { !$0.events.isEmpty }
        #expect(
            driver.events == [.lost(ConnectionError("TLS failed: \(Self.noReason)"))])
    }

    @Test("a file that is not a certificate is reported")
    func noFile() throws {
        let listener = try TCPListener()
        let failure = try failure(request(listener.port, tls: TLSFiles(ca: #filePath)))
        #expect(failure.description.contains(#filePath), "\(failure)")
    }
}
