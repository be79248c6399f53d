/// A transaction in terms of SMBus, for adapters that support only SMBus: `I2C_SMBUS` of the kernel's
/// `i2c/dev-interface`, with the protocols of `i2c/smbus-protocol`.
package enum SMBusTransfer: Equatable, Sendable {
  /// Only the address.
  case quick
  case receiveByte
  case sendByte(UInt8)
  case readByte(command: UInt8)
  case writeByte(command: UInt8, UInt8)
  /// Two bytes, the low one first.
  case readWord(command: UInt8)
  case writeWord(command: UInt8, UInt8, UInt8)
  /// 1 to 32 bytes without a count on the wire.
  case readBlock(command: UInt8, count: Int)
  case writeBlock(command: UInt8, [UInt8])

  /// The bit of `I2C_FUNCS` that an adapter must have for this transaction: `I2C_FUNC_SMBUS_…` of `linux/i2c.h`.
  package var function: UInt {
    switch self {
    case .quick: 0x0001_0000
    case .receiveByte: 0x0002_0000
    case .sendByte: 0x0004_0000
    case .readByte: 0x0008_0000
    case .writeByte: 0x0010_0000
    case .readWord: 0x0020_0000
    case .writeWord: 0x0040_0000
    case .readBlock: 0x0400_0000
    case .writeBlock: 0x0800_0000
    }
  }

  /// The transaction that transfers the same bytes as the messages; nil if none does, or the adapter doesn't support
  /// it.
  ///
  /// - Parameter functions: the abilities of the adapter: the result of `I2C_FUNCS`.
  package static func expressing(_ messages: [I2CMessage], functions: UInt) -> SMBusTransfer? {
    candidates(for: messages).first { functions & $0.function != 0 }
  }

  private static func candidates(for messages: [I2CMessage]) -> [SMBusTransfer] {
    switch messages.first {
    case .read(1) where messages.count == 1:
      return [.receiveByte]
    case .write(let bytes) where messages.count == 1:
      return writes(bytes)
    case .write(let bytes) where messages.count == 2 && bytes.count == 1:
      guard case .read(let count) = messages[1] else { return [] }
      return reads(count, command: bytes[0])
    default:
      return []
    }
  }

  private static func writes(_ bytes: [UInt8]) -> [SMBusTransfer] {
    guard let command = bytes.first else { return [.quick] }
    let data = Array(bytes.dropFirst())
    let block = data.isEmpty || data.count > 32 ? [] : [writeBlock(command: command, data)]
    switch data.count {
    case 0: return [.sendByte(command)]
    case 1: return [.writeByte(command: command, data[0])] + block
    case 2: return [.writeWord(command: command, data[0], data[1])] + block
    default: return block
    }
  }

  private static func reads(_ count: Int, command: UInt8) -> [SMBusTransfer] {
    let block = (1...32).contains(count) ? [readBlock(command: command, count: count)] : []
    switch count {
    case 1: return [.readByte(command: command)] + block
    case 2: return [.readWord(command: command)] + block
    default: return block
    }
  }
}
