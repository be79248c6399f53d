import Glibc
import TestSupport
import Testing

@testable import CycleCore
@testable import HardwareDrivers
@testable import HardwareLinux
@testable import HardwareSimulation

/// Runs the body with the path of an empty folder, which is removed afterwards with the named files in it.
private func withFolder<Value>(removing files: [String] = [], _ body: (String) throws -> Value) throws -> Value {
  var template = Array("/tmp/device-folder-XXXXXX".utf8CString)
  precondition(mkdtemp(&template) != nil, "a folder can be made")
  let folder = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
  defer {
    for file in files { unlink("\(folder)/\(file)") }
    rmdir(folder)
  }
  return try body(folder)
}

private func touch(_ path: String) {
  close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
}

/// The error without the name of the folder.
private func message(_ folder: String, _ choice: GPIOChipPort.ChipChoice) -> String {
  do {
    _ = try LinuxGPIO(choice, deviceFolder: folder)
      .request([LineConfiguration("GPIO17", .input(.asIs))], consumer: "test")
    return "no error"
  } catch {
    return error.description.split(separator: folder, omittingEmptySubsequences: false).joined(separator: "DIR")
  }
}

@Suite struct DeviceFolderTests {
  @Test("a folder without chips, on the real system")
  func empty() throws {
    let (text, leftOpen) = try withOwnDescriptors { try withFolder { message($0, .auto) } }
    #expect(
      text == "cannot find a GPIO chip: there is no gpiochip in DIR. Check with `gpiodetect` that the kernel has "
        + "a driver for GPIO lines of this board, or simulate the panel.")
    #expect(leftOpen == 0)
  }

  @Test("a file that only has the name of a chip is none")
  func noDevice() throws {
    let (text, leftOpen) = try withOwnDescriptors {
      try withFolder(removing: ["gpiochip0"]) { folder in
        touch("\(folder)/gpiochip0")
        return message(folder, .named("gpiochip0"))
      }
    }
    #expect(text.hasPrefix("cannot find a GPIO chip: there is no gpiochip in DIR. "))
    #expect(leftOpen == 0)
  }

  @Test(
    "what is no chip is told, and is not opened: opening some devices does something",
    arguments: ["/dev/null", "/dev/tty"])
  func otherDevice(path: String) throws {
    #expect(!LibGPIOD().mayBeChip(path))
    let text = try withFolder { message($0, .named(path)) }
    #expect(
      text
        == "cannot find GPIO chip \"\(path)\": not a GPIO chip. Choose one that `gpiodetect` lists."
    )
  }

  @Test("a named pipe that has the name of a chip is not opened")
  func pipe() throws {
    let text = try withFolder(removing: ["gpiochip0"]) { folder in
      mkfifo("\(folder)/gpiochip0", 0o600)
      #expect(!LibGPIOD().mayBeChip("\(folder)/gpiochip0"))
      return message(folder, .auto)
    }
    #expect(text.hasPrefix("cannot find a GPIO chip: there is no gpiochip in DIR."))
  }

  @Test("a folder that is not there")
  func noFolder() throws {
    let (text, leftOpen) = try withOwnDescriptors { message("/nowhere", .auto) }
    #expect(
      text == "cannot look for GPIO chips in DIR: not there (ENOENT). Check that the folder exists and may be read.")
    #expect(leftOpen == 0)
  }

  @Test("the watch for a return wakes when a node comes, changes its permissions and goes, and until then sleeps")
  func watching() throws {
    let (woken, leftOpen) = try withOwnDescriptors {
      try withFolder { folder in
        let loop = try LinuxLoop()
        let cycleContext = CycleContext(lensCount: 8)
        cycleContext.begin(on: loop)
        let watch = try #require(
          try LinuxGPIO(deviceFolder: folder).watchForReturn(Watcher(cycleContext: cycleContext, lens: 7)))
        var woken: [Int] = []
        func look() throws {
          var ready = ReadyList()
          try loop.wait(until: .zero, ready: &ready)
          woken.append(ready.first?.lens ?? -1)
          watch.acknowledge()
        }
        try look()
        touch("\(folder)/gpiochip0")
        try look()
        try look()
        chmod("\(folder)/gpiochip0", 0o660)
        try look()
        unlink("\(folder)/gpiochip0")
        try look()
        watch.release()
        touch("\(folder)/gpiochip1")
        try look()
        unlink("\(folder)/gpiochip1")
        return woken
      }
    }
    #expect(woken == [-1, 7, -1, 7, 7, -1])
    #expect(leftOpen == 0)
  }

  @Test("the return of a sound server is news, and other entries of its folder are not")
  func soundServer() throws {
    let (news, leftOpen) = try withOwnDescriptors {
      try withFolder { folder in
        let cycleContext = CycleContext(lensCount: 1)
        cycleContext.begin(on: try LinuxLoop())
        mkdir("\(folder)/pulse", 0o700)
        let places = ALSACard.places(runtimeFolder: folder).filter { $0.folder.hasPrefix(folder) }
        #expect(places.count == 2 && ALSACard.places(runtimeFolder: nil).map(\.folder) == ["/dev/snd"])
        let watch = try FolderWatch(places, for: "a sound card", Watcher(cycleContext: cycleContext, lens: 0))
        var news: [Bool] = []
        for name in ["bus", "pipewire-0", "pipewire-0.lock", "pulse/pid", "pulse/native"] {
          touch("\(folder)/\(name)")
          news.append(watch.acknowledge())
          unlink("\(folder)/\(name)")
          watch.acknowledge()
        }
        watch.release()
        rmdir("\(folder)/pulse")
        return news
      }
    }
    #expect(news == [false, true, false, false, true])
    #expect(leftOpen == 0)
  }

  @Test("a folder that can't be read to its end is an error, not a folder with fewer entries")
  func unreadable() throws {
    let (failure, _) = try withOwnDescriptors { () -> SystemFailure? in
      let root = opendir("/")
      let directory = try #require(root)
      defer { closedir(directory) }
      close(dirfd(directory))
      do throws(SystemFailure) {
        _ = try Folder.entries(of: directory)
        return nil
      } catch {
        return error
      }
    }
    #expect(failure == SystemFailure(function: "readdir", number: EBADF))
  }

  @Test("a folder that can't be watched")
  func watchingNothing() throws {
    let (text, leftOpen) = try withOwnDescriptors {
      let cycleContext = CycleContext(lensCount: 1)
      cycleContext.begin(on: try LinuxLoop())
      do throws(DriverError) {
        _ = try LinuxGPIO(deviceFolder: "/nowhere").watchForReturn(Watcher(cycleContext: cycleContext, lens: 0))
        return "watched"
      } catch {
        return error.description
      }
    }
    #expect(
      text == "cannot watch /nowhere for the return of a GPIO chip: not there (ENOENT). "
        + "Raise fs.inotify.max_user_instances or the limit of open files; the folder must be there.")
    #expect(leftOpen == 0)
  }

  @Test("an errno has its name, also the kernel's own one and one that nobody knows")
  func names() {
    #expect([EBUSY, ENODEV, 524, 4000].map(SystemFailure.name) == ["EBUSY", "ENODEV", "ENOTSUPP", "errno 4000"])
  }
}
