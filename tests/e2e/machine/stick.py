# SPDX-License-Identifier: BSD-2-Clause
"""stick.py DIR - sticks in machines: what a person sees and types, and what is on the stick afterwards."""
import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))
from checks import Checks  # noqa: E402
from person import Machine, disk, screen_text, usb_stick  # noqa: E402

folder = sys.argv[1]
checks = Checks('stick')
os.environ['MTOOLS_SKIP_CHECK'] = '1'
VPMU = ['-kernel', 'build/vpmu.efi', '-append', 'uarch=skx ht=on \\EFI\\BOOT\\BOOTX64.EFI', '-icount', 'shift=4']


def check(what, right, *said):
    checks.ok(what) if right else checks.not_ok(what, *said)


def mtools(command, image, *words):
    return subprocess.run([command, '-i', image, *words], capture_output=True, text=True).stdout


def make_stick(name, config=None, fill=None):
    """`fill`: as many bytes stay free."""
    image = f'{folder}/{name}.img'
    shutil.copy('build/esp.img', image)
    if config is not None:
        open(f'{folder}/perf0.cfg', 'w').write(config)
        mtools('mmd', image, '::/perf0')
        mtools('mcopy', image, f'{folder}/perf0.cfg', '::/perf0/perf0.cfg')
    if fill is not None:
        said = [line for line in mtools('mdir', image, '::/').splitlines() if 'bytes free' in line]
        free = int(''.join(c for c in said[0] if c.isdigit()))
        open(f'{folder}/filler', 'wb').write(bytes(free - fill))
        mtools('mcopy', image, f'{folder}/filler', '::/filler')
    return image


def files_of(image):
    return [line for line in mtools('mdir', image, '-/', '-b', '::/').splitlines() if not line.endswith('/')]


def content(image, name):
    found = [f for f in files_of(image) if f.endswith(name)]
    return mtools('mtype', image, found[0]) if found else ''


def check_shows(machine, what, regex, seconds=60):
    right = machine.shows(regex, seconds)
    check(what, right, f'no line: {regex}', '\n'.join(line for line in machine.screen() if line))
    return right


def wait_for_prompt(machine):
    """It waits: the prompt with the cursor behind it is the last line."""
    def waits():
        lines = [line for line in machine.screen() if line]
        return bool(lines) and lines[-1] == 'perf0> _'
    return machine.wait_until(waits, 'a prompt', 60)


