// Changes that could lock everybody out of the console, beside those of addresses and of the firewall
// (docs/architecture/machine.md lists them). Those that nobody confirms for a minute are in
// test/soak/unconfirmed-changes.test.ts.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CA_KEY_ERROR, PORT_OCCUPIED, SUCCESS } from '../../../contract/codes.ts'
import { confirmNetwork } from '../../../contract/machine/network.ts'
import { confirmPort } from '../../../contract/web/ports.ts'
import { missingForMachine } from '../../kit/machine/machine.ts'
import { ADDRESS, type ManagedMachine } from '../../kit/machine/managed-machine.ts'
import {
  change,
  closeMachines,
  expectShortGaps,
  NEW_ADDRESS,
  setWeb,
  waitForOutcome
} from '../../kit/machine/network-journey.ts'
import { suiteRequiring } from '../../kit/runner/suite.ts'
import { makePair } from '../../kit/tls/certificates.ts'
import { until } from '../../kit/until.ts'

const test = suiteRequiring('lock-out', missingForMachine())

const HTTP = `http://${ADDRESS}:3000`
const HTTPS = `https://${ADDRESS}:3443`

const folder = mkdtempSync(join(tmpdir(), 'headend-lock-out-'))
test.after(closeMachines)
test.after(() => rmSync(folder, { recursive: true }))

async function stopHub({ hub, machine }: ManagedMachine): Promise<void> {
  hub.kill('SIGKILL')
  // The process that the test has started ends first. The hub ends with it, and has its ports until then.
  await until(async () => !(await machine.succeeds(['pgrep', '-x', 'headend-hub'])), 'the hub has ended')
}

/** Another program, of another user, that has a port of the machine. */
async function occupyPort({ machine, client }: ManagedMachine, port: number): Promise<ChildProcess> {
  const program = machine.start(['python3', '-m', 'http.server', String(port)])
  const serves = async () => (await client.curl(`http://${ADDRESS}:${port}/`)).status !== 0
  await until(async () => {
    assert.equal(program.exitCode, null, `The other program could not open port ${port}`)
    return serves()
  }, `another program has port ${port}`)
  return program
}

async function upload({ client }: ManagedMachine, path: string, pem: string): Promise<string> {
  const file = join(folder, `${path.replaceAll('/', '-')}.pem`)
  writeFileSync(file, pem)
  const { body } = await client.curl(`${HTTP}/api${path}`, '--form', `file=@${file}`)
  return JSON.parse(body).filename
}

/** Expects the console at an address of its own, without a redirect. */
async function expectConsole({ client }: ManagedMachine, url: string): Promise<void> {
  const { status, body } = await client.curl(`${url}/`)
  assert.equal(status, 200, url)
  assert.match(body, /data-script/)
}

/**
 * A key that does not belong to its certificate, a damaged certificate, and HTTPS with its redirect whose port is taken
 * at the next start.
 */
async function breakHttps(managed: ManagedMachine): Promise<void> {
  const cert = await upload(managed, '/cert/upload', makePair().cert)
  const key = await upload(managed, '/cert/upload-key', makePair().key)
  const wrong = await setWeb(managed, { 'cert-filename': cert, 'cert-key-filename': key })
  assert.equal(wrong.result, CA_KEY_ERROR)
  await expectConsole(managed, HTTP)

  assert.equal((await setWeb(managed, { 'enable-https': true, 'https-port': 3443 })).result, SUCCESS)
  assert.equal((await setWeb(managed, { 'redirect-http': true }, HTTPS)).result, SUCCESS)
  assert.equal((await managed.client.curl(`${HTTP}/`)).status, 307)
  await expectConsole(managed, HTTPS)

  await stopHub(managed)
  await managed.machine.run(['bash', '-c', 'for f in /run/headend/data/tls/*; do echo damaged > "$f"; done'])
  await managed.restartHub()
  await expectConsole(managed, HTTPS)

  await stopHub(managed)
  await occupyPort(managed, 3443)
  await managed.restartHub()
  await expectConsole(managed, HTTP)
}

/** A port of another program is refused, and one that another program takes while the hub is off does not matter. */
async function takePorts(managed: ManagedMachine): Promise<void> {
  await occupyPort(managed, 3011)
  const refused = await setWeb(managed, { 'http-port': 3011 })
  assert.deepEqual([refused.result, refused.holder], [PORT_OCCUPIED, { of: 'program' }])
  assert.match(refused.message ?? '', /^Port 3011 occupied by another program/)

  assert.equal((await setWeb(managed, { 'http-port': 3010 })).result, SUCCESS)
  const moved = `http://${ADDRESS}:3010`
  assert.equal((await managed.client.sendTo(moved, confirmPort, {})).result, SUCCESS)
  await expectConsole(managed, moved)
  assert.equal((await managed.client.curl(`${HTTP}/`)).status, 0)

  await stopHub(managed)
  await occupyPort(managed, 3010)
  await managed.restartHub()
  await expectConsole(managed, HTTP)
}

/** The hub is restarted while a change waits, and takes it up: a client can still keep it. */
async function restartDuringChange(managed: ManagedMachine): Promise<void> {
  await change(managed)
  await stopHub(managed)
  await managed.restartHub()
  managed.client.address = NEW_ADDRESS
  const { change: waiting } = await managed.list()
  assert.deepEqual([waiting?.state, waiting?.ipaddr, waiting?.iface], ['waiting', NEW_ADDRESS, 'eth0'])
  assert.equal((await managed.client.send(confirmNetwork, {})).result, SUCCESS)
  assert.equal((await waitForOutcome(managed)).outcome, 'kept')
  assert.match(await managed.storedConnections(), /198\.51\.100\.77\/24/)
}

test('ports, HTTPS and a restart do not lock anybody out', () =>
  expectShortGaps([breakHttps, takePorts, restartDuringChange]))

test.run()
