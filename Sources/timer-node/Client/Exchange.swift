internal import ArgumentParser
internal import BrokerLink
internal import CommandLineSupport
internal import Glibc
internal import LinuxSystem
internal import NodeConfiguration
internal import TimerProtocol

/// The arguments of an import: a node, and a file that has what the node is to have, as YAML or as JSON.
struct ExchangeArguments: ParsableArguments {
    @OptionGroup var node: TargetNode

    @Argument(help: "The file; - for a pipe.", completion: .file(extensions: ["yaml", "yml", "json"]))
    var file: String

    /// What a file has.
    enum Document<Section> {
        case json(JSON)
        case yaml(Section)
    }

    /// Reads the file; a fault is said on standard error and ends the process.
    ///
    /// - Parameters:
    ///   - name: the section of a configuration that YAML has.
    ///   - section: reads that section; nil where there is none.
    func read<Section>(
        _ name: String, _ section: (_ yaml: [UInt8]) throws(ConfigurationError) -> Section?
    ) throws(ExitCode) -> Document<Section> {
        let bytes = try orExit(.io) { () throws(FileError) in
            try File.read(file == "-" ? "/dev/stdin" : file, upTo: NodeConfiguration.maximumFileSize + 1)
        }
        let beginsAsJSON = bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
        guard file == "-" ? beginsAsJSON : file.hasSuffix(".json") else {
            let found = try orExit(.configuration) { () throws(ConfigurationError) in try section(bytes) }
            if let found { return .yaml(found) }
            throw fault("found no section \(name)")
        }
        do throws(JSON.ParseError) { return .json(try JSON(parsing: bytes)) } catch { throw fault("\(error)") }
    }

    /// Says what is wrong with the file, and returns the code to exit with.
    func fault(_ text: String) -> ExitCode {
        StandardError.say("\(file): \(text)")
        return .configuration
    }
}

/// The arguments of an export: a node, and the file that gets what the node has.
struct ExportTarget: ParsableArguments {
    @OptionGroup var exchange: ExchangeArguments

    @Flag(help: "Write JSON, whatever the file is called.")
    var json = false

    /// Writes the file, as JSON where its name says so; a fault is said on standard error and ends the process.
    func write(json bytes: @autoclosure () -> [UInt8], yaml: @autoclosure () -> String) throws(ExitCode) {
        let isJSON = json || exchange.file.hasSuffix(".json")
        let text = isJSON ? String(decoding: bytes(), as: UTF8.self) + "\n" : yaml()
        guard exchange.file != "-" else { return try StandardOutput.write(text) }
        do throws(SystemError) { try File.write(Array(text.utf8), to: exchange.file) } catch {
            StandardError.say("cannot write \(exchange.file): \(SystemError.text(error.code))")
            throw .io
        }
    }
}

/// Standard output, for what may be long.
enum StandardOutput {
    /// Writes a text; if that fails, says so on standard error and exits.
    static func write(_ text: String) throws(ExitCode) {
        print(text, terminator: "")
        guard fflush(nil) == 0 else {
            StandardError.say("cannot write to standard output: \(SystemError.text(errno))")
            throw .io
        }
    }
}