def laptop():
    """A keyboard inside, no serial line, counters."""
    image = make_stick('laptop', 'timeout 4\n[board "nosuch"]\ncpus\n[else]\nstat -e instructions:u loop 1000000\n')
    open(f'{folder}/own.txt', 'w').write('metric twice\nformula 2 * branches / branches\n')
    open(f'{folder}/wrong.txt', 'w').write('metric thrice\nformul 3\n')
    mtools('mmd', image, '::/perf0/metrics')
    mtools('mcopy', image, f'{folder}/own.txt', f'{folder}/wrong.txt', '::/perf0/metrics/')
    options = VPMU[:3] + [VPMU[3] + ' usb=halt'] + VPMU[4:] + ['-device', 'qemu-xhci', '-device', 'piix3-usb-uhci']
    m = Machine(folder, ['-m', '256'] + options + disk(image))
    check_shows(m, 'laptop: usb=halt', '^usb=halt: 2 USB controllers stand still while a command runs')
    check_shows(m, 'the screen tells what there is', r'^Keyboards: 1. Screens: 1')
    check_shows(m, 'no serial line', '^Serial lines: none')
    check_shows(m, 'and where results go', r'^Results go to .perf0.results.0001-Standard-PC-.*-20260101')
    check_shows(m, 'perf0.cfg runs by itself', r'^ +2,000,005 +instructions:u')
    wait_for_prompt(m)
    m.keys('stax\b\t-e instru\t\b:u lo\t10\n')
    check_shows(m, 'keys, Backspace and Tab', r'^perf0> stat -e instructions:u loop 10$', 10)
    check_shows(m, 'what was typed runs', r'^ +25 +instructions:u', 10)
    wait_for_prompt(m)
    m.key('up')
    m.key('left')
    m.keys('0\n')
    check_shows(m, 'a line of before, changed', r'^ +205 +instructions:u', 10)
    wait_for_prompt(m)
    m.keys('stat -e task-clock loop 100000000000\n')
    time.sleep(1)
    m.key('x')
    m.key('ctrl-c')
    check('^C ends what runs', wait_for_prompt(m), '\n'.join(m.screen()))
    m.keys('stta\n')
    check_shows(m, 'a typo', r"^perf0: unknown command 'stta'; did you mean 'stat'[?]", 10)
    wait_for_prompt(m)
    m.keys('shutdown\n')
    check_shows(m, 'a word of other systems', r"^perf0: unknown command 'shutdown'; did you mean 'poweroff'[?]", 10)
    wait_for_prompt(m)
    m.keys('loop 10\n')
    check_shows(m, 'a workload alone', r"^perf0: unknown command 'loop'; it is a workload: `stat loop`", 10)
    wait_for_prompt(m)
    m.keys('stat lopo\n')
    check_shows(m, 'a typo of a workload', r"^stat: unknown workload 'lopo'; did you mean 'loop'[?]", 10)
    wait_for_prompt(m)
    m.keys('stat -z loop\n')
    check_shows(m, 'an option that there is not', r"^stat: unknown option '-z'", 10)
    wait_for_prompt(m)
    m.key('f1')
    check_shows(m, 'a function key is a line', r'^perf0> help$', 10)
    wait_for_prompt(m)
    commands = [line.split()[0] for line in m.screen() if re.match('  [a-z]+ +[a-zA-Z]', line)]
    check('help begins with what people want', commands[:4] == ['stat', 'record', 'bench', 'trace'], commands)
    check('what tests perf0 itself is last', commands[-2:] == ['bug', 'lockup'], commands)
    check('no word is cut', any(line == 'stat -M' for line in m.screen()), '\n'.join(m.screen()))
    m.key('pgup')
    m.key('pgup')
    check_shows(m, 'Page Up shows what was', r'^Serial lines: none', 10)
    check('no USB controller complained', not any('controllers do not' in line for line in m.screen()),
          '\n'.join(m.screen()))
    m.keys('exit\n')
    # The firmware goes on with its next boot entry, which is the stick once more.
    check_shows(m, 'exit, and started again in the same firmware', r'^Results go to .perf0.results.0002-')
    check_shows(m, 'perf0.cfg waits for a key', r'perf0.cfg runs in')
    m.key('spc')
    check('which stops it', wait_for_prompt(m) and not any('2,000,005' in line for line in m.screen()),
          '\n'.join(m.screen()))
    m.keys('stat -M twice,ipc loop 10\n')
    check_shows(m, 'a metric of a file', r'^ +[0-9,]+ +branches +# +2\.00 twice', 10)
    check_shows(m, 'a file that is wrong is told', r"^stat: .perf0.metrics.wrong\.txt:2:1: a line does not begin with 'formul'; did you", 10)
    check_shows(m, 'beside one that ships', r'^ +# +[0-9.]+ IPC', 10)
    wait_for_prompt(m)
    m.keys('poweroff\n')
    check('poweroff', m.ends(20))
    m.stop()
    names = [os.path.basename(f) for f in files_of(image)]
    check('a folder for each start, three files for each command',
          {'caps.txt', '001-stat.txt', '002-stat.json', '003-stat.perf0', '004-stat.txt', 'unwritten.txt'} <= set(names), names)
    check('no files of help and of typos', not [n for n in names if n[:4] == '005-' or 'help' in n or 'stta' in n], names)
    check('the text is what the screen showed', '2,000,005      instructions:u' in content(image, '001-stat.txt'),
          content(image, '001-stat.txt'))
    counts = json.loads(content(image, '002-stat.json') or '{}').get('counts', [{}])
    check('the JSON has the count', counts[0].get('value') == 25, counts)


def same_screens(machine):
    other = f'{folder}/second.ppm'
    machine.ask(f'screendump {other} second')
    return screen_text(other, machine.font) == machine.screen()


