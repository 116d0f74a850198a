# SPDX-License-Identifier: BSD-2-Clause
"""doctor.py DIR NAME... - the self-test of the PMU from a stick: each of these checks hangs the machine, and is skipped at the next
start, which the watchdog of the chipset brings about, or a person. The report is on the stick."""
import json
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))
from checks import Checks  # noqa: E402
from person import Machine, disk  # noqa: E402

folder = sys.argv[1]
checks = Checks('doctor')
os.environ['MTOOLS_SKIP_CHECK'] = '1'
VPMU = ['-kernel', 'build/vpmu.efi', '-append', 'uarch=skx ht=on \\EFI\\BOOT\\BOOTX64.EFI', '-icount', 'shift=4', '-m', '256']
image = f'{folder}/stick.img'


def check(what, right, *said):
    checks.ok(what) if right else checks.not_ok(what, *said)


def mtools(command, *words):
    return subprocess.run([command, '-i', image, *words], capture_output=True, text=True).stdout


def set_config(text):
    open(f'{folder}/perf0.cfg', 'w').write(text)
    mtools('mcopy', '-o', f'{folder}/perf0.cfg', '::/perf0/perf0.cfg')


def shows(machine, what, regex, seconds=60):
    check(what, machine.shows(regex, seconds), f'no line: {regex}', *(line for line in machine.screen() if line))


def hang(name):
    """Boots a new stick, and turns the machine off once the check hangs."""
    shutil.copy('build/esp.img', image)
    mtools('mmd', '::/perf0')
    set_config(f'doctor --hang {name}\n')
    m = Machine(folder, VPMU + disk(image))
    note = ''
    for _ in range(300):
        note = mtools('mtype', '::/perf0/doctor.now')
        if note.startswith(name + ' '):
            break
        time.sleep(0.2)
    check(f'{name}, which hangs, has left its note', note == f'{name} Standard PC (Q35 + ICH9, 2009)\n', note)
    m.stop()


def skip(name):
    """Boots the stick once more. Returns the machine, at its prompt."""
    set_config('doctor\n')
    m = Machine(folder, VPMU + disk(image))
    shows(m, f'{name}: at the next start it is skipped, and named', f'^{name}: skipped: it hung this machine at an earlier boot')
    shows(m, f'{name}: all others ran', r'^doctor: [0-9]+ right, 0 wrong, [0-9]+ not there, 1 skipped')
    shows(m, f'{name}: a prompt', '^perf0> _$')
    return m


def reports():
    """All reports of the stick, in order."""
    shutil.rmtree(f'{folder}/results', ignore_errors=True)
    mtools('mcopy', '-s', '::/perf0/results', f'{folder}/')
    found = [os.path.join(at, file) for at, _, files in os.walk(f'{folder}/results') for file in files
             if file.endswith('-report-doctor.json')]
    return [json.load(open(path)) for path in sorted(found)]


def verdict(report, name):
    return next((row['verdict'] for row in report['checks'] if row['name'] == name), None)


def reset(name):
    """A check hangs with interrupts off. The chipset's watchdog resets the machine, and then the check is skipped. Nobody
    touches the machine: the same commands run at each start."""
    shutil.copy('build/esp.img', image)
    mtools('mmd', '::/perf0')
    set_config(f'doctor --hang {name} --watchdog 8\nthen poweroff\n')
    m = Machine(folder, VPMU + disk(image) + ['-global', 'ICH9-LPC.noreboot=false'], resets=True)
    ended = m.ends(150)
    check(f'{name}: the watchdog resets the machine, which then comes to its end', ended, *([] if ended else m.screen()))
    m.stop()
    check(f'{name}: the hang is listed', mtools('mtype', '::/perf0/doctor.hung').startswith(name + ' '))
    told = [(verdict(r, name), r['watchdog']) for r in reports()]
    check(f'{name}: the one report that there is says that it was skipped', told == [('skipped', 'tco')], told)


def reset_line(name):
    """The same in a line of perf0.cfg: its time is over, and at the next start it is left out. A line that ends the machine has not
    hung."""
    shutil.copy('build/esp.img', image)
    mtools('mmd', '::/perf0')
    set_config(f'reset-after 8\ncaps\ndoctor --hang {name} --watchdog 0\ncaps -j\npoweroff\n')
    m = Machine(folder, VPMU + disk(image) + ['-global', 'ICH9-LPC.noreboot=false'], serial=True, resets=True)
    ended = m.ends(150)
    check('perf0.cfg: a line that hangs ends in a reset', ended, *([] if ended else m.screen()))
    check('perf0.cfg: at the next start it is named and skipped',
          m.line.has(r'perf0\.cfg:3: it hung this machine at an earlier boot, and is skipped'), m.heard[-1500:])
    check('perf0.cfg: the line behind it runs', m.line.has(r'"hw_watchdog": "tco"'))
    check('perf0.cfg: poweroff is no hang', not mtools('mtype', '::/perf0/config.now'), mtools('mtype', '::/perf0/config.now'))
    check('perf0.cfg: one line is listed', mtools('mtype', '::/perf0/config.hung').count('\n') == 1,
          mtools('mtype', '::/perf0/config.hung'))
    m.stop()


reset(sys.argv[2])
reset_line(sys.argv[2])
for name in sys.argv[3:]:
    hang(name)
    skip(name).stop()

# The first one, up to the report.
name = sys.argv[2]
hang(name)
m = skip(name)
m.key('f7')
shows(m, 'F7 is the same test, which skips it again', r'^perf0> doctor$', 10)
shows(m, 'and ends', '^perf0> _$')
m.keys('poweroff\n')
check('poweroff', m.ends(20))
m.stop()
check('no note is left', not mtools('mtype', '::/perf0/doctor.now'))
found = reports()
check('a report for each run of it', len(found) == 2, found)
check('the report says what was skipped', found and verdict(found[0], name) == 'skipped', found)
said = subprocess.run(['build/perf0', 'results', f'{folder}/results'], capture_output=True, text=True)
check('perf0 results prints it', f'    {name}: skipped: it hung this machine at an earlier boot\n' in said.stdout and not said.returncode,
      said.stdout, said.stderr)
sys.exit(checks.failures > 0)
