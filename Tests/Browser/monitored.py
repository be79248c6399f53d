"""A simulated panel with its monitor, for as long as a test needs it."""

import functools
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PANEL = os.environ.get("PANEL", str(ROOT / ".build/debug/panel"))
# The application of the README.
TALLY = str(ROOT / ".build/applications/debug/tally")
# Seconds that a busy machine may take for anything; a test that passes never waits so long.
PATIENCE = 60


class Refusal(Exception):
    def __init__(self, status, text):
        super().__init__(f"{status} {text}")
        self.status = status


class Monitored:
    """A program with its monitor. Steps come from the monitor, as from a browser; further lines on standard input."""

    def __init__(self, arguments, port=0, tokens=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="monitored-"))
        arguments = [*arguments, "--monitor", "--monitor-address", f"127.0.0.1:{port}", "--monitor-control"]
        if tokens:
            arguments.append(f"--monitor-tokens={tokens}")
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        self.words = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        # The number of the last event of an input that followed a step.
        self.acted = 0
        self.addresses = {}
        said, end = [], time.monotonic() + PATIENCE
        while len(self.addresses) < 2:
            try:
                line = self.words.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                raise AssertionError("the program told no address: " + " ".join(said))
            said.append(line)
            found = re.match(r"monitor: (watch|control) +(\S+)", line)
            if found:
                self.addresses[found[1]] = found[2]
        self.address, fragment = self.addresses["control"].split("#")
        self.token = fragment.removeprefix("token=")
        self.port = int(re.search(r":(\d+)/", self.address)[1])

    def listen(self):
        for line in self.process.stderr:
            self.words.put(line.rstrip("\n"))
        self.words.put(None)

    def ask(self, path, body=None):
        request = urllib.request.Request(
            self.address.rstrip("/") + path, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + self.token, **({} if body is None else {"Content-Type": "application/json"})})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise Refusal(error.code, error.read().decode()) from None

    def get(self, path):
        return json.loads(self.ask(path))

    def step(self, text):
        """Performs a step of a scenario; later, where there have been too many in a second."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return json.loads(self.ask("/api/world", {"step": text}))
            except Refusal as refusal:
                if refusal.status != 429 or time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def act(self, *steps):
        """Performs steps of inputs. Waits after each step for an event of an input: a contact must be stable for a while.

        Returns the number of the last such event. Events of timers and sounds occur at any moment, and don't count.
        """
        for step in steps:
            # The newest event of the status may be older than that of the recording.
            before, end = max(self.newest, self.acted), time.monotonic() + PATIENCE
            self.step(step)
            while not (found := self.input_events(before + 1)):
                if time.monotonic() > end:
                    raise AssertionError(f"no event came of {step}")
                time.sleep(0.01)
            self.acted = found[-1]
        return self.acted

    def input_events(self, first):
        """The numbers of the events of inputs, starting with `first`."""
        drivers = [lens["driver"] for lens in self.film["lenses"]]
        records = (json.loads(line) for line in self.ask(f"/api/film?from={first}").splitlines() if line.startswith('["e",'))
        return [record[1] for record in records if record[1] >= first and not drivers[record[3]].startswith(("AudioPlayer", "Timer"))]

    @functools.cached_property
    def film(self):
        """The header of this program's recording."""
        return self.get("/api/panel")["film"]

    @property
    def newest(self):
        return self.get("/api/panel")["newest"]

    def kill(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stderr):
            stream.close()

    def close(self):
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class MonitoredPanel(Monitored):
    """`panel simulate FILE --monitor`."""

    def __init__(self, file="Examples/doorbell/doorbell.panel.yaml", **options):
        super().__init__([PANEL, "simulate", str(ROOT / file)], **options)
