// The kernel's I²C character devices, Documentation/i2c/dev-interface: these headers are in no module that Swift comes
// with.
#ifndef CLINUX_I2C_H
#define CLINUX_I2C_H

#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdbool.h>
#include <stdint.h>

// Each calls ioctl(2) once and returns 0 or a count when all went well, otherwise -errno.

// I2C_FUNCS: what the adapter can do, bits I2C_FUNC_….
int clinux_i2c_functions(int descriptor, unsigned long *functions);
// I2C_SLAVE: which device clinux_i2c_smbus speaks to. EBUSY: a driver of the kernel has it.
int clinux_i2c_set_address(int descriptor, unsigned address);
// I2C_RDWR: one transaction; returns how many messages were transferred.
int clinux_i2c_transfer(int descriptor, struct i2c_msg *messages, unsigned count);
// I2C_SMBUS: one transaction; `size` is I2C_SMBUS_…, `data` may be NULL where it says so in i2c/smbus-protocol.
int clinux_i2c_smbus(int descriptor, bool reads, uint8_t command, uint32_t size, union i2c_smbus_data *data);

#endif