def server():
    """CPUs, USB, two screens, a serial line; the stick is pulled in the end."""
    image = make_stick('server')
    m = Machine(folder, ['-m', '512', '-smp', '3', '-device', 'secondary-vga,id=second'] + usb_stick(image) +
                ['-device', 'usb-kbd'], serial=True)
    check_shows(m, 'server: line, keyboards, screens', r'^Keyboards: 2. Screens: 2')
    check('the line says so, too', m.says(r'Serial lines: COM1 .probed, port 0x3f8, interrupt.', 5), m.heard[-400:])
    wait_for_prompt(m)
    m.keys('cpus\n')
    check_shows(m, 'a USB keyboard; the firmware lends its CPUs', r'^ +2 +2 .* online$', 20)
    wait_for_prompt(m)
    m.line.sendall(b'stat -e task-clock loop 77\r')
    check('the serial line at the same time', m.says(r"stats for 'loop 77'", 20), m.heard[-400:])
    wait_for_prompt(m)
    check('both screens show the same', same_screens(m))
    m.line.sendall(b'stat -e task-clock loop 100000000000\r')
    time.sleep(1)
    m.line.sendall(b'\3')
    check('^C over the line', wait_for_prompt(m), m.heard[-400:])
    m.keys('exit\n')
    menu(m)
    check_shows(m, 'and starts the stick again', r'^Results go to .perf0.results.0002-')
    wait_for_prompt(m)
    m.keys('cpus\n')
    check_shows(m, 'with all CPUs', r'^ +2 +2 .* online$', 20)
    m.ask('device_del pulled')
    time.sleep(1)
    wait_for_prompt(m)
    m.keys('stat -e task-clock loop 5\n')
    check_shows(m, 'a stick that was pulled is told', r'^perf0: .*kept', 30)
    wait_for_prompt(m)
    m.keys('reboot\n')
    check_shows(m, 'reboot asks before results are lost', r'^reboot: [0-9]+ files of results are in memory alone')
    m.key('y')
    check('reboot', m.ends(20))
    m.stop()
    check('what was written stays', '002-stat.txt' in str(files_of(image)), files_of(image))


def menu(machine):
    """Of the firmware, which draws by its own font: what matters is that it draws when keys are typed."""
    def look():
        machine.screen()
        return open(f'{folder}/screen.ppm', 'rb').read()
    def is_drawn():
        first = look()
        ours = any('perf0>' in line for line in screen_text(f'{folder}/screen.ppm', machine.font))
        time.sleep(1)
        return not ours and len(set(first)) > 2 and look() == first
    machine.wait_until(is_drawn, 'a menu', 60)
    before = look()
    machine.key('down')
    check("the firmware's menu works", machine.wait_until(lambda: look() != before, 'a change', 20))
    machine.key('down')
    time.sleep(0.5)
    machine.key('ret')
    time.sleep(1)
    machine.key('ret')


def bad_sticks():
    for name, options, regex in (('write-protected', ',readonly=on', r'^perf0: .*write-protected'),
                                 ('full', '', r'^perf0: .*full')):
        image = make_stick(name, fill=None if options else 0)
        stick = disk(image)
        stick[1] += options
        m = Machine(folder, ['-m', '256'] + stick)
        check_shows(m, f'a stick that is {name} is told', regex)
        check('and all else goes on', wait_for_prompt(m))
        m.keys('poweroff\n')
        check_shows(m, 'poweroff asks', r'^poweroff: [0-9]+ files of results are in memory alone, and would be lost')
        m.key('n')
        check('another key brings the prompt', wait_for_prompt(m), '\n'.join(m.screen()))
        m.keys('poweroff\n')
        check('and asks again', m.wait_until(lambda: sum(line.startswith('poweroff: ') and 'alone' in line for line in m.screen()) == 2, 'both', 20),
              '\n'.join(m.screen()))
        m.key('y')
        check('y loses them', m.ends(20))
        m.stop()


