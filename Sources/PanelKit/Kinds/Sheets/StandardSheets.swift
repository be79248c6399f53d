// The sheets in the folder Standard. tools/sheets writes this file.

// swift-format-ignore
enum StandardSheets {
  static let all: [(name: String, text: String)] = [
    (
      "ads1015",
      #"""
      sheet: ads1015
      about: Analog-to-digital converter, 12 bits, 4 channels, Texas Instruments
      source: TI SBAS473, tables 8 and 3, section 9.3.3
      bus: { i2c: [0x48, 0x49, 0x4A, 0x4B], hertz: 400kHz }
      settings:
        channel: { choices: { A0: 4, A1: 5, A2: 6, A3: 7, A0-A1: 0, A0-A3: 1, A1-A3: 2, A2-A3: 3 }, default: A0 }
        range: { choices: { 6.144V: 0, 4.096V: 1, 2.048V: 2, 1.024V: 3, 0.512V: 4, 0.256V: 5 }, default: 4.096V, sets: { full: [6144, 4096, 2048, 1024, 512, 256] } }
      measure:
        - write: [0x01, "128 + channel * 16 + range * 2 + 1", 0x83]
        - wait: 1ms
        - until: { read: 0x01, mask: 0x80, equals: 0x80, within: 10ms }
        - read: { at: 0x00, as: { raw: s12, _: u4 } }
      numbers:
        voltage: { is: raw * full, scale: 1 / 2048000, unit: V, min: -6.144, max: 6.144 }
      example:
        settings: { channel: A1 }
        registers: { 0x01: [0xD3, 0x83], 0x00: [0x40, 0x00] }
        written: [[0x01, 0xD3, 0x83]]
        gives: { voltage: 2.048 }
      """#
    ),
    (
      "ads1115",
      #"""
      sheet: ads1115
      about: Analog-to-digital converter, 16 bits, 4 channels, Texas Instruments
      source: TI SBAS444D, tables 8 and 3, section 9.3.3
      bus: { i2c: [0x48, 0x49, 0x4A, 0x4B], hertz: 400kHz }
      settings:
        channel: { choices: { A0: 4, A1: 5, A2: 6, A3: 7, A0-A1: 0, A0-A3: 1, A1-A3: 2, A2-A3: 3 }, default: A0 }
        range: { choices: { 6.144V: 0, 4.096V: 1, 2.048V: 2, 1.024V: 3, 0.512V: 4, 0.256V: 5 }, default: 4.096V, sets: { full: [6144, 4096, 2048, 1024, 512, 256] } }
      measure:
        - write: [0x01, "128 + channel * 16 + range * 2 + 1", 0x83]
        - wait: 9ms
        - until: { read: 0x01, mask: 0x80, equals: 0x80, within: 10ms }
        - read: { at: 0x00, as: { raw: s16be } }
      numbers:
        voltage: { is: raw * full, scale: 1 / 32768000, unit: V, min: -6.144, max: 6.144 }
      example:
        settings: { channel: A1 }
        registers: { 0x01: [0xD3, 0x83], 0x00: [0x40, 0x00] }
        written: [[0x01, 0xD3, 0x83]]
        gives: { voltage: 2.048 }
      """#
    ),
    (
      "ads7830",
      #"""
      sheet: ads7830
      about: Analog-to-digital converter, 8 bits, 8 channels, Texas Instruments
      source: TI SBAS302, table 2 (command byte) and section 8.5 (read)
      bus: { i2c: [0x48, 0x49, 0x4A, 0x4B], hertz: 400kHz }
      settings:
        channel: { choices: { 0: 8, 1: 12, 2: 9, 3: 13, 4: 10, 5: 14, 6: 11, 7: 15 }, default: 0 }
        reference: { number: 2..5.5, unit: V, default: 3.3 }
      measure:
        - write: ["channel * 16 + 4"]
        - read: { as: { raw: u8 } }
      numbers:
        level: { is: raw, scale: 1 / 255, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 256, unit: V, min: 0, max: 5.5 }
      example:
        settings: { channel: 1 }
        answers: [[0x80]]
        written: [[0xC4]]
        gives: { level: 0.50196, voltage: 1.65 }
      """#
    ),
    (
      "adt7410",
      #"""
      sheet: adt7410
      about: Temperature, Analog Devices
      source: Analog Devices ADT7410 rev. C, tables 5 and 6
      bus: { i2c: [0x48, 0x49, 0x4A, 0x4B], hertz: 400kHz }
      once:
        - write: [0x03, 0x80]
        - wait: 250ms
      measure:
        - read: { at: 0x00, as: { T: s16be } }
      numbers:
        temperature: { is: T, scale: 0.0078125, unit: °C, min: -55, max: 150 }
      example:
        registers: { 0x00: [0x0C, 0x80] }
        gives: { temperature: 25 }
      """#
    ),
    (
      "adxl345",
      #"""
      sheet: adxl345
      about: Acceleration on three axes, Analog Devices
      source: Analog Devices ADXL345 rev. E, tables 1 (3.9 mg) and 19 (registers)
      bus: { i2c: [0x53, 0x1D], hertz: 400kHz }
      identify:
        - { read: 0x00, expect: [0xE5] }
      once:
        - write: [0x31, 0x0B]
        - write: [0x2D, 0x08]
        - wait: 12ms
      measure:
        - read: { at: 0x32, as: { X: s16le, Y: s16le, Z: s16le } }
      numbers:
        x: { is: X, scale: 0.0039, unit: g, min: -16, max: 16 }
        y: { is: Y, scale: 0.0039, unit: g, min: -16, max: 16 }
        z: { is: Z, scale: 0.0039, unit: g, min: -16, max: 16 }
      example:
        registers: { 0x00: [0xE5], 0x32: [0x0A, 0x00, 0xF6, 0xFF, 0x00, 0x01] }
        gives: { x: 0.039, y: -0.039, z: 0.9984 }
      """#
    ),
    (
      "aht20",
      #"""
      sheet: aht20
      about: Temperature and humidity, Aosong; also AHT21
      source: Aosong AHT20 version 1.0, sections 5.4 (measuring), 6.1 and 6.2 (conversion)
      bus: { i2c: [0x38], hertz: 400kHz }
      once:
        - wait: 40ms
        - write: [0xBE, 0x08, 0x00]
        - wait: 10ms
      measure:
        - write: [0xAC, 0x33, 0x00]
        - wait: 80ms
        - read: { crc: { polynomial: 0x31, start: 0xFF, after: 6 }, as: { status: u8, H: u20, T: u20 } }
      numbers:
        humidity: { is: 100 * H / (1 - status / 128), scale: 1 / 1048576, unit: "%", min: 0, max: 100 }
        temperature: { is: 200 * T - 52428800, scale: 1 / 1048576, unit: °C, min: -40, max: 85 }
      example:
        answers: [[0x18, 0x80, 0x00, 0x06, 0x00, 0x00, 0x23]]
        gives: { humidity: 50, temperature: 25.0 }
      """#
    ),
    (
      "as5600",
      #"""
      sheet: as5600
      about: Angle of a magnet, ams
      source: ams AS5600 version 1-06, registers STATUS, ANGLE and MAGNITUDE
      bus: { i2c: [0x36], hertz: 1MHz }
      measure:
        - until: { read: 0x0B, mask: 0x20, equals: 0x20, within: 20ms }
        - read: { at: 0x0E, as: { _: u4, A: u12 } }
      numbers:
        angle: { is: A, scale: 360 / 4096, unit: °, min: 0, max: 360 }
      example:
        registers: { 0x0B: [0x27], 0x0E: [0x08, 0x00] }
        gives: { angle: 180 }
      """#
    ),
    (
      "bh1750",
      #"""
      sheet: bh1750
      about: Illuminance, ROHM
      source: ROHM BH1750FVI, page 5 (commands), page 7 (measuring, with its example)
      bus: { i2c: [0x23, 0x5C], hertz: 400kHz }
      measure:
        - write: [0x20]
        - wait: 180ms
        - read: { as: { L: u16be } }
      numbers:
        illuminance: { is: L, scale: 1 / 1.2, unit: lx, min: 0, max: 54612.5 }
      example:
        answers: [[0x83, 0x90]]
        written: [[0x20]]
        gives: { illuminance: 28066.67 }
      """#
    ),
    (
      "bme280",
      #"""
      sheet: bme280
      about: Temperature, humidity and pressure, Bosch
      source: Bosch BST-BME280-DS002, sections 4.2.2 (calibration), 4.2.3 (compensation), 5.4 (registers), 9.1 (measuring time)
      bus: { i2c: [0x76, 0x77], hertz: 400kHz }
      identify:
        - { read: 0xD0, expect: [0x60] }
      once:
        - write: [0xE0, 0xB6]
        - wait: 2ms
        - until: { read: 0xF3, mask: 0x01, equals: 0, within: 10ms }
        - read: { at: 0x88, as: { T1: u16le, T2: s16le, T3: s16le, P1: u16le, P2: s16le, P3: s16le, P4: s16le, P5: s16le, P6: s16le, P7: s16le, P8: s16le, P9: s16le } }
        - read: { at: 0xA1, as: { H1: u8 } }
        - read: { at: 0xE1, as: { H2: s16le, H3: u8, H4h: s8, H45: u8, H5h: s8, H6: s8 } }
        - write: [0xF2, 0x01]
      measure:
        - write: [0xF4, 0x25]
        - wait: 9.3ms
        - until: { read: 0xF3, mask: 0x08, equals: 0, within: 10ms }
        - read: { at: 0xF7, as: { P: u20be, T: u20be, H: u16be } }
      numbers:
        v1: (T / 8 - T1 * 2) * T2 / 2048
        v2: (T / 16 - T1) * (T / 16 - T1) / 4096 * T3 / 16384
        fine: v1 + v2
        temperature: { is: (fine * 5 + 128) / 256, scale: 0.01, unit: °C, min: -40, max: 85 }
        p1: fine - 128000
        p2: p1 * p1 * P6 + p1 * P5 * 131072 + P4 * 34359738368
        p3: p1 * p1 * P3 / 256 + p1 * P2 * 4096
        p4: (140737488355328 + p3) * P1 / 8589934592
        p5: if(p4 == 0, 0, ((1048576 - P) * 2147483648 - p2) * 3125 / p4)
        pressure: { is: "(p5 + P9 * (p5 / 8192) * (p5 / 8192) / 33554432 + P8 * p5 / 524288) / 256 + P7 * 16", scale: 0.0000390625, unit: hPa, min: 300, max: 1100 }
        H4: H4h * 16 + H45 mod 16
        H5: H5h * 16 + H45 / 16
        h1: fine - 76800
        h2: (H * 16384 - H4 * 1048576 - H5 * h1 + 16384) / 32768 * (((h1 * H6 / 1024 * (h1 * H3 / 2048 + 32768)) / 1024 + 2097152) * H2 + 8192) / 16384
        h3: max(0, min(419430400, h2 - h2 / 32768 * (h2 / 32768) / 128 * H1 / 16))
        humidity: { is: h3 / 4096, scale: 0.0009765625, unit: "%", min: 0, max: 100 }
      example:
        registers: { 0xD0: [0x60], 0xF3: [0], 0x88: [0x70, 0x6B, 0x43, 0x67, 0x18, 0xFC, 0x7D, 0x8E, 0x43, 0xD6, 0xD0, 0x0B, 0x27, 0x0B, 0x8C, 0x00, 0xF9, 0xFF, 0x8C, 0x3C, 0xF8, 0xC6, 0x70, 0x17], 0xA1: [75], 0xE1: [0x6A, 0x01, 0x00, 0x13, 0x29, 0x03, 0x1E], 0xF7: [0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00, 0x6A, 0x3A] }
        gives: { temperature: 25.08, pressure: 1006.53, humidity: 39.357 }
      """#
    ),
    (
      "bmp180",
      #"""
      sheet: bmp180
      about: Temperature and pressure, Bosch; also BMP085
      source: Bosch BST-BMP180-DS000 version 2.5, section 3.5 (calculation, with its example), table 5 (registers)
      bus: { i2c: [0x77], hertz: 400kHz }
      identify:
        - { read: 0xD0, expect: [0x55] }
      once:
        - read: { at: 0xAA, as: { AC1: s16be, AC2: s16be, AC3: s16be, AC4: u16be, AC5: u16be, AC6: u16be, B1: s16be, B2: s16be, MB: s16be, MC: s16be, MD: s16be } }
      measure:
        - write: [0xF4, 0x2E]
        - wait: 4.5ms
        - read: { at: 0xF6, as: { UT: u16be } }
        - write: [0xF4, 0x34]
        - wait: 4.5ms
        - read: { at: 0xF6, as: { UP: u16be } }
      numbers:
        X1: (UT - AC6) * AC5 / 32768
        B5: X1 + MC * 2048 / (X1 + MD)
        temperature: { is: (B5 + 8) / 16, scale: 0.1, unit: °C, min: -40, max: 85 }
        B6: B5 - 4000
        X3: B2 * (B6 * B6 / 4096) / 2048 + AC2 * B6 / 2048
        B3: (AC1 * 4 + X3 + 2) / 4
        X6: (AC3 * B6 / 8192 + B1 * (B6 * B6 / 4096) / 65536 + 2) / 4
        B4: AC4 * (X6 + 32768) / 32768
        B7: (UP - B3) * 50000
        p: B7 * 2 / B4
        X7: p / 256 * (p / 256) * 3038 / 65536
        pressure: { is: "p + (X7 + -7357 * p / 65536 + 3791) / 16", scale: 0.01, unit: hPa, min: 300, max: 1100 }
      example:
        answers:
          - [0x55]
          - [0x01, 0x98, 0xFF, 0xB8, 0xC7, 0xD1, 0x7F, 0xE5, 0x7F, 0xF5, 0x5A, 0x71, 0x18, 0x2E, 0x00, 0x04, 0x80, 0x00, 0xDD, 0xF9, 0x0B, 0x34]
          - [0x6C, 0xFA]
          - [0x5D, 0x23]
        gives: { temperature: 15.0, pressure: 699.64 }
      """#
    ),
    (
      "bmp280",
      #"""
      sheet: bmp280
      about: Temperature and pressure, Bosch
      source: Bosch BST-BMP280-DS001, sections 3.11.2 (calibration), 3.11.3 and 8.1 (compensation), 4.3 (registers), 3.8.1 (measuring time)
      bus: { i2c: [0x76, 0x77], hertz: 400kHz }
      identify:
        - { read: 0xD0, expect: [0x58] }
      once:
        - write: [0xE0, 0xB6]
        - wait: 2ms
        - until: { read: 0xF3, mask: 0x01, equals: 0, within: 10ms }
        - read: { at: 0x88, as: { T1: u16le, T2: s16le, T3: s16le, P1: u16le, P2: s16le, P3: s16le, P4: s16le, P5: s16le, P6: s16le, P7: s16le, P8: s16le, P9: s16le } }
      measure:
        - write: [0xF4, 0x25]
        - wait: 9.3ms
        - until: { read: 0xF3, mask: 0x08, equals: 0, within: 10ms }
        - read: { at: 0xF7, as: { P: u20be, T: u20be } }
      numbers:
        v1: (T / 8 - T1 * 2) * T2 / 2048
        v2: (T / 16 - T1) * (T / 16 - T1) / 4096 * T3 / 16384
        fine: v1 + v2
        temperature: { is: (fine * 5 + 128) / 256, scale: 0.01, unit: °C, min: -40, max: 85 }
        p1: fine - 128000
        p2: p1 * p1 * P6 + p1 * P5 * 131072 + P4 * 34359738368
        p3: p1 * p1 * P3 / 256 + p1 * P2 * 4096
        p4: (140737488355328 + p3) * P1 / 8589934592
        p5: if(p4 == 0, 0, ((1048576 - P) * 2147483648 - p2) * 3125 / p4)
        pressure: { is: "(p5 + P9 * (p5 / 8192) * (p5 / 8192) / 33554432 + P8 * p5 / 524288) / 256 + P7 * 16", scale: 0.0000390625, unit: hPa, min: 300, max: 1100 }
      example:
        registers: { 0xD0: [0x58], 0xF3: [0], 0x88: [0x70, 0x6B, 0x43, 0x67, 0x18, 0xFC, 0x7D, 0x8E, 0x43, 0xD6, 0xD0, 0x0B, 0x27, 0x0B, 0x8C, 0x00, 0xF9, 0xFF, 0x8C, 0x3C, 0xF8, 0xC6, 0x70, 0x17], 0xF7: [0x65, 0x5A, 0xC0, 0x7E, 0xED, 0x00] }
        gives: { temperature: 25.08, pressure: 1006.53 }
      """#
    ),
    (
      "cap1188",
      #"""
      sheet: cap1188
      about: Touch sensor with 8 pads, Microchip
      source: Microchip DS00001620 (CAP1188), registers 0x00, 0x03, 0x28, 0x2A, 0xFD and 0xFE
      bus: { i2c: [0x28, 0x29, 0x2A, 0x2B, 0x2C], hertz: 400kHz }
      identify:
        - { read: 0xFD, expect: [0x50] }
        - { read: 0xFE, expect: [0x5D] }
      once:
        - write: [0x2A, 0x00]
        - write: [0x28, 0x00]
      check:
        - { read: 0x2A, expect: [0x00] }
      measure:
        - write: [0x00, 0x00]
        - read: { at: 0x03, as: { touched: u8 } }
      contacts:
        C1: touched mod 2
        C2: touched / 2 mod 2
        C3: touched / 4 mod 2
        C4: touched / 8 mod 2
        C5: touched / 16 mod 2
        C6: touched / 32 mod 2
        C7: touched / 64 mod 2
        C8: touched / 128 mod 2
      example:
        registers: { 0x03: [0x21], 0x2A: [0x00], 0xFD: [0x50], 0xFE: [0x5D] }
        written: [[0x2A, 0x00], [0x28, 0x00], [0x00, 0x00]]
        closed: [C1, C6]
      """#
    ),
    (
      "hdc1080",
      #"""
      sheet: hdc1080
      about: Temperature and humidity, Texas Instruments
      source: TI SNAS672, sections 8.5.1.1 (measuring), 8.6.1 and 8.6.2 (conversion), 8.6.3 (configuration)
      bus: { i2c: [0x40], hertz: 400kHz }
      identify:
        - { read: 0xFF, expect: [0x10] }
      once:
        - write: [0x02, 0x10, 0x00]
      measure:
        - write: [0x00]
        - wait: 14ms
        - read: { as: { T: u16be, H: u16be } }
      numbers:
        temperature: { is: 165 * T - 2621440, scale: 1 / 65536, unit: °C, min: -40, max: 125 }
        humidity: { is: 100 * H, scale: 1 / 65536, unit: "%", min: 0, max: 100 }
      example:
        answers: [[0x10], [0x66, 0x66, 0x80, 0x00]]
        gives: { temperature: 26.0, humidity: 50 }
      """#
    ),
    (
      "hdc3020",
      #"""
      sheet: hdc3020
      about: Temperature and humidity, Texas Instruments
      source: TI SNAS778, sections 7.5.7.3 (trigger on demand) and 7.5.4 (conversion)
      bus: { i2c: [0x44, 0x45, 0x46, 0x47], hertz: 400kHz }
      measure:
        - write: [0x24, 0x00]
        - wait: 20ms
        - read: { crc: { polynomial: 0x31, start: 0xFF, after: 2 }, as: { T: u16be, H: u16be } }
      numbers:
        temperature: { is: 175 * T - 2949075, scale: 1 / 65535, unit: °C, min: -45, max: 130 }
        humidity: { is: 100 * H, scale: 1 / 65535, unit: "%", min: 0, max: 100 }
      example:
        answers: [[0x66, 0x66, 0x93, 0x80, 0x00, 0xA2]]
        gives: { temperature: 25.0, humidity: 50.0008 }
      """#
    ),
    (
      "ina219",
      #"""
      sheet: ina219
      about: Voltage and current, Texas Instruments
      source: TI SBOS448, sections 8.6.2 (configuration), 8.6.3.1 (shunt voltage), 8.6.3.2 (bus voltage)
      bus: { i2c: [0x40, 0x41, 0x44, 0x45, 0x42, 0x43, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F], hertz: 400kHz }
      settings:
        resistor: { number: 0.0001..10, unit: Ω, default: 0.1 }
      once:
        - write: [0x00, 0x39, 0x9F]
        - wait: 2ms
      measure:
        - read: { at: 0x02, as: { V: u13, _: u3 } }
        - read: { at: 0x01, as: { S: s16be } }
      numbers:
        voltage: { is: V, scale: 0.004, unit: V, min: 0, max: 32 }
        current: { is: S, scale: 0.00001 / resistor, unit: A, min: -3200, max: 3200 }
      example:
        registers: { 0x02: [0x5D, 0x98], 0x01: [0x07, 0xD0] }
        gives: { voltage: 11.98, current: 0.2 }
      """#
    ),
    (
      "ina226",
      #"""
      sheet: ina226
      about: Voltage and current, Texas Instruments
      source: TI SBOS547, sections 7.6.1 (configuration), 7.6.2 (shunt voltage), 7.6.3 (bus voltage), 7.6.9 (manufacturer)
      bus: { i2c: [0x40, 0x41, 0x44, 0x45, 0x42, 0x43, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F], hertz: 400kHz }
      settings:
        resistor: { number: 0.0001..10, unit: Ω, default: 0.1 }
      identify:
        - { read: 0xFE, expect: [0x54] }
      measure:
        - read: { at: 0x02, as: { V: u16be } }
        - read: { at: 0x01, as: { S: s16be } }
      numbers:
        voltage: { is: V, scale: 0.00125, unit: V, min: 0, max: 36 }
        current: { is: S, scale: 0.0000025 / resistor, unit: A, min: -820, max: 820 }
      example:
        registers: { 0xFE: [0x54, 0x49], 0x02: [0x25, 0x80], 0x01: [0x1F, 0x40] }
        gives: { voltage: 12, current: 0.2 }
      """#
    ),
    (
      "ina260",
      #"""
      sheet: ina260
      about: Voltage, current and power with a resistor in the chip, Texas Instruments
      source: TI SBOS656, sections 8.6.2 (current), 8.6.3 (bus voltage), 8.6.4 (power), 8.6.8 (manufacturer)
      bus: { i2c: [0x40, 0x41, 0x44, 0x45, 0x42, 0x43, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F], hertz: 400kHz }
      identify:
        - { read: 0xFE, expect: [0x54] }
      measure:
        - read: { at: 0x01, as: { I: s16be } }
        - read: { at: 0x02, as: { V: u16be } }
        - read: { at: 0x03, as: { P: u16be } }
      numbers:
        current: { is: I, scale: 0.00125, unit: A, min: -15, max: 15 }
        voltage: { is: V, scale: 0.00125, unit: V, min: 0, max: 36 }
        power: { is: P, scale: 0.01, unit: W, min: 0, max: 419.43 }
      example:
        registers: { 0xFE: [0x54, 0x49], 0x01: [0x27, 0x10], 0x02: [0x25, 0x80], 0x03: [0x3A, 0x98] }
        gives: { current: 12.5, voltage: 12, power: 150 }
      """#
    ),
    (
      "ina3221",
      #"""
      sheet: ina3221
      about: Voltage and current of three channels, Texas Instruments
      source: TI SBOS576, sections 8.6.2.2 (shunt voltage), 8.6.2.3 (bus voltage), 8.6.2.20 (manufacturer)
      bus: { i2c: [0x40, 0x41, 0x42, 0x43], hertz: 400kHz }
      settings:
        channel: { choices: { 1: 1, 2: 3, 3: 5 }, default: 1 }
        resistor: { number: 0.0001..10, unit: Ω, default: 0.1 }
      identify:
        - { read: 0xFE, expect: [0x54] }
      measure:
        - write: [channel]
        - read: { as: { S: s13, _1: u3 } }
        - write: [channel + 1]
        - read: { as: { V: s13, _2: u3 } }
      numbers:
        voltage: { is: V, scale: 0.008, unit: V, min: 0, max: 26 }
        current: { is: S, scale: 0.00004 / resistor, unit: A, min: -1638, max: 1638 }
      example:
        settings: { channel: 2 }
        answers: [[0x54], [0x27, 0x10], [0x3A, 0x98]]
        written: [[0x03], [0x04]]
        gives: { voltage: 15, current: 0.5 }
      """#
    ),
    (
      "lis3dh",
      #"""
      sheet: lis3dh
      about: Acceleration on three axes, STMicroelectronics
      source: ST DocID17530, sections 8.6 (WHO_AM_I), 8.8 (CTRL_REG1), 8.11 (CTRL_REG4), table 4 (1 mg at ±2 g, 12 bits)
      bus: { i2c: [0x18, 0x19], hertz: 400kHz }
      identify:
        - { read: 0x0F, expect: [0x33] }
      once:
        - write: [0x20, 0x57]
        - write: [0x23, 0x88]
        - wait: 70ms
      measure:
        - read: { at: 0xA8, as: { X: s16le, Y: s16le, Z: s16le } }
      numbers:
        x: { is: X / 16, scale: 0.001, unit: g, min: -2.048, max: 2.047 }
        y: { is: Y / 16, scale: 0.001, unit: g, min: -2.048, max: 2.047 }
        z: { is: Z / 16, scale: 0.001, unit: g, min: -2.048, max: 2.047 }
      example:
        registers: { 0x0F: [0x33], 0xA8: [0x00, 0x06, 0x00, 0xFA, 0x80, 0x3E] }
        gives: { x: 0.096, y: -0.096, z: 1 }
      """#
    ),
    (
      "lm75",
      #"""
      sheet: lm75
      about: Temperature, NXP, Texas Instruments and others
      source: NXP LM75B, section 7.4.3, table 10
      bus: { i2c: [0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F], hertz: 400kHz }
      measure:
        - read: { at: 0x00, as: { T: s11, _: u5 } }
      numbers:
        temperature: { is: T, scale: 0.125, unit: °C, min: -55, max: 125 }
      example:
        registers: { 0x00: [0x19, 0x00] }
        gives: { temperature: 25 }
      """#
    ),
    (
      "lps22hb",
      #"""
      sheet: lps22hb
      about: Temperature and pressure, STMicroelectronics
      source: ST DS10825, sections 9.4 (WHO_AM_I), 9.6 (CTRL_REG2), 9.18 (STATUS), 4.4 and 4.5 (conversion)
      bus: { i2c: [0x5C, 0x5D], hertz: 400kHz }
      identify:
        - { read: 0x0F, expect: [0xB1] }
      measure:
        - write: [0x11, 0x11]
        - until: { read: 0x27, mask: 0x03, equals: 0x03, within: 50ms }
        - read: { at: 0x28, as: { P: u24le, T: s16le } }
      numbers:
        pressure: { is: P, scale: 1 / 4096, unit: hPa, min: 260, max: 1260 }
        temperature: { is: T, scale: 0.01, unit: °C, min: -40, max: 85 }
      example:
        registers: { 0x0F: [0xB1], 0x27: [0x03], 0x28: [0x02, 0xF4, 0x3E, 0xC4, 0x09] }
        gives: { pressure: 1007.2505, temperature: 25 }
      """#
    ),
    (
      "lps25hb",
      #"""
      sheet: lps25hb
      about: Temperature and pressure, STMicroelectronics
      source: ST DocID027112, sections 9.4 (WHO_AM_I), 9.6 (CTRL_REG1), 9.7 (CTRL_REG2), 9.13 (STATUS), 4.4 and 4.5 (conversion)
      bus: { i2c: [0x5C, 0x5D], hertz: 400kHz }
      identify:
        - { read: 0x0F, expect: [0xBD] }
      once:
        - write: [0x20, 0x80]
      measure:
        - write: [0x21, 0x01]
        - until: { read: 0x27, mask: 0x03, equals: 0x03, within: 100ms }
        - read: { at: 0xA8, as: { P: s24le, T: s16le } }
      numbers:
        pressure: { is: P, scale: 1 / 4096, unit: hPa, min: 260, max: 1260 }
        temperature: { is: T + 20400, scale: 1 / 480, unit: °C, min: -30, max: 105 }
      example:
        registers: { 0x0F: [0xBD], 0x27: [0x03], 0xA8: [0x00, 0x50, 0x3F, 0x00, 0x00] }
        gives: { pressure: 1013, temperature: 42.5 }
      """#
    ),
    (
      "ltr390",
      #"""
      sheet: ltr390
      about: Illuminance, Lite-On
      source: Lite-On LTR-390UV-01, registers 0x00 MAIN_CTRL, 0x04 ALS_UVS_MEAS_RATE, 0x05 GAIN, 0x06 PART_ID, 0x0D ALS_DATA; section 7 (lux)
      bus: { i2c: [0x53], hertz: 400kHz }
      identify:
        - { read: 0x06, expect: [0xB2] }
      once:
        - write: [0x04, 0x22]
        - write: [0x05, 0x01]
        - write: [0x00, 0x02]
        - wait: 110ms
      measure:
        - until: { read: 0x07, mask: 0x08, equals: 0x08, within: 200ms }
        - read: { at: 0x0D, as: { L: u24le } }
      numbers:
        illuminance: { is: L mod 1048576, scale: 0.2, unit: lx, min: 0, max: 209715 }
      example:
        registers: { 0x06: [0xB2], 0x07: [0x08], 0x0D: [0x88, 0x13, 0x00] }
        gives: { illuminance: 1000 }
      """#
    ),
    (
      "max17048",
      #"""
      sheet: max17048
      about: Charge of a lithium battery, Maxim; also MAX17049
      source: Maxim MAX17048 19-6171, table 2 (registers VCELL and SOC)
      bus: { i2c: [0x36], hertz: 400kHz }
      measure:
        - read: { at: 0x02, as: { V: u16be } }
        - read: { at: 0x04, as: { C: u16be } }
      numbers:
        voltage: { is: V, scale: 0.000078125, unit: V, min: 0, max: 5.12 }
        charge: { is: C, scale: 1 / 256, unit: "%", min: 0, max: 100 }
      example:
        registers: { 0x02: [0xB8, 0x00], 0x04: [0x4B, 0x80] }
        gives: { voltage: 3.68, charge: 75.5 }
      """#
    ),
    (
      "max30205",
      #"""
      sheet: max30205
      about: Body temperature, Maxim
      source: Maxim MAX30205 19-8870, table 5
      bus: { i2c: [0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F], hertz: 400kHz }
      measure:
        - read: { at: 0x00, as: { T: s16be } }
      numbers:
        temperature: { is: T, scale: 0.00390625, unit: °C, min: 0, max: 50 }
      example:
        registers: { 0x00: [0x25, 0x80] }
        gives: { temperature: 37.5 }
      """#
    ),
    (
      "max31855",
      #"""
      sheet: max31855
      about: Thermocouple, Maxim
      source: Maxim MAX31855 19-5793, tables 2 (bits), 4 (thermocouple) and 5 (internal temperature)
      bus: { spi: { mode: 0, hertz: 5MHz } }
      measure:
        - transfer: { send: [0, 0, 0, 0], as: { T: s14, _1: u1, fault: u1, I: s12, _2: u1, SCV: u1, SCG: u1, OC: u1 } }
      faults:
        the thermocouple is open: OC
        the thermocouple has a short circuit to ground: SCG
        the thermocouple has a short circuit to the supply: SCV
        the chip reports a fault: fault
      numbers:
        temperature: { is: T, scale: 0.25, unit: °C, min: -270, max: 1800 }
        internal: { is: I, scale: 0.0625, unit: °C, min: -55, max: 125 }
      example:
        answers: [[0x64, 0x00, 0x19, 0x00]]
        gives: { temperature: 1600, internal: 25 }
      """#
    ),
    (
      "max6675",
      #"""
      sheet: max6675
      about: Thermocouple of type K, Maxim
      source: Maxim MAX6675 19-2235, table 1 (output)
      bus: { spi: { mode: 0, hertz: 4.3MHz } }
      measure:
        - wait: 230ms
        - transfer: { send: [0, 0], as: { _1: u1, T: u12, open: u1, _2: u2 } }
      faults:
        the thermocouple is open: open
      numbers:
        temperature: { is: T, scale: 0.25, unit: °C, min: 0, max: 1024 }
      example:
        answers: [[0x0C, 0x80]]
        gives: { temperature: 100 }
      """#
    ),
    (
      "mcp3001",
      #"""
      sheet: mcp3001
      about: Analog-to-digital converter, 10 bits, 1 channel, Microchip
      source: Microchip DS21293C, figure 6-1 and section 1.0 (1.05 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 1MHz } }
      settings:
        reference: { number: 0.25..5.5, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [0x00, 0x00], as: { _: u3, raw: u10, rest: u3 } }
      numbers:
        level: { is: raw, scale: 1 / 1023, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 1024, unit: V, min: 0, max: 5.5 }
      example:
        answers: [[0xD0, 0x07]]
        sent: [[0x00, 0x00]]
        gives: { level: 0.500489, voltage: 1.65 }
      """#
    ),
    (
      "mcp3002",
      #"""
      sheet: mcp3002
      about: Analog-to-digital converter, 10 bits, 2 channels, Microchip
      source: Microchip DS21294E, figure 6-1, table 5-1 and section 1.0 (1.2 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 1.2MHz } }
      settings:
        channel: { choices: { 0: 2, 1: 3, 0-1: 0, 1-0: 1 }, default: 0 }
        reference: { number: 2.7..5.5, unit: V, default: 3.3 }
      measure:
        - transfer: { send: ["64 + channel * 16 + 8", 0x00], as: { _: u6, raw: u10 } }
      numbers:
        level: { is: raw, scale: 1 / 1023, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 1024, unit: V, min: 0, max: 5.5 }
      example:
        settings: { channel: 1 }
        answers: [[0xFA, 0x00]]
        sent: [[0x78, 0x00]]
        gives: { level: 0.500489, voltage: 1.65 }
      """#
    ),
    (
      "mcp3004",
      #"""
      sheet: mcp3004
      about: Analog-to-digital converter, 10 bits, 4 channels, Microchip
      source: Microchip DS21295D, figure 6-1, table 5-1 and section 1.0 (1.35 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 1.35MHz } }
      settings:
        channel: { choices: { 0: 8, 1: 9, 2: 10, 3: 11, 0-1: 0, 1-0: 1, 2-3: 2, 3-2: 3 }, default: 0 }
        reference: { number: 0.5..6, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [0x01, channel * 16, 0x00], as: { _: u14, raw: u10 } }
      numbers:
        level: { is: raw, scale: 1 / 1023, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 1024, unit: V, min: 0, max: 6 }
      example:
        settings: { channel: 3 }
        answers: [[0xFF, 0xFA, 0x00]]
        sent: [[0x01, 0xB0, 0x00]]
        gives: { level: 0.500489, voltage: 1.65 }
      """#
    ),
    (
      "mcp3008",
      #"""
      sheet: mcp3008
      about: Analog-to-digital converter, 10 bits, 8 channels, Microchip
      source: Microchip DS21295D, figure 6-1, table 5-2 and section 1.0 (1.35 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 1.35MHz } }
      settings:
        channel: { choices: { 0: 8, 1: 9, 2: 10, 3: 11, 4: 12, 5: 13, 6: 14, 7: 15, 0-1: 0, 1-0: 1, 2-3: 2, 3-2: 3, 4-5: 4, 5-4: 5, 6-7: 6, 7-6: 7 }, default: 0 }
        reference: { number: 0.5..6, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [0x01, channel * 16, 0x00], as: { _: u14, raw: u10 } }
      numbers:
        level: { is: raw, scale: 1 / 1023, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 1024, unit: V, min: 0, max: 6 }
      example:
        settings: { channel: 3 }
        answers: [[0xFF, 0xFA, 0x00]]
        sent: [[0x01, 0xB0, 0x00]]
        gives: { level: 0.500489, voltage: 1.65 }
      """#
    ),
    (
      "mcp3201",
      #"""
      sheet: mcp3201
      about: Analog-to-digital converter, 12 bits, 1 channel, Microchip
      source: Microchip DS21290F, figure 6-1 and section 1.0 (0.8 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 800kHz } }
      settings:
        reference: { number: 0.25..5.5, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [0x00, 0x00], as: { _: u3, raw: u12, rest: u1 } }
      numbers:
        level: { is: raw, scale: 1 / 4095, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 4096, unit: V, min: 0, max: 5.5 }
      example:
        answers: [[0xD0, 0x01]]
        sent: [[0x00, 0x00]]
        gives: { level: 0.500122, voltage: 1.65 }
      """#
    ),
    (
      "mcp3202",
      #"""
      sheet: mcp3202
      about: Analog-to-digital converter, 12 bits, 2 channels, Microchip
      source: Microchip DS21034D, figure 6-1, table 5-1 and section 1.0 (0.9 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 900kHz } }
      settings:
        channel: { choices: { 0: 2, 1: 3, 0-1: 0, 1-0: 1 }, default: 0 }
        reference: { number: 2.7..5.5, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [0x01, "channel * 64 + 32", 0x00], as: { _: u12, raw: u12 } }
      numbers:
        level: { is: raw, scale: 1 / 4095, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 4096, unit: V, min: 0, max: 5.5 }
      example:
        settings: { channel: 1 }
        answers: [[0xFF, 0xE8, 0x00]]
        sent: [[0x01, 0xE0, 0x00]]
        gives: { level: 0.500122, voltage: 1.65 }
      """#
    ),
    (
      "mcp3204",
      #"""
      sheet: mcp3204
      about: Analog-to-digital converter, 12 bits, 4 channels, Microchip
      source: Microchip DS21298E, figure 6-1, table 5-1 and section 1.0 (1 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 1MHz } }
      settings:
        channel: { choices: { 0: 8, 1: 9, 2: 10, 3: 11, 0-1: 0, 1-0: 1, 2-3: 2, 3-2: 3 }, default: 0 }
        reference: { number: 0.5..6, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [channel / 4 + 4, channel mod 4 * 64, 0x00], as: { _: u12, raw: u12 } }
      numbers:
        level: { is: raw, scale: 1 / 4095, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 4096, unit: V, min: 0, max: 6 }
      example:
        settings: { channel: 3 }
        answers: [[0xFF, 0xE8, 0x00]]
        sent: [[0x06, 0xC0, 0x00]]
        gives: { level: 0.500122, voltage: 1.65 }
      """#
    ),
    (
      "mcp3208",
      #"""
      sheet: mcp3208
      about: Analog-to-digital converter, 12 bits, 8 channels, Microchip
      source: Microchip DS21298E, figure 6-1, table 5-2 and section 1.0 (1 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 1MHz } }
      settings:
        channel: { choices: { 0: 8, 1: 9, 2: 10, 3: 11, 4: 12, 5: 13, 6: 14, 7: 15, 0-1: 0, 1-0: 1, 2-3: 2, 3-2: 3, 4-5: 4, 5-4: 5, 6-7: 6, 7-6: 7 }, default: 0 }
        reference: { number: 0.5..6, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [channel / 4 + 4, channel mod 4 * 64, 0x00], as: { _: u12, raw: u12 } }
      numbers:
        level: { is: raw, scale: 1 / 4095, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 4096, unit: V, min: 0, max: 6 }
      example:
        settings: { channel: 3 }
        answers: [[0xFF, 0xE8, 0x00]]
        sent: [[0x06, 0xC0, 0x00]]
        gives: { level: 0.500122, voltage: 1.65 }
      """#
    ),
    (
      "mcp3301",
      #"""
      sheet: mcp3301
      about: Analog-to-digital converter, 13 bits with a sign, 1 differential channel, Microchip
      source: Microchip DS21700E, figure 6-1 and section 1.0 (0.85 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 800kHz } }
      settings:
        reference: { number: 0.4..5.5, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [0x00, 0x00], as: { _: u3, raw: s13 } }
      numbers:
        level: { is: raw, scale: 1 / 4095, min: -1.0003, max: 1 }
        voltage: { is: raw, scale: reference / 4096, unit: V, min: -5.5, max: 5.5 }
      example:
        answers: [[0xDC, 0x00]]
        sent: [[0x00, 0x00]]
        gives: { level: -0.250061, voltage: -0.825 }
      """#
    ),
    (
      "mcp3302",
      #"""
      sheet: mcp3302
      about: Analog-to-digital converter, 13 bits with a sign, 4 channels, Microchip
      source: Microchip DS21697F, figure 6-1, table 5-1 and section 1.0 (1.05 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 1MHz } }
      settings:
        channel: { choices: { 0: 8, 1: 9, 2: 10, 3: 11, 0-1: 0, 1-0: 1, 2-3: 2, 3-2: 3 }, default: 0 }
        reference: { number: 0.4..5.5, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [channel / 2 + 8, channel mod 2 * 128, 0x00], as: { _: u11, raw: s13 } }
      numbers:
        level: { is: raw, scale: 1 / 4095, min: -1.0003, max: 1 }
        voltage: { is: raw, scale: reference / 4096, unit: V, min: -5.5, max: 5.5 }
      example:
        settings: { channel: 3 }
        answers: [[0xFF, 0xC8, 0x00]]
        sent: [[0x0D, 0x80, 0x00]]
        gives: { level: 0.500122, voltage: 1.65 }
      """#
    ),
    (
      "mcp3304",
      #"""
      sheet: mcp3304
      about: Analog-to-digital converter, 13 bits with a sign, 8 channels, Microchip
      source: Microchip DS21697F, figure 6-1, table 5-1 and section 1.0 (1.05 MHz at 2.7 V)
      bus: { spi: { mode: 0, hertz: 1MHz } }
      settings:
        channel: { choices: { 0: 8, 1: 9, 2: 10, 3: 11, 4: 12, 5: 13, 6: 14, 7: 15, 0-1: 0, 1-0: 1, 2-3: 2, 3-2: 3, 4-5: 4, 5-4: 5, 6-7: 6, 7-6: 7 }, default: 0 }
        reference: { number: 0.4..5.5, unit: V, default: 3.3 }
      measure:
        - transfer: { send: [channel / 2 + 8, channel mod 2 * 128, 0x00], as: { _: u11, raw: s13 } }
      numbers:
        level: { is: raw, scale: 1 / 4095, min: -1.0003, max: 1 }
        voltage: { is: raw, scale: reference / 4096, unit: V, min: -5.5, max: 5.5 }
      example:
        settings: { channel: 3 }
        answers: [[0xFF, 0xC8, 0x00]]
        sent: [[0x0D, 0x80, 0x00]]
        gives: { level: 0.500122, voltage: 1.65 }
      """#
    ),
    (
      "mcp3421",
      #"""
      sheet: mcp3421
      about: Analog-to-digital converter, 18 bits, Microchip
      source: Microchip DS22003E, registers 5-1 (configuration), tables 4-3 (codes) and 5-3 (conversion data)
      bus: { i2c: [0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F], hertz: 400kHz }
      settings:
        gain: { choices: { 1: 0, 2: 1, 4: 2, 8: 3 }, default: 1, sets: { factor: [1, 2, 4, 8] } }
      measure:
        - write: ["128 + 12 + gain"]
        - wait: 370ms
        - read: { as: { raw: s24be, configuration: u8 } }
      numbers:
        voltage: { is: raw * 15625 / factor / (1 - configuration / 128), scale: 0.000000001, unit: V, min: -2.048, max: 2.048 }
      example:
        answers: [[0x01, 0x00, 0x00, 0x0C]]
        written: [[0x8C]]
        gives: { voltage: 1.024 }
      """#
    ),
    (
      "mcp4725",
      #"""
      sheet: mcp4725
      about: Digital-to-analog converter, 12 bits, 1 output, Microchip
      source: Microchip DS22039 (MCP4725), command "write DAC register"
      bus: { i2c: [0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67], hertz: 400kHz }
      levels:
        out: { range: 0..4095, write: [0x40, out / 16, out mod 16 * 16] }
      example:
        levels: { out: 0.5 }
        written: [[0x40, 0x80, 0x00]]
      """#
    ),
    (
      "mcp4728",
      #"""
      sheet: mcp4728
      about: Digital-to-analog converter, 12 bits, 4 outputs, Microchip
      source: Microchip DS22187 (MCP4728), command "multi-write" with the bits UDAC, VREF, PD and Gx
      bus: { i2c: [0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67], hertz: 400kHz }
      settings:
        range: { choices: { supply: 0, 2.048V: 128, 4.096V: 144 }, default: supply }
      levels:
        A: { range: 0..4095, write: [0x40, range + A / 256, A] }
        B: { range: 0..4095, write: [0x42, range + B / 256, B] }
        C: { range: 0..4095, write: [0x44, range + C / 256, C] }
        D: { range: 0..4095, write: [0x46, range + D / 256, D] }
      example:
        settings: { range: 4.096V }
        levels: { A: 1, B: 0.5, C: 0, D: 0.25 }
        written: [[0x40, 0x9F, 0xFF], [0x42, 0x98, 0x00], [0x44, 0x90, 0x00], [0x46, 0x94, 0x00]]
      """#
    ),
    (
      "mcp9808",
      #"""
      sheet: mcp9808
      about: Temperature, Microchip
      source: Microchip DS25095, sections 5.1.3 and 5.1.6, registers 5-4 and 5-7, equation 5-1
      bus: { i2c: [0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F], hertz: 400kHz }
      identify:
        - { read: 0x07, expect: [0x04] }
      measure:
        - read: { at: 0x05, as: { _: u3, T: s13 } }
      numbers:
        temperature: { is: T, scale: 0.0625, unit: °C, min: -40, max: 125 }
      example:
        registers: { 0x07: [0x04, 0x00], 0x05: [0xC1, 0x94] }
        gives: { temperature: 25.25 }
      """#
    ),
    (
      "mh-z19",
      #"""
      sheet: mh-z19
      about: Sensor of carbon dioxide, Winsen (MH-Z19B, MH-Z19C)
      source: Winsen, MH-Z19B user's manual V1.0, "Communication protocol", command 0x86
      bus: { serial: { baud: 9600 } }
      measure:
        - write: [0xFF, 0x01, 0x86, 0, 0, 0, 0, 0, 0x79]
        - receive:
            start: [0xFF, 0x86]
            length: 9
            sum: { from: 1, to: 7, at: 8, negated: true }
            within: 1s
            as: { _start: u16, ppm: u16be, _rest: u40 }
      numbers:
        co2: { is: ppm, unit: ppm, min: 0, max: 10000 }
      example:
        answers: [[0xFF, 0x86, 0x02, 0x60, 0x47, 0x00, 0x00, 0x00, 0xD1]]
        written: [[0xFF, 0x01, 0x86, 0x00, 0x00, 0x00, 0x00, 0x00, 0x79]]
        gives: { co2: 608 }
      """#
    ),
    (
      "mlx90614",
      #"""
      sheet: mlx90614
      about: Temperature without contact, Melexis
      source: Melexis MLX90614 rev. 13, sections 8.4.3 (addresses), 8.7.2.2 (temperature)
      bus: { i2c: [0x5A], hertz: 100kHz }
      measure:
        - read: { at: 0x06, as: { A: u16le } }
        - read: { at: 0x07, as: { O: u16le } }
      numbers:
        temperature: { is: (O * 2 - 27315) / (1 - O / 32768), scale: 0.01, unit: °C, min: -70, max: 380 }
        ambient: { is: A * 2 - 27315, scale: 0.01, unit: °C, min: -40, max: 125 }
      example:
        registers: { 0x06: [0x98, 0x3A], 0x07: [0xF7, 0x3A] }
        gives: { temperature: 28.75, ambient: 26.85 }
      """#
    ),
    (
      "mpl3115a2",
      #"""
      sheet: mpl3115a2
      about: Temperature and pressure, NXP
      source: NXP MPL3115A2 rev. 6, sections 14.1 (STATUS), 14.3 and 14.4 (data), 14.17.1 (CTRL_REG1)
      bus: { i2c: [0x60], hertz: 400kHz }
      identify:
        - { read: 0x0C, expect: [0xC4] }
      once:
        - write: [0x13, 0x07]
      measure:
        - write: [0x26, 0x3A]
        - until: { read: 0x00, mask: 0x08, equals: 0x08, within: 1s }
        - read: { at: 0x01, as: { P: u20be, T: s12, _: u4 } }
      numbers:
        pressure: { is: P, scale: 0.0025, unit: hPa, min: 200, max: 1100 }
        temperature: { is: T, scale: 0.0625, unit: °C, min: -40, max: 85 }
      example:
        registers: { 0x0C: [0xC4], 0x00: [0x0F], 0x01: [0x62, 0xF3, 0x40, 0x19, 0x00] }
        gives: { pressure: 1013.25, temperature: 25 }
      """#
    ),
    (
      "mpr121",
      #"""
      sheet: mpr121
      about: Touch sensor with 12 pads, NXP
      source: NXP MPR121 rev. 4, registers 0x00, 0x2B to 0x32, 0x41 to 0x5E, 0x7B to 0x7F and 0x80; NXP AN3889 (limits for 3.3 V)
      bus: { i2c: [0x5A, 0x5B, 0x5C, 0x5D], hertz: 400kHz }
      once:
        - write: [0x80, 0x63]
        - wait: 1ms
        - { read: 0x5D, expect: [0x24] }
        - write: [0x5E, 0x00]
        - write: [0x2B, 0x01, 0x01, 0x00, 0x00, 0x01, 0x01, 0xFF, 0x02]
        - write: [0x41, 15, 10, 15, 10, 15, 10, 15, 10, 15, 10, 15, 10, 15, 10, 15, 10, 15, 10, 15, 10, 15, 10, 15, 10]
        - write: [0x5C, 0x0B, 0x04]
        - write: [0x7D, 0xC9, 0x82, 0xB4]
        - write: [0x7B, 0x0B]
        - write: [0x5E, 0x8C]
      check:
        - { read: 0x5E, expect: [0x8C] }
      measure:
        - read: { at: 0x00, as: { touched: u16le } }
      contacts:
        0: touched mod 2
        1: touched / 2 mod 2
        2: touched / 4 mod 2
        3: touched / 8 mod 2
        4: touched / 16 mod 2
        5: touched / 32 mod 2
        6: touched / 64 mod 2
        7: touched / 128 mod 2
        8: touched / 256 mod 2
        9: touched / 512 mod 2
        10: touched / 1024 mod 2
        11: touched / 2048 mod 2
      example:
        registers: { 0x00: [0x09, 0x08], 0x5D: [0x24], 0x5E: [0x8C] }
        closed: [0, 3, 11]
      """#
    ),
    (
      "mpu6050",
      #"""
      sheet: mpu6050
      about: Acceleration and rotation on three axes, InvenSense
      source: InvenSense RM-MPU-6000A-00 rev. 4.2, sections 4.17 (acceleration), 4.18 (temperature), 4.19 (rotation), 4.28 (power), 4.32
      bus: { i2c: [0x68, 0x69], hertz: 400kHz }
      identify:
        - { read: 0x75, expect: [0x68] }
      once:
        - write: [0x6B, 0x01]
        - wait: 40ms
      measure:
        - read: { at: 0x3B, as: { AX: s16be, AY: s16be, AZ: s16be, T: s16be, GX: s16be, GY: s16be, GZ: s16be } }
      numbers:
        x: { is: AX, scale: 1 / 16384, unit: g, min: -2, max: 2 }
        y: { is: AY, scale: 1 / 16384, unit: g, min: -2, max: 2 }
        z: { is: AZ, scale: 1 / 16384, unit: g, min: -2, max: 2 }
        temperature: { is: T * 100 + 1242020, scale: 1 / 34000, unit: °C, min: -40, max: 85 }
        turnx: { is: GX, scale: 1 / 131, unit: °/s, min: -250, max: 250 }
        turny: { is: GY, scale: 1 / 131, unit: °/s, min: -250, max: 250 }
        turnz: { is: GZ, scale: 1 / 131, unit: °/s, min: -250, max: 250 }
      example:
        registers: { 0x75: [0x68], 0x3B: [0x20, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x83, 0x00, 0x00, 0x00, 0x00] }
        gives: { x: 0.5, z: 1, temperature: 36.53, turnx: 1, y: 0, turny: 0, turnz: 0 }
      """#
    ),
    (
      "ms5611",
      #"""
      sheet: ms5611
      about: Temperature and pressure, TE Connectivity
      source: TE MS5611-01BA03, pages 7 and 8 (calculation, with its example), page 10 (commands)
      bus: { i2c: [0x77, 0x76], hertz: 400kHz }
      once:
        - write: [0x1E]
        - wait: 3ms
        - read: { at: 0xA2, as: { C1: u16be } }
        - read: { at: 0xA4, as: { C2: u16be } }
        - read: { at: 0xA6, as: { C3: u16be } }
        - read: { at: 0xA8, as: { C4: u16be } }
        - read: { at: 0xAA, as: { C5: u16be } }
        - read: { at: 0xAC, as: { C6: u16be } }
      measure:
        - write: [0x48]
        - wait: 10ms
        - read: { at: 0x00, as: { D1: u24be } }
        - write: [0x58]
        - wait: 10ms
        - read: { at: 0x00, as: { D2: u24be } }
      numbers:
        dT: D2 - C5 * 256
        t: 2000 + dT * C6 / 8388608
        low: if(t < 2000, 1, 0)
        t2: low * (dT * dT / 2147483648)
        cold: if(t < -1500, 1, 0)
        square: (t - 2000) * (t - 2000)
        below: cold * (t + 1500) * (t + 1500)
        off2: low * (5 * square / 2) + 7 * below
        sens2: low * (5 * square / 4) + 11 * below / 2
        off: C2 * 65536 + C4 * dT / 128 - off2
        sens: C1 * 32768 + C3 * dT / 256 - sens2
        temperature: { is: t - t2, scale: 0.01, unit: °C, min: -40, max: 85 }
        pressure: { is: (D1 * sens / 2097152 - off) / 32768, scale: 0.01, unit: hPa, min: 10, max: 1200 }
      example:
        answers:
          - [0x9C, 0xBF]
          - [0x90, 0x3C]
          - [0x5B, 0x15]
          - [0x5A, 0xF2]
          - [0x82, 0xB8]
          - [0x6E, 0x98]
          - [0x8A, 0xA2, 0x1A]
          - [0x82, 0xC1, 0x3E]
        gives: { temperature: 20.07, pressure: 1000.09 }
      """#
    ),
    (
      "pcf8591",
      #"""
      sheet: pcf8591
      about: Analog-to-digital converter, 8 bits, 4 channels, NXP
      source: NXP PCF8591 rev. 7, sections 8.2 (control byte) and 8.4 (conversion)
      bus: { i2c: [0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F], hertz: 100kHz }
      settings:
        channel: { choices: { 0: 0, 1: 1, 2: 2, 3: 3 }, default: 0 }
        reference: { number: 2.5..6, unit: V, default: 3.3 }
      measure:
        - write: ["64 + channel"]
        - read: { as: { before: u8, raw: u8 } }
      numbers:
        level: { is: raw, scale: 1 / 255, min: 0, max: 1 }
        voltage: { is: raw, scale: reference / 256, unit: V, min: 0, max: 6 }
      example:
        settings: { channel: 2 }
        answers: [[0x00, 0x80]]
        written: [[0x42]]
        gives: { level: 0.50196, voltage: 1.65 }
      """#
    ),
    (
      "pct2075",
      #"""
      sheet: pct2075
      about: Temperature, NXP
      source: NXP PCT2075, section 7.4.3, table 11
      bus: { i2c: [0x37, 0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F], hertz: 400kHz }
      measure:
        - read: { at: 0x00, as: { T: s11, _: u5 } }
      numbers:
        temperature: { is: T, scale: 0.125, unit: °C, min: -55, max: 125 }
      example:
        registers: { 0x00: [0xFF, 0x80] }
        gives: { temperature: -0.5 }
      """#
    ),
    (
      "pms5003",
      #"""
      sheet: pms5003
      about: Fine dust sensor, Plantower (PMS5003, PMS7003, PMSA003)
      source: Plantower, PMS5003 series data manual V2.3, appendix I (active mode)
      bus: { serial: { baud: 9600 } }
      measure:
        # It sends a frame each 200 ms to 2.3 s by itself.
        - receive:
            start: [0x42, 0x4D]
            length: 32
            sum: 2
            within: 4s
            as: { _start: u32, _standard1: u16be, _standard2: u16be, _standard10: u16be, dust1: u16be, dust25: u16be, dust10: u16be }
      numbers:
        pm1: { is: dust1, unit: µg/m³, min: 0, max: 1000 }
        pm25: { is: dust25, unit: µg/m³, min: 0, max: 1000 }
        pm10: { is: dust10, unit: µg/m³, min: 0, max: 1000 }
      example:
        answers:
          - [0x42, 0x4D, 0x00, 0x1C, 0x00, 0x05, 0x00, 0x0D, 0x00, 0x16, 0x00, 0x05, 0x00, 0x0D, 0x00, 0x16, 0x02, 0xFD, 0x00, 0xF0, 0x00, 0x42, 0x00, 0x0A, 0x00, 0x06, 0x00, 0x04, 0x97, 0x00, 0x03, 0xD7]
        gives: { pm1: 5, pm25: 13, pm10: 22 }
      """#
    ),
    (
      "sdp31",
      #"""
      sheet: sdp31
      about: Differential pressure, Sensirion
      source: Sensirion SDP3x version 1, sections 6.3.1 (commands), 6.4 (checksum), 5.1 (conversion)
      bus: { i2c: [0x21, 0x22, 0x23], hertz: 400kHz }
      measure:
        - write: [0x36, 0x2F]
        - wait: 50ms
        - read: { crc: { polynomial: 0x31, start: 0xFF, after: 2 }, as: { P: s16be, T: s16be, factor: u16be } }
      numbers:
        pressure: { is: P * 1000 / factor, scale: 0.001, unit: Pa, min: -500, max: 500 }
        temperature: { is: T, scale: 0.005, unit: °C, min: -40, max: 85 }
      example:
        answers: [[0x17, 0x70, 0xB9, 0x13, 0x88, 0x01, 0x00, 0x3C, 0x39]]
        gives: { pressure: 100, temperature: 25 }
      """#
    ),
    (
      "sds011",
      #"""
      sheet: sds011
      about: Fine dust sensor, Nova Fitness
      source: Nova Fitness, SDS011 specification V1.3, "UART communication protocol"
      bus: { serial: { baud: 9600 } }
      measure:
        # It sends a frame each second by itself.
        - receive:
            start: [0xAA, 0xC0]
            length: 10
            sum: { from: 2, to: 7, at: 8 }
            within: 3s
            as: { _start: u16, dust25: u16le, dust10: u16le, _id: u16, _sum: u8, _tail: u8 }
      numbers:
        pm25: { is: dust25, scale: 0.1, unit: µg/m³, min: 0, max: 999.9 }
        pm10: { is: dust10, scale: 0.1, unit: µg/m³, min: 0, max: 999.9 }
      example:
        answers: [[0xAA, 0xC0, 0xD4, 0x04, 0x3A, 0x0A, 0xA1, 0x60, 0x1D, 0xAB]]
        gives: { pm25: 123.6, pm10: 261.8 }
      """#
    ),
    (
      "sgp30",
      #"""
      sheet: sgp30
      about: Air quality, Sensirion. Read it every second
      source: Sensirion SGP30 version 0.9, sections 6.3 (commands), 6.6 (checksum), table 10
      bus: { i2c: [0x58], hertz: 400kHz }
      once:
        - write: [0x20, 0x03]
        - wait: 10ms
      measure:
        - write: [0x20, 0x08]
        - wait: 12ms
        - read: { crc: { polynomial: 0x31, start: 0xFF, after: 2 }, as: { C: u16be, V: u16be } }
      numbers:
        co2: { is: C, unit: ppm, min: 400, max: 60000 }
        tvoc: { is: V, unit: ppb, min: 0, max: 60000 }
      example:
        answers: [[0x01, 0x90, 0x4C, 0x00, 0x0C, 0xFC]]
        gives: { co2: 400, tvoc: 12 }
      """#
    ),
    (
      "sht3x",
      #"""
      sheet: sht3x
      about: Temperature and humidity, Sensirion
      source: Sensirion SHT3x-DIS version 6, table 4 (timing), sections 4.3 (commands), 4.12 (checksum), 4.13 (conversion)
      bus: { i2c: [0x44, 0x45], hertz: 1MHz }
      measure:
        - write: [0x24, 0x00]
        - wait: 15.5ms
        - read: { crc: { polynomial: 0x31, start: 0xFF, after: 2 }, as: { T: u16be, H: u16be } }
      numbers:
        temperature: { is: 175 * T - 2949075, scale: 1 / 65535, unit: °C, min: -45, max: 130 }
        humidity: { is: 100 * H, scale: 1 / 65535, unit: "%", min: 0, max: 100 }
      example:
        answers: [[0x66, 0x66, 0x93, 0x80, 0x00, 0xA2]]
        gives: { temperature: 25.0, humidity: 50.0008 }
      """#
    ),
    (
      "sht4x",
      #"""
      sheet: sht4x
      about: Temperature and humidity, Sensirion
      source: Sensirion SHT4x data sheet version 3, table 5 (timing), sections 4.4 (checksum), 4.5 (commands), 4.6 (conversion)
      bus: { i2c: [0x44, 0x45, 0x46], hertz: 1MHz }
      measure:
        - write: [0xFD]
        - wait: 8.3ms
        - read: { crc: { polynomial: 0x31, start: 0xFF, after: 2 }, as: { T: u16be, H: u16be } }
      numbers:
        temperature: { is: 175 * T - 2949075, scale: 1 / 65535, unit: °C, min: -45, max: 130 }
        humidity: { is: 125 * H - 393210, scale: 1 / 65535, unit: "%", min: 0, max: 100 }
      example:
        answers: [[0x66, 0x66, 0x93, 0x80, 0x00, 0xA2]]
        gives: { temperature: 25.0, humidity: 56.501 }
      """#
    ),
    (
      "shtc3",
      #"""
      sheet: shtc3
      about: Temperature and humidity, Sensirion
      source: Sensirion SHTC3 version 4, table 5 (timing), sections 5.1 (sleep), 5.3 (commands), 5.10 (checksum), 5.11 (conversion)
      bus: { i2c: [0x70], hertz: 1MHz }
      measure:
        - write: [0x35, 0x17]
        - wait: 0.24ms
        - write: [0x78, 0x66]
        - wait: 12.1ms
        - read: { crc: { polynomial: 0x31, start: 0xFF, after: 2 }, as: { T: u16be, H: u16be } }
        - write: [0xB0, 0x98]
      numbers:
        temperature: { is: 175 * T - 2949075, scale: 1 / 65535, unit: °C, min: -45, max: 130 }
        humidity: { is: 100 * H, scale: 1 / 65535, unit: "%", min: 0, max: 100 }
      example:
        answers: [[0x66, 0x66, 0x93, 0x80, 0x00, 0xA2]]
        gives: { temperature: 25.0, humidity: 50.0008 }
      """#
    ),
    (
      "si7021",
      #"""
      sheet: si7021
      about: Temperature and humidity, Silicon Labs; also HTU21D and SHT2x
      source: Silicon Labs Si7021-A20 rev. 1.3, tables 2 (timing) and 11 (commands), sections 5.1.1 and 5.1.2 (conversion)
      bus: { i2c: [0x40], hertz: 400kHz }
      measure:
        - write: [0xF5]
        - wait: 30ms
        - read: { crc: { polynomial: 0x31, start: 0x00, after: 2 }, as: { H: u16be } }
        - write: [0xF3]
        - wait: 90ms
        - read: { crc: { polynomial: 0x31, start: 0x00, after: 2 }, as: { T: u16be } }
      numbers:
        humidity: { is: 125 * H - 393216, scale: 1 / 65536, unit: "%", min: 0, max: 100 }
        temperature: { is: 17572 * T - 307036160, scale: 1 / 6553600, unit: °C, min: -40, max: 125 }
      example:
        answers: [[0x7C, 0x80, 0xF5], [0x68, 0x3A, 0x7C]]
        gives: { humidity: 54.791, temperature: 24.6918 }
      """#
    ),
    (
      "srf02",
      #"""
      sheet: srf02
      about: Distance by ultrasound, Devantech; also SRF08 and SRF10
      source: Devantech SRF02 I2C documentation, registers and commands
      bus: { i2c: [0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77], hertz: 100kHz }
      measure:
        - write: [0x00, 0x51]
        - wait: 70ms
        - read: { at: 0x02, as: { D: u16be } }
      numbers:
        distance: { is: D, unit: cm, min: 0, max: 600 }
      example:
        registers: { 0x02: [0x00, 0x7B] }
        written: [[0x00, 0x51]]
        gives: { distance: 123 }
      """#
    ),
    (
      "tc77",
      #"""
      sheet: tc77
      about: Temperature, Microchip
      source: Microchip DS20092, section 4.2 (register), table 4-1
      bus: { spi: { mode: 0, hertz: 7MHz } }
      measure:
        - read: { as: { T: s13, ready: u1, _: u2 } }
      numbers:
        temperature: { is: T / ready, scale: 0.0625, unit: °C, min: -55, max: 125 }
      example:
        answers: [[0x0C, 0x87]]
        gives: { temperature: 25 }
      """#
    ),
    (
      "tcs34725",
      #"""
      sheet: tcs34725
      about: Colour, ams
      source: ams TCS3472 version 1-06, tables Command, Enable, ATIME, ID, Status and RGBC data
      bus: { i2c: [0x29], hertz: 400kHz }
      identify:
        - { read: 0x92, expect: [0x44, 0x4D] }
      once:
        - write: [0x81, 0xD5]
        - write: [0x80, 0x01]
        - wait: 2.4ms
        - write: [0x80, 0x03]
        - wait: 104ms
      measure:
        - until: { read: 0x93, mask: 0x01, equals: 0x01, within: 200ms }
        - read: { at: 0xB4, as: { C: u16le, R: u16le, G: u16le, B: u16le } }
      numbers:
        clear: { is: C, min: 0, max: 65535 }
        red: { is: R, min: 0, max: 65535 }
        green: { is: G, min: 0, max: 65535 }
        blue: { is: B, min: 0, max: 65535 }
      example:
        registers: { 0x92: [0x44], 0x93: [0x11], 0xB4: [0x10, 0x27, 0xE8, 0x03, 0xD0, 0x07, 0xB8, 0x0B] }
        gives: { clear: 10000, red: 1000, green: 2000, blue: 3000 }
      """#
    ),
    (
      "tmp102",
      #"""
      sheet: tmp102
      about: Temperature, Texas Instruments
      source: TI SBOS397, sections 7.5.2 and 7.5.3, table 8
      bus: { i2c: [0x48, 0x49, 0x4A, 0x4B], hertz: 400kHz }
      measure:
        - read: { at: 0x00, as: { T: s12, _: u4 } }
      numbers:
        temperature: { is: T, scale: 0.0625, unit: °C, min: -55, max: 128 }
      example:
        registers: { 0x00: [0x4B, 0x00] }
        gives: { temperature: 75 }
      """#
    ),
    (
      "tmp117",
      #"""
      sheet: tmp117
      about: Temperature, Texas Instruments, ±0.1 °C
      source: TI SNOSD82, sections 7.6.1.2 and 7.6.1.9, table 7-4
      bus: { i2c: [0x48, 0x49, 0x4A, 0x4B], hertz: 400kHz }
      identify:
        - { read: 0x0F, expect: [0x01] }
      measure:
        - read: { at: 0x00, as: { T: s16be } }
      numbers:
        temperature: { is: "T / if(T == -32768, 0, 1)", scale: 0.0078125, unit: °C, min: -55, max: 150 }
      example:
        registers: { 0x0F: [0x01, 0x17], 0x00: [0x0C, 0x80] }
        gives: { temperature: 25 }
      """#
    ),
    (
      "vcnl4040",
      #"""
      sheet: vcnl4040
      about: Proximity and illuminance, Vishay
      source: Vishay VCNL4040 rev. 1.5, tables 1 (registers), 3 (PS_CONF1), 8 (ALS_CONF); 0.1 lx at 80 ms
      bus: { i2c: [0x60], hertz: 400kHz }
      identify:
        - { read: 0x0C, expect: [0x86] }
      once:
        - write: [0x00, 0x00, 0x00]
        - write: [0x03, 0x0E, 0x08]
        - wait: 100ms
      measure:
        - read: { at: 0x08, as: { P: u16le } }
        - read: { at: 0x09, as: { L: u16le } }
      numbers:
        proximity: { is: P, min: 0, max: 65535 }
        illuminance: { is: L, scale: 0.1, unit: lx, min: 0, max: 6553.5 }
      example:
        registers: { 0x0C: [0x86, 0x01], 0x08: [0x10, 0x00], 0x09: [0xE8, 0x03] }
        gives: { proximity: 16, illuminance: 100 }
      """#
    ),
    (
      "veml7700",
      #"""
      sheet: veml7700
      about: Illuminance, Vishay
      source: Vishay VEML7700 rev. 1.7, tables 1 (ALS_CONF) and 4 (ALS); application note 84323 (0.0672 lx at gain 1 and 100 ms)
      bus: { i2c: [0x10], hertz: 400kHz }
      once:
        - write: [0x00, 0x00, 0x00]
        - wait: 105ms
      measure:
        - read: { at: 0x04, as: { L: u16le } }
      numbers:
        illuminance: { is: L, scale: 0.0672, unit: lx, min: 0, max: 4403.952 }
      example:
        registers: { 0x04: [0xE8, 0x03] }
        gives: { illuminance: 67.2 }
      """#
    ),
  ]
}
