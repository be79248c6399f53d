#include "linux_i2c.h"

#include <errno.h>
#include <sys/ioctl.h>

static int result_of(int result) { return result < 0 ? -errno : result; }

int clinux_i2c_functions(int descriptor, unsigned long *functions) {
  return result_of(ioctl(descriptor, I2C_FUNCS, functions));
}

int clinux_i2c_set_address(int descriptor, unsigned address) {
  return result_of(ioctl(descriptor, I2C_SLAVE, (unsigned long)address));
}

int clinux_i2c_transfer(int descriptor, struct i2c_msg *messages, unsigned count) {
  struct i2c_rdwr_ioctl_data transaction = {.msgs = messages, .nmsgs = count};
  return result_of(ioctl(descriptor, I2C_RDWR, &transaction));
}

int clinux_i2c_smbus(int descriptor, bool reads, uint8_t command, uint32_t size, union i2c_smbus_data *data) {
  struct i2c_smbus_ioctl_data transaction = {
      .read_write = reads ? I2C_SMBUS_READ : I2C_SMBUS_WRITE, .command = command, .size = size, .data = data};
  return result_of(ioctl(descriptor, I2C_SMBUS, &transaction));
}
