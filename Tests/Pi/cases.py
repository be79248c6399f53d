"""What has to be so of a panel on an emulated Pi, case by case: cases.py KERNEL WORK VERSION [CASE...].

The panel is the package's doorbell with its lamp on GPIO23 and its lock, active low, on GPIO24. QEMU has neither edges nor pulls: presses come by
the control socket, and inputs, which all read low, are active high. A time is bounded only where whoever uses the panel would call it broken, so
that a busy host is no failure; times are printed.
"""

import os
import random
import re
import subprocess
import sys
import time

from machine import Failure, Machine

LAMP, LOCK = 23, 24
FILE = "/etc/panel/doorbell.panel.yaml"
BASE = "/root/doorbell.panel.yaml"
STARTS = "journalctl -u panel@doorbell -o cat --no-pager | grep -c '^Started '"
CASES = {}
# The first ones install and start the panel; the last of the others removes it.
FIRST = ["d1", "d2", "d3"]
OTHERS = ["d4", "d5", "d6", "d7", "d8", "d11", "d12", "start", "sensor", "clock", "card", "d10"]
# It installs the package again, and turns the machine off.
LAST = "power"


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

    def rings(self):
        """How often it has rung, as it is kept."""
        return int(re.search(r'"rings": ?(\d+)', self.run("panel status doorbell")).group(1))

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

    def put_panel(self):
        """Puts the package's doorbell into /etc/panel, with inputs that are not active at rest."""
        self.run("mkdir -p /etc/panel && cp -r /usr/share/doc/panel/examples/doorbell/* /etc/panel/")
        self.run("sed -i -E 's/(button|switch): GPIO([0-9]+)/\\1: GPIO\\2, pull: down, active: high/; s/, pull: up, active: low//' %s" % FILE)

    def begin_anew(self):
        """Whatever the case before has left: the panel is idle, with its file as it was."""
        self.run("rm -rf /boot/firmware/panel; systemctl stop 'panel@*'; systemctl reset-failed; cp %s %s" % (BASE, FILE))
        self.run("systemctl start panel@doorbell")

    def ring(self):
        """Has the lamp lit, and waits until it is."""
        self.run("panel press doorbell bell")
        self.machine.wait_for("the lamp's light", lambda levels: levels.level(LAMP) == 1)

    def goes_safe(self, script, seconds):
        """Runs a script while the lamp is lit; returns how long after it the lamp was last lit. The lock has to be left alone."""
        self.machine.watch()
        begun = time.monotonic()
        self.run(script)
        time.sleep(seconds)
        samples = [one for one in self.machine.watched() if one.moment >= begun]
        self.expect(all(one.level(LOCK) == 1 for one in samples), "the lock was not left alone")
        lit = [one.moment - begun for one in samples if one.level(LAMP) == 1]
        self.expect(lit, "the lamp was not lit before")
        self.expect(samples[-1].level(LAMP) == 0, "the lamp is still lit after %d s" % seconds)
        return lit[-1]


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
    case.put_panel()
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
    moments = case.show("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")
    begun, ready = (int(moments[name]) for name in ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic"))
    case.figure("`systemctl enable --now` %.2f s, of them %.2f s from the process's start to READY; %d samples, at most %.0f ms apart"
                % (int(text) / 1000, (ready - begun) / 1e6, len(samples), max(gaps) * 1000))


@case("a press from outside is refused, and done where the file accepts it")
def d3(case):
    text = case.run("panel press doorbell bell", status=77)
    case.expect("bell" in text, "the refusal does not name the input", text)
    case.run("echo 'accept: { press: [bell] }' >>%s" % FILE)
    process = case.run("systemctl show -P MainPID panel@doorbell")
    case.run("systemctl reload panel@doorbell")
    case.expect(case.run("systemctl show -P MainPID panel@doorbell") == process, "the reload started another process")
    case.machine.watch()
    case.ring()
    time.sleep(2)
    samples = case.machine.watched()
    edges = [after.moment for before, after in zip(samples, samples[1:]) if before.level(LAMP) != after.level(LAMP)]
    case.expect(len(edges) >= 3, "the lamp does not blink", "%d edges in 2 s" % len(edges))
    case.expect(all(one.level(LOCK) == 1 for one in samples), "the lock has moved")
    gaps = sorted(after - before for before, after in zip(edges, edges[1:]))
    case.figure("the lamp blinks each %.0f ms (median of %d)" % (gaps[len(gaps) // 2] * 1000, len(gaps)))
    # From now on it is lit and doesn't blink, so that every edge tells something.
    case.run("sed 's/lamp: { blink: 250ms }/lamp: on/; s/3s: idle/60s: idle/; s/rings: .*max: 999/&, keep: true/' %s >%s" % (FILE, BASE))


@case("a killed panel's outputs go safe, it starts again, and has kept its number")
def d4(case):
    case.ring()
    # It is saved a second after its last change.
    time.sleep(3)
    rings = case.rings()
    dark = case.goes_safe("systemctl kill -s KILL --kill-whom=main panel@doorbell", 10)
    case.figure("SIGKILL to safe outputs %.2f s" % dark)
    case.wait("the next start", "systemctl is-active panel@doorbell")
    case.expect(case.show("NRestarts")["NRestarts"] == "1", "it was started more than once again")
    case.expect(rings > 0 and case.rings() == rings, "the kept number was lost", "%d instead of %d" % (case.rings(), rings))


@case("the same after a bad edit: outputs safe, the panel not started again, the mistake named")
def d5(case):
    case.ring()
    before = case.show("NRestarts")["NRestarts"]
    case.run("echo '}' >>%s" % FILE)
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


@case("a reload with a broken file changes nothing; one that adds a lamp leaves the lines that stay alone")
def d6(case):
    process = case.run("systemctl show -P MainPID panel@doorbell")
    case.ring()
    case.run("echo '}' >>%s" % FILE)
    case.machine.watch()
    text = case.run("panel reload doorbell", status=65)
    case.expect(re.search(r"doorbell\.panel\.yaml:\d+:\d+: ", text), "the place of the mistake is not named", text)
    case.run("systemctl reload panel@doorbell", status=1)
    case.run("sed -i -e '$d' -e 's/^  lamp: .*/&\\n  extra:  { led: GPIO25 }/' %s" % FILE)
    text = case.run("panel reload doorbell")
    samples = case.machine.watched()
    case.expect("line GPIO23 kept" in text and "line GPIO24 kept" in text, "the lines were not kept", text)
    case.expect("state main kept ringing" in text, "the state was not kept", text)
    case.expect(all(one.level(LAMP) == 1 and one.is_output(LAMP) for one in samples), "the lamp has flickered")
    case.expect(all(one.level(LOCK) == 1 and one.is_output(LOCK) for one in samples), "the lock has moved")
    case.expect(samples[-1].is_output(25), "the new lamp is no output")
    case.expect(case.run("systemctl show -P MainPID panel@doorbell") == process, "the reload started another process")
    case.figure("%d samples over two refused and one accepted reload, no edge" % len(samples))


@case("a panel that stands still is ended by the watchdog, safe, and starts again")
def d7(case):
    case.ring()
    before = case.show("MainPID", "NRestarts")
    dark = case.goes_safe("kill -STOP %s" % before["MainPID"], 25)
    case.figure("SIGSTOP to safe outputs %.1f s; the watchdog waits for 10 s since the last sign of life" % dark)
    case.wait("the next start", "systemctl is-active panel@doorbell")
    after = case.show("MainPID", "NRestarts")
    case.expect(after["MainPID"] != before["MainPID"], "it is the same process", repr(after))
    case.expect("watchdog" in case.run("journalctl -u panel@doorbell --no-pager").lower(), "the journal does not say why")


@case("five crashes within two minutes: safe mode, which a reload ends")
def d8(case):
    for _ in range(5):
        case.wait("the start", "systemctl is-active panel@doorbell")
        pid = case.show("MainPID")["MainPID"]
        case.run("systemctl kill -s SEGV --kill-whom=main panel@doorbell")
        case.wait("another process", "new=$(systemctl show -P MainPID panel@doorbell); [ $new != 0 ] && [ $new != %s ]" % pid)
    case.wait("the start", "systemctl is-active panel@doorbell")
    text = case.run("panel status doorbell")
    case.expect("safe mode" in text, "status does not say safe mode", text)
    case.expect(case.show("StatusText")["StatusText"].startswith("safe mode"), "systemd is not told of safe mode")
    case.run("panel reload doorbell")
    case.expect("safe mode" not in case.run("panel status doorbell"), "the reload did not end safe mode")
    # Longer than systemd gives a panel that has said that it ends.
    before = case.show("MainPID", "NRestarts")
    time.sleep(10)
    case.expect(case.show("MainPID", "NRestarts") == before, "systemd has started it anew", repr(before))


@case("a card's boot partition brings a panel; a wrong file there replaces nothing, and says why on the card")
def card(case):
    case.run("systemctl disable --now panel@doorbell")
    case.run("mkdir -p /boot/firmware/panel && cp -r /etc/panel/doorbell.panel.yaml /etc/panel/sounds /boot/firmware/panel/")
    case.run("cd /boot/firmware/panel && mv doorbell.panel.yaml hall.panel.yaml && systemctl start panel-card")
    case.wait("the panel of the card", "systemctl is-active panel@hall && systemctl is-enabled panel@hall")
    process = case.run("systemctl show -P MainPID panel@hall")
    case.run("echo '}' >>/boot/firmware/panel/hall.panel.yaml && systemctl start panel-card", status=1)
    text = case.run("cat /boot/firmware/panel/hall.problems.txt")
    case.expect(re.match(r"hall\.panel\.yaml:\d+:\d+: ", text), "the card does not say what is wrong", text)
    case.run("systemctl is-active panel@hall && panel check /etc/panel/hall.panel.yaml")
    case.expect(case.run("systemctl show -P MainPID panel@hall") == process, "the panel was restarted")
    case.run("sed -i '$d' /boot/firmware/panel/hall.panel.yaml && systemctl start panel-card && [ ! -e /boot/firmware/panel/hall.problems.txt ]")
    case.expect(case.run("systemctl show -P MainPID panel@hall") == process, "the panel was restarted, although its file is the same")
    case.run("systemctl disable --now panel@hall && rm -r /boot/firmware/panel && systemctl enable --now panel@doorbell")


@case("a number that is kept on a card is the last one or the one before it, wherever the power is cut")
def d9(case):
    cuts, seed = int(os.environ.get("PI_CUTS", "3")), random.randrange(1 << 32)
    chance = random.Random(seed)
    disk = WORK + "/card"
    with open(disk, "wb") as file:
        file.truncate(64 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", disk], check=True)
    allowed, older = {0}, 0
    for cut in range(cuts + 1):
        # Without systemd: it would take most of the time, and has no part in what is kept.
        machine = Machine(KERNEL, WORK + "/initrd-installed", WORK, disk, init="/srv/small-init")
        try:
            machine.wait_for_system(600)
            one = Case(machine)
            one.wait("the card", "[ -b /dev/mmcblk0 ]")
            one.run("mkdir -p /var/lib/panel /run/panel/doorbell && mount -t ext4 /dev/mmcblk0 /var/lib/panel && mkdir -p /var/lib/panel/doorbell")
            one.put_panel()
            one.run("sed -i -E 's/rings: .*max: 999/&, keep: { within: 1s }/' %s; echo 'accept: { set: [rings] }' >>%s" % (FILE, FILE))
            one.run("panel run --socket /run/panel/doorbell/control --state /var/lib/panel/doorbell %s >/run/log 2>&1 </dev/null &" % FILE)
            one.wait("the panel", "panel status doorbell")
            number = one.rings()
            where = "after %d cuts (seed %d)" % (cut, seed)
            one.expect(number in allowed, where, "%d is none of %s" % (number, sorted(allowed)))
            log = one.run("cat /run/log")
            one.expect("initial" not in log, where + " both files were broken", log)
            older += "values.old" in log
            if cut == cuts:
                break
            # One that is surely kept, and another one on its way when the power goes.
            first, second = (number + 1) % 999, (number + 2) % 999
            one.run("panel set doorbell rings %d" % first)
            one.wait("the save of %d" % first, "grep -qx 'rings %d' /var/lib/panel/doorbell/values" % first)
            one.run("panel set doorbell rings %d" % second)
            allowed = {first, second}
            time.sleep(chance.uniform(0, 2.5))
        finally:
            machine.cut_power()
    case.figure("%d cuts, the older file was used %d times" % (cuts, older))


@case("an upgrade restarts the panel once and leaves its file alone; a purge makes outputs safe and keeps the file")
def d10(case):
    rings = case.rings()
    starts, sum_before = case.run(STARTS), case.run("sha256sum %s" % FILE)
    text = case.run("DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /srv/panel_%s.1_arm64.deb" % VERSION)
    case.expect("onfiguration file" not in text, "dpkg asked", text)
    case.wait("the start", "systemctl is-active panel@doorbell")
    case.expect(int(case.run(STARTS)) == int(starts) + 1, "the panel was not restarted once")
    case.expect(rings > 0 and case.rings() == rings, "the kept number was lost", "%d instead of %d" % (case.rings(), rings))
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
    # As docs/run/deploy.md has it for a panel that needs no network.
    case.run("mkdir -p /etc/systemd/system/panel@doorbell.service.d && printf '[Service]\\nRestrictAddressFamilies=\\nRestrictAddressFamilies=AF_UNIX\\n"
             "PrivateNetwork=yes\\nIPAddressDeny=any\\n' >/etc/systemd/system/panel@doorbell.service.d/override.conf && systemctl daemon-reload && "
             "systemctl restart panel@doorbell")
    text = case.run("systemd-analyze --no-pager security panel@doorbell | tail -n 1")
    alone = re.search(r"(\d+\.\d+)", text)
    case.expect(alone and float(alone.group(1)) <= 1.2, "it is exposed without a network", text)
    case.run("panel status doorbell")
    case.run("rm -r /etc/systemd/system/panel@doorbell.service.d && systemctl daemon-reload && systemctl restart panel@doorbell")
    case.figure("exposure %s, without a network %s" % (exposure.group(1), alone.group(1)))
    case.ring()
    journal = "journalctl -u panel@doorbell -o cat --no-pager _COMM=panel -p "
    warnings, all_lines = case.run(journal + "warning").splitlines(), case.run(journal + "info").splitlines()
    case.expect(any("audio lost" in line for line in warnings), "the lost sound is no warning", repr(warnings))
    usual = re.compile(r"running: |stopped$|bell\.pressed|bell\.released|asked for by|Doorbell: after ")
    case.expect(any(usual.search(line) for line in all_lines), "the journal has no line of what is usual", repr(all_lines[-5:]))
    case.expect(not any(usual.search(line) for line in warnings), "what is usual is a warning", repr(warnings))


@case("panel doctor finds what is missing here, and a chip without rights")
def d12(case):
    begun = time.monotonic()
    text = case.run("panel doctor doorbell", status=1)
    case.figure("panel doctor %.1f s" % (time.monotonic() - begun))
    case.expect(re.search(r"(?m)^(FAIL|warn) .*sound", text), "the missing sound card is not told", text)
    case.expect(re.search(r"(?m)^warn .*watchdog", text), "the missing watchdog is not told", text)
    case.run("chmod 600 /dev/gpiochip0")
    text = case.run("setpriv --reuid panel --regid panel --init-groups panel doctor doorbell", status=77)
    case.expect("udevadm" in text, "the remedy is not told", text)
    case.run("chmod 660 /dev/gpiochip0")


# All inputs read low here: a contact that is active high is open, one that is active low is closed, and a button of that kind is held.
WINDOW = """panel: Window
inputs:
  window: { switch: GPIO5, pull: none, active: %s, words: { on: open, off: shut } }
  held: { button: GPIO6, pull: none, active: low }
outputs: { horn: { relay: GPIO20 }, fan: { relay: GPIO21 } }
values: { clicks: { initial: 0, min: 0, max: 9 } }
on: { held.pressed | held.clicked: { set: { clicks: +1 } } }
show: { fan: on }
initial: guarding
states:
  guarding: { when: { window == open: sounding } }
  sounding: { show: { horn: on }, when: { window == shut: guarding } }
"""


@case("outputs begin with what the contacts are, and move once at most")
def start(case):
    horn, fan = 20, 21
    # The doorbell has lines that this panel takes.
    case.run("systemctl stop panel@doorbell")
    for active, level in (("high", 0), ("low", 1)):
        case.run("cat >/etc/panel/window.panel.yaml <<'END'\n%sEND" % (WINDOW % active))
        case.machine.watch()
        case.run("systemctl start panel@window")
        time.sleep(1)
        samples = case.machine.watched()
        for line, name, wanted in ((horn, "horn", level), (fan, "fan", 1)):
            seen = [one.level(line) for one in samples if one.is_output(line)]
            case.expect(seen and all(one == wanted for one in seen),
                        "the %s is not %d from the start" % (name, wanted), "%d samples as an output: %s" % (len(seen), seen[:20]))
        status = case.run("panel status window")
        case.expect(re.search(r'"clicks": ?0', status), "a button that is held was pressed or clicked", status)
        case.run("systemctl stop panel@window")
    case.run("rm /etc/panel/window.panel.yaml")


AIR = """panel: Air
inputs:
  air: { sensor: { file: /run/air }, min: 0, max: 40, every: 1s }
outputs: { fan: { relay: GPIO20 }, warning: { relay: GPIO21 } }
initial: resting
states:
  resting: { when: { air > 20: blowing } }
  blowing: { show: { fan: on }, on: { air.lost: failed } }
  failed: { show: { warning: on } }
"""


@case("a sensor that appears 2 s after the start is unknown until then, and moves no output before")
def sensor(case):
    fan, warning = 20, 21
    case.run("systemctl stop panel@doorbell; rm -f /run/air")
    case.run("cat >/etc/panel/air.panel.yaml <<'END'\n%sEND" % AIR)
    case.machine.watch()
    case.run("systemctl start panel@air")
    time.sleep(2)
    status = case.run("panel status air")
    samples = case.machine.watched()
    for line in (fan, warning):
        seen = [one.level(line) for one in samples if one.is_output(line)]
        case.expect(seen and not any(seen), "an output has moved before the sensor was there", "%d samples" % len(seen))
    case.expect('"resting"' in status, "the state is another one before the sensor was there", status)
    begun = time.monotonic()
    case.run("echo 25 >/run/air")
    case.machine.wait_for("the fan", lambda levels: levels.level(fan) == 1, 60)
    case.figure("from the sensor's first reading to the fan %.1f s" % (time.monotonic() - begun))
    journal = case.run("journalctl -u panel@air -o cat --no-pager")
    case.expect("air.lost" not in journal, "the sensor was lost before it was there", journal)
    case.run("rm /run/air")
    case.machine.wait_for("the warning", lambda levels: levels.level(warning) == 1, 120)
    case.run("systemctl stop panel@air && rm /etc/panel/air.panel.yaml")


TIMES = """panel: Times
clock: { zone: Europe/Berlin, latitude: 78.22, longitude: 15.65 }
inputs:
  night: { switch: { between: "22:00..06:00" } }
  dark:  { switch: { between: sunset..sunrise } }
outputs: { lamp: { relay: GPIO20 }, lantern: { relay: GPIO21 } }
values:
  midnights: { initial: 0, min: 0, max: 99, keep: { within: 1s } }
  changes:   { initial: 0, min: 0, max: 99, keep: { within: 1s } }
  mornings:  { initial: 0, min: 0, max: 99, keep: { within: 1s } }
at:
  "00:00": { set: { midnights: +1 } }
  "02:30": { set: { changes: +1 } }
  "06:00": { set: { mornings: +1 }, late: 2h }
initial: running
states:
  running:
    show: { lamp: { when: { night == on: on, else: off } }, lantern: { when: { dark == on: on, else: off } } }
"""


@case("times of day occur on the machine's clock, however it is set")
def clock(case):
    lamp, lantern = 20, 21

    def set_clock(utc):
        case.run("date -u -s '%s'" % utc)

    def counts():
        text = case.run("panel status times")
        return tuple(int(re.search(r'"%s": ?(\d+)' % name, text).group(1)) for name in ("midnights", "changes", "mornings"))

    def expect_counts(what, *wanted):
        # Longer than an emulated machine takes to go through two seconds of its clock and to react.
        end = time.monotonic() + 60
        while counts() != wanted and time.monotonic() < end:
            time.sleep(0.2)
        case.expect(counts() == wanted, what, "%s instead of %s" % (counts(), wanted))
        time.sleep(4)
        case.expect(counts() == wanted, what + ", and again after it", "%s instead of %s" % (counts(), wanted))

    def expect_level(what, line, level):
        case.machine.wait_for(what, lambda levels: levels.is_output(line) and levels.level(line) == level, 60)

    # The files by which systemd-timesyncd, which is not installed here, says what the clock is.
    case.run("systemctl stop panel@doorbell; mkdir -p /run/systemd/timesync; rm -f /run/systemd/timesync/synchronized")
    case.run("cat >/etc/panel/times.panel.yaml <<'END'\n%sEND" % TIMES)
    # A boot without a battery clock: the clock shows a time, and no time server has confirmed it.
    set_clock("2026-03-28 04:59:58")
    case.run("systemctl start panel@times")
    expect_counts("a time fired on a clock that is not synchronised", 0, 0, 0)
    levels = case.machine.look()
    case.expect(levels.level(lamp) == 0 and levels.level(lantern) == 0, "an unknown time of day has lit a lamp")
    text = case.run("panel doctor times || true")
    case.expect("the clock is not set" in text, "panel doctor does not say that the clock is not set", text)
    set_clock("2026-03-28 20:59:50")
    case.run("touch /run/systemd/timesync/synchronized")
    begun = time.monotonic()
    expect_level("the lamp of the night", lamp, 1)
    case.figure("from a synchronised clock 10 s before a time of day to its output %.1f s" % (time.monotonic() - begun))
    expect_counts("becoming known has fired a time", 0, 0, 0)
    set_clock("2026-03-28 22:59:58")
    expect_counts("midnight", 1, 0, 0)
    set_clock("2026-03-29 00:59:58")
    expect_counts("02:30, which the start of summer time skips", 1, 1, 0)
    expect_level("the lamp of the night", lamp, 1)
    set_clock("2026-03-29 03:59:58")
    expect_counts("06:00 in summer time", 1, 1, 1)
    expect_level("no lamp by day", lamp, 0)
    set_clock("2026-03-29 01:00:30")
    set_clock("2026-03-29 03:59:58")
    expect_counts("the clock was set back by 3 h: nothing fires twice on a date", 1, 1, 1)
    set_clock("2026-03-28 04:59:58")
    expect_counts("the clock was set back by a day: the times of that day fire", 1, 1, 2)
    set_clock("2026-03-29 05:10:00")
    expect_counts("the clock was set forward by a day: 06:00 fires late, the others don't", 1, 1, 3)
    # The panel saves its numbers within 1 s.
    time.sleep(4)
    case.run("systemctl stop panel@times")
    set_clock("2026-03-30 04:50:00")
    case.run("systemctl start panel@times")
    expect_counts("06:00 was missed while the panel did not run", 1, 1, 4)
    set_clock("2026-10-25 00:29:58")
    expect_counts("02:30 on the day on which summer time ends", 1, 2, 4)
    set_clock("2026-10-25 01:29:58")
    expect_counts("the second 02:30 of that day", 1, 2, 4)
    set_clock("2026-12-21 11:00:00")
    expect_level("the lantern at noon of the polar night", lantern, 1)
    set_clock("2026-06-21 23:00:00")
    expect_level("no lantern at midnight of the polar day", lantern, 0)
    case.run("systemctl stop panel@times && rm -r /etc/panel/times.panel.yaml /run/systemd/timesync")


@case("a panel turns the machine off only where that is enabled; its outputs are safe before")
def power(case):
    case.run("DEBIAN_FRONTEND=noninteractive apt-get install -y --allow-downgrades --no-install-recommends /srv/panel_%s_arm64.deb" % VERSION)
    case.put_panel()
    case.run("sed -i 's/bell.pressed: { go: ringing,/bell.pressed: { go: ringing, power: off,/' %s" % FILE)
    case.run("echo 'accept: { press: [bell] }' >>%s" % FILE)
    case.run("systemctl restart panel@doorbell")
    case.run("panel press doorbell bell")
    case.wait("the refusal", "journalctl -u panel@doorbell -o cat --no-pager -p warning | grep -q 'enable --now panel-power@'")
    case.run("panel status doorbell && [ ! -e /run/panel/doorbell/power-off ]")
    case.run("systemctl restart panel@doorbell && systemctl enable --now panel-power@doorbell.path")
    case.machine.watch()
    case.run("panel press doorbell bell")
    begun = time.monotonic()
    end = begun + 120
    while case.machine.process.poll() is None and time.monotonic() < end:
        time.sleep(0.1)
    case.expect(case.machine.process.poll() is not None, "the machine is on after 120 s")
    samples = case.machine.watched()
    case.expect(any(one.level(LAMP) == 1 for one in samples), "the lamp was not lit")
    case.expect(samples[-1].level(LAMP) == 0 and samples[-1].level(LOCK) == 1, "the outputs were not made safe")
    case.figure("from the press to a machine that is off %.1f s" % (time.monotonic() - begun))


def attempt(name, machine):
    """Goes through a case and prints what came of it; returns whether it is as it should be."""
    title, function = CASES[name]
    one, begun, failure = Case(machine), time.monotonic(), None
    try:
        if machine and name not in FIRST + [LAST]:
            one.begin_anew()
        function(one)
    except Failure as found:
        failure = found
    print("  %-7s %-4s %s (%.0f s)" % ("FAILED" if failure else "ok", name, title, time.monotonic() - begun))
    if failure:
        text = str(failure)
        if machine:
            text += "\n" + machine.run("journalctl -u 'panel@*' -n 40 --no-pager", 60)[1]
        print("          " + text.replace("\n", "\n          "))
    for text in one.figures:
        print("               " + text)
    sys.stdout.flush()
    return failure is None


def main():
    global KERNEL, WORK, VERSION
    KERNEL, WORK, VERSION = sys.argv[1:4]
    wanted = sys.argv[4:] or FIRST + OTHERS + [LAST, "d9"]
    unknown = [name for name in wanted if name not in CASES]
    if unknown:
        print("no such case: %s; there are %s" % (" ".join(unknown), " ".join(FIRST + OTHERS + [LAST, "d9"])))
        return 64
    is_fine = True
    if set(wanted) != {"d9"}:
        machine = Machine(KERNEL, WORK + "/initrd", WORK)
        try:
            took = machine.wait_for_system(600)
            print("the system is up %.0f s after power-on: %s" % (took, machine.run("uname -r")[1]), flush=True)
            # The others need the first three.
            for name in FIRST + [other for other in OTHERS + [LAST] if other in wanted]:
                is_fine = attempt(name, machine) and is_fine
        except Failure as failure:
            print("  FAILED  the machine: %s\n%s" % (failure, machine.console()[-2000:]))
            is_fine = False
        finally:
            machine.cut_power()
    # It has machines of its own.
    if "d9" in wanted:
        is_fine = attempt("d9", None) and is_fine
    return 0 if is_fine else 1


sys.exit(main())
