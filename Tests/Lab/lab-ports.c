// SPDX-License-Identifier: GPL-2.0
/*
 * A PWM chip and an SPI bus of a board, for a machine that has none, and what is connected to them. In debugfs, folder lab-ports:
 *   pwm-states     "NANOSECONDS CHANNEL PERIOD DUTY INVERTED ENABLED" for each state that was applied, the moment in CLOCK_MONOTONIC;
 *                  whatever is written to this file empties it
 *   pwm-error      the errno of each apply, 0 for none
 *   spi-transfers  "NANOSECONDS CHIPSELECT HERTZ MODE BYTES" for each selection of a device, the bytes in hexadecimal; a write empties it
 *   spi-answer     the bytes that the device sends, in hexadecimal, from the start again after the last one
 *   spi-error      the errno of each transfer, 0 for none
 * Both go and come back by their drivers' files unbind and bind: lab-pwm.0 and lab-spi.8. And a PWM chip of the kernel's pwm-gpio on
 * the chip with the label "lab-pulses", as soon as somebody has gpio-sim make that chip.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/gpio/machine.h>
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/pwm.h>
#include <linux/seq_file.h>
#include <linux/spi/spi.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#define STATES 16384
#define TRANSFERS 2048
/* The most bytes of a selection that are kept. */
#define KEPT 1024

static DEFINE_MUTEX(lock);
static u32 pwm_error, spi_error;

static struct { u64 moment, period, duty; u8 channel, inverted, enabled; } states[STATES];
static unsigned int state_count;

static struct { u64 moment; u32 hertz, mode, length; u8 select, sent[KEPT]; } transfers[TRANSFERS];
static unsigned int transfer_count;
/* That of the present selection; NULL if it is not kept. */
static typeof(transfers[0]) *current_transfer;

static u8 answer[256];
static unsigned int answer_length;
/* The next byte of the answer. */
static unsigned int answer_place;

/* The PWM chip. */

static int apply(struct pwm_chip *chip, struct pwm_device *pwm, const struct pwm_state *state)
{
	int result = 0;

	mutex_lock(&lock);
	if (pwm_error) {
		result = -pwm_error;
	} else if (state_count == STATES) {
		/* A state that is not kept would be missed by a test. */
		result = -ENOSPC;
	} else {
		states[state_count].moment = ktime_get_ns();
		states[state_count].channel = pwm->hwpwm;
		states[state_count].period = state->period;
		states[state_count].duty = state->duty_cycle;
		states[state_count].inverted = state->polarity == PWM_POLARITY_INVERSED;
		states[state_count].enabled = state->enabled;
		state_count++;
	}
	mutex_unlock(&lock);
	return result;
}

static const struct pwm_ops operations = { .apply = apply };

static int pwm_probe(struct platform_device *device)
{
	struct pwm_chip *chip = devm_pwmchip_alloc(&device->dev, 4, 0);

	if (IS_ERR(chip))
		return PTR_ERR(chip);
	chip->ops = &operations;
	return devm_pwmchip_add(&device->dev, chip);
}

static struct platform_driver pwm_driver = { .driver = { .name = "lab-pwm" }, .probe = pwm_probe };

static int states_show(struct seq_file *file, void *unused)
{
	mutex_lock(&lock);
	for (unsigned int i = 0; i < state_count; i++)
		seq_printf(file, "%llu %u %llu %llu %u %u\n", states[i].moment, states[i].channel, states[i].period,
			   states[i].duty, states[i].inverted, states[i].enabled);
	mutex_unlock(&lock);
	return 0;
}

/* The SPI bus. */

static int prepare(struct spi_controller *controller, struct spi_message *message)
{
	mutex_lock(&lock);
	answer_place = 0;
	current_transfer = !spi_error && transfer_count < TRANSFERS ? &transfers[transfer_count++] : NULL;
	if (current_transfer) {
		current_transfer->moment = ktime_get_ns();
		current_transfer->mode = message->spi->mode;
		current_transfer->select = spi_get_chipselect(message->spi, 0);
		current_transfer->length = current_transfer->hertz = 0;
	}
	mutex_unlock(&lock);
	return 0;
}

static int transfer_one(struct spi_controller *controller, struct spi_device *device, struct spi_transfer *transfer)
{
	u8 *received = transfer->rx_buf;
	int result = 0;

	mutex_lock(&lock);
	if (spi_error) {
		result = -spi_error;
	} else if (current_transfer) {
		typeof(transfers[0]) *kept = current_transfer;
		u32 length = min_t(u32, transfer->len, KEPT - kept->length);

		kept->hertz = transfer->speed_hz;
		if (transfer->tx_buf)
			memcpy(kept->sent + kept->length, transfer->tx_buf, length);
		else
			memset(kept->sent + kept->length, 0, length);
		kept->length += length;
	}
	for (unsigned int i = 0; i < transfer->len; i++, answer_place++)
		if (received)
			received[i] = answer_length ? answer[answer_place % answer_length] : 0;
	mutex_unlock(&lock);
	fsleep(div_u64((u64)transfer->len * 8 * USEC_PER_SEC, transfer->speed_hz ?: USEC_PER_SEC));
	return result;
}

