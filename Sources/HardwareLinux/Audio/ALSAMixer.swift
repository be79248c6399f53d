internal import CALSA
import CycleCore
import Glibc
import HardwareDrivers

/// One element of an ALSA card's mixer, through libasound; all its channels are set to the same value.
public final class ALSAMixer: MixerControl {
  /// Attaches the mixer to the card: `snd_mixer_attach`, or a test's replacement. Returns a negative errno on failure.
  typealias Attaching = (_ mixer: OpaquePointer, _ card: String) -> Int32

  private let card: String
  private let element: String?
  private let attach: Attaching
  private var mixer: OpaquePointer?
  /// The element; nil while the mixer is closed, and after the card has removed the element.
  private var master: OpaquePointer?
  private var scale = VolumeScale(unit: .steps, minimum: 0, maximum: 0)
  private var hasSwitch = false
  public private(set) var descriptors: [PolledDescriptor] = []

  /// The names that cards give their main volume, the preferred one first.
  private static let masters = ["Master", "Speaker", "Headphone", "Digital", "PCM", "Softvol"]

  /// Doesn't open the card.
  /// - Parameters:
  ///   - card: the card's control device: `default`, `hw:CARD=Headphones`, `pulse`.
  ///   - element: the name of the element, as in `amixer scontrols`; nil for the card's main volume.
  public convenience init(card: String = "default", element: String? = nil) {
    self.init(card: card, element: element) { snd_mixer_attach($0, $1) }
  }

  init(card: String, element: String? = nil, attach: @escaping Attaching) {
    self.card = card
    self.element = element
    self.attach = attach
  }

  deinit {
    close()
  }

  // MARK: - Opening

  public var needsThread: Bool { true }

  public func wake(with waker: DriverWaker) {}

  /// Calls `snd_mixer_open`, `snd_mixer_attach`, `snd_mixer_selem_register` and `snd_mixer_load`.
  public func open(on clock: WorkClock) throws(DriverError) {
    close()
    if calsa_load() != 0 { throw ALSAFailure.missingLibrary(opening: "the mixer of the sound card \"\(card)\"") }
    // libasound must read its configuration again: it may have changed since the card was last open.
    snd_config_update_free_global()
    var opened: OpaquePointer?
    try check(snd_mixer_open(&opened, 0), "snd_mixer_open")
    guard let opened else { return }
    mixer = opened
    do throws(DriverError) {
      try check(attach(opened, card), "snd_mixer_attach")
      try check(snd_mixer_selem_register(opened, nil, nil), "snd_mixer_selem_register")
      try check(snd_mixer_load(opened), "snd_mixer_load")
      let master = try find(in: opened)
      self.master = master
      watchForRemoval(of: master)
      hasSwitch = snd_mixer_selem_has_playback_switch(master) != 0
      scale = try readScale(of: master)
      readDescriptors(opened)
    } catch {
      close()
      throw error
    }
  }

  private func check(_ code: Int32, _ function: String) throws(DriverError) {
    if code < 0 { throw ALSAFailure(function, code).opening(card, as: "the mixer of the sound card") }
  }

