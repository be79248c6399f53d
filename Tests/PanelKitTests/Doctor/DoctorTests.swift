import CycleCore
import HardwareDrivers
import TestSupport
import Testing

@testable import PanelKit
@testable import PanelLanguage

@Suite("The checks of panel doctor")
struct DoctorTests {
  private static let text = """
    panel: Doorbell
    audio: { device: default }
    inputs: { bell: { button: GPIO7 } }
    outputs: { lamp: { led: GPIO23 } }
    sounds: { ding: { tone: 440Hz, for: 1s } }
    initial: idle
    states: { idle: { on: { bell.pressed: rings } }, rings: { show: { lamp: on }, play: [ding], after: { 1s: idle } } }
    """

  private static func diagnoses(
    of text: String = text, playing sound: String = "/etc/panel/ding.wav", _ fault: (inout FaultyMachine) -> Void
  ) -> [CheckResult] {
    var machine = FaultyMachine()
    let path = "/etc/panel/doorbell.panel.yaml"
    fault(&machine)
    let content = Result { () throws(Problems) in
      var panel = try PanelFile.read(Array(text.utf8), file: path)
      // The reader refuses a file that is not on the machine that runs the test.
      for place in panel.sounds.indices { panel.sounds[place].source = .file(sound) }
      return panel
    }
    let system = ExaminedSystem(machine: machine, panel: ExaminedPanel(file: path, content: content))
    return DoctorCheck.all.flatMap { $0.examine(system) }
  }

  /// What is not as it should be, and the exit status.
  private static func faults(
    of text: String = text, playing sound: String = "/etc/panel/ding.wav", _ fault: (inout FaultyMachine) -> Void
  ) -> (lines: [String], status: Int32) {
    let all = diagnoses(of: text, playing: sound, fault)
    return (all.filter { $0.severity != .ok }.map(\.line), Doctor.status(of: Set(all.map(\.status))))
  }

  @Test("find nothing where all is well")
  func healthy() {
    let all = Self.diagnoses { _ in }
    #expect(all.allSatisfy { $0.severity == .ok }, "\(all.map(\.line))")
    #expect(all.first?.line == "ok    Debian GNU/Linux 13 (trixie), aarch64, 64 bit")
    #expect(Doctor.status(of: Set(all.map(\.status))) == 0)
    #expect(Set(DoctorCheck.all.map(\.number)).count == DoctorCheck.all.count)
  }

  /// The panel with a time of day.
  private static let timed = text.replacing("states: { idle: {", with: "states: { idle: { at: { 08:00 mon: rings },")

  private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let line: String
    let status: Int32
    let text: String
    let fault: @Sendable (inout FaultyMachine) -> Void

