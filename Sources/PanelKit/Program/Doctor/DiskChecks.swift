import Terminal

extension DoctorCheck {
  static let diskChecks = [disk]

  /// Checks the free space, and the errors that the file system has counted.
  static let disk = DoctorCheck(16) { system in
    let machine = system.machine
    var found: [CheckResult] = []
    let folder = "/sys/fs/ext4"
    for device in (machine.entries(of: folder) ?? []).sorted() {
      guard let text = machine.text(of: "\(folder)/\(device)/errors_count"), let errors = Int(text), errors > 0 else {
        continue
      }
      found.append(.warning("\(device) has had \(counted(errors, "error"))", "replace the card, or check it with fsck"))
    }
    for path in ["/", "/var/lib/panel"] {
      guard let share = machine.freeShare(at: path), share < 0.02 else { continue }
      found.append(
        .warning("the disk of \(path) is full to \(100 - Int(share * 100)) %", "make room: du -xh / | sort -h"))
    }
    return found.isEmpty ? [.ok("the disk has room")] : found
  }
}
