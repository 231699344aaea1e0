# Runs a command under the SystemCallFilter of a unit, as systemd does: syscall-filter.py UNIT COMMAND ARGUMENTS...
# Other system calls fail with EPERM. The command must already have no way to get new privileges.
import ctypes
import os
import re
import struct
import subprocess
import sys

LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050001
SET_SECCOMP, MODE_FILTER = 22, 2


def output(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def expand(name):
    """The system calls of a group, or the one with this name."""
    if not name.startswith('@'):
        return {name}
    lines = output(['systemd-analyze', 'syscall-filter', name]).splitlines()[1:]
    names = (line.strip() for line in lines)
    return set().union(*(expand(each) for each in names if each and not each.startswith('#')))


def allowed(unit):
    names = set()
    with open(unit) as lines:
        for line in lines:
            match = re.match(r'SystemCallFilter=(~?)(.*)', line)
            if match:
                listed = set().union(*(expand(each) for each in match[2].split()))
                names = names - listed if match[1] else names | listed
    return names | expand('@default')


unit, *command = sys.argv[1:]
macros = output(['cc', '-E', '-dM', '-'], '#include <asm/unistd.h>\n')
numbers = {name: int(number) for name, number in re.findall(r'#define __NR_(\w+) (\d+)', macros)}
rules = [(LOAD, 0, 0, 0)]
for number in sorted(numbers[name] for name in allowed(unit) if name in numbers):
    rules += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ALLOW)]
rules.append((RETURN, 0, 0, REFUSE))
assert len(rules) > 400
program = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *rule) for rule in rules))


class Filter(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('rules', ctypes.c_void_p)]


libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(SET_SECCOMP, MODE_FILTER, ctypes.byref(Filter(len(rules), ctypes.addressof(program)))) != 0:
    sys.exit(os.strerror(ctypes.get_errno()))
os.execvp(command[0], command)
