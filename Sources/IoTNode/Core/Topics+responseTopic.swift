extension Topics {
    /// Why no answer goes to a topic that whoever asks has chosen, as the rest of a sentence; nil where it may.
    ///
    /// A node may write topics that the sender may not, above all its own: of these only `PREFIX/ID/response/…` is for
    /// answers. What has a `$` is the broker's, or some convention's description of a device.
    func objection(toResponseTopic topic: String) -> String? {
        let bytes = topic.utf8
        if bytes.isEmpty { return "it is empty" }
        guard bytes.count <= TopicFilter.maximumLength else {
            return "it has \(bytes.count) bytes, more than \(TopicFilter.maximumLength)"
        }
        if bytes.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }) { return "it has a wildcard" }
        if bytes.contains(UInt8(ascii: "$")) { return "it has a $" }
        if topic.unicodeScalars.contains(where: \.isControl) { return "it has a control character" }
        // Bytes, as MQTT compares them.
        let isOurs = bytes.elementsEqual(prefix.utf8) || bytes.starts(with: "\(prefix)/".utf8)
        let answers = "\(response)/".utf8
        let isAnswers = bytes.starts(with: answers) && bytes.count > answers.count
        return isOurs && !isAnswers ? "it is under the node's prefix" : nil
    }
}
