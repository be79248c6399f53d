#ifndef CLINUX_ERRNO_H
#define CLINUX_ERRNO_H

// The system's name of an error, as in "EBUSY"; NULL where it has none. Calls strerrorname_np.
const char *clinux_errno_name(int number);

#endif
