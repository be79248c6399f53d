import CycleCore

/// A key of an input device, by the kernel's code.
///
/// **Source.** The kernel's `include/uapi/linux/input-event-codes.h`.
///
///     KeyCode("playpause")         // KEY_PLAYPAUSE, 164
public struct KeyCode: RawRepresentable, Hashable, Sendable, Codable {
  public var rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The key with the kernel's name in lower case, without `KEY_` or `BTN_`: `enter`, `kp1`, `a`. A button that has the
  /// name of a key keeps its prefix: `btn_left` is the left button of a mouse, `left` is the arrow key.
  ///
  /// - Parameter name: the name.
  /// - Returns: nil for an unknown name.
  public init?(_ name: String) {
    guard let code = Self.codes[name] else { return nil }
    rawValue = code
  }

  /// The greatest code.
  public static let greatest = KeyCode(rawValue: 0x2FF)

  /// The first of the key's names; the number of a key without one: `key 84`.
  public var name: String { Self.names[rawValue] ?? "key \(rawValue)" }

  /// The known name that another name most likely means; nil if none is similar.
  public static func nearestName(to name: String) -> String? {
    // The search looks at a limited number of names, so it begins with those of each part of the table.
    let rows = table.split(separator: "\n").map { Self.words(of: $0).flatMap(\.names) }
    return nearest(to: name, among: rows.compactMap { nearest(to: name, among: $0) })
  }

  private static let codes: [String: UInt16] = Dictionary(
    entries.flatMap { entry in entry.names.map { ($0, entry.code) } }, uniquingKeysWith: { first, _ in first })
  private static let names: [UInt16: String] = Dictionary(
    entries.map { ($0.code, $0.names[0]) }, uniquingKeysWith: { first, _ in first })

  private static var entries: [(code: UInt16, names: [String])] {
    table.split(separator: "\n").flatMap { words(of: $0) }
  }

  /// The codes of one line of the table.
  private static func words(of line: Substring) -> [(code: UInt16, names: [String])] {
    let parts = line.split(separator: " ")
    guard let first = parts.first.flatMap({ UInt16($0.dropLast()) }) else { return [] }
    return parts.dropFirst().enumerated().map { place, word in
      (first + UInt16(place), word.split(separator: "=").map(String.init))
    }
  }