static void set_select(struct spi_device *device, bool enable) { }

static int spi_probe(struct platform_device *device)
{
	/* A name that spidev knows; it refuses "spidev" itself. */
	struct spi_board_info board = { .modalias = "dh2228fv", .max_speed_hz = 10000000 };
	struct spi_controller *controller = devm_spi_alloc_host(&device->dev, 0);
	int error;

	if (!controller)
		return -ENOMEM;
	controller->bus_num = device->id;
	controller->num_chipselect = 2;
	controller->prepare_message = prepare;
	controller->transfer_one = transfer_one;
	controller->set_cs = set_select;
	controller->mode_bits = SPI_CPOL | SPI_CPHA | SPI_LSB_FIRST | SPI_CS_HIGH;
	controller->bits_per_word_mask = SPI_BPW_MASK(8);
	error = devm_spi_register_controller(&device->dev, controller);
	if (error)
		return error;
	for (board.chip_select = 0; board.chip_select < 2; board.chip_select++)
		if (!spi_new_device(controller, &board))
			return -ENODEV;
	return 0;
}

static struct platform_driver spi_driver = { .driver = { .name = "lab-spi" }, .probe = spi_probe };

static int transfers_show(struct seq_file *file, void *unused)
{
	mutex_lock(&lock);
	for (unsigned int i = 0; i < transfer_count; i++) {
		seq_printf(file, "%llu %u %u %u ", transfers[i].moment, transfers[i].select, transfers[i].hertz,
			   transfers[i].mode);
		for (unsigned int k = 0; k < transfers[i].length; k++)
			seq_printf(file, "%02x", transfers[i].sent[k]);
		seq_puts(file, "\n");
	}
	mutex_unlock(&lock);
	return 0;
}

/* The files. */

static ssize_t states_empty(struct file *file, const char __user *text, size_t count, loff_t *place)
{
	mutex_lock(&lock);
	state_count = 0;
	mutex_unlock(&lock);
	return count;
}

static ssize_t transfers_empty(struct file *file, const char __user *text, size_t count, loff_t *place)
{
	mutex_lock(&lock);
	transfer_count = 0;
	current_transfer = NULL;
	mutex_unlock(&lock);
	return count;
}

static ssize_t answer_set(struct file *file, const char __user *text, size_t count, loff_t *place)
{
	char *copy = memdup_user_nul(text, count), *digits;
	unsigned int length;
	int error;

	if (IS_ERR(copy))
		return PTR_ERR(copy);
	digits = strim(copy);
	length = strlen(digits) / 2;
	mutex_lock(&lock);
	error = length > sizeof(answer) ? -EINVAL : hex2bin(answer, digits, length);
	answer_length = error ? 0 : length;
	mutex_unlock(&lock);
	kfree(copy);
	return error ?: count;
}

static int states_open(struct inode *inode, struct file *file)
{
	return single_open(file, states_show, NULL);
}

static int transfers_open(struct inode *inode, struct file *file)
{
	return single_open(file, transfers_show, NULL);
}

static const struct file_operations states_operations = {
	.owner = THIS_MODULE,
	.open = states_open,
	.read = seq_read,
	.write = states_empty,
	.llseek = seq_lseek,
	.release = single_release,
};

static const struct file_operations transfers_operations = {
	.owner = THIS_MODULE,
	.open = transfers_open,
	.read = seq_read,
	.write = transfers_empty,
	.llseek = seq_lseek,
	.release = single_release,
};

static const struct file_operations answer_operations = { .owner = THIS_MODULE, .write = answer_set };

static struct gpiod_lookup_table pulse_lines = {
	.dev_id = "pwm-gpio.0",
	.table = {
		GPIO_LOOKUP("lab-pulses", 0, NULL, GPIO_ACTIVE_HIGH),
		{ }
	},
};

static int __init lab_ports_init(void)
{
	struct dentry *folder = debugfs_create_dir("lab-ports", NULL);
	struct platform_device *pwm, *spi, *pulses;

	debugfs_create_file("pwm-states", 0644, folder, NULL, &states_operations);
	debugfs_create_u32("pwm-error", 0644, folder, &pwm_error);
	debugfs_create_file("spi-transfers", 0644, folder, NULL, &transfers_operations);
	debugfs_create_file("spi-answer", 0200, folder, NULL, &answer_operations);
	debugfs_create_u32("spi-error", 0644, folder, &spi_error);
	gpiod_add_lookup_table(&pulse_lines);
	pwm = platform_device_register_simple("lab-pwm", 0, NULL, 0);
	spi = platform_device_register_simple("lab-spi", 8, NULL, 0);
	pulses = platform_device_register_simple("pwm-gpio", 0, NULL, 0);
	return PTR_ERR_OR_ZERO(pwm) ?: PTR_ERR_OR_ZERO(spi) ?: PTR_ERR_OR_ZERO(pulses)
		?: platform_driver_register(&pwm_driver) ?: platform_driver_register(&spi_driver);
}
/* After the controllers' and spidev's drivers. */
late_initcall(lab_ports_init);
