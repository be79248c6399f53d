#ifndef CLINUX_ERRNO_H
#define CLINUX_ERRNO_H

// Returns the system's name of an error, such as "EBUSY"; NULL if it has none. Calls strerrorname_np.
const char *clinux_errno_name(int number);

#endif
