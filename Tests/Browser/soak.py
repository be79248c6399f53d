"""A busy panel for a long time: a page, six readers of the stream, and one that reads nothing, and the panel killed and started
again in between. Told are the memory of the panel and of the page, how the list scrolls, and whether a number is missing.

    Tests/Browser/soak.py [EVENTS]

The panel runs on the real clock and makes about 1500 events a second: 1 000 000 events, which is what a panel with 278 events a
second makes in an hour, take about twelve minutes.
"""

import json
import pathlib
import socket
import sys
import tempfile
import threading
import time

from browser import Page
from monitored import ROOT, MonitoredPanel
from test_load import SCROLL

PANEL_FILE = "Tests/Browser/soak.panel.yaml"
READERS = 6
# Of the page's list: how many events it keeps at most, as docs/run/monitor.md says.
KEPT = 131_072
MIB = 1 << 20


class Reader(threading.Thread):
    """Reads the stream, and comes back with the last number after each end."""

    def __init__(self, panel):
        super().__init__(daemon=True)
        self.port, self.token = panel.port, panel.token
        self.run_name, self.last, self.count, self.skipped = None, 0, 0, 0
        self.faults, self.runs, self.isOver = [], 0, False

    def run(self):
        while not self.isOver:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=60) as stream:
                    self.read(stream)
            except OSError:
                pass
            time.sleep(0.2)

    def read(self, stream):
        # By HTTP/1.0 the body is not cut into chunks.
        path = f"/api/events?from={self.last + 1}" if self.last else "/api/events"
        stream.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode())
        rest, name, hasHead = b"", b"", False
        while not self.isOver and (part := stream.recv(1 << 16)):
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                if not hasHead:
                    hasHead = line == b"\r"
                elif line.startswith(b"id: "):
                    self.take(int(line[4:]))
                elif line.startswith(b"event: "):
                    name = line[7:]
                elif not line:
                    name = b""
                elif name == b"run":
                    self.begin(json.loads(line[6:]))
                elif name == b"skipped":
                    self.skip(json.loads(line[6:]))

    def begin(self, told):
        if told["run"] == self.run_name:
            return
        self.run_name, self.last, self.count, self.skipped = told["run"], 0, 0, 0
        self.runs += 1
        if told["from"] != 1:
            # It came after the ring had dropped the run's beginning.
            self.last = self.skipped = told["from"] - 1

    def skip(self, told):
        if told["from"] != self.last + 1:
            self.faults.append(f"skipped from {told['from']} after {self.last}")
        self.skipped += told["count"]
        self.last = told["from"] + told["count"] - 1

    def take(self, number):
        if number == self.last + 1:
            self.count += 1
            self.last = number
        elif number > self.last:
            self.faults.append(f"{number} after {self.last}")
            self.last = number


