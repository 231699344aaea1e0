import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { DEVICE_VIEW, SYSTEM_CONFIG_VIEW } from '../../../contract/permissions.ts'
import { updateStatus } from '../../../contract/update.ts'
import { PLACES } from '../../../src/paths.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, hubForEach, other, replaceHub } from '../../kit/hub-for-each.ts'
import { makeKey, makeTestPack, writeConsole } from '../../kit/pack.ts'
import { all, click, none, one, says, settled, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('upgrade')

const folder = mkdtempSync(join(tmpdir(), 'headend-upgrade-room-'))
const dist = join(folder, 'dist')
writeConsole('0', dist)
test.after(() => rmSync(folder, { recursive: true, force: true }))

const ONE = makeTestPack('1')
const OLD = makeTestPack('2', { version: '0.0.9' })

/** Times that the page was loaded anew. */
let reloads = 0

hubForEach(test, { dist })
test.before.each(() => {
  reloads = 0
  Object.defineProperty(location, 'reload', { configurable: true, value: () => reloads++ })
})

const open = (user?: string) => openConsole(hub, { at: PLACES.upgrade, user })
const take = (bytes: Uint8Array) => hub.hub.upgrade.upload(bytes.length, async (put) => put(bytes))

/** Has the user choose a file. */
async function chooseFile(bytes: Uint8Array): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  assert.equal(input?.accept, '.update')
  const file = new File([new Uint8Array(bytes)], 'console.update')
  Object.defineProperty(input, 'files', { configurable: true, value: [file] })
  input?.dispatchEvent(new Event('change', { bubbles: true }))
  await settled()
}

/** Says yes to the question that is open. @returns what it asked */
async function agree(verb: string): Promise<string> {
  const dialog = await one('dialog')
  const asked = words(dialog)
  await click(await one('button', verb, dialog))
  return asked
}

test('an update is chosen, verified, installed after a question, and then the page is loaded anew', async () => {
  await open()
  assert.match(words(await one('row', /Built-in/)), /0\.1\.0 In use/)
  await chooseFile(ONE)
  const row = await one('row', 'New')
  assert.match(words(row), /1\.0\.0 Verified 111111111111 Development key/)
  await click(await one('button', 'Install', row))
  assert.match(await agree('Install 1.0.0'), /Install 1\.0\.0\? .*It stays if it loads in this browser/)
  await until(() => reloads === 1, 'the page is loaded anew')
  const slot = await one('row', 'Slot A')
  await says(/On trial for \d+ s/, slot)
  assert.equal((await hub.fetch(new Request('http://hub.test/assets/app-11111111.js'))).status, 200)
  // Nothing more can be begun before it is decided.
  await none('button', /Go back/)
  hub.hub.upgrade.confirm('app-11111111.js')
  await says(/In use/, slot)
  const before = await one('row', 'Built-in')
  await click(await one('button', /^Go back/, before))
  await agree('Go back to 0.1.0')
  await until(() => reloads === 2, 'and anew')
  await says(/On trial/, before)
})

test('an older one is asked about, and one that is uploaded can be thrown away', async () => {
  await take(OLD)
  await open()
  const row = await one('row', 'New')
  await click(await one('button', 'Install', row))
  const dialog = await one('dialog')
  assert.match(words(dialog), /It is older than this one\./)
  await click(await one('button', 'Close', dialog))
  await click(await one('button', /^Cancel: /, row))
  await none('row', 'New')
  assert.equal(reloads, 0)
  assert.equal((await other.send(updateStatus, {})).consoles.length, 1)
})

test('what is refused is said in the language of now, until somebody puts it away', async () => {
  await open()
  await chooseFile(makeTestPack('3', { signer: makeKey().signer }))
  const banner = await one('alert')
  await says(/signed by a key that this hub does not trust/, banner)
  setLanguage('zh')
  await says(/更新由本中枢不信任的密钥签名/)
  setLanguage('en')
  await click(await one('button', 'Dismiss', await one('alert')))
  await none('alert')
  assert.equal((await other.send(updateStatus, {})).state, 0)
})

test('an upload shows how far it is to everybody, and anybody may end it', async () => {
  await open()
  const { promise: never } = Promise.withResolvers<void>()
  const ended = hub.hub.upgrade
    .upload(1000, async (put) => {
      await put(new Uint8Array(400))
      await never
    })
    .catch((error) => error.code)
  await says(/40\s%/)
  const bar = document.querySelector('progress')
  assert.equal(Number(bar?.getAttribute('value') ?? bar?.value), 0.4)
  await click(await one('button', 'Cancel'))
  assert.equal(await ended, 42)
  await one('button', 'Upload update')
  await none('alert')
})

test('a console that did not stay is spoken of, with the one that is back', async () => {
  await replaceHub({ dist, upgrade: { confirmWithin: 300 } })
  await open()
  const { id } = await take(ONE)
  hub.hub.upgrade.install(id, false)
  await says(/No browser confirmed in time/, await one('alert'))
  await says(/In use/, await one('row', 'Built-in'))
  await says(/Kept/, await one('row', 'Slot A'))
})

test('who may only look can change nothing, and who may not look is told so', async () => {
  await take(ONE)
  await addUser(hub, 'looker', SYSTEM_CONFIG_VIEW)
  await addUser(hub, 'nobody', DEVICE_VIEW)
  await open('looker')
  await one('row', 'New')
  for (const name of ['Upload update', 'Install'])
    assert.equal((await one('button', name)).getAttribute('aria-disabled'), 'true')
  await closeConsole()
  await open('nobody')
  await says('You do not have access permission')
  assert.equal(all('row').length, 0)
})

test('while the hub is not heard nothing is shown as if it were, and it can be asked again', async () => {
  const page = await openConsole(hub)
  page.instead = (path) => (path.includes('/update/status') ? Response.json({ result: 6 }) : undefined)
  location.hash = PLACES.upgrade
  await says('Could not be loaded')
  page.instead = () => undefined
  await click(await one('button', 'Retry'))
  await one('row', /Built-in/)
})

test('a console says that it has come up when it is the one on trial, and no other does', async () => {
  const asked: unknown[] = []
  let script = 'app-deadbeef.js'
  hub.hub.upgrade.onTrial = () => script
  const page = await openConsole(hub)
  page.instead = (path, body) => {
    if (!path.includes('/update/confirm')) return undefined
    asked.push(JSON.parse(body ?? ''))
    return Response.json({ result: 0 })
  }
  hub.hub.store.changes.bump('status')
  await until(() => page.place() === PLACES.dashboard, 'it is there')
  await settled()
  assert.deepEqual(asked, [])
  // What the module is called that says it.
  script = 'system.ts'
  hub.hub.store.changes.bump('status')
  await until(() => asked.length > 0, 'it says so')
  assert.deepEqual(asked[0], { script })
})

test.run()
