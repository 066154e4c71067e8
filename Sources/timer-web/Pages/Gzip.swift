internal import CZlib

/// Compression by zlib.
enum Gzip {
    /// The bytes compressed as well as it goes, since it is done once; nil where zlib has no memory.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        let windowOfGzip: Int32 = 15 + 16
        // SAFETY: the stream is only used here and ends before this function does.
        guard
            unsafe deflateInit2_(
                &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowOfGzip, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { unsafe deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
        // SAFETY: zlib reads and writes within the two arrays, whose addresses hold until the call returns. The bound
        // is enough for one call.
        let result = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                return unsafe deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        return Array(output.prefix(Int(unsafe stream.total_out)))
    }
}