class DeadReader(threading.Thread):
    """Asks for the stream and reads nothing, and begins anew after 12 s: by then a busy panel has closed the connection, of which
    this one hears nothing, as it has not read what came before."""

    def __init__(self, panel):
        super().__init__(daemon=True)
        self.port, self.token, self.isOver, self.tries = panel.port, panel.token, False, 0

    def run(self):
        while not self.isOver:
            try:
                with socket.socket() as dead:
                    dead.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                    dead.connect(("127.0.0.1", self.port))
                    dead.sendall(f"GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode())
                    self.tries += 1
                    end = time.monotonic() + 12
                    while not self.isOver and time.monotonic() < end:
                        time.sleep(0.2)
            except OSError:
                time.sleep(0.5)


class Soak:
    def __init__(self, events, tell=print):
        self.events, self.tell = events, tell
        self.samples = []

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.tokens = str(pathlib.Path(folder) / "tokens")
            self.panel = MonitoredPanel(PANEL_FILE, tokens=self.tokens)
            self.page = Page(self.panel.addresses["control"])
            self.readers = [Reader(self.panel) for _ in range(READERS)]
            self.dead = DeadReader(self.panel)
            try:
                for reader in [*self.readers, self.dead]:
                    reader.start()
                self.observe_long_tasks()
                self.tell(f"{'events':>9} {'seconds':>8} {'panel MiB':>10} {'page MiB':>9} {'nodes':>6} {'pictures/s':>10} {'monitor %':>9} {'turn ms':>8} watchers")
                # Killed after a quarter, or when the page has as many events as it keeps: both lives show it full.
                first = self.live(self.events // 4)
                self.restart()
                second = self.live(self.events - first)
                return self.summary(first, second)
            finally:
                for reader in [*self.readers, self.dead]:
                    reader.isOver = True
                self.page.close()
                self.panel.close()

    def observe_long_tasks(self):
        self.page.run("""window.longest = 0;
          new PerformanceObserver(list => { for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration); })
            .observe({ entryTypes: ['longtask'] })""")

    # --- One life of the panel ---

    def live(self, events):
        """Has the panel make so many events. Returns how many it has made; all who read have got them."""
        page = self.page
        page.wait("the connection", lambda: page.text("#live") == "Live" and page.text("#link").endswith("ms"))
        page.wait("the readers", lambda: self.panel.get("/api/account")["watchers"] == READERS + 2)
        began, samples = time.monotonic(), []
        self.ring()
        made, pause = 0, min(15.0, max(2.0, events / 1500 / 12))
        while made < events:
            time.sleep(pause)
            account = self.panel.get("/api/account")
            made = account["events"]
            samples.append(self.sample(made, time.monotonic() - began, account))
        newest = self.ring()
        self.samples.append(samples)
        for number, reader in enumerate(self.readers):
            page.wait(f"reader {number} at {newest}, which is at {reader.last}", lambda reader=reader: reader.last == newest)
            if reader.count + reader.skipped != newest:
                reader.faults.append(f"{reader.count} read and {reader.skipped} skipped of {newest}")
        self.check_page(newest)
        return newest

    def ring(self):
        """Starts or stops the panel's timers. Returns the number of the last event; after a stop, no other event follows."""
        return self.panel.act("press bell", "release bell")

    def sample(self, made, seconds, account):
        page = self.page
        page.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        heap = page.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"]
        nodes = page.run("return document.querySelectorAll('*').length")
        rate, _, _ = page.driver.execute_async_script(SCROLL, 30)
        page.press("\ue010")  # End: the list follows the film again.
        cost = account["cost"]
        rss = int(pathlib.Path(f"/proc/{self.panel.process.pid}/statm").read_text().split()[1]) * 4096
        sample = {"events": made, "rss": rss, "heap": heap, "nodes": nodes, "rate": rate}
        self.tell(f"{made:>9} {seconds:>8.0f} {rss / MIB:>10.1f} {heap / MIB:>9.1f} {nodes:>6} {rate:>10.0f} {cost['cpu'] * 100:>9.2f} "
                  f"{cost['longest'] / 1e6:>8.2f} {account['watchers']}")
        return sample

    def check_page(self, newest):
        """The page has each number from the first that it keeps to the last, once, and no hole."""
        page = self.page
        page.press("\ue010")
        page.wait(f"event {newest}", lambda: page.place.startswith(f"event {newest:,} ".replace(",", "\u202f")))
        page.run("if (document.querySelector('#fold').ariaPressed === 'true') document.querySelector('#fold').click()")
        # Where the page was too slow for some, it asks for them when nothing has been skipped for 3 s.
        page.wait("all numbers", lambda: self.is_whole(newest))
        rate, made, bare = page.driver.execute_async_script(SCROLL, 60)
        if (made, bare) != (0, 0):
            raise AssertionError(f"scrolling has made {made} elements, and {bare} pictures had a bare row")
        page.press("\ue010")

    def is_whole(self, newest):
        rows, first = self.page.run("""
          document.querySelector('#list').scrollTop = 0;
          const row = [...document.querySelectorAll('#rows .ev:not([hidden])')].find(row => row.ariaRowIndex === '1');
          return [+document.querySelector('#range').max, row ? +row.querySelector('.k').textContent : 0]""")
        return first > 0 and first + rows - 1 == newest

    def restart(self):
        port = self.panel.port
        self.panel.kill()
        self.page.wait("the alert", lambda: self.page.text("#link") == "none")
        self.panel = MonitoredPanel(PANEL_FILE, port=port, tokens=self.tokens)
        self.page.wait("the new film", lambda: self.page.text("#link").endswith("ms") and self.page.text("#range") == "" and
                       int(self.page.run("return document.querySelector('#range').max")) == 0)
        for reader in self.readers:
            self.page.wait("a reader that is back", lambda reader=reader: reader.runs == 2)

    # --- At the end ---

    def summary(self, first, second):
        faults = [fault for reader in self.readers for fault in reader.faults]
        skipped = sum(reader.skipped for reader in self.readers)
        told = {"events": first + second, "longest task ms": round(self.page.run("return window.longest")), "faults": faults,
                "skipped and told": skipped, "times that the dead one has come": self.dead.tries, "page": self.page.faults()}
        # Memory is compared in the life that is longer, from where the page and the ring are full.
        full = [sample for sample in max(self.samples, key=len) if sample["events"] > KEPT]
        if len(full) >= 4:
            middle = len(full) // 2
            for name, most in (("rss", MIB), ("heap", 8 * MIB)):
                early, late = (sorted(sample[name] for sample in part)[len(part) // 2] for part in (full[:middle], full[middle:]))
                told[f"{name} grew by KiB"] = (late - early) // 1024
                if late - early > most:
                    faults.append(f"{name} has grown from {early} to {late} bytes")
        for name, value in told.items():
            self.tell(f"{name}: {value}")
        return told


if __name__ == "__main__":
    outcome = Soak(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, lambda text: print(text, flush=True)).run()
    sys.exit(1 if outcome["faults"] else 0)
