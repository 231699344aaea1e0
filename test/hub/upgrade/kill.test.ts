// Kills the hub at random moments of a console update: a complete console is served afterwards, and it is the
// acknowledged one.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import {
  confirmUpdate,
  startUpdate,
  UPDATE_STATE,
  type UploadedUpdate,
  updateStatus
} from '../../../contract/update.ts'
import { exportPublicKey } from '../../../firmware-pack/keys.ts'
import { createTestUpdate, createUpdateForm, generateSigningKey, writeConsole } from '../../kit/hub/console-update.ts'
import { type HubProcess, startHubProcess } from '../../kit/hub/hub-process.ts'

const test = suite('killed console update')

const KILLS = 5

const folder = mkdtempSync(join(tmpdir(), 'headend-kill-'))
const dist = join(folder, 'dist')
const data = join(folder, 'data')
test.after(() => rmSync(folder, { recursive: true, force: true }))

const { signer, publicKey } = generateSigningKey()
const pack = (mark: string) => createTestUpdate(mark, { signer })

const script = (mark: string) => `app-${mark.repeat(8)}.js`

/** Uploads, installs and confirms a console. @param onStep called after each step */
async function update(hub: HubProcess, mark: string, bytes: Uint8Array, onStep = (_name: string) => {}): Promise<void> {
  const response = await fetch(`${hub.url}/api/update/upload`, {
    method: 'POST',
    headers: { cookie: hub.cookie() },
    body: createUpdateForm(bytes)
  })
  const { id } = (await response.json()) as Envelope & UploadedUpdate
  onStep('uploaded')
  assert.equal((await hub.send(startUpdate, { id })).result, SUCCESS)
  onStep('asked')
  assert.equal((await hub.send(confirmUpdate, { script: script(mark) })).result, SUCCESS)
  onStep('confirmed')
}

/** The mark of the console that a hub serves. Its script must be served, too. */
async function servedMark(hub: HubProcess): Promise<string> {
  const page = await (await fetch(`${hub.url}/`)).text()
  const mark = page.slice(-1)
  const { status } = await fetch(`${hub.url}/assets/${script(mark)}`)
  assert.equal(status, 200, `the script of console ${mark}`)
  return mark
}

test('SIGKILL at a random moment of an update leaves a complete console and no other files', async () => {
  writeConsole('0', dist)
  process.env.DIST = dist
  process.env.TRUSTED_KEYS = join(folder, 'trusted.pem')
  writeFileSync(process.env.TRUSTED_KEYS, exportPublicKey(publicKey))
  let hub = await startHubProcess(data)
  try {
    const startedAt = performance.now()
    await update(hub, '1', pack('1'))
    /** Milliseconds that an update takes on this machine. */
    const duration = performance.now() - startedAt
    let now = '1'
    for (let kill = 0; kill < KILLS; kill++) {
      const mark = String(kill + 2)
      let lastStep = ''
      const victim = hub
      const timer = setTimeout(() => victim.child.kill('SIGKILL'), (duration * 1.2 * (kill + Math.random())) / KILLS)
      await update(victim, mark, pack(mark), (name) => {
        lastStep = name
      }).catch((error) => {
        if (victim.child.signalCode === null && !(error instanceof TypeError)) throw error
      })
      clearTimeout(timer)
      await victim.kill()
      hub = await startHubProcess(data)
      const after = await servedMark(hub)
      // A request without a response may have been executed or not.
      const allowed = lastStep === 'confirmed' ? [mark] : lastStep === 'asked' ? [now, mark] : [now]
      assert.ok(allowed.includes(after), `console ${after} after '${lastStep}', not ${allowed}`)
      const { state, consoles } = await hub.send(updateStatus, {})
      assert.ok(state === UPDATE_STATE.idle || state === UPDATE_STATE.failed, String(state))
      assert.equal(consoles.filter(({ use }) => use === 'active').length, 1)
      const entries = existsSync(join(data, 'console')) ? readdirSync(join(data, 'console')) : []
      assert.deepEqual(
        entries.filter((name) => !['a', 'b', 'state.json'].includes(name)),
        []
      )
      now = after
    }
    await update(hub, 'e', pack('e'))
    assert.equal(await servedMark(hub), 'e')
  } finally {
    await hub.kill()
  }
})

test.run()
