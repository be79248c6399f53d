import json, os, urllib.request
request = urllib.request.Request("http://127.0.0.1:8377/api/events",
                                 headers={"Authorization": "Bearer " + os.environ["TOKEN"]})
kind = "line"
for line in urllib.request.urlopen(request):
    name, _, value = line.decode().rstrip("\n").partition(": ")
    if name == "event": kind = value
    if name == "data" and kind == "line" and (record := json.loads(value))[0] == "e" and record[3] == 0:
        print(record[2] / 1e9, record[4])
    if line == b"\n": kind = "line"
