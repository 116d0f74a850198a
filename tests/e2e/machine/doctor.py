# SPDX-License-Identifier: BSD-2-Clause
"""doctor.py DIR NAME... - the self-test of the PMU from a stick: each of these checks hangs the machine, and is skipped at the next
start. The report is on the stick."""
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
mtools('mcopy', '-s', '::/perf0/results', f'{folder}/')
found = [os.path.join(at, name) for at, _, names in os.walk(f'{folder}/results') for name in names
         if name.endswith('-report-doctor.json')]
check('a report for each run of it', len(found) == 2, found)
rows = {row['name']: row for row in json.load(open(sorted(found)[0]))['checks']} if found else {}
check('the report says what was skipped', rows.get(name, {}).get('verdict') == 'skipped', rows)
said = subprocess.run(['build/perf0', 'results', f'{folder}/results'], capture_output=True, text=True)
check('perf0 results prints it', f'    {name}: skipped: it hung this machine at an earlier boot\n' in said.stdout and not said.returncode,
      said.stdout, said.stderr)
sys.exit(checks.failures > 0)