def nearly_full():
    """Room for the first files alone. There are no counters, and no key that is heard while a command runs."""
    image = make_stick('nearly', fill=48 << 10)
    m = Machine(folder, ['-m', '256', '-icount', 'shift=4'] + usb_stick(image) + ['-device', 'usb-kbd'], machine='q35,smm=off,i8042=off')
    check_shows(m, 'no counters', r'^Clocks, software events and tracepoints are there: F3')
    check_shows(m, 'how to end what runs', r'^While a command runs no keyboard is heard, and a workload ends by its --timeout')
    wait_for_prompt(m)
    m.key('f3')
    check_shows(m, 'F3 shows what there is', r'^ +[0-9.]+ msec cpu-clock', 20)
    check_shows(m, 'and samples by it', r'perf0 record: [1-9][0-9]* samples', 20)
    wait_for_prompt(m)
    m.keys('stat -e task-clock loop 100000000000\n')
    check('a workload ends by itself', wait_for_prompt(m) and any('did not end in time' in line for line in m.screen()), '\n'.join(m.screen()))
    m.keys('record -e cpu-clock -c 10000 hotcold\n')
    check_shows(m, 'what finds no room', r'^perf0: the stick is full', 60)
    wait_for_prompt(m)
    m.keys('poweroff\n')
    check_shows(m, 'poweroff asks', r'^poweroff: [0-9]+ files of results are in memory alone')
    m.key('y')
    check('y loses them', m.ends(20))
    m.stop()
    shutil.rmtree(f'{folder}/nearly', ignore_errors=True)
    os.mkdir(f'{folder}/nearly')
    mtools('mcopy', image, '-s', '::/perf0/results', f'{folder}/nearly')
    told = subprocess.run(['build/perf0', 'results', f'{folder}/nearly'], capture_output=True, text=True)
    check('results: what is missing is told', re.search(
        r'0001-[^ ]*: [1-9] files are missing, which found no room on the stick: .*-record.perf0', told.stderr), told.stderr, told.stdout)
    check('results: status', told.returncode == 125, told.returncode)


def unused_line():
    """Keys of USB alone, and a serial line at which nobody is: what was typed at the keys ends by itself all the same.
    Once someone types at the line, ^C there ends it, and there is no limit."""
    m = Machine(folder, ['-m', '256', '-icount', 'shift=4'] + usb_stick(make_stick('unused')) + ['-device', 'usb-kbd'],
                serial=True, machine='q35,smm=off,i8042=off')
    check_shows(m, 'how to end what runs, with an unused line', r'^While a command runs no keyboard is heard, and a workload ends by its --timeout')
    wait_for_prompt(m)
    m.keys('stat -e task-clock loop 100000000000\n')
    check('a workload ends by itself beside an unused line',
          wait_for_prompt(m) and any('did not end in time' in line for line in m.screen()), '\n'.join(m.screen()))
    m.line.sendall(b'\r')
    m.line.heard = b''
    m.line.sendall(b'stat -e task-clock loop 100000000000\r')
    m.says('loop 100000000000\r\n', 20)
    m.line.heard = b''
    m.line.sendall(b'\3')
    check('^C of the line ends it', m.says('perf0> $', 60), m.line.heard[-300:])
    m.stop()


def held_machine():
    """Firmware that does not let go of the machine. The image that it starts then, with no options, borrows."""
    m = Machine(folder, ['-m', '256', '-kernel', 'build/vpmu.efi', '-append',
                         'fault=exit \\EFI\\BOOT\\BOOTX64.EFI mode=own'] + disk(make_stick('held')), serial=True)
    said = rb'perf0: the firmware does not let go of the machine \(ExitBootServices: EFI error 2\); try mode=borrow'
    check('mode=own that the firmware refuses is told', m.says(said.decode(), 60), m.heard[-400:])
    check('mode=borrow works there', m.says('Results go to', 60), m.heard[-400:])
    m.line.sendall(b'watchdog on\r')
    check('there is no watchdog then', m.says('there is no watchdog while the firmware lends', 20), m.heard[-300:])
    m.line.sendall(b'poweroff\r')
    check('poweroff over the line', m.ends(20))
    m.stop()


for name in sys.argv[2:]:
    globals()[name]()
sys.exit(checks.failures > 0)
