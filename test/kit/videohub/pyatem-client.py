# Runs the Videohub client of the Debian package python3-pyatem. It reports events on standard output, one JSON object on each line, and
# reads routes from standard input: "output input". Arguments: address and port.
import json
import sys
import threading

from pyatem.videohub import VideoHub


def report(**fields):
    print(json.dumps(fields), flush=True)


def report_connection(device):
    report(
        event="connect",
        version=device.version,
        model=device.model,
        inputs=device.input_count,
        outputs=device.output_count,
        inputLabels=list(device.input_label.values()),
        outputLabels=list(device.output_label.values()),
        routes=list(device.output_source.values()),
    )


def read_routes(device):
    for line in sys.stdin:
        output, source = line.split()
        device.set_source(int(output), int(source))


hub = VideoHub(sys.argv[1], int(sys.argv[2]))
hub.on("connect", report_connection)
hub.on("route-change", lambda device, index, source: report(event="route", output=index, input=source))
hub.on("output-label-change", lambda device, index, label: report(event="label", output=index, label=label))
hub.connect()
threading.Thread(target=read_routes, args=(hub,), daemon=True).start()
while True:
    hub.loop()
