// The kernel's I²C character devices, Documentation/i2c/dev-interface. Swift's modules don't contain these headers.
#ifndef CLINUX_I2C_H
#define CLINUX_I2C_H

#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdbool.h>
#include <stdint.h>

// Each function calls ioctl(2) once. It returns 0 or a count on success, and -errno on failure.

// I2C_FUNCS: reads the abilities of the adapter, bits I2C_FUNC_….
int clinux_i2c_functions(int descriptor, unsigned long *functions);
// I2C_SLAVE: sets the device for clinux_i2c_smbus. EBUSY: a driver of the kernel uses it.
int clinux_i2c_set_address(int descriptor, unsigned address);
// I2C_RDWR: one transaction. Returns the number of messages that were transferred.
int clinux_i2c_transfer(int descriptor, struct i2c_msg *messages, unsigned count);
// I2C_SMBUS: one transaction. `size` is I2C_SMBUS_…; `data` may be NULL if i2c/smbus-protocol allows it.
int clinux_i2c_smbus(int descriptor, bool reads, uint8_t command, uint32_t size, union i2c_smbus_data *data);

#endif
