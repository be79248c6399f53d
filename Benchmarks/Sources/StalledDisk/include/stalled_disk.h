// A disk that stands still: the function of this module replaces `fdatasync` of the C library.
#ifndef STALLED_DISK_H
#define STALLED_DISK_H

// Has each fdatasync from now on return only after so many milliseconds; 0 for as soon as the disk answers. For any thread.
void stall_fdatasync(unsigned milliseconds);

#endif
