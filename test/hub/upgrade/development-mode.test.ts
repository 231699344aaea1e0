// The keys that `hub/main.ts` trusts, with and without DEVELOPMENT=1.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { type LogType, listLog } from '../../../contract/log.ts'
import { updateStatus } from '../../../contract/update.ts'
import { exportPublicKey } from '../../../firmware-pack/keys.ts'
import { DEVELOPMENT_FINGERPRINT, fingerprint } from '../../../pack/keys.ts'
import { TRUSTED_KEYS_FILE } from '../../../pack/trusted-keys.ts'
import { createTestUpdate, createUpdateForm, generateSigningKey, writeConsole } from '../../kit/hub/console-update.ts'
import { type HubProcess, startHubProcess } from '../../kit/hub/hub-process.ts'

const test = suite('development mode')

const folder = mkdtempSync(join(tmpdir(), 'headend-development-'))
writeConsole('0', join(folder, 'dist'))
let hub: HubProcess | undefined
test.before(() => {
  process.env.DIST = join(folder, 'dist')
  delete process.env.TRUSTED_KEYS
})
test.after.each(async () => {
  await hub?.kill()
  delete process.env.DEVELOPMENT
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

async function start(data: string): Promise<HubProcess> {
  hub = await startHubProcess(join(folder, data))
  return hub
}

async function uploadPack({ url, cookie }: HubProcess, bytes: Uint8Array): Promise<unknown> {
  const body = createUpdateForm(bytes)
  const response = await fetch(`${url}/api/update/upload`, { method: 'POST', headers: { cookie: cookie() }, body })
  return (await response.json()).result
}

const loggedEvents = async (running: HubProcess) =>
  (await running.send(listLog, { type: 'system' as LogType })).list.map(({ event }) => event)

test('a hub trusts no key that everybody has, and its pages have no banner', async () => {
  const running = await start('plain')
  assert.deepEqual((await running.send(updateStatus, {}))['trusted-keys'], [])
  assert.equal(await uploadPack(running, createTestUpdate('1')), 38)
  assert.ok(!(await (await fetch(running.url)).text()).includes('development'))
  assert.ok(!(await loggedEvents(running)).includes('development-mode'))
})

test('a hub trusts the keys in its data folder, and no other', async () => {
  const { signer, publicKey } = generateSigningKey()
  await (await start('keys')).kill()
  writeFileSync(join(folder, 'keys', TRUSTED_KEYS_FILE), exportPublicKey(publicKey))
  const running = await start('keys')
  assert.deepEqual((await running.send(updateStatus, {}))['trusted-keys'], [{ fingerprint: fingerprint(publicKey) }])
  assert.equal(await uploadPack(running, createTestUpdate('1')), 36)
  assert.equal(await uploadPack(running, createTestUpdate('1', { signer })), 0)
})

test('with DEVELOPMENT=1 the development key is trusted, and every page and the log say so', async () => {
  process.env.DEVELOPMENT = '1'
  const running = await start('development')
  const keys = (await running.send(updateStatus, {}))['trusted-keys']
  assert.deepEqual(keys, [{ fingerprint: DEVELOPMENT_FINGERPRINT, development: true }])
  assert.equal(await uploadPack(running, createTestUpdate('1')), 0)
  assert.match(await (await fetch(running.url)).text(), /class="banner development"/)
  assert.ok((await loggedEvents(running)).includes('development-mode'))
})

test.run()
