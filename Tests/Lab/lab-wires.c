// SPDX-License-Identifier: GPL-2.0
/*
 * What the device tree of a board says, for a machine that has none: an I2C bus, /dev/i2c-7, and a 1-wire bus on lines of the chip with
 * the label "lab-wires". They are there as soon as somebody has gpio-sim make that chip.
 *
 * And a second I2C bus, /dev/i2c-8, with a PCF8574 at 0x27 that only remembers what its pins were set to, at 100 kHz. In debugfs:
 *   lab-i2c/answers    N while the board is pulled out
 *   lab-i2c/writes     each byte written to it with its moment, in nanoseconds of CLOCK_MONOTONIC; whatever is written to this file
 *                      empties it, and is a power-up
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/gpio/machine.h>
#include <linux/i2c.h>
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/seq_file.h>

#define ADDRESS 0x27
/* Nine cycles of the clock. */
#define BYTE_NANOSECONDS 90000
#define WRITES 32768

static DEFINE_MUTEX(lock);
static bool answers = true;
static u8 latch = 0xff;
static struct { u64 moment; u8 byte; } writes[WRITES];
static unsigned int write_count;

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	u64 start = ktime_get_ns(), now = start;
	int result = count;

	mutex_lock(&lock);
	for (int m = 0; m < count && result > 0; m++) {
		now += BYTE_NANOSECONDS;
		if (messages[m].addr != ADDRESS || !answers) {
			result = -ENXIO;
			break;
		}
		for (int i = 0; i < messages[m].len; i++) {
			now += BYTE_NANOSECONDS;
			if (messages[m].flags & I2C_M_RD) {
				messages[m].buf[i] = latch;
				continue;
			}
			latch = messages[m].buf[i];
			if (write_count < WRITES) {
				writes[write_count].moment = now;
				writes[write_count++].byte = latch;
			}
		}
	}
	mutex_unlock(&lock);
	fsleep((now - start) / 1000);
	return result;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = functionality,
};

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.algo = &algorithm,
	.name = "lab",
	.nr = 8,
};

static int writes_show(struct seq_file *file, void *unused)
{
	mutex_lock(&lock);
	for (unsigned int i = 0; i < write_count; i++)
		seq_printf(file, "%llu %u\n", writes[i].moment, writes[i].byte);
	mutex_unlock(&lock);
	return 0;
}

static int writes_open(struct inode *inode, struct file *file)
{
	return single_open(file, writes_show, NULL);
}

static ssize_t writes_power_up(struct file *file, const char __user *text, size_t count, loff_t *place)
{
	mutex_lock(&lock);
	write_count = 0;
	latch = 0xff;
	mutex_unlock(&lock);
	return count;
}

static const struct file_operations writes_operations = {
	.owner = THIS_MODULE,
	.open = writes_open,
	.read = seq_read,
	.write = writes_power_up,
	.llseek = seq_lseek,
	.release = single_release,
};

static struct gpiod_lookup_table i2c_lines = {
	.dev_id = "i2c-gpio.7",
	.table = {
		GPIO_LOOKUP("lab-wires", 0, "sda", GPIO_ACTIVE_HIGH),
		GPIO_LOOKUP("lab-wires", 1, "scl", GPIO_ACTIVE_HIGH),
		{ }
	},
};

static struct gpiod_lookup_table w1_lines = {
	.dev_id = "w1-gpio.0",
	.table = {
		GPIO_LOOKUP("lab-wires", 2, NULL, GPIO_ACTIVE_HIGH),
		{ }
	},
};

static int __init lab_wires_init(void)
{
	struct dentry *folder = debugfs_create_dir("lab-i2c", NULL);
	struct platform_device *i2c, *w1;

	debugfs_create_bool("answers", 0644, folder, &answers);
	debugfs_create_file("writes", 0644, folder, NULL, &writes_operations);
	gpiod_add_lookup_table(&i2c_lines);
	gpiod_add_lookup_table(&w1_lines);
	i2c = platform_device_register_simple("i2c-gpio", 7, NULL, 0);
	w1 = platform_device_register_simple("w1-gpio", 0, NULL, 0);
	return PTR_ERR_OR_ZERO(i2c) ?: PTR_ERR_OR_ZERO(w1) ?: i2c_add_numbered_adapter(&adapter);
}
device_initcall(lab_wires_init);
