# SPDX-License-Identifier: BSD-2-Clause
"""machines.py DIR ROW... - a machine in each row, a function below: it starts, tells what it has, and measures. What the screen
shows at the start is compared with screens/NAME.txt, where there is one; PERF0_ACCEPT=1 writes these."""
import os
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))
import ovmf_vars  # noqa: E402
from checks import Checks  # noqa: E402
from person import VARS, Machine, disk, read_ppm, screen_text, usb_stick  # noqa: E402

folder = sys.argv[1]
checks = Checks('machines')
SCREENS = os.path.join(os.path.dirname(__file__), 'screens')
BORROW = ['-kernel', 'build/perf0.efi']
OWN = BORROW + ['-append', 'mode=own']
COUNTS = r"stats for 'loop 77'"


def check(what, right, *said):
    checks.ok(what) if right else checks.not_ok(what, *said)


class Row:
    """A machine, up to its prompt. What is done there are methods."""
    def __init__(self, name, options, keep_vars=False, **more):
        self.name = name
        self.m = Machine(folder, options, keep_vars=keep_vars, **more)

    def check(self, what, right, *said):
        check(f'{self.name}: {what}', right, *said)

    def says(self, what, regex, line=None, seconds=60):
        self.check(what, self.m.says(regex, seconds, line), (line or self.m.line).heard[-300:])

    def shows(self, what, regex, seconds=60):
        right = self.m.shows(regex, seconds)
        self.check(what, right, f'no line: {regex}', *(line for line in self.m.screen() if line))

    def measures_by_keys(self):
        self.shows('a prompt', '^perf0> _$')
        self.m.keys('stat -e task-clock loop 77\n')
        self.shows('it measures', COUNTS)

    def measures_by_line(self, line=None):
        line = line or self.m.line
        self.says('a prompt', 'perf0> $', line)
        line.sendall(b'stat -e task-clock loop 77\r')
        self.says('it measures', COUNTS, line)

    def hears_interrupt(self, line=None):
        """^C ends what would run for an hour."""
        line = line or self.m.line
        self.says('a prompt', 'perf0> $', line)
        line.sendall(b'stat -e task-clock loop 999999999999\r')
        self.says('it runs', 'loop 999999999999\r\n', line)
        line.heard = b''
        line.sendall(b'\3')
        self.says('^C is heard', 'perf0> $', line)

    def looks_as_before(self, reference):
        """All that is on the screen, without the version."""
        self.shows('a prompt', '^perf0> _$')
        lines = [re.sub(r'^perf0 [0-9.]+;', 'perf0;', line) for line in self.m.screen()]
        text = '\n'.join(lines).rstrip('\n') + '\n'
        path = f'{SCREENS}/{reference}.txt'
        if os.environ.get('PERF0_ACCEPT'):
            open(path, 'w').write(text)
        self.check('the screen is as it was', text == open(path).read(), *text.splitlines())

    def end(self):
        self.m.stop()


def stick(name='stick'):
    image = f'{folder}/{name}.img'
    shutil.copy('build/esp.img', image)
    return image


def without_acpi():
    """No table tells where interrupts go: the line is looked at."""
    row = Row('acpi=off', ['-m', '256'] + OWN, serial=True, machine='q35,smm=off,acpi=off')
    row.says('told in a line', r'perf0: COM1: no interrupt comes from this serial line; it is looked at each ms')
    row.measures_by_line()
    row.hears_interrupt()
    row.end()


def spcr(port, irq):
    """The table, behind its header."""
    address = struct.pack('<BBBBQ', 1, 8, 0, 1, port)
    rest = struct.pack('<BBIBBBBBB', 1, irq, 0, 6, 0, 1, 0, 3, 0) + struct.pack('<HHBBBIBI', 0xffff, 0xffff, 0, 0, 0, 0, 0, 0)
    path = f'{folder}/spcr'
    open(path, 'wb').write(struct.pack('<BBBB', 0, 0, 0, 0) + address + rest)
    return ['-acpitable', f'sig=SPCR,rev=2,data={path}']


def several_lines():
    """A card, and a line that a table alone tells of; no COM1. What is typed at one runs, and all show it."""
    row = Row('lines', ['-m', '256', '-device', 'pci-serial,chardev=card', '-device',
                        'isa-serial,iobase=0x5a8,irq=5,chardev=table'] + spcr(0x5a8, 5) + OWN, lines=('card', 'table'))
    card, table = row.m.lines['card'], row.m.lines['table']
    row.measures_by_line(card)
    row.says('the other line shows it, too', COUNTS, table)
    card.sendall(b'caps\r')
    row.says('both are told, and interrupt', r'Serial lines +console .SPCR, port 0x5a8, interrupt., '
             r'PCI 00:0.\.0 .PCI, port 0x[0-9a-f]+, interrupt.', table)
    row.hears_interrupt(table)
    table.sendall(b'text framed\r')
    row.says('frames for the line that asked', 'HELLO|P0\\x00|perf0', table)
    card.heard = b''
    table.sendall(b'stat -e task-clock loop 77\r')
    row.says('and text for the other', COUNTS, card)
    row.check('which has no frames', all(byte in b'\r\n\t' or 32 <= byte < 127 for byte in card.heard), card.heard[:200])
    row.end()


