// The units of systemd, and the installation that docs/install.md describes.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { suite } from 'uvu'
import { unpackCommand } from '../../pack/squashfs.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'
import { LIMIT } from '../kit/until.ts'

const PROJECT = resolve(import.meta.dirname, '../..')
const UNITS = readdirSync(`${PROJECT}/deploy/systemd`).filter((name) => name.endsWith('.service'))
/** Exposure as `systemd-analyze security` counts it, times ten: below 50 it says OK. */
const OK = 49

/** Programs that the steps need, with their Debian packages. */
const PROGRAMS = { '/usr/bin/systemd-analyze': 'systemd', '/usr/sbin/chronyd': 'chrony', '/usr/bin/curl': 'curl' }

/** What a test of the units needs; undefined if nothing is missing. */
function missingForUnits(): string | undefined {
  for (const [path, name] of Object.entries(PROGRAMS))
    if (!existsSync(path)) return `${path} is missing. Install: apt-get install ${name}`
  return process.getuid?.() === 0 ? undefined : 'Mount namespaces need root.'
}

const units = suiteRequiring('systemd units', missingForUnits())

units('each unit is hardened so that systemd rates it OK or better', () => {
  assert.deepEqual(UNITS.sort(), [
    'headend-engine.service',
    'headend-firewall.service',
    'headend-updater.service',
    'headend.service'
  ])
  for (const unit of UNITS) {
    const command = ['security', '--offline=true', `--threshold=${OK}`, `deploy/systemd/${unit}`]
    const { status, stdout } = spawnSync('systemd-analyze', command, { cwd: PROJECT, encoding: 'utf8' })
    assert.equal(status, 0, stdout.split('\n').slice(-3).join('\n'))
    assert.match(stdout, /: [0-4]\.\d OK/)
  }
})

/** The commands of the page, without those for files of vendors and issuers and for another disk, marked `shell`. */
const STEPS = [...readFileSync(`${PROJECT}/docs/install.md`, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, text]) => text)
  .join('\n')

/** Runs the steps of the page, then checks, on a copy of this machine. @returns what both print */
function install(checks: string): string {
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
  const script = 'test/kit/machine/install-steps.sh'
  return execFileSync('unshare', [...namespaces, 'bash', script, PROJECT, STEPS, checks], {
    cwd: PROJECT,
    encoding: 'utf8',
    timeout: LIMIT
  })
}

units(
  'after the steps of the installation page the units are valid and enabled, and user, rules and folders exist',
  () => {
    const output = install(`
    systemd-analyze verify --man=no /etc/systemd/system/headend*.service 2>&1 && echo VALID
    systemctl is-enabled headend headend-engine headend-firewall
    for user in headend headend-engine; do echo "$(id --name --user $user): $(id --name --groups $user | xargs -n 1 | sort | xargs)"; done
    ls /etc/polkit-1/rules.d /etc/chrony/conf.d
    stat --format '%n %A %G' /etc/chrony/headend.d
  `)
    assert.match(output, /^VALID$/m)
    assert.match(
      output,
      /^enabled\nenabled\nenabled\nheadend: _chrony headend headend-engine\nheadend-engine: headend-engine$/m
    )
    for (const rules of readdirSync(`${PROJECT}/deploy/polkit`)) assert.ok(output.includes(rules), rules)
    assert.match(output, /headend\.d drwxrwsr-x headend/)
  }
)

