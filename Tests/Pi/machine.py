"""An emulated Raspberry Pi 3: QEMU's raspi3b with Debian's kernel, what is asked of the system in it, and the registers of its GPIO."""

import base64
import os
import re
import socket
import subprocess
import threading
import time

# BCM2835 ARM Peripherals, chapter 6: the registers of GPIO as the processor sees them in a Pi 3.
GPIO = 0x3F200000
FUNCTIONS = 0  # six words, three bits a line: 0 is an input, 1 an output
LEVELS = 13  # two words
WORDS = 15


class Failure(Exception):
    """Something is not as it should be: a sentence."""


class Levels:
    """The lines at one moment of the host's clock."""

    def __init__(self, moment, words):
        self.moment = moment
        self.words = words

    def level(self, line):
        return self.words[LEVELS + line // 32] >> line % 32 & 1

    def is_output(self, line):
        return self.words[FUNCTIONS + line // 10] >> line % 10 * 3 & 7 == 1


class Machine:
    """A guest at work. What it reads is in its memory; it has no disk but `disk`, a file. Its first process is `init`."""

    def __init__(self, kernel, initrd, folder, disk=None, init="/init"):
        self.folder = folder
        monitor, agent = os.path.join(folder, "monitor"), os.path.join(folder, "agent")
        for path in (monitor, agent):
            if os.path.exists(path):
                os.unlink(path)
        command = [
            "qemu-system-aarch64", "-M", "raspi3b", "-kernel", os.path.join(kernel, "vmlinuz"),
            "-dtb", os.path.join(kernel, "pi.dtb"), "-initrd", initrd,
            "-append", "console=ttyAMA0,115200 loglevel=4 panic=-1 systemd.show_status=false rdinit=" + init,
            "-serial", "file:" + os.path.join(folder, "console"), "-serial", "unix:%s,server=on,wait=off" % agent,
            "-monitor", "unix:%s,server=on,wait=off" % monitor, "-display", "none", "-no-reboot",
        ]
        if disk:
            command += ["-drive", "if=sd,format=raw,file=" + disk]
        self.started = time.monotonic()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.monitor = self._connect(monitor)
        self._answer()
        self.agent = self._connect(agent)
        self.buffer = b""
        self.number = 0
        self.samples = []
        self._lock = threading.Lock()
        self._sampling = None

    def _connect(self, path):
        for _ in range(600):
            try:
                end = socket.socket(socket.AF_UNIX)
                end.connect(path)
                return end
            except OSError:
                end.close()
                if self.process.poll() is not None:
                    raise Failure("the emulator has ended with %s" % self.process.returncode)
                time.sleep(0.1)
        raise Failure("the emulator does not answer at %s" % path)

    def _answer(self):
        text = b""
        while not text.rstrip().endswith(b"(qemu)"):
            part = self.monitor.recv(65536)
            if not part:
                raise Failure("the emulator is gone")
            text += part
        return text.decode(errors="replace")

    # The system

    def _line(self, end):
        while b"\n" not in self.buffer:
            left = end - time.monotonic()
            if left <= 0:
                raise Failure("the guest has not answered in time")
            self.agent.settimeout(left)
            try:
                part = self.agent.recv(65536)
            except TimeoutError:
                continue
            if not part:
                raise Failure("the guest is gone")
            self.buffer += part
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.rstrip(b"\r")

    def wait_for_system(self, seconds):
        """Until the guest's system answers; returns how long it took from power-on."""
        end = time.monotonic() + seconds
        while b"@up" not in self._line(end):
            pass
        return time.monotonic() - self.started

    def run(self, script, seconds=300):
        """Runs a shell script as root; returns its status and what it printed on both streams."""
        self.number += 1
        request = "%d %s\n" % (self.number, base64.b64encode(script.encode()).decode())
        self.agent.sendall(request.encode())
        end = time.monotonic() + seconds
        head = b"@ %d " % self.number
        while not (line := self._line(end)).startswith(head):
            pass
        status = int(line[len(head):])
        text = []
        while (line := self._line(end)) != b"@end %d" % self.number:
            text.append(line)
        return status, base64.b64decode(b"".join(text)).decode(errors="replace").rstrip("\n")

    # The lines

    def look(self):
        """The lines now."""
        with self._lock:
            self.monitor.sendall(b"xp /%dwx 0x%x\n" % (WORDS, GPIO))
            text = self._answer()
        # The monitor repeats the command; the words follow an address and a colon.
        rows = re.findall(r"[0-9a-f]{16}:((?: 0x[0-9a-f]{8})+)", text)
        words = [int(word, 16) for row in rows for word in row.split()]
        if len(words) < WORDS:
            raise Failure("the emulator's monitor said %r" % text)
        return Levels(time.monotonic(), words)

    def watch(self):
        """Samples the lines each 10 ms from now on."""
        self.samples = []
        self._sampling = threading.Event()

        def sample():
            try:
                while not self._sampling.is_set():
                    self.samples.append(self.look())
                    time.sleep(0.01)
            except (Failure, OSError):
                pass  # The machine is gone; whoever asks it next is told so.

        self._thread = threading.Thread(target=sample, daemon=True)
        self._thread.start()

    def watched(self):
        """Ends sampling; returns the samples."""
        self._sampling.set()
        self._thread.join()
        return self.samples

    def wait_for(self, what, is_so, seconds=120):
        """Looks at the lines until something is so; returns the moment."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            levels = self.look()
            if is_so(levels):
                return levels.moment
            time.sleep(0.01)
        raise Failure("%s has not come about in %d s" % (what, seconds))

    def cut_power(self):
        """Ends the guest at once, as if its plug were pulled."""
        self.process.kill()
        self.process.wait()

    def console(self):
        with open(os.path.join(self.folder, "console"), errors="replace") as file:
            return file.read()
