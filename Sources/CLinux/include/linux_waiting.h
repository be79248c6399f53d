// What an event loop waits with: these headers of Linux are in no module that Swift comes with.
#ifndef CLINUX_WAITING_H
#define CLINUX_WAITING_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#endif