units(
  'as their units say, hub and engine run as two users without rights, the hub opens ports 80 and 443, and its death does not end the engine',
  () => {
    const output = install(`
    FILTER='/usr/bin/python3 /opt/headend/test/kit/machine/syscall-filter.py'
    setting() { sed -n "s/^$2=//p" /etc/systemd/system/$1.service; }
    run() {
      cd "$(setting $1 WorkingDirectory)"
      user=$(setting $1 User)
      env $(setting $1 Environment) MACHINE=view LOG_LEVEL=error setpriv --reuid=$user --regid=$user --init-groups --no-new-privs \\
        --inh-caps=$2 --ambient-caps=$2 --bounding-set=$2 $FILTER $PWD/deploy/systemd/$1.service $(setting $1 ExecStart) &
    }
    folder() { install -d -m "$(setting $1 $2Mode)" -o "$(setting $1 User)" -g "$(setting $1 User)" "$3/$(setting $1 $2)"; }
    folder headend StateDirectory /var/lib
    folder headend-engine RuntimeDirectory /run
    wait_for() { "$@" --retry 1000 --retry-delay 1 --retry-all-errors --retry-max-time 90 >/dev/null 2>&1 || { echo "Not ready: $*"; return 1; }; }
    run headend-engine -all; engine=$!
    run headend -all,+net_bind_service; hub=$!
    wait_for curl --fail --silent http://127.0.0.1/healthz
    curl --insecure --silent https://127.0.0.1/healthz; echo
    grep -h ^Cap[EA] /proc/$hub/status /proc/$engine/status
    stat --format '%n %A %U' /run/headend-engine/engine.sock
    setpriv --reuid=headend --regid=headend --init-groups curl --silent --unix-socket /run/headend-engine/engine.sock http://engine/ > /dev/null && echo OPENED
    setpriv --reuid=headend-engine --regid=headend-engine --init-groups ls /var/lib/headend || echo HIDDEN
    kill -KILL $hub; wait $hub || true
    run headend -all,+net_bind_service
    wait_for curl --fail --silent http://127.0.0.1/healthz
    kill -0 $engine && echo ENGINE-LIVES
  `)
    assert.match(output, /^\{"live":true,"ready":true\}$/m)
    // CAP_NET_BIND_SERVICE is number 10.
    const capabilities = [...output.matchAll(/^Cap(\w+):\s+(\w+)$/gm)].map(([, name, mask]) => [
      name,
      Number(`0x${mask}`)
    ])
    assert.deepEqual(capabilities, [
      ['Eff', 1024],
      ['Amb', 1024],
      ['Eff', 0],
      ['Amb', 0]
    ])
    assert.match(output, /^\/run\/headend-engine\/engine\.sock srw-rw---- headend-engine$/m)
    assert.match(output, /^OPENED\nHIDDEN$/m)
    assert.match(output, /^ENGINE-LIVES$/m)
  }
)

units('a process of a stream starts under the system calls that the unit of the engine allows, and encodes', () => {
  const user =
    'setpriv --reuid=headend-engine --regid=headend-engine --init-groups --no-new-privs --inh-caps=-all --bounding-set=-all'
  const filter = '/usr/bin/python3 /opt/headend/test/kit/machine/syscall-filter.py'
  const encode =
    'setpriv --pdeathsig KILL ffmpeg -loglevel error -f lavfi -i testsrc=rate=25 -t 0.2 -c:v libx264 -f mpegts -y /dev/null'
  const output = install(`
    cd /opt/headend
    ${user} ${filter} deploy/systemd/headend-engine.service ${encode} && echo ENCODED
    ${user} touch /tmp/own && ${user} chown headend-engine /tmp/own && echo ALLOWED
    ${user} ${filter} deploy/systemd/headend-engine.service chown headend-engine /tmp/own || echo FILTERED
  `)
  assert.match(output, /^ENCODED$/m)
  assert.match(output, /^ALLOWED\nFILTERED$/m)
})

units('the update service unpacks an image with the capabilities and system calls of its unit', () => {
  const user =
    'setpriv --reuid=root --regid=headend --groups=root --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all'
  const filter = '/usr/bin/python3 /opt/headend/test/kit/machine/syscall-filter.py'
  const { program, args } = unpackCommand('/tmp/image', '/tmp/release', 1 << 20)
  const command = [program, ...args].map((word) => `'${word}'`).join(' ')
  const output = install(`
    mksquashfs /opt/headend/deploy /tmp/image -all-root -quiet -no-progress >/dev/null
    cd /opt/headend
    ${user} ${filter} deploy/systemd/headend-updater.service ${command} >/dev/null && diff -r /tmp/release deploy && echo UNPACKED
    ${user} ${filter} deploy/systemd/headend-updater.service chown headend /tmp/release || echo REFUSED
  `)
  assert.match(output, /^UNPACKED\nREFUSED$/m)
})

units.run()

const test = suite('installation page')

test('every file that the page installs exists', () => {
  const paths = [...STEPS.matchAll(/\/opt\/headend\/([\w./*-]+)/g)].map(([, path = '']) => path)
  assert.ok(paths.length >= 6)
  for (const path of paths) {
    const folder = path.replace(/\/\*.*$/, '')
    assert.ok(existsSync(`${PROJECT}/${folder}`), path)
  }
})

test.run()
