#include "linux_serial.h"

// Not termios.h: it lacks BOTHER, and defines another struct termios.
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <sys/ioctl.h>

static int result_of(int result) { return result < 0 ? -errno : 0; }

int clinux_serial_configure(int descriptor, unsigned baud, int bits, char parity, int stop_bits) {
  static const tcflag_t sizes[] = {CS5, CS6, CS7, CS8};
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) < 0) return -errno;
  settings.c_iflag = 0;
  settings.c_oflag = 0;
  settings.c_lflag = 0;
  settings.c_cflag = BOTHER | sizes[bits - 5] | CREAD | CLOCAL;
  if (parity != 'N') settings.c_cflag |= PARENB;
  if (parity == 'O') settings.c_cflag |= PARODD;
  if (stop_bits == 2) settings.c_cflag |= CSTOPB;
  // Bytes with a wrong parity are read as zeros.
  if (parity != 'N') settings.c_iflag |= INPCK;
  settings.c_ispeed = baud;
  settings.c_ospeed = baud;
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  if (ioctl(descriptor, TCSETS2, &settings) < 0) return -errno;
  if (ioctl(descriptor, TCGETS2, &settings) < 0) return -errno;
  return (int)settings.c_ospeed;
}

int clinux_serial_claim(int descriptor) { return result_of(ioctl(descriptor, TIOCEXCL)); }

int clinux_serial_flush_input(int descriptor) { return result_of(ioctl(descriptor, TCFLSH, TCIFLUSH)); }
