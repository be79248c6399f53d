import CycleCore
import Glibc
import TestSupport
import Testing

@testable import HardwareDrivers
@testable import HardwareLinux

@Suite("NumberFile")
struct NumberFileTests {
  @Test("the first number in the file, with its scale, its offset and its unit")
  func number() throws {
    try withFiles(["temp": "48312\n", "air": "humidity: 45.5 %, 21 °C\n"]) { (folder: String) throws in
      #expect(try reading(NumberFile("\(folder)/air")) == "45.5 ")
      #expect(
        try reading(NumberFile("\(folder)/temp", conversion: NumberConversion(scale: 0.5, offset: -100, unit: "°C")))
          == "24056.0 °C")
    }
  }

  @Test("a file that is not there, is empty or has no number, and what it has instead")
  func noNumber() throws {
    try withFiles(["empty": "", "blank": " \n\n", "text": "warm and dry\n", "long": "x"]) { (folder: String) throws in
      #expect(
        failure(NumberFile("\(folder)/none"))
          == "absent: cannot read the sensor \(folder)/none: there is no \(folder)/none (ENOENT). "
          + "Check the path; the file is read when it exists.")
      for file in ["empty", "blank"] {
        #expect(
          failure(NumberFile("\(folder)/\(file)"))
            == "failed: cannot read the sensor \(folder)/\(file): \(folder)/\(file) is empty. "
            + "The program that writes the file must write a number into it.")
      }
      #expect(
        failure(NumberFile("\(folder)/text"))
          == "failed: cannot read the sensor \(folder)/text: \(folder)/text has no number but \"warm and dry\". "
          + "Name a file with a decimal number in its first 4096 bytes.")
      #expect(failure(NumberFile("\(folder)/text/in")).hasPrefix("absent: "))
    }
  }

  @Test("of a file without end only the first bytes are read")
  func endless() throws {
    try withFiles(["endless": ""]) { (folder: String) throws in
      let path = "\(folder)/endless"
      #expect(truncate(path, 1 << 40) == 0, "a file of zeros that takes no room")
      #expect(
        failure(NumberFile(path))
          == "failed: cannot read the sensor \(path): \(path) has no number but "
          + "\"\(String(repeating: "\\x00", count: 32))…\". Name a file with a decimal number in its first 4096 bytes.")
    }
  }

  @Test("a device, a pipe and a folder are not opened")
  func noFile() throws {
    try withFiles { (folder: String) throws in
      func text(_ path: String, _ what: String) -> String {
        "unsupported: cannot read the sensor \(path): \(path) is \(what) and no file. Name a file that holds a number."
      }
      #expect(failure(NumberFile("/dev/zero")) == text("/dev/zero", "a device"))
      #expect(failure(NumberFile(folder)) == text(folder, "a folder"))
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      #expect(failure(NumberFile("\(folder)/pipe")) == text("\(folder)/pipe", "a pipe"))
      #expect(symlink("pipe", "\(folder)/link") == 0)
      #expect(failure(NumberFile("\(folder)/link")) == text("\(folder)/link", "a pipe"))
    }
  }

  @Test("a file that this user may not read", .enabled(if: geteuid() != 0, "root may read all files"))
  func forbidden() throws {
    try withFiles(["air": "1"]) { (folder: String) throws in
      #expect(chmod("\(folder)/air", 0) == 0)
      #expect(
        failure(NumberFile("\(folder)/air"))
          == "notPermitted: cannot read the sensor \(folder)/air: permission denied (EACCES). "
          + "Let this user read \(folder)/air.")
    }
  }

  @Test(
    "what the kernel's drivers answer, in words",
    arguments: [
      (EACCES, "notPermitted: permission denied (EACCES). Let this user read /x."),
      (EIO, "failed: its reading failed (EIO). Check its wires and its supply; `dmesg` may show the cause."),
      (
        ETIMEDOUT, "failed: its reading failed (ETIMEDOUT). Check its wires and its supply; `dmesg` may show the cause."
      ),
      (
        EREMOTEIO,
        "lost: it does not answer (EREMOTEIO). Check its wires and its supply; it is read again when it is back."
      ),
      (ENODEV, "lost: it does not answer (ENODEV). Check its wires and its supply; it is read again when it is back."),
      (EBUSY, "busy: another program measures with it (EBUSY). End that program, or the buffer that it has enabled."),
      (ENODATA, "failed: it is disabled (ENODATA). Enable it by the file beside /x."),
      (EAGAIN, "failed: it has no number yet (EAGAIN). It is read again."),
      (EMFILE, "failed: this program has too many files open (EMFILE). Check /x; `dmesg` may show the cause."),
    ])
  func answers(number: Int32, words: String) {
    let error = SensorFile("/x").explain(SystemFailure(function: "read", number: number), NumberErrorFactory("air"))
    let text = "\(error.kind): \(error)"
    #expect(text == words.replacing(": ", with: ": cannot read the sensor air: ", maxReplacements: 1))
    #expect(error.subject == "air")
  }
}
