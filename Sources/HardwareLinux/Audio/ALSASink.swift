internal import CALSA
import CycleCore
import Glibc
import HardwareDrivers

/// One playback PCM through libasound, in non-blocking mode (`SND_PCM_NONBLOCK`).
final class ALSASink: PCMSink {
  /// Opens the PCM: `snd_pcm_open`, or a test's replacement. Returns a negative errno on failure.
  typealias Opening = (_ pcm: inout OpaquePointer?, _ device: String) -> Int32

  private let device: String
  private let openPCM: Opening
  private var pcm: OpaquePointer?
  private var format = ALSAFormat.s16
  /// The number of channels that the player renders, and that of the device; those beyond are silent.
  private var channelCount = 2
  private var deviceChannels = 2
  /// Whether the last opening failed, or the device went away since.
  private var mustReloadConfiguration = false
  private var descriptorStorage: [pollfd] = []
  private(set) var descriptors: [PolledDescriptor] = []
  /// Samples in the device's format, for one write.
  private var converted = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)
  /// Whether the device was prepared after an underrun and has accepted no samples since.
  private var isPrepared = false
  /// The call by which the device has refused to play again after it had stopped; nil while there was none.
  private var refusal: ALSAFailure?
  /// The maximum number of channels of a device.
  private static let mostDeviceChannels = 64

  init(
    device: String,
    openPCM: @escaping Opening = { snd_pcm_open(&$0, $1, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK)) }
  ) {
    self.device = device
    self.openPCM = openPCM
  }

  deinit {
    close()
    converted.deallocate()
  }

  // MARK: - Opening

  func open(_ wish: PCMPreferences, on clock: WorkClock) throws(DriverError) -> PCMConfiguration {
    if calsa_load() != 0 { throw ALSAFailure.missingLibrary(opening: "the sound device \"\(device)\"") }
    // After a loss libasound's configuration may have changed. It is read again only then, because that takes longer
    // than the rest of an opening.
    if mustReloadConfiguration { snd_config_update_free_global() }
    mustReloadConfiguration = true
    var handle: OpaquePointer?
    let code = openPCM(&handle, device)
    guard code >= 0, let handle else { throw ALSAFailure("snd_pcm_open", code).opening(device) }
    pcm = handle
    do throws(DriverError) {
      let configuration = try negotiate(wish, handle)
      try check(snd_pcm_prepare(handle), "snd_pcm_prepare")
      readDescriptors(handle)
      mustReloadConfiguration = false
      return configuration
    } catch {
      close()
      throw error
    }
  }

  private func check(_ code: Int32, _ function: String) throws(DriverError) {
    if code < 0 { throw ALSAFailure(function, code).opening(device) }
  }

  private func negotiate(_ wish: PCMPreferences, _ pcm: OpaquePointer) throws(DriverError) -> PCMConfiguration {
    var hardware: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&hardware), "snd_pcm_hw_params_malloc")
    defer { snd_pcm_hw_params_free(hardware) }
    try check(snd_pcm_hw_params_any(pcm, hardware), "snd_pcm_hw_params_any")
    // Clips are converted to the device's own rate when they are loaded, by a better filter than a plugin's.
    _ = snd_pcm_hw_params_set_rate_resample(pcm, hardware, 0)
    try check(
      snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "snd_pcm_hw_params_set_access")
    guard let format = ALSAFormat.allCases.first(where: { snd_pcm_hw_params_set_format(pcm, hardware, $0.code) >= 0 })
    else { throw ALSAFailure("snd_pcm_hw_params_set_format", -EINVAL).opening(device) }
    self.format = format
    var channels = UInt32(wish.channelCount)
    if snd_pcm_hw_params_set_channels(pcm, hardware, channels) < 0 {
      try check(snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels), "snd_pcm_hw_params_set_channels_near")
    }
    guard (1...Self.mostDeviceChannels).contains(Int(channels)) else {
      throw DriverError(
        .unsupported, of: device, cannot: "use the sound device \"\(device)\"",
        reason: "it plays at least \(channels) channels",
        remedy: "Use \"plug:\(device)\", which converts.")
    }
    deviceChannels = Int(channels)
    channelCount = min(deviceChannels, wish.channelCount)
    var rate = UInt32(wish.sampleRateHertz)
    try check(snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, nil), "snd_pcm_hw_params_set_rate_near")
    // The period before the buffer: some servers treat the requested buffer as a request for the period.
    var period = snd_pcm_uframes_t(wish.periodSize)
    try check(
      snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil), "snd_pcm_hw_params_set_period_size_near")
    var buffer = snd_pcm_uframes_t(Int(period) * wish.periodCount)
    try check(
      snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer), "snd_pcm_hw_params_set_buffer_size_near")
    try check(snd_pcm_hw_params(pcm, hardware), "snd_pcm_hw_params")
    try check(snd_pcm_hw_params_get_period_size(hardware, &period, nil), "snd_pcm_hw_params_get_period_size")
    try check(snd_pcm_hw_params_get_buffer_size(hardware, &buffer), "snd_pcm_hw_params_get_buffer_size")
    try setSoftware(pcm, period: period, buffer: buffer)
    let periodSize = min(Int(period), Int(buffer) / 2, PCMConfiguration.largestPeriod)
    let size = format.bytesPerSample * deviceChannels * PCMConfiguration.largestPeriod
    if converted.count < size {
      converted.deallocate()
      converted = .allocate(byteCount: size, alignment: 16)
    }
    return PCMConfiguration(
      sampleRateHertz: Int(rate), channelCount: channelCount, periodSize: periodSize, bufferSize: Int(buffer))
  }

  private func setSoftware(
    _ pcm: OpaquePointer, period: snd_pcm_uframes_t, buffer: snd_pcm_uframes_t
  ) throws(DriverError) {
    var software: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&software), "snd_pcm_sw_params_malloc")
    defer { snd_pcm_sw_params_free(software) }
    try check(snd_pcm_sw_params_current(pcm, software), "snd_pcm_sw_params_current")
    try check(
      snd_pcm_sw_params_set_start_threshold(pcm, software, min(2 * period, buffer)),
      "snd_pcm_sw_params_set_start_threshold")
    try check(snd_pcm_sw_params_set_avail_min(pcm, software, period), "snd_pcm_sw_params_set_avail_min")
    try check(snd_pcm_sw_params_set_stop_threshold(pcm, software, buffer), "snd_pcm_sw_params_set_stop_threshold")
    try check(snd_pcm_sw_params(pcm, software), "snd_pcm_sw_params")
  }

  private func readDescriptors(_ pcm: OpaquePointer) {
    let count = max(0, snd_pcm_poll_descriptors_count(pcm))
    descriptorStorage = [pollfd](repeating: pollfd(), count: Int(count))
    snd_pcm_poll_descriptors(pcm, &descriptorStorage, UInt32(count))
    descriptors = descriptorStorage.map { PolledDescriptor(descriptor: $0.fd, events: $0.events) }
  }

  // MARK: - Running

  func status(at now: Moment) -> PCMStatus {
    guard let pcm else { return lost("snd_pcm_state", -ENODEV) }
    if let refusal {
      mustReloadConfiguration = true
      return .lost(refusal.ended(device))
    }
    takeEvents(pcm)
    switch snd_pcm_state(pcm) {
    case SND_PCM_STATE_XRUN: return .underrun
    case SND_PCM_STATE_SUSPENDED: return .suspended
    case SND_PCM_STATE_DISCONNECTED: return lost("snd_pcm_state", -ENODEV)
    default: break
    }
    var available: snd_pcm_sframes_t = 0
    var delay: snd_pcm_sframes_t = 0
    let code = snd_pcm_avail_delay(pcm, &available, &delay)
    switch code {
    case 0: return .ready(available: max(0, available), delay: max(0, delay))
    case -EPIPE: return .underrun
    case -ESTRPIPE: return .suspended
    default: return lost("snd_pcm_avail_delay", code)
    }
  }

  private func lost(_ function: String, _ code: Int32) -> PCMStatus {
    mustReloadConfiguration = true
    return .lost(ALSAFailure(function, code).playing(device))
  }

  /// Polls the descriptors: some plugins update their state only when `snd_pcm_poll_descriptors_revents` is called.
  private func takeEvents(_ pcm: OpaquePointer) {
    guard !descriptorStorage.isEmpty else { return }
    var events: UInt16 = 0
    descriptorStorage.withUnsafeMutableBufferPointer { storage in
      _ = poll(storage.baseAddress, nfds_t(storage.count), 0)
      _ = snd_pcm_poll_descriptors_revents(pcm, storage.baseAddress, UInt32(storage.count), &events)
    }
  }

  func write(_ samples: UnsafePointer<Float>, count: Int, at now: Moment) -> Int {
    guard let pcm, let output = converted.baseAddress else { return -1 }
    let count = min(count, PCMConfiguration.largestPeriod)
    format.convert(
      samples, count: count, channelCount: channelCount, deviceChannels: deviceChannels, into: output)
    let taken = snd_pcm_writei(pcm, output, snd_pcm_uframes_t(count))
    if taken > 0 { isPrepared = false }
    if taken >= 0 { return taken }
    if taken == -Int(EAGAIN) || taken == -Int(EINTR) { return 0 }
    // A sound server that has ended lets itself be prepared, and refuses all samples.
    if isPrepared { refusal = ALSAFailure("snd_pcm_writei", Int32(taken)) }
    return -1
  }

  func prepare(at now: Moment) -> Bool {
    guard let pcm else { return false }
    isPrepared = true
    if snd_pcm_state(pcm) == SND_PCM_STATE_SUSPENDED {
      // Not every driver can resume; those that can't are prepared like after an underrun.
      let code = snd_pcm_resume(pcm)
      if code == -EAGAIN || code == 0 && snd_pcm_state(pcm) != SND_PCM_STATE_SUSPENDED { return true }
    }
    let code = snd_pcm_prepare(pcm)
    if code < 0 { refusal = ALSAFailure("snd_pcm_prepare", code) }
    return code >= 0
  }

  func drain(at now: Moment) {
    // Returns immediately, because the PCM is non-blocking. The caller gets the samples left to play from
    // `status(at:)`.
    if let pcm { snd_pcm_drain(pcm) }
  }

  func close() {
    guard let pcm else { return }
    self.pcm = nil
    (isPrepared, refusal) = (false, nil)
    descriptors = []
    descriptorStorage = []
    snd_pcm_drop(pcm)
    snd_pcm_close(pcm)
  }
}
