import Testing

@testable import HardwareDrivers
@testable import HardwareSimulation

@Suite("SMBusTransfer")
struct SMBusTransferTests {
  private func expressed(_ messages: I2CMessage..., functions: UInt = .max) -> SMBusTransfer? {
    SMBusTransfer.expressing(messages, functions: functions)
  }

  @Test("bytes, words and blocks are expressed by the shortest transfer")
  func expressible() {
    #expect(expressed(.write([])) == .quick)
    #expect(expressed(.write([7])) == .sendByte(7))
    #expect(expressed(.write([7, 1])) == .writeByte(command: 7, 1))
    #expect(expressed(.write([7, 1, 2])) == .writeWord(command: 7, 1, 2))
    #expect(expressed(.write([7, 1, 2, 3])) == .writeBlock(command: 7, [1, 2, 3]))
    #expect(expressed(.read(1)) == .receiveByte)
    #expect(expressed(.write([7]), .read(1)) == .readByte(command: 7))
    #expect(expressed(.write([7]), .read(2)) == .readWord(command: 7))
    #expect(expressed(.write([7]), .read(32)) == .readBlock(command: 7, count: 32))
  }

  @Test("what SMBus doesn't know is not expressed")
  func inexpressible() {
    #expect(expressed(.read(2)) == nil)
    #expect(expressed(.write([7]), .read(33)) == nil)
    #expect(expressed(.write(Array(repeating: 0, count: 34))) == nil)
    #expect(expressed(.write([7, 8]), .read(1)) == nil)
    #expect(expressed(.write([7]), .write([8])) == nil)
    #expect(expressed(.read(1), .read(1)) == nil)
    #expect(expressed(.write([7]), .read(1), .read(1)) == nil)
  }

  @Test("an adapter without words or bytes does the same by a block, and one that can nothing nothing")
  func blocks() {
    let blocks: UInt = 0x0C00_0000
    #expect(expressed(.write([7, 1]), functions: blocks) == .writeBlock(command: 7, [1]))
    #expect(expressed(.write([7, 1, 2]), functions: blocks) == .writeBlock(command: 7, [1, 2]))
    #expect(expressed(.write([7]), .read(2), functions: blocks) == .readBlock(command: 7, count: 2))
    #expect(expressed(.write([7]), functions: blocks) == nil)
    #expect(expressed(.write([7]), .read(2), functions: 0) == nil)
  }

  @Test("an address is 0x08 to 0x77 and is written as data sheets do")
  func addresses() {
    #expect([0x07, 0x08, 0x77, 0x78].map { I2CAddress($0)?.description } == [nil, "0x08", "0x77", nil])
    #expect(I2CAddress(0x27) == 0x27)
    #expect(([0x68, 0x27] as [I2CAddress]).sorted() == [0x27, 0x68])
  }
}