  /// The names by their codes. A line begins with the code of its first name; each further name has the next code.
  /// Names of one code have an equals sign between them.
  private static let table = """
    1: esc 1 2 3 4 5 6 7 8 9 0 minus equal backspace tab q w e r t y u i o p leftbrace rightbrace enter leftctrl a s d
    33: f g h j k l semicolon apostrophe grave leftshift backslash z x c v b n m comma dot slash rightshift kpasterisk
    56: leftalt space capslock f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 numlock scrolllock kp7 kp8 kp9 kpminus kp4 kp5 kp6
    78: kpplus kp1 kp2 kp3 kp0 kpdot
    85: zenkakuhankaku 102nd f11 f12 ro katakana hiragana henkan katakanahiragana muhenkan kpjpcomma kpenter rightctrl
    98: kpslash sysrq rightalt linefeed home up pageup left right end down pagedown insert delete macro mute
    114: volumedown volumeup power kpequal kpplusminus pause scale kpcomma hangeul=hanguel hanja yen leftmeta
    126: rightmeta compose stop again props undo front copy open paste find cut help menu calc setup sleep wakeup file
    145: sendfile deletefile xfer prog1 prog2 www msdos coffee=screenlock rotate_display=direction cyclewindows mail
    156: bookmarks computer back forward closecd ejectcd ejectclosecd nextsong playpause previoussong stopcd record
    168: rewind phone iso config homepage refresh exit move edit scrollup scrolldown kpleftparen kprightparen new redo
    183: f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    200: playcd pausecd prog3 prog4 all_applications=dashboard suspend close play fastforward bassboost print hp
    212: camera sound question email chat search connect finance sport shop alterase cancel brightnessdown
    225: brightnessup media switchvideomode kbdillumtoggle kbdillumdown kbdillumup send reply forwardmail save
    235: documents battery bluetooth wlan uwb
    241: video_next video_prev brightness_cycle brightness_auto=brightness_zero display_off wwan=wimax rfkill micmute
    256: btn_0=misc btn_1 btn_2 btn_3 btn_4 btn_5 btn_6 btn_7 btn_8 btn_9
    272: btn_left=mouse btn_right middle side extra btn_forward btn_back task
    288: trigger=joystick thumb thumb2 top top2 pinkie base base2 base3 base4 base5 base6
    303: dead south=btn_a=gamepad east=btn_b btn_c north=btn_x west=btn_y btn_z tl tr tl2 tr2 btn_select start
    316: btn_mode thumbl thumbr
    320: tool_pen=digi tool_rubber tool_brush tool_pencil tool_airbrush tool_finger tool_mouse tool_lens tool_quinttap
    329: stylus3 touch stylus stylus2 tool_doubletap tool_tripletap tool_quadtap gear_down=wheel gear_up
    352: ok select goto clear power2 option info time vendor archive program channel favorites epg pvr mhp language
    369: title subtitle angle full_screen=zoom mode keyboard aspect_ratio=screen pc tv tv2 vcr vcr2 sat sat2 cd tape
    385: radio tuner player text dvd aux mp3 audio video directory list memo calendar red green yellow blue channelup
    403: channeldown first last ab next restart slow shuffle break previous digits teen twen videophone games zoomin
    419: zoomout zoomreset wordprocessor editor spreadsheet graphicseditor presentation database news voicemail
    429: addressbook messenger displaytoggle=brightness_toggle spellcheck logoff dollar euro frameback frameforward
    438: context_menu media_repeat 10channelsup 10channelsdown images
    444: notification_center pickup_phone hangup_phone link_phone del_eol del_eos ins_line del_line
    464: fn fn_esc fn_f1 fn_f2 fn_f3 fn_f4 fn_f5 fn_f6 fn_f7 fn_f8 fn_f9 fn_f10 fn_f11 fn_f12 fn_1 fn_2 fn_d fn_e fn_f
    483: fn_s fn_b fn_right_shift
    497: brl_dot1 brl_dot2 brl_dot3 brl_dot4 brl_dot5 brl_dot6 brl_dot7 brl_dot8 brl_dot9 brl_dot10
    512: numeric_0 numeric_1 numeric_2 numeric_3 numeric_4 numeric_5 numeric_6 numeric_7 numeric_8 numeric_9
    522: numeric_star numeric_pound numeric_a numeric_b numeric_c numeric_d camera_focus wps_button touchpad_toggle
    531: touchpad_on touchpad_off camera_zoomin camera_zoomout camera_up camera_down camera_left camera_right
    539: attendant_on attendant_off attendant_toggle lights_toggle
    544: dpad_up dpad_down dpad_left dpad_right
    560: als_toggle rotate_lock_toggle refresh_rate_toggle
    576: buttonconfig taskmanager journal controlpanel appselect screensaver voicecommand assistant kbd_layout_next
    585: emoji_picker dictate
    592: brightness_min brightness_max
    608: kbdinputassist_prev kbdinputassist_next kbdinputassist_prevgroup kbdinputassist_nextgroup
    612: kbdinputassist_accept kbdinputassist_cancel right_up right_down left_up left_down root_menu media_top_menu
    620: numeric_11 numeric_12 audio_desc 3d_mode next_favorite stop_record pause_record vod unmute fastreverse
    630: slowreverse data onscreen_keyboard privacy_screen_toggle selective_screenshot next_element previous_element
    637: autopilot_engage_toggle mark_waypoint sos nav_chart fishing_chart single_range_radar dual_range_radar
    644: radar_overlay traditional_sonar clearvu_sonar sidevu_sonar nav_info brightness_menu
    656: macro1 macro2 macro3 macro4 macro5 macro6 macro7 macro8 macro9 macro10 macro11 macro12 macro13 macro14
    670: macro15 macro16 macro17 macro18 macro19 macro20 macro21 macro22 macro23 macro24 macro25 macro26 macro27
    683: macro28 macro29 macro30
    688: macro_record_start macro_record_stop macro_preset_cycle macro_preset1 macro_preset2 macro_preset3
    696: kbd_lcd_menu1 kbd_lcd_menu2 kbd_lcd_menu3 kbd_lcd_menu4 kbd_lcd_menu5
    704: trigger_happy1=trigger_happy trigger_happy2 trigger_happy3 trigger_happy4 trigger_happy5 trigger_happy6
    710: trigger_happy7 trigger_happy8 trigger_happy9 trigger_happy10 trigger_happy11 trigger_happy12 trigger_happy13
    717: trigger_happy14 trigger_happy15 trigger_happy16 trigger_happy17 trigger_happy18 trigger_happy19
    723: trigger_happy20 trigger_happy21 trigger_happy22 trigger_happy23 trigger_happy24 trigger_happy25
    729: trigger_happy26 trigger_happy27 trigger_happy28 trigger_happy29 trigger_happy30 trigger_happy31
    735: trigger_happy32 trigger_happy33 trigger_happy34 trigger_happy35 trigger_happy36 trigger_happy37
    741: trigger_happy38 trigger_happy39 trigger_happy40
    """
}
