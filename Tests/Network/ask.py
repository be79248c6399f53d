"""Asks a panel by its control socket. SOCKET hold SECONDS: presses the bell for so long. SOCKET events COUNT: presses and releases the bell by turns. SOCKET lamp COUNT: presses it so often, and prints the
time until the lamp is another one, in microseconds: the median, and the longest."""
import json
import socket
import sys
import time


class Panel:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r")

    def send(self, request):
        self.socket.sendall(f"{request}\n".encode())

    def ask(self, request):
        self.send(request)
        answer = self.lines.readline().strip()
        if answer != "ok":
            sys.exit(f"{request}: {answer}")


path, what, more = sys.argv[1:4]
panel = Panel(path)
if what == "hold":
    panel.ask("press bell")
    time.sleep(float(more))
    panel.ask("release bell")
elif what == "events":
    for number in range(int(more)):
        panel.ask("release bell" if number % 2 else "press bell")
else:
    watcher = Panel(path)
    watcher.send("watch")
    watcher.lines.readline()
    times = []
    count = int(more)
    for _ in range(count):
        begin = time.monotonic()
        panel.send("press bell")
        while "outputs" not in json.loads(watcher.lines.readline()):
            pass
        times.append(time.monotonic() - begin)
        panel.lines.readline()
        panel.ask("release bell")
    times.sort()
    print(round(times[count // 2] * 1e6), round(times[-1] * 1e6))
