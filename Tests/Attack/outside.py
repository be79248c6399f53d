"""Sends a panel what an attacker would send to its control socket, and to its port for Open Sound Control: SOCKET PORT. Prints each attempt with what came of it; the status is 1
if one of them did something that it should not."""
import json
import socket
import struct
import sys
import time

path, port = sys.argv[1], int(sys.argv[2])
wrong = 0


def ask(request):
    link = socket.socket(socket.AF_UNIX)
    link.settimeout(10)
    link.connect(path)
    link.sendall(request + b"\n")
    answer = b""
    while not any(line == b"ok" or line.startswith(b"error ") for line in answer.split(b"\n")[:-1]):
        piece = link.recv(65536)
        if not piece:
            break
        answer += piece
    link.close()
    return answer.decode("utf-8", "replace").strip().split("\n")


def values():
    return json.loads(ask(b"status")[0])["values"]


def row(what, came, right):
    global wrong
    wrong += not right
    print(f"{what:<58} {came[:90]} [{'as-it-should' if right else 'WRONG'}]")


def at_socket(what, request, code, level=3):
    before = time.monotonic()
    answer = ask(request)[-1]
    took = time.monotonic() - before
    # A control character would reach the terminal of whoever reads the answer.
    is_clean = all(character.isprintable() for character in answer)
    row(what, answer, answer.startswith(code) and values()["level"] == level and took < 2 and is_clean)


at_socket("socket: a number of 4000 digits", b"set level " + b"9" * 4000, "error 65")
at_socket("socket: an exponent of three digits", b"set level 1e999", "error 65")
at_socket("socket: an exponent of nine digits", b"set level 1e999999999", "error 65")
at_socket("socket: as small as it gets", b"set level 3.00000000000000000000000000000000000001e-0", "ok")
at_socket("socket: a change beyond 64 bits", b"set level +99999999999999999999", "error 65")
at_socket("socket: no number", b"set level nan", "error 65")
at_socket("socket: signs without end", b"set level " + b"+-" * 1000 + b"1", "error 65")
at_socket("socket: = without end", b"set level " + b"= " * 1000 + b"3", "error 65")
at_socket("socket: a duration beyond 128 bits", b"set wait " + b"9" * 300 + b"m", "error 65")
at_socket("socket: a terminal's commands", b"set level \x1b[2J\x1b]0;x\x07", "error 65")
at_socket("socket: no UTF-8", b"set level \xff\xfe", "error 65")
at_socket("socket: digits of another script", "set level \u0663".encode(), "error 65")
at_socket("socket: a release that is misspelt does not press", b"press go relase", "error 64")
at_socket("socket: -1 is one less", b"set level -1", "ok", level=2)
at_socket("socket: = -1 is the number", b"set level = -1", "ok", level=-1)
at_socket("socket: +4 is four more", b"set level +4", "ok")
at_socket("socket: 3.0 is 3", b"set level 3.0", "ok")
at_socket("socket: a zero for an event", b"do house 0.0e5", "ok")
row("none of it was an event or a press", json.dumps(values()), values()["cues"] == 0)


def osc(address, types, data=b""):
    def text(content):
        return content + b"\0" * (4 - len(content) % 4)
    return text(address) + text(b"," + types) + data


def by_osc(what, *datagrams, level=3, cues=0):
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for datagram in datagrams:
        link.sendto(datagram, ("127.0.0.1", port))
    def is_right(now):
        return now["level"] == level and now["cues"] == cues
    # It has to become so soon, and to stay so.
    end = time.monotonic() + 10
    while not is_right(values()) and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.3)
    now = values()
    row(what, json.dumps(now), is_right(now))


level = b"/panel/stage/set/level"
for name, number in [("NaN", float("nan")), ("infinity", float("inf")), ("3e38", 3e38), ("-3e38", -3e38)]:
    by_osc(f"osc: a fader at {name}", osc(level, b"f", struct.pack(">f", number)))
by_osc("osc: the least 64 bits", osc(level, b"h", struct.pack(">q", -(1 << 63))))
by_osc("osc: 1e308", osc(level, b"d", struct.pack(">d", 1e308)))
by_osc("osc: a text of 60000 bytes", osc(level, b"s", b"9" * 60000 + b"\0" * 4))
by_osc("osc: a blob for a number", osc(level, b"b", struct.pack(">i", 4) + b"9999"))
by_osc("osc: a thousand arguments, the first counts", osc(level, b"i" + b"T" * 1000, struct.pack(">i", 3)))
minus = osc(level, b"s", b"-1\0\0")
by_osc("osc: a fader at 6.4 sets 6", osc(level, b"f", struct.pack(">f", 6.4)), level=6)
by_osc("osc: the text -1 is one less", minus, level=5)
by_osc("osc: the number -1 is the number", osc(level, b"i", struct.pack(">i", -1)), level=-1)
by_osc("osc: 3 sets it again", osc(level, b"i", struct.pack(">i", 3)))
up, down = [osc(b"/panel/stage/press/go", b"f", struct.pack(">f", number)) for number in (0.0, 1.0)]
by_osc("osc: a pad that is pressed and released is one press", down, up, cues=1)
up, down = [osc(b"/panel/stage/do/house", b"f", struct.pack(">f", number)) for number in (0.0, 1.0)]
by_osc("osc: a pad for an event is one event", down, up, cues=2)
by_osc("osc: a thousand zeros for an event", *[osc(b"/panel/stage/do/house", b"N")] * 1000, cues=2)
# Of a flood 40 at once and 20 a second are looked at; the minute before has filled the allowance again.
time.sleep(3)
by_osc("osc: a thousand presses are one", *[osc(b"/panel/stage/press/go", b"f", struct.pack(">f", 0.5))] * 1000, cues=3)
sys.exit(1 if wrong else 0)
