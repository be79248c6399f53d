"""What has to be so of a panel on an emulated Pi, case by case: cases.py KERNEL WORK VERSION [CASE...].

The panel is the package's doorbell with its lamp on GPIO23 and its lock, active low, on GPIO24. QEMU has neither edges nor pulls: presses come by
the control socket, and inputs, which all read low, are active high. A time is bounded only where whoever uses the panel would call it broken, so
that a busy host is no failure; times are printed.
"""

import re
import sys
import time

from machine import Failure, Machine

LAMP, LOCK = 23, 24
FILE = "/etc/panel/doorbell.panel.yaml"
CASES = {}


def case(title):
    """Makes a function a case, named as the function."""

    def register(function):
        CASES[function.__name__] = (title, function)
        return function

    return register


class Case:
    """What a case has seen."""

    def __init__(self, machine):
        self.machine = machine
        self.figures = []

    def expect(self, is_so, sentence, seen=""):
        if not is_so:
            raise Failure(sentence + (": " + seen if seen else ""))

    def run(self, script, status=0):
        """Runs a script that has to end with the status, and returns what it printed."""
        got, text = self.machine.run(script)
        self.expect(got == status, "`%s` ended with %d instead of %d" % (script, got, status), text)
        return text

    def figure(self, text):
        self.figures.append(text)

    def show(self, *names):
        """Properties of the unit."""
        text = self.run("systemctl show panel@doorbell " + " ".join("-p " + name for name in names))
        return dict(line.split("=", 1) for line in text.splitlines())

    def wait(self, what, script, seconds=60):
        """Until a script ends with 0."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.machine.run(script)[0] == 0:
                return
            time.sleep(0.2)
        raise Failure(what + " has not come about in %d s" % seconds)

    def ring(self):
        """Has the lamp blink, and waits until it does."""
        self.run("panel press doorbell bell")
        self.machine.wait_for("the lamp's light", lambda levels: levels.level(LAMP) == 1)

    def goes_safe(self, script, seconds):
        """Runs a script while the lamp blinks; returns how long after it the lamp was last lit. Then it has to stay dark and the lock open."""
        self.machine.watch()
        begun = time.monotonic()
        self.run(script)
        time.sleep(seconds)
        samples = [one for one in self.machine.watched() if one.moment >= begun]
        self.expect(all(one.level(LOCK) == 1 for one in samples), "the lock was not left alone")
        lit = [one.moment - begun for one in samples if one.level(LAMP) == 1]
        self.expect(samples[-1].level(LAMP) == 0, "the lamp is still lit after %d s" % seconds)
        return lit[-1] if lit else 0.0


@case("apt installs the package without a question, and enables nothing")
def d1(case):
    text = case.run("DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /srv/panel_%s_arm64.deb" % VERSION)
    case.expect(
        all(step in text for step in ("/etc/panel/NAME.panel.yaml", "panel doctor NAME", "enable --now panel@NAME")),
        "the three lines of what comes next are missing", text)
    case.run("getent group gpio panel")
    # The udev rule is applied in the background.
    case.wait("/dev/gpiochip0 for the group gpio", "[ \"$(stat -c '%G %a' /dev/gpiochip0)\" = 'gpio 660' ]")
    case.expect(case.run("systemctl list-units --all --no-legend 'panel@*'") == "", "a panel is there already")


@case("the panel starts, and no output moves at the start")
def d2(case):
    case.run("cp -r /usr/share/doc/panel/examples/doorbell/* /etc/panel/")
    case.run("sed -i -E 's/(button|switch): GPIO([0-9]+)/\\1: GPIO\\2, pull: down, active: high/; s/, pull: up, active: low//' %s" % FILE)
    case.machine.watch()
    text = case.run("begun=$(date +%s%N); systemctl enable --now panel@doorbell 2>/dev/null; echo $((($(date +%s%N) - begun) / 1000000))")
    samples = case.machine.watched()
    show = case.show("ActiveState", "SubState", "StatusText")
    case.expect(
        (show["ActiveState"], show["SubState"]) == ("active", "running") and show["StatusText"].startswith("idle"),
        "it does not run", repr(show))
    driven = [one for one in samples if one.is_output(LOCK)]
    case.expect(driven and all(one.level(LOCK) == 1 for one in driven), "the lock was pulled at the start")
    case.expect(not any(one.is_output(LAMP) and one.level(LAMP) for one in samples), "the lamp was lit at the start")
    gaps = [after.moment - before.moment for before, after in zip(samples, samples[1:])]
    case.figure("`systemctl enable --now` to READY %.2f s; %d samples, at most %.0f ms apart" % (int(text) / 1000, len(samples), max(gaps) * 1000))


@case("a press from outside is refused, and done where the file accepts it")
def d3(case):
    text = case.run("panel press doorbell bell", status=77)
    case.expect("bell" in text, "the refusal does not name the input", text)
    case.run("echo 'accept: { press: [bell] }' >>%s" % FILE)
    case.run("systemctl restart panel@doorbell")
    case.machine.watch()
    case.ring()
    time.sleep(2)
    samples = case.machine.watched()
    edges = [after.moment for before, after in zip(samples, samples[1:]) if before.level(LAMP) != after.level(LAMP)]
    case.expect(len(edges) >= 3, "the lamp does not blink", "%d edges in 2 s" % len(edges))
    case.expect(all(one.level(LOCK) == 1 for one in samples), "the lock has moved")
    gaps = sorted(after - before for before, after in zip(edges, edges[1:]))
    case.figure("the lamp blinks each %.0f ms (median of %d)" % (gaps[len(gaps) // 2] * 1000, len(gaps)))


@case("a killed panel's outputs go safe, and it starts again")
def d4(case):
    case.ring()
    dark = case.goes_safe("systemctl kill -s KILL --kill-whom=main panel@doorbell", 10)
    case.figure("SIGKILL to safe outputs %.2f s" % dark)
    show = case.show("ActiveState", "NRestarts")
    case.expect(show == {"ActiveState": "active", "NRestarts": "1"}, "it did not start again", repr(show))


@case("the same after a bad edit: outputs safe, the panel not started again, the mistake named")
def d5(case):
    case.ring()
    before = case.show("NRestarts")["NRestarts"]
    case.run("cp %s /root/whole && echo '}' >>%s" % (FILE, FILE))
    dark = case.goes_safe("systemctl kill -s KILL --kill-whom=main panel@doorbell", 10)
    case.figure("SIGKILL to safe outputs %.2f s" % dark)
    case.wait("the failed unit", "[ \"$(systemctl show -P ActiveState panel@doorbell)\" = failed ]")
    show = case.show("ExecMainStatus", "NRestarts")
    case.expect(show["ExecMainStatus"] == "65", "it did not end with 65", repr(show))
    time.sleep(5)
    after = case.show("NRestarts")["NRestarts"]
    case.expect(int(after) == int(before) + 1, "it was started again and again", after)
    text = case.run("systemctl status --no-pager --full panel@doorbell", status=3)
    case.expect(re.search(r"doorbell\.panel\.yaml:\d+:\d+: ", text), "the place of the mistake is not named", text)
    case.run("cp /root/whole %s && systemctl restart panel@doorbell" % FILE)


@case("a panel that stands still is ended by the watchdog, safe, and starts again")
def d7(case):
    before = case.show("MainPID", "NRestarts")
    for _ in range(20):
        case.ring()
        case.run("kill -STOP %s" % before["MainPID"])
        # It blinks: it has to be stopped while the lamp is lit.
        if case.machine.look().level(LAMP) == 1:
            break
        case.run("kill -CONT %s" % before["MainPID"])
    dark = case.goes_safe("true", 25)
    case.expect(dark > 0, "the lamp could not be stopped while it was lit")
    case.figure("SIGSTOP to safe outputs %.1f s; the watchdog waits for 10 s since the last sign of life" % dark)
    case.wait("the next start", "systemctl is-active panel@doorbell")
    after = case.show("MainPID", "NRestarts")
    case.expect(after["MainPID"] != before["MainPID"], "it is the same process", repr(after))
    case.expect("watchdog" in case.run("journalctl -u panel@doorbell --no-pager").lower(), "the journal does not say why")


@case("five crashes within two minutes: safe mode, which a restart ends")
def d8(case):
    case.run("systemctl restart panel@doorbell")
    for number in range(5):
        case.wait("the start", "systemctl is-active panel@doorbell")
        pid = case.show("MainPID")["MainPID"]
        case.run("systemctl kill -s SEGV --kill-whom=main panel@doorbell")
        case.wait("another process", "new=$(systemctl show -P MainPID panel@doorbell); [ $new != 0 ] && [ $new != %s ]" % pid)
    case.wait("the start", "systemctl is-active panel@doorbell")
    text = case.run("panel status doorbell")
    case.expect("safe mode" in text, "status does not say safe mode", text)
    case.expect(case.show("StatusText")["StatusText"].startswith("safe mode"), "systemd is not told of safe mode")
    case.run("systemctl restart panel@doorbell")
    case.expect("safe mode" not in case.run("panel status doorbell"), "the restart did not end safe mode")


@case("an upgrade restarts the panel once and leaves its file alone; a purge makes outputs safe and keeps the file")
def d10(case):
    before, sum_before = case.show("MainPID", "NRestarts"), case.run("sha256sum %s" % FILE)
    text = case.run("DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /srv/panel_%s.1_arm64.deb" % VERSION)
    case.expect("onfiguration file" not in text, "dpkg asked", text)
    case.wait("the start", "systemctl is-active panel@doorbell")
    after = case.show("MainPID", "NRestarts")
    case.expect(after["MainPID"] != before["MainPID"], "the panel was not restarted")
    case.expect(case.run("sha256sum %s" % FILE) == sum_before, "the file was changed")
    case.ring()
    dark = case.goes_safe("DEBIAN_FRONTEND=noninteractive apt-get purge -y panel", 2)
    case.figure("`apt-get purge` to safe outputs %.1f s, apt's own work included" % dark)
    case.run("[ ! -e /var/lib/panel ] && [ ! -e /run/panel ]")
    case.expect(case.run("sha256sum %s" % FILE) == sum_before, "the file is gone or changed")


@case("the service is confined, and its warnings are warnings")
def d11(case):
    text = case.run("systemd-analyze --no-pager security panel@doorbell | tail -n 1")
    exposure = re.search(r"(\d+\.\d+)", text)
    case.expect(exposure and float(exposure.group(1)) <= 1.7, "it is exposed", text)
    case.figure("exposure " + exposure.group(1))
    priorities = case.run("journalctl -u panel@doorbell -o json --output-fields=PRIORITY,MESSAGE,_COMM --no-pager")
    lines = [line for line in priorities.splitlines() if '"_COMM":"panel"' in line]
    case.expect(any('"PRIORITY":"6"' in line for line in lines), "no line of the panel has the priority info")
    case.expect(any('"PRIORITY":"4"' in line for line in lines), "no line of the panel has the priority warning")


@case("panel doctor finds what is missing here, and a chip without rights")
def d12(case):
    text = case.run("panel doctor doorbell", status=1)
    case.expect(re.search(r"(?m)^(FAIL|warn) .*sound", text), "the missing sound card is not told", text)
    case.expect(re.search(r"(?m)^warn .*watchdog", text), "the missing watchdog is not told", text)
    case.run("chmod 600 /dev/gpiochip0")
    text = case.run("setpriv --reuid panel --regid panel --init-groups panel doctor doorbell", status=77)
    case.expect("udevadm" in text, "the remedy is not told", text)
    case.run("chmod 660 /dev/gpiochip0")


def main():
    global VERSION
    kernel, work, VERSION = sys.argv[1:4]
    order = ["d1", "d2", "d3", "d4", "d5", "d7", "d8", "d11", "d12", "d10"]
    wanted = sys.argv[4:] or order
    machine = Machine(kernel, work + "/initrd", work)
    status = 0
    try:
        took = machine.wait_for_system(600)
        print("the system is up %.0f s after power-on: %s" % (took, machine.run("uname -r")[1]), flush=True)
        # The others need the first three.
        for name in [one for one in order if one in wanted or one in order[:3]]:
            title, function = CASES[name]
            one, begun = Case(machine), time.monotonic()
            try:
                function(one)
                print("  ok      %-4s %s (%.0f s)" % (name, title, time.monotonic() - begun))
            except Failure as failure:
                print("  FAILED  %-4s %s\n          %s" % (name, title, str(failure).replace("\n", "\n          ")))
                print("          " + machine.run("journalctl -u panel@doorbell -n 30 --no-pager", 60)[1].replace("\n", "\n          "))
                status = 1
            for text in one.figures:
                print("               %s" % text)
            sys.stdout.flush()
    except Failure as failure:
        print("  FAILED  the machine: %s\n%s" % (failure, machine.console()[-2000:]))
        status = 1
    finally:
        machine.cut_power()
    return status


sys.exit(main())
