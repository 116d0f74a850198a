# SPDX-License-Identifier: BSD-2-Clause
"""person.py - for end-to-end tests of a machine in front of which a person sits: keys by QEMU's monitor,
the screen read back from its pixels by the image's own font, a serial line if there is one."""
import os
import re
import shutil
import socket
import subprocess
import threading
import time

COLS, ROWS = 5, 8            # of a glyph, FONT_COLS and FONT_ROWS
CELL_WIDTH, CELL_HEIGHT = 6, 10
COLS_WANTED = 106            # as fb.c has it
CODE = '/usr/share/OVMF/OVMF_CODE_4M.fd'
VARS = '/usr/share/OVMF/OVMF_VARS_4M.fd'

NAMES = {' ': 'spc', '\n': 'ret', '\b': 'backspace', '\t': 'tab', '-': 'minus', '/': 'slash', '.': 'dot',
         ',': 'comma', ';': 'semicolon', '=': 'equal', ':': 'shift-semicolon', '_': 'shift-minus',
         '\\': 'backslash'}


def read_font(path='arch/x86/dev/font.c'):
    """The glyphs, as {rows: character}."""
    glyphs = re.findall(r'\{((?:0[xb][0-9a-fA-F]+,?\s*){8})\}', open(path).read())
    rows = [tuple(int(n, 0) for n in re.findall(r'0[xb][0-9a-fA-F]+', g)) for g in glyphs]
    return {row: chr(32 + i) for i, row in enumerate(rows)}


def read_ppm(path):
    data = open(path, 'rb').read()
    width, height = map(int, data.split(b'\n', 2)[1].split())
    return width, height, data[-3 * width * height:]


def screen_text(path, font):
    """Lines of text; what is none of our glyphs is '?'. The cursor inverts what it is on."""
    width, height, pixels = read_ppm(path)
    scale = max(1, width // (COLS_WANTED * CELL_WIDTH))
    lines = []
    for y in range(height // (CELL_HEIGHT * scale)):
        line = ''
        for x in range(width // (CELL_WIDTH * scale)):
            glyph = []
            for i in range(ROWS):
                at = 3 * ((y * CELL_HEIGHT + i) * scale * width + x * CELL_WIDTH * scale)
                bits = 0
                for j in range(COLS):
                    bits = bits << 1 | (pixels[at + 3 * j * scale] > 0x60)
                glyph.append(bits)
            if glyph == [2 ** COLS - 1] * ROWS:
                line += '_'  # the cursor, on a blank
            else:
                line += font.get(tuple(glyph)) or font.get(tuple(2 ** COLS - 1 - row for row in glyph), '?')
        lines.append(line.rstrip())
    return lines


class Line:
    """The other end of a serial line of QEMU's: a socket."""
    def __init__(self, connection):
        self.connection = connection
        self.heard = b''
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            data = self.connection.recv(65536)
            if not data:
                return
            self.heard += data

    def sendall(self, data):
        self.connection.sendall(data)

    def has(self, regex):
        return re.search(regex.encode(), self.heard)


class Machine:
    """`lines` are lines beside COM1 (`serial`): their names, which are chardevs of the options."""
    def __init__(self, folder, options, serial=False, qemu='qemu-system-x86_64', keep_vars=False,
                 machine='q35,smm=off', lines=(), resets=False):
        self.folder = folder
        self.font = read_font()
        if not keep_vars or not os.path.exists(f'{folder}/vars.fd'):
            shutil.copy(VARS, f'{folder}/vars.fd')
        for name in ('monitor', 'serial', *lines):
            if os.path.exists(f'{folder}/{name}'):
                os.unlink(f'{folder}/{name}')
        line = f'unix:{folder}/serial,server=on,wait=on' if serial else 'none'
        more = [word for name in lines
                for word in ('-chardev', f'socket,id={name},path={folder}/{name},server=on,wait=on')]
        command = [qemu, '-machine', machine, '-global', 'hpet.msi=on', '-cpu', 'EPYC', '-nodefaults',
                   '-display', 'none', '-vga', 'std', '-boot', 'menu=off', *([] if resets else ['-no-reboot']), '-rtc', 'base=2026-01-01',
                   '-drive', f'if=pflash,unit=0,format=raw,readonly=on,file={CODE}',
                   '-drive', f'if=pflash,unit=1,format=raw,file={folder}/vars.fd',
                   '-serial', line, '-monitor', f'unix:{folder}/monitor,server=on,wait=off'] + more + options
        self.log = open(f'{folder}/qemu', 'ab')
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        # QEMU waits for connections to its lines one after the other, first for those of -chardev.
        self.lines = {name: Line(self.connect(name)) for name in [*lines] + ['serial'] * serial}
        self.line = self.lines.get('serial')
        self.monitor = self.connect('monitor')
        self.prompt()

    def connect(self, name):
        for _ in range(600):
            try:
                s = socket.socket(socket.AF_UNIX)
                s.connect(f'{self.folder}/{name}')
                return s
            except OSError:
                s.close()
                if self.process.poll() is not None:
                    raise SystemExit(f'QEMU has ended: {open(self.folder + "/qemu").read()[-800:]}')
                time.sleep(0.05)
        raise SystemExit(f'QEMU has no {name}')

    @property
    def heard(self):
        return self.line.heard

    def prompt(self):
        got = b''
        while not got.endswith(b'(qemu) '):
            data = self.monitor.recv(65536)
            if not data:
                return got
            got += data
        return got

    def ask(self, command):
        self.monitor.sendall(command.encode() + b'\n')
        return self.prompt().decode(errors='replace')

    def key(self, name):
        self.ask(f'sendkey {name} 20')
        time.sleep(0.08)  # QEMU holds a key for so long, and firmware looks for it each 20 ms

    def keys(self, text):
        for c in text:
            self.key(NAMES.get(c, f'shift-{c.lower()}' if c.isupper() else c))

    def screen(self):
        path = f'{self.folder}/screen.ppm'
        self.ask(f'screendump {path}')
        return screen_text(path, self.font)

    def wait_until(self, done, what, seconds):
        """False where that does not come to be so."""
        end = time.time() + seconds
        while not done():
            if time.time() > end or self.process.poll() is not None:
                self.missed = what
                return False
            time.sleep(0.2)
        return True

    def shows(self, regex, seconds=120):
        """A line of the screen has that, now or in time."""
        return self.wait_until(lambda: any(re.search(regex, line) for line in self.screen()), regex, seconds)

    def says(self, regex, seconds=120, line=None):
        """The serial line has said that; COM1, if it is not another one."""
        return self.wait_until(lambda: (line or self.line).has(regex), regex, seconds)

    def ends(self, seconds=60):
        return self.wait_until(lambda: self.process.poll() is not None, 'end', seconds) or \
            self.process.poll() is not None

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


def disk(path):
    """A virtio disk to boot from."""
    return ['-drive', f'if=none,id=stick,format=raw,file={path}', '-device', 'virtio-blk-pci,drive=stick,bootindex=1']


def usb_stick(path):
    return ['-device', 'qemu-xhci', '-drive', f'if=none,id=stick,format=raw,file={path}',
            '-device', 'usb-storage,id=pulled,drive=stick,bootindex=1']