  private func find(in mixer: OpaquePointer) throws(DriverError) -> OpaquePointer {
    var elements: [(name: String, element: OpaquePointer)] = []
    var next = snd_mixer_first_elem(mixer)
    while let element = next {
      next = snd_mixer_elem_next(element)
      guard snd_mixer_selem_is_active(element) != 0, snd_mixer_selem_has_playback_volume(element) != 0,
        let name = snd_mixer_selem_get_name(element)
      else { continue }
      elements.append((String(cString: name), element))
    }
    let wanted = element.map { [$0] } ?? Self.masters
    for name in wanted {
      if let found = elements.first(where: { $0.name == name }) { return found.element }
    }
    if element == nil, let first = elements.first { return first.element }
    throw DriverError(
      .unsupported, of: card, cannot: "use the mixer of the sound card \"\(card)\"",
      reason: element.map { "it has no volume \"\($0)\"" } ?? "it has no volume",
      remedy: elements.isEmpty
        ? "Set the volume of AudioPlayer instead."
        : "It has \(elements.map { "\"\($0.name)\"" }.joined(separator: ", ")).")
  }

  /// Clears `master` when the card removes the element, for example when the card's profile changes: libasound calls
  /// back one last time and then frees the element.
  private func watchForRemoval(of element: OpaquePointer) {
    snd_mixer_elem_set_callback_private(element, Unmanaged.passUnretained(self).toOpaque())
    snd_mixer_elem_set_callback(element) { element, mask in
      // All bits: `SND_CTL_EVENT_MASK_REMOVE`.
      if mask == UInt32.max, let mixer = snd_mixer_elem_get_callback_private(element) {
        Unmanaged<ALSAMixer>.fromOpaque(mixer).takeUnretainedValue().master = nil
      }
      return 0
    }
  }

  private func readScale(of element: OpaquePointer) throws(DriverError) -> VolumeScale {
    var minimum = 0
    var maximum = 0
    if snd_mixer_selem_get_playback_dB_range(element, &minimum, &maximum) >= 0, minimum < maximum {
      let isSilent = minimum <= Int(SND_CTL_TLV_DB_GAIN_MUTE)
      return VolumeScale(unit: .decibels(isSilentAtMinimum: isSilent), minimum: minimum, maximum: maximum)
    }
    try check(
      snd_mixer_selem_get_playback_volume_range(element, &minimum, &maximum),
      "snd_mixer_selem_get_playback_volume_range")
    return VolumeScale(unit: .steps, minimum: minimum, maximum: maximum)
  }

  private func readDescriptors(_ mixer: OpaquePointer) {
    var polled = [pollfd](repeating: pollfd(), count: Int(max(0, snd_mixer_poll_descriptors_count(mixer))))
    _ = snd_mixer_poll_descriptors(mixer, &polled, UInt32(polled.count))
    descriptors = polled.map { PolledDescriptor(descriptor: $0.fd, events: $0.events) }
  }

  // MARK: - Reading and writing

  public func read() throws(DriverError) -> MixerLevel {
    guard let mixer else { throw ALSAFailure("snd_mixer_handle_events", -ENODEV).reading(card) }
    try checkUse(snd_mixer_handle_events(mixer), "snd_mixer_handle_events")
    guard let master else {
      throw DriverError(
        .lost, of: card, cannot: "use the mixer of the sound card \"\(card)\"", reason: "its volume is gone",
        remedy: "It is searched for again: a change of the card's profile can bring it back.")
    }
    var value = 0
    switch scale.unit {
    case .steps:
      try checkUse(
        snd_mixer_selem_get_playback_volume(master, SND_MIXER_SCHN_MONO, &value), "snd_mixer_selem_get_playback_volume")
    case .decibels:
      try checkUse(
        snd_mixer_selem_get_playback_dB(master, SND_MIXER_SCHN_MONO, &value), "snd_mixer_selem_get_playback_dB")
    }
    var isOn: Int32 = 1
    if hasSwitch {
      try checkUse(
        snd_mixer_selem_get_playback_switch(master, SND_MIXER_SCHN_MONO, &isOn), "snd_mixer_selem_get_playback_switch")
    }
    return MixerLevel(volume: scale.volume(at: value), isMuted: isOn == 0)
  }

  public func write(_ level: MixerLevel) throws(DriverError) {
    guard let master else { throw ALSAFailure("snd_mixer_selem_set_playback_volume_all", -ENODEV).reading(card) }
    let value = scale.value(at: level.volume)
    switch scale.unit {
    case .steps:
      try checkSetting(
        snd_mixer_selem_set_playback_volume_all(master, value), "snd_mixer_selem_set_playback_volume_all")
    case .decibels:
      try checkSetting(snd_mixer_selem_set_playback_dB_all(master, value, 0), "snd_mixer_selem_set_playback_dB_all")
    }
    if hasSwitch {
      try checkSetting(
        snd_mixer_selem_set_playback_switch_all(master, level.isMuted ? 0 : 1),
        "snd_mixer_selem_set_playback_switch_all")
    } else if level.isMuted {
      throw DriverError(
        .unsupported, of: card, cannot: "mute the sound card \"\(card)\"", reason: "its volume has no switch",
        remedy: "Set the volume to 0, or mute AudioPlayer.")
    }
  }

  private func checkSetting(_ code: Int32, _ function: String) throws(DriverError) {
    if code < 0 { throw ALSAFailure(function, code).setting(card) }
  }

  private func checkUse(_ code: Int32, _ function: String) throws(DriverError) {
    if code < 0 { throw ALSAFailure(function, code).reading(card) }
  }

  // MARK: - Ending

  public func watchForReturn(_ watcher: Watcher) -> (any ReturnWatch)? {
    ALSACard(device: card).watchForReturn(watcher)
  }

  public func close() {
    descriptors = []
    master = nil
    if let mixer { snd_mixer_close(mixer) }
    mixer = nil
  }
}
