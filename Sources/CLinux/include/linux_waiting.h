// The system calls with which an event loop waits. Swift's modules don't contain these headers of Linux.
#ifndef CLINUX_WAITING_H
#define CLINUX_WAITING_H

#include <linux/netlink.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#endif