def card_only():
    row = Row('pci-serial', ['-m', '256', '-device', 'pci-serial,chardev=card'] + BORROW, lines=('card',))
    row.says('told', r'Serial lines: PCI 00:0.\.0 .PCI, port 0x[0-9a-f]+, interrupt.', row.m.lines['card'])
    row.measures_by_line(row.m.lines['card'])
    row.hears_interrupt(row.m.lines['card'])
    row.end()


def several_roots():
    """A card behind a second root bus, as servers have them."""
    row = Row('roots', ['-m', '256', '-device', 'pxb,id=far,bus_nr=64', '-device', 'pci-serial,bus=far,addr=1,chardev=card'] + BORROW,
              machine='pc,smm=off', lines=('card',))
    row.says('told', r'Serial lines: PCI 41:01.0 .PCI, port 0x[0-9a-f]+, .*', row.m.lines['card'])
    row.measures_by_line(row.m.lines['card'])
    row.end()


def old_pc():
    """An i440FX without HPET and without a serial line; a keyboard of PS/2."""
    row = Row('pc', ['-m', '256'] + disk(stick()), machine='pc,hpet=off,smm=off')
    row.looks_as_before('pc')
    row.measures_by_keys()
    row.end()


def large_screen():
    """4K by hand of the firmware's setup, 128 MiB, USB alone."""
    shutil.copy(VARS, f'{folder}/vars.fd')
    ovmf_vars.set_resolution(f'{folder}/vars.fd', 3840, 2160)
    row = Row('4K', ['-m', '128', '-vga', 'none', '-device', 'VGA,xres=3840,yres=2160,vgamem_mb=64'] +
              usb_stick(stick()) + ['-device', 'usb-kbd'], keep_vars=True, machine='q35,smm=off,i8042=off')
    row.looks_as_before('4k')
    row.check('it is one of 3840 x 2160', read_ppm(f'{folder}/screen.ppm')[:2] == (3840, 2160))
    row.measures_by_keys()
    row.end()


def two_cards():
    """Two screens, and a line that the firmware alone drives."""
    row = Row('two GPUs', ['-m', '256', '-device', 'bochs-display,id=second'] + BORROW + ['-append', 'lines=firmware'],
              serial=True)
    row.shows('told', r'^Keyboards: 1\. Screens: 2\.')
    row.says('so is the line', r"Serial lines: 1 of the firmware's\.")
    row.measures_by_line()
    row.m.line.heard = b''
    row.m.keys('version\n')
    row.says('keys at the same time', r'perf0 version [0-9.]+\s')
    row.shows('a prompt', '^perf0> _$')
    row.m.ask(f'screendump {folder}/second.ppm second')
    row.check('both show the same', screen_text(f'{folder}/second.ppm', row.m.font) == row.m.screen())
    row.end()


def carried_over():
    """mode=own: results lie in memory over a warm reset, and the next start writes them."""
    image = stick()
    row = Row('results=memory', ['-m', '256', '-icount', 'shift=4', '-kernel', 'build/vpmu.efi', '-append',
                                 'uarch=skx ht=on \\EFI\\BOOT\\BOOTX64.EFI mode=own results=memory'] + disk(image),
              serial=True, resets=True)
    row.says('told', r'Results stay in memory; behind `reboot` the next start of perf0 writes them[^>]*perf0> $')
    row.m.line.sendall(b'stat -e instructions:u loop 1000\r')
    row.says('it measures', r' 2,005 [^>]*perf0> $')
    row.m.line.sendall(b'reboot\r')
    row.says('kept', r'\n4 files of results stay in memory')
    row.says('written by the next start', r'start before has left in memory, 4 files, are in .perf0.results.0001-')
    row.says('which has its own', r'Results go to .perf0.results.0002-[^>]*perf0> $')
    row.m.line.heard = b''
    row.m.line.sendall(b'reboot\r')
    row.says('the next one finds nothing', r'Results stay in memory[^>]*perf0> $')
    row.check('and writes nothing', not row.m.line.has('has left in memory'))
    row.end()
    os.environ['MTOOLS_SKIP_CHECK'] = '1'
    text = subprocess.run(['mtype', '-i', image, '::/perf0/results/0001-Standard-PC-Q35-ICH9-200-20260101/001-stat.txt'],
                          capture_output=True, text=True).stdout
    row.check('the text is what was printed', '2,005      instructions:u' in text, text)


def much_memory():
    """600 GiB, of which the host has what is written to."""
    row = Row('600 GiB', ['-m', '600G', '-object', 'memory-backend-ram,id=ram,size=600G,reserve=off'] + BORROW,
              serial=True, machine='q35,smm=off,memory-backend=ram')
    row.measures_by_line()
    row.m.line.sendall(b'free\r')
    row.says('all of it is there', r'\n6[0-9]{8} KiB  of memory')
    row.end()


for name in sys.argv[2:]:
    globals()[name]()
sys.exit(checks.failures > 0)
