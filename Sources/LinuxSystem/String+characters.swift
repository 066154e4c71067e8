extension String {
    /// The text of C's characters, without the zero at the end; what is not UTF-8 is replaced.
    init(characters: some Sequence<CChar>) {
        self.init(decoding: characters.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
