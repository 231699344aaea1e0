// The Debian package under a systemd that has booted, in QEMU, from the installation to the purge. Each test continues
// where the one before it ended. test/soak/deb.test.ts has what needs no systemd.
import assert from 'node:assert/strict'
import { SUCCESS } from '../../contract/codes.ts'
import { confirmFirewall, FIREWALL_MODE, setFirewall } from '../../contract/machine/firewall/firewall.ts'
import { setDeviceName } from '../../contract/machine/name.ts'
import { getPower, rebootSystem } from '../../contract/machine/power.ts'
import { startUpdate } from '../../contract/update.ts'
import { readDebianPackage } from '../../firmware-pack/debian-package.ts'
import { buildPackage, OWN_VERSION, packageFile } from '../kit/deb/package-build.ts'
import { generateSigningKey } from '../kit/hub/console-update.ts'
import { signInFirst } from '../kit/hub/first-sign-in.ts'
import type { HubConnection } from '../kit/hub/hub-process.ts'
import { createUpdateOf, downloadUpdate, publishUpdate, settleUpgrade } from '../kit/hub/over-the-air.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { startStaticServer } from '../kit/net/static-server.ts'
import { suiteRequiring } from '../kit/runner/suite.ts'
import { untilEmulated } from '../kit/until.ts'
import { BootedDebian, missingForBootedDebian } from '../kit/virtual-machine/booted-debian.ts'
import { HOST_ADDRESS } from '../kit/virtual-machine/virtual-machine.ts'

const PASSWORD = 'A new password 1'
const UNITS = ['headend', 'headend-engine', 'headend-firewall', 'headend-updater']
const UPGRADE = '10.1.0'
const FIREWALL_TABLE = 'nft list table inet headend'

const test = suiteRequiring('booted Debian package', missingForBootedDebian())
const port = await freeTcpPort()
const url = `http://127.0.0.1:${port}`
const debian = new BootedDebian(port)
const server = await startStaticServer()
const { signer, publicKey } = generateSigningKey()
let admin: HubConnection

test.after(async () => {
  await server.close()
  await debian.close()
})

/** Versions of the releases from which the services run, in the order of `UNITS`. */
async function releases(): Promise<(string | undefined)[]> {
  const output = await debian.run(
    `for unit in ${UNITS.join(' ')}; do readlink /proc/$(systemctl show --property MainPID --value $unit)/exe; done`
  )
  return output.split('\n', UNITS.length).map((line) => /releases\/([^/]+)\//.exec(line)?.[1])
}

test('apt installs it, its services run, and the welcome page of nginx leaves port 80 to it', async () => {
  buildPackage()
  debian.create(readDebianPackage(packageFile()))
  await debian.start()
  await debian.run('curl --silent --fail http://127.0.0.1/ | grep "Welcome to nginx"')
  await debian.installPackage()
  assert.equal(await debian.run(`systemctl is-active ${UNITS.join(' ')}`), 'active\n'.repeat(UNITS.length))
  assert.deepEqual(
    await releases(),
    UNITS.map(() => OWN_VERSION)
  )
  assert.equal(await debian.run('systemctl list-units --failed --plain --no-legend headend*'), '')
  await debian.run('runuser --user headend -- chronyc -n sources')
})

test('Admin signs in from another machine with the setup code of the journal', async () => {
  admin = await signInFirst(url, await debian.setupCode(), PASSWORD)
})

test('polkit lets the hub set the name of the machine', async () => {
  assert.equal((await admin.send(setDeviceName, { name: 'Studio 1' })).result, SUCCESS)
  assert.equal(await debian.run('cat /proc/sys/kernel/hostname'), 'studio-1\n')
})

test('the firewall service closes the ports of the machine, and the console stays open', async () => {
  assert.equal((await admin.send(setFirewall, { mode: FIREWALL_MODE.blocked, rules: [] })).result, SUCCESS)
  // A connection from before the change confirms nothing, and is closed by the hub.
  await untilEmulated(async () => (await admin.send(confirmFirewall, {})).result === SUCCESS)
  assert.match(await debian.run(FIREWALL_TABLE), /\bdrop\b/)
})

test('an upgrade over the air restarts hub, firewall and update service from it, and the engine keeps running', async () => {
  await debian.trust(publicKey)
  const update = createUpdateOf(readDebianPackage(packageFile()), UPGRADE, signer)
  await admin.signIn(PASSWORD)
  const address = server.address.replace('127.0.0.1', HOST_ADDRESS)
  const id = await downloadUpdate(admin, address, publishUpdate(server, UPGRADE, update, signer))
  assert.equal((await admin.send(startUpdate, { id })).result, SUCCESS)
  assert.equal(await settleUpgrade(admin), UPGRADE)
  // The process that has run the trial is the parent of the new hub until it is restarted.
  await untilEmulated(async () => String(await releases()) === String([OWN_VERSION, OWN_VERSION, UPGRADE, UPGRADE]))
  assert.equal(await debian.run('systemctl list-units --failed --plain --no-legend headend*'), '')
})

test('a restart of the machine from the console starts everything from the new release', async () => {
  const before = (await admin.send(getPower, {}))['start-time']
  assert.equal((await admin.send(rebootSystem, { force: true })).result, SUCCESS)
  await debian.waitForShell()
  await debian.waitForHub()
  await admin.signIn(PASSWORD)
  const { name, 'start-time': now } = await admin.send(getPower, {})
  assert.ok(now > before)
  assert.equal(name, 'Studio 1')
  assert.match(await debian.run(FIREWALL_TABLE), /\bdrop\b/)
  assert.deepEqual(
    await releases(),
    UNITS.map(() => UPGRADE)
  )
})

test('purging stops the services, closes the firewall and deletes everything but the users', async () => {
  await debian.run('apt-get -q purge -y headend')
  assert.equal(await debian.run("systemctl list-units --all --plain --no-legend 'headend*'"), '')
  assert.equal(await debian.run('readlink /proc/[0-9]*/exe | grep headend || true'), '')
  assert.equal(await debian.run('nft list tables | grep headend || true'), '')
  assert.equal(await debian.run("find /etc /usr /var /run -name '*headend*' -print"), '')
})

test.run()
