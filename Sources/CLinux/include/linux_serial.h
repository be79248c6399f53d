// The settings of serial lines, termios(3) and ioctl_tty(2). The functions of the C library have fixed speeds only.
#ifndef CLINUX_SERIAL_H
#define CLINUX_SERIAL_H

#include <stdint.h>

// Each function calls ioctl(2). It returns 0 or a speed on success, and -errno on failure.

// TCGETS2 and TCSETS2: raw bytes in both directions, without modem lines, signals, echo or translation. A break is read
// as a zero. A close does not change DTR, because that would reset some boards. `parity` is 'N', 'E' or 'O'.
// Returns the speed that the hardware has chosen.
int clinux_serial_configure(int descriptor, unsigned baud, int bits, char parity, int stop_bits);
// TIOCEXCL: refuses further openings, except by root.
int clinux_serial_claim(int descriptor);
// TCFLSH: drops the bytes that have arrived and were not read.
int clinux_serial_flush_input(int descriptor);

#endif
