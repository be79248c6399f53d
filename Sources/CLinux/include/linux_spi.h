// The kernel's SPI character devices, Documentation/spi/spidev. Swift's modules don't contain these headers.
#ifndef CLINUX_SPI_H
#define CLINUX_SPI_H

#include <linux/spi/spidev.h>
#include <stdint.h>

// The bits of a mode. Swift doesn't import the kernel's macros, because they are expressions.
static const uint32_t clinux_spi_cpha = SPI_CPHA;
static const uint32_t clinux_spi_cpol = SPI_CPOL;
static const uint32_t clinux_spi_cs_high = SPI_CS_HIGH;
static const uint32_t clinux_spi_lsb_first = SPI_LSB_FIRST;
static const uint32_t clinux_spi_3wire = SPI_3WIRE;

// Each function calls ioctl(2). It returns 0 or a count on success, and -errno on failure.

// SPI_IOC_WR_MODE32, SPI_IOC_WR_BITS_PER_WORD and SPI_IOC_WR_MAX_SPEED_HZ: three calls, which end at the first failure.
// `mode` is a combination of these bits.
int clinux_spi_configure(int descriptor, uint32_t mode, uint8_t bits_per_word, uint32_t hertz);
// SPI_IOC_MESSAGE: one transfer of all messages. Returns the number of bytes.
int clinux_spi_transfer(int descriptor, struct spi_ioc_transfer *messages, unsigned count);

#endif