    init(
      _ line: String, _ status: Int32, of text: String = DoctorTests.text,
      _ fault: @escaping @Sendable (inout FaultyMachine) -> Void
    ) {
      (testDescription, self.line, self.status, self.text, self.fault) = (line, line, status, text, fault)
    }
  }

  private static func failure(_ kind: DriverError.Kind) -> DriverError {
    DriverError(kind, cannot: "do it", reason: "of a reason", remedy: "Do something.")
  }

  private static let cases = [
    Case(
      "FAIL  Debian GNU/Linux 13 (trixie) has a 32-bit userland — there is no package for it: use the 64-bit image", 69
    ) {
      $0.wordSize = 32
    },
    Case(
      "warn  Linux 5.4.0 gives edges no numbers, so lost ones can't be counted — update the system to Linux 5.10 or newer",
      1
    ) {
      $0.kernel = "5.4.0"
    },
    Case("FAIL  libgpiod.so.3 is missing, for lines — sudo apt install libgpiod3", 69) {
      $0.missingLibraries = ["libgpiod"]
    },
    Case("FAIL  libasound.so.2 is missing, for sound — sudo apt install libasound2", 1) {
      $0.missingLibraries = ["libasound"]
      $0.texts["/etc/os-release"] = "VERSION_ID=\"12\""
    },
    Case("FAIL  no GPIO chip in /dev — is this a container? It has to be given /dev/gpiochip0", 69) {
      $0.chipFault = failure(.absent)
    },
    Case(
      "FAIL  panel may not use /dev/gpiochip0 — the udev rule is not applied: "
        + "sudo udevadm trigger --name-match=gpiochip0 --action=change", 77
    ) {
      $0.files["/dev/gpiochip0"]!.mode = 0o600
    },
    Case("warn  pi may not use /dev/gpiochip0 — sudo adduser pi gpio, and log in again", 1) { $0.me.groups = [1000] },
    Case(
      "FAIL  GPIO7 is held by \"spi0 CS1\" — remove dtparam=spi=on from /boot/firmware/config.txt, then sudo reboot", 69
    ) {
      $0.lineHolders["GPIO7"] = "spi0 CS1"
    },
    Case("warn  pigpiod runs, and drives lines past the kernel — sudo systemctl disable --now pigpiod", 1) {
      $0.folders["/proc"]!.append("77")
      $0.texts["/proc/77/comm"] = "pigpiod"
    },
    Case("FAIL  /etc/panel/doorbell.panel.yaml plays sounds, but cannot do it: of a reason — Do something.", 1) {
      $0.soundFault = failure(.absent)
    },
    Case(
      "FAIL  panel may not read /etc/panel/ding.wav — sudo chgrp panel /etc/panel/ding.wav && sudo chmod g+r /etc/panel/ding.wav",
      1
    ) {
      $0.files["/etc/panel/ding.wav"]!.mode = 0o600
    },
    Case(
      "warn  panel@doorbell has a real-time priority of 0 at most, so sound may stutter under load — "
        + "LimitRTPRIO=50 in its unit: sudo systemctl edit panel@doorbell", 1
    ) {
      $0.unit["LimitRTPRIO"] = "0"
    },
    Case(
      "FAIL  panel@doorbell has failed: exit-code, status 65 — its file is wrong: see check 5; then sudo systemctl restart panel@doorbell",
      1
    ) {
      $0.unit.merge(["ActiveState": "failed", "Result": "exit-code", "ExecMainStatus": "65"]) { $1 }
    },
    Case("warn  panel@doorbell does not run — sudo systemctl enable --now panel@doorbell", 1) {
      $0.unit["ActiveState"] = "inactive"
    },
    Case(
      "FAIL  panel@doorbell is in safe mode: it has crashed again and again, its outputs are at rest — "
        + "panel log doorbell shows the reason; then run panel reload doorbell", 1
    ) {
      $0.unit["StatusText"] = "safe mode after 5 crashes; panel reload doorbell leaves it"
    },
    Case("FAIL  GPIO99: no chip has a line of that name — The nearest is GPIO9.", 69) {
      $0.lineFault = DriverError(
        .absent, of: "GPIO99", cannot: "request line GPIO99 as input", reason: "no chip has a line of that name",
        remedy: "The nearest is GPIO9.")
    },
    Case(
      "warn  panel@doorbell is active, after 3 restarts — panel log doorbell shows the reason", 1
    ) {
      $0.unit["NRestarts"] = "3"
    },
    Case(
      "warn  a watchdog of 1min is not taken on a Raspberry Pi, 15 s are the most — "
        + "write RuntimeWatchdogSec=14 into /etc/systemd/system.conf, then sudo reboot", 1
    ) {
      $0.watchdog = "1min"
    },
    Case("warn  the journal is lost at a reboot — sudo mkdir /var/log/journal", 1) {
      $0.folders["/var/log/journal"] = nil
    },
    Case("warn  everybody may read /etc/panel/doorbell.mqtt — sudo chmod 640 /etc/panel/doorbell.mqtt", 1) {
      $0.folders["/etc/panel"]!.append("doorbell.mqtt")
      $0.files["/etc/panel"]!.mode = 0o755
      $0.files["/etc/panel/doorbell.mqtt"] = FileStatus(owner: 0, group: 990, mode: 0o644)
    },
    Case(
      "warn  the supply's voltage was too low since the start — "
        + "use the power supply made for the board, and a short cable: low voltage damages SD cards", 1
    ) {
      $0.texts["/sys/devices/platform/soc/soc:firmware/get_throttled"] = "50000"
    },
    Case("warn  mmcblk0p2 has had 2 errors — replace the card, or check it with fsck", 1) {
      $0.folders["/sys/fs/ext4"] = ["mmcblk0p2"]
      $0.texts["/sys/fs/ext4/mmcblk0p2/errors_count"] = "2"
    },
    Case(
      "warn  the kernel leaves outputs driven when a program is killed — the service sets them to their safe state; if a "
        + "resistor holds each output in its safe state, dtparam=strict_gpiod in /boot/firmware/config.txt makes the "
        + "kernel release them, too", 1
    ) {
      $0.texts["/sys/module/pinctrl_bcm2835/parameters/persist_gpio_outputs"] = "Y"
    },
    Case(
      "warn  the supply's voltage is too low — "
        + "use the power supply made for the board, and a short cable: low voltage damages SD cards", 1
    ) {
      $0.folders["/sys/class/hwmon"] = ["hwmon1"]
      $0.texts["/sys/class/hwmon/hwmon1/name"] = "rpi_volt"
      $0.texts["/sys/class/hwmon/hwmon1/in0_lcrit_alarm"] = "1"
    },
    Case("warn  the processor is slowed down: it is too hot — cool the board", 1) {
      $0.texts["/sys/devices/platform/soc/soc:firmware/get_throttled"] = "4"
    },
    Case(
      "warn  the clock is not set: times in the journal are wrong, the panel does not need it — "
        + "connect the network; timedatectl shows the servers", 1
    ) {
      $0.files["/run/systemd/timesync/synchronized"] = nil
    },
    Case(
      "warn  the clock is not set: times in the journal are wrong, the times of day of the panel do not fire — "
        + "connect the network; timedatectl shows the servers", 1, of: timed
    ) {
      $0.files["/run/systemd/timesync/synchronized"] = nil
    },
    Case(
      "warn  panel@doorbell can't see whether the clock is set: systemd-timesyncd does not run, and its unit does not allow "
        + "adjtimex — sudo apt install systemd-timesyncd; with another time server run sudo systemctl edit panel@doorbell, "
        + "write the three lines [Service], ProtectClock=no and SystemCallFilter=adjtimex clock_adjtime, then run sudo "
        + "systemctl restart panel@doorbell", 1, of: timed
    ) {
      $0.folders["/run/systemd/timesync"] = nil
    },
    Case("warn  there is no unit panel@doorbell — install the package panel", 1) {
      $0.unit["LoadState"] = "not-found"
    },
    Case(
      "FAIL  panel@doorbell has failed: signal, status 11 — "
        + "panel log doorbell shows the reason; then run sudo systemctl restart panel@doorbell", 1
    ) {
      $0.unit.merge(["ActiveState": "failed", "Result": "signal", "ExecMainStatus": "11"]) { $1 }
    },
    Case(
      "warn  nothing restarts the machine when it hangs: its watchdog is off — "
        + "write RuntimeWatchdogSec=14 into /etc/systemd/system.conf, then sudo reboot", 1
    ) {
      $0.watchdog = "0"
    },
    Case(
      "FAIL  panel may not use /dev/gpiochip0 — there is no group gpio: "
        + "install the package, which makes it and the rule for the devices", 77
    ) {
      $0.files["/dev/gpiochip0"] = FileStatus(owner: 0, group: 0, mode: 0o600)
      $0.texts["/etc/group"] = "root:x:0:"
    },
    Case("FAIL  panel may not use /dev/gpiochip0 — sudo adduser panel gpio, and log in again", 77) {
      $0.texts["/etc/group"] = "gpio:x:997:pi\npanel:x:990:"
    },
    Case(
      "FAIL  GPIO23 is held by the kernel or another program — "
        + "stop the program or remove the overlay that holds it, or choose another line; gpioinfo lists all", 69
    ) {
      $0.lineHolders["GPIO23"] = ""
    },
    Case("warn  the disk of / is full to 99 % — make room: du -xh / | sort -h", 1) { $0.free = 0.01 },
  ]

  @Test("tell each fault, and what to do", arguments: cases)
  private func fault(_ one: Case) {
    let found = Self.faults(of: one.text, one.fault)
    #expect(found.lines.contains(one.line), "\(found.lines)")
    #expect(found.status == one.status)
  }

  @Test("tell what is wrong with a file, and end with its status")
  func wrongFile() {
    let found = Self.faults(of: "panel: Wrong\ninitial: x\n") { _ in }
    #expect(found.lines.first?.hasPrefix("FAIL  /etc/panel/doorbell.panel.yaml:") == true, "\(found.lines)")
    #expect(found.status == 65)
  }

  @Test("find no fault in a library that this panel doesn't need, and in a file that its folder hides")
  func unneeded() {
    let all = Self.diagnoses {
      $0.missingLibraries = ["libmicrohttpd", "libmosquitto"]
      $0.folders["/etc/panel"]!.append("panel.env")
      $0.files["/etc/panel/panel.env"] = FileStatus(owner: 0, group: 0, mode: 0o644)
    }
    #expect(all.allSatisfy { $0.severity == .ok }, "\(all.map(\.line))")
    #expect(
      all.map(\.line).contains(
        "ok    libmosquitto.so.1 is not there, and this panel doesn't need it, for an MQTT broker"))
    var machine = FaultyMachine()
    machine.missingLibraries = ["libmicrohttpd", "libgpiod"]
    let found = DoctorCheck.libraries.examine(ExaminedSystem(machine: machine, panel: nil)).map(\.line)
    #expect(
      found.contains("ok    libmicrohttpd.so.12 is not there, and few panels need it, for --monitor"), "\(found)")
    #expect(found.contains("warn  libgpiod.so.3 is missing, for lines — sudo apt install libgpiod3"), "\(found)")
  }

  private static let displayText = """
    panel: Doorbell
    outputs: { screen: { display: { i2c: 0x27 } } }
    initial: idle
    states: { idle: { show: { screen: [ "Ring" ] } } }
    """

  private static func addBus(_ name: String, group: UInt32, to machine: inout FaultyMachine) {
    machine.folders["/dev"]!.append(name)
    machine.files["/dev/\(name)"] = FileStatus(owner: 0, group: group, mode: 0o660)
  }

  @Test("look at the devices of the panel's other ports: the rights to them, and what the unit of the service allows")
  func otherPorts() {
    let unknown = Self.faults(of: Self.displayText) {
      Self.addBus("i2c-1", group: 998, to: &$0)
      $0.texts["/etc/group"]! += "\ni2c:x:998:panel"
      $0.unit["DeviceAllow"] = "char-gpiochip rw\nDeviceAllow=char-alsa rw\nDeviceAllow=char-i2c r"
    }
    #expect(
      unknown.lines == [
        "warn  pi may not use /dev/i2c-1 — sudo adduser pi i2c, and log in again",
        "FAIL  panel@doorbell may not use i2c: its unit does not allow char-i2c — run sudo systemctl edit "
          + "panel@doorbell, write the three lines [Service], DeviceAllow=char-i2c rw and SupplementaryGroups=i2c, then "
          + "run sudo systemctl restart panel@doorbell",
      ])
    #expect(unknown.status == 77)
    // A panel without the port is not concerned.
    #expect(Self.faults { $0.unit["DeviceAllow"] = "char-gpiochip rw\nDeviceAllow=char-alsa rw" }.lines == [])
  }

  @Test(
    "a bus that may be used is enough, and the unit can allow it in several ways",
    arguments: [
      ("closed", "char-gpiochip rw\nDeviceAllow=/dev/i2c-1 rw"), ("strict", "char-* rwm"), ("auto", ""),
    ])
  func severalBuses(policy: String, allowed: String) {
    let faults = Self.faults(of: Self.displayText) {
      // The bus of a monitor belongs to another group.
      Self.addBus("i2c-20", group: 44, to: &$0)
      Self.addBus("i2c-1", group: 998, to: &$0)
      $0.texts["/etc/group"]! += "\ni2c:x:998:pi"
      $0.me.groups.insert(998)
      $0.unit["SupplementaryGroups"] = "gpio i2c"
      $0.unit["DevicePolicy"] = policy
      $0.unit["DeviceAllow"] = allowed
    }
    #expect(faults.lines == [])
  }

  @Test("a bus that the panel needs is reported if the machine has none")
  func noBus() {
    #expect(
      Self.faults(of: Self.displayText) { _ in }.lines == [
        "warn  there is no /dev/i2c-* — enable the hardware, for example with its overlay in config.txt"
      ])
  }

  private static func text(lamp: String) -> String {
    """
    panel: Doorbell
    inputs: { air: { sensor: { iio: bme280, channel: temp }, min: -20, max: 60 } }
    outputs: { lamp: { led: \(lamp) } }
    initial: idle
    states: { idle: { show: { lamp: on } } }
    """
  }

  private static let channel = "/sys/class/pwm/pwmchip0/export"

  private static func addPWM(mode: UInt32 = 0o220, group: UInt32 = 997, to machine: inout FaultyMachine) {
    machine.folders["/sys/class/pwm"] = ["pwmchip0"]
    machine.files[channel] = FileStatus(owner: 0, group: group, mode: mode)
  }

  @Test("the hardware of each device is looked for")
  func hardware() {
    let healthy = Self.diagnoses(of: Self.text(lamp: "GPIO18, pwm: required")) { Self.addPWM(to: &$0) }
    #expect(healthy.allSatisfy { $0.severity == .ok }, "\(healthy.map(\.line))")
    #expect(healthy.map(\.line).contains("ok    the hardware of air, lamp is there"))
    #expect(healthy.map(\.line).contains("ok    pi and panel may use gpiochip0, \(Self.channel)"))

    let absent = Self.faults(of: Self.text(lamp: "GPIO12, pwm: required")) {
      $0.numberFault = NumberErrorFactory("bme280 temp").absent(
        "there is no IIO device bme280 in /sys/bus/iio/devices", remedy: "There is none.")
    }
    #expect(
      absent.lines == [
        "FAIL  air: there is no IIO device bme280 in /sys/bus/iio/devices — There is none.",
        "FAIL  lamp: GPIO12 has no PWM — Add `dtoverlay=pwm,pin=12,func=4` to config.txt and restart the machine.",
      ])
    #expect(absent.status == 1)
    #expect(
      Self.faults(of: Self.text(lamp: "GPIO17, pwm: auto")) { _ in }.lines == [
        "warn  lamp: GPIO17 has no PWM — Add `dtoverlay=pwm-gpio,gpio=17` to config.txt and restart the machine."
      ])
    #expect(Self.faults(of: Self.text(lamp: "GPIO17")) { _ in }.lines == [])
    // One overlay for both channels of the hardware.
    let two = Self.text(lamp: "GPIO12, pwm: required").replacing(
      "} }\ninitial", with: "}, arm: { servo: GPIO13 } }\ninitial")
    let missing = Self.faults(of: two) { _ in }.lines
    let remedy = "Add `dtoverlay=pwm-2chan,pin=12,func=4,pin2=13,func2=4` to config.txt and restart the machine."
    #expect(missing.count == 2 && missing.allSatisfy { $0.hasSuffix(remedy) }, "\(missing)")
  }

  @Test("files in /sys need the rule of udev, and a unit that lets the service write to them")
  func filesOfTheKernel() {
    let text = Self.text(lamp: "GPIO18, pwm: required")
    #expect(
      Self.faults(of: text) { Self.addPWM(mode: 0o200, group: 0, to: &$0) }.lines == [
        "FAIL  panel may not use \(Self.channel) — the udev rule is not applied: "
          + "sudo udevadm trigger --action=change /sys/class/pwm/pwmchip0",
        "warn  pi may not use \(Self.channel) — the udev rule is not applied: "
          + "sudo udevadm trigger --action=change /sys/class/pwm/pwmchip0",
      ])
    let unit = Self.faults(of: text) {
      Self.addPWM(to: &$0)
      $0.unit["ReadWritePaths"] = ""
    }
    #expect(
      unit.lines == [
        "FAIL  panel@doorbell may not use pwm: /sys is read-only in its unit — run sudo systemctl edit panel@doorbell, "
          + "write the three lines [Service], ReadWritePaths=-/sys/devices and SupplementaryGroups=gpio, then run "
          + "sudo systemctl restart panel@doorbell"
      ])
    #expect(unit.status == 77)
    #expect(
      Self.faults(of: text) {
        Self.addPWM(to: &$0)
        $0.unit["ReadWritePaths"] = ""
        $0.unit["ProtectKernelTunables"] = "no"
      }.lines == [])
  }

  @Test("the unit of the package allows the devices of all ports, and its user is in their groups")
  func unitOfPackage() throws {
    let unit = String(decoding: try #require(bytes(of: "\(checkoutRoot)/Packaging/panel@.service")), as: UTF8.self)
    let lines = unit.split(separator: "\n")
    func values(_ key: String) -> Set<String> {
      Set(
        lines.filter { $0.hasPrefix(key + "=") }.flatMap { $0.dropFirst(key.count + 1).split(separator: " ") }.map(
          String.init))
    }
    let nodes = KindList.standard.ports.compactMap { $0.deviceNodes }
    #expect(values("DeviceAllow").subtracting(["rw"]) == Set(nodes.compactMap(\.driver)))
    #expect(values("ReadWritePaths") == ["-/sys/devices"])
    #expect(values("SupplementaryGroups") == Set(nodes.map(\.group)))
  }

  @Test("tell a user without rights how to look at the files of the service")
  func noRights() {
    let path = "/etc/panel/doorbell.panel.yaml"
    let problem = Problem(line: 0, column: 0, text: "permission denied")
    let problems = Problems(kind: .notPermitted, file: path, list: [problem])
    let panel = ExaminedPanel(file: path, content: .failure(problems))
    let found = DoctorCheck.file.examine(ExaminedSystem(machine: FaultyMachine(), panel: panel))
    #expect(found.map(\.remedy) == ["sudo panel doctor doorbell, or sudo adduser pi panel, and log in again"])
    #expect(found.map(\.status) == [77])
  }

  @Test("tell that the service hides a file, and that a card's number may change")
  func sounds() {
    let text = Self.text.replacing("device: default", with: "device: \"plughw:1,0\"")
    let found = Self.faults(of: text, playing: "/home/pi/ding.wav") {
      $0.files["/home/pi/ding.wav"] = FileStatus(owner: 1000, group: 1000, mode: 0o644)
      $0.texts["/proc/asound/card1/id"] = "Headphones"
    }
    #expect(
      found.lines == [
        "warn  plughw:1,0: cards may have other numbers after the next start — write plughw:CARD=Headphones; aplay -l lists the names",
        "FAIL  /home/pi/ding.wav is hidden from panel@doorbell (ProtectHome in its unit) — move it to /etc/panel",
      ])
  }

  @Test("find lines that the service itself holds in order")
  func ownLines() {
    #expect(Self.faults { $0.lineHolders = ["GPIO7": "panel", "GPIO23": "panel"] }.lines == [])
    let stopped = Self.faults {
      $0.lineHolders = ["GPIO7": "panel", "GPIO23": "panel"]
      $0.unit["ActiveState"] = "inactive"
    }
    #expect(stopped.lines.filter { $0.contains("another panel has it") }.count == 2)
  }

  @Test(
    "read spans as systemd prints them",
    arguments: [("0", 0), ("14s", 14), ("1min 30s", 90), ("500ms", 0.5), ("infinity", nil), ("", nil)]
      as [(String, Double?)]
  )
  func spans(_ text: String, _ seconds: Double?) {
    #expect(TimeSpan.seconds(text) == seconds)
  }

  @Test("end with what has to be mended first")
  func order() {
    #expect(Doctor.status(of: [0, 1, 69, 77]) == 77)
    #expect(Doctor.status(of: [0, 1, 65, 69]) == 69)
    #expect(Doctor.status(of: [0, 1]) == 1)
    #expect(Doctor.status(of: [0]) == 0)
  }

  @Test("look at this machine within 2 s a program, and print a line each")
  func command() {
    let result = PanelProcess.run(["doctor", "--json"])
    let lines = result.output.split(separator: "\n")
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"check\": ") && $0.contains("\"severity\": \"") }, "\(result.output)")
    #expect([0, 1, 69, 77].contains(result.status))
    #expect(result.errors == "")
  }
}
