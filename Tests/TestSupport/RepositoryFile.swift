/// Returns the absolute path of a file in this repository.
package func repositoryFile(_ path: String) -> String {
    let folders = #filePath.split(separator: "/").dropLast(3)
    return "/" + folders.joined(separator: "/") + "/" + path
}
