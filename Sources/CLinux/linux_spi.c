#include "linux_spi.h"

#include <errno.h>
#include <sys/ioctl.h>

static int result_of(int result) { return result < 0 ? -errno : result; }

int clinux_spi_configure(int descriptor, uint32_t mode, uint8_t bits_per_word, uint32_t hertz) {
  if (ioctl(descriptor, SPI_IOC_WR_MODE32, &mode) < 0) return -errno;
  if (ioctl(descriptor, SPI_IOC_WR_BITS_PER_WORD, &bits_per_word) < 0) return -errno;
  return result_of(ioctl(descriptor, SPI_IOC_WR_MAX_SPEED_HZ, &hertz));
}

int clinux_spi_transfer(int descriptor, struct spi_ioc_transfer *messages, unsigned count) {
  return result_of(ioctl(descriptor, SPI_IOC_MESSAGE(count), messages));
}
