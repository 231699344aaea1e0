// The console updater with real files and timers: every step, and a power cut after each.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { type StoredConsole, type ConsoleUse, UPDATE_STATE, type UpdateStatus } from '../../../contract/update.ts'
import { makeImage } from '../../../firmware-pack/image.ts'
import { makePayload } from '../../../firmware-pack/payload.ts'
import { UploadRefused } from '../../../hub/firmware/uploads.ts'
import { createConsoleUpdater, type ConsoleUpdater, type ConsoleUpdaterOptions } from '../../../hub/upgrade/console-updater.ts'
import { DEVELOPMENT_KEY } from '../../../pack/keys.ts'
import { computeDigest } from '../../../pack/manifest.ts'
import { createTar, readTar } from '../../../pack/tar.ts'
import { createUpdate } from '../../../pack/update.ts'
import { consoleFiles, developmentSigner, makeKey, makeTestPack, writeConsole } from '../../kit/pack.ts'
import { until } from '../../kit/until.ts'

const test = suite('console updater')

const folder = mkdtempSync(join(tmpdir(), 'headend-console-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const dist = join(folder, 'dist')
writeConsole('0', dist)

const ONE = makeTestPack('1')
const TWO = makeTestPack('2', { version: '1.0.1' })
const script = (mark: string) => `app-${mark.repeat(8)}.js`

let hubs = 0
const open: ConsoleUpdater[] = []
test.after.each(() => {
  for (const one of open.splice(0)) one.close()
})

interface TestUpdater extends ConsoleUpdater {
  data: string
  events: string[]
  /** Mark of the console that is served. */
  servedMark(): string
  uploadBytes(bytes: Uint8Array): ReturnType<ConsoleUpdater['upload']>
}

/** Starts a console updater on a data folder, as a hub does. */
function start(data = join(folder, `hub-${hubs++}`), options: Partial<ConsoleUpdaterOptions> = {}): TestUpdater {
  const events: string[] = []
  let root = dist
  const updater = createConsoleUpdater({
    data,
    dist,
    version: '0.9.0',
    trusted: [DEVELOPMENT_KEY],
    onChange() {},
    logEvent: ({ event, detail }) => events.push(`${event} ${detail}`),
    serveFolder(folder) {
      root = folder
    },
    ...options
  })
  open.push(updater)
  updater.start()
  return Object.assign(updater, {
    data,
    events,
    servedMark: () => /console (.)$/.exec(readFileSync(join(root, 'index.html'), 'utf8'))?.[1] ?? '',
    uploadBytes: (bytes: Uint8Array) => updater.upload(bytes.length, async (write) => write(bytes))
  })
}

async function install(one: TestUpdater, bytes: Uint8Array, force = false): Promise<void> {
  one.install((await one.uploadBytes(bytes)).id, force)
}

/** A signed pack whose page starts a script that is not in the pack. */
function withoutScript(mark: string): Buffer {
  const bundle = Object.entries(consoleFiles(mark)).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  const { manifest, files } = makePayload(bundle, '1.0.0', { id: mark.repeat(40), time: 0, changed: false })
  manifest.files = manifest.files.filter(({ path }) => path === 'index.html')
  const text = Buffer.from(JSON.stringify(manifest))
  const pages = files.filter(({ path }) => path.startsWith('www/index.html'))
  const image = makeImage([{ path: 'manifest.json', bytes: text }, ...pages], 0)
  return createUpdate(text, manifest, image, developmentSigner())
}

/** The code and fault with which an operation is refused. */
async function refusal(operation: Promise<unknown> | (() => unknown)): Promise<{ code: number; fault: unknown }> {
  try {
    await (typeof operation === 'function' ? operation() : operation)
  } catch (error) {
    if (error instanceof UploadRefused) return { code: error.code, fault: error.extra['update-fault'] }
    throw error
  }
  throw new Error('it was not refused')
}

/** Names of files in the console folder of a hub. */
const listFiles = (data: string) =>
  existsSync(join(data, 'console')) ? readdirSync(join(data, 'console')).sort() : ([] as string[])

const describeSlots = ({ consoles }: UpdateStatus) => consoles.map(({ slot, version, use }) => `${slot} ${version} ${use}`)
/** The slot of the console with this use. */
const slotWithUse = (updater: ConsoleUpdater, use: ConsoleUse) =>
  updater.status().consoles.find((one) => one.use === use)?.slot

test('a pack is uploaded, installed, served at once, and stays after its confirmation', async () => {
  const one = start()
  assert.deepEqual([one.servedMark(), one.stateBits(), slotWithUse(one, 'active')], ['0', UPDATE_STATE.idle, 'built-in'])
  const uploaded = await one.uploadBytes(ONE)
  assert.deepEqual(
    [uploaded.version, uploaded.commit, uploaded.development, uploaded.size, uploaded.older],
    ['1.0.0', '1'.repeat(40), true, ONE.length, undefined]
  )
  const { slot, use, ...ready } = one.status().consoles[0] as StoredConsole
  assert.deepEqual([one.servedMark(), slot, use, ready], ['0', 'uploaded', 'ready', uploaded])
  one.install(uploaded.id, false)
  assert.deepEqual([one.servedMark(), one.stateBits()], ['1', UPDATE_STATE.restarting])
  assert.deepEqual(describeSlots(one.status()), ['built-in 0.9.0 kept', 'a 1.0.0 trial'])
  const { left: seconds = 0 } = one.status().consoles[1] ?? {}
  assert.ok(seconds > 80 && seconds <= 90)
  assert.equal(one.trialScript(), script('1'))
  assert.equal((await refusal(() => one.confirm(script('0')))).code, 38)
  one.confirm(script('1'))
  assert.deepEqual([one.stateBits(), one.trialScript(), slotWithUse(one, 'former')], [UPDATE_STATE.idle, undefined, 'built-in'])
  assert.deepEqual(one.events, ['console-installed 1.0.0', 'console-confirmed 1.0.0'])
  assert.deepEqual(listFiles(one.data), ['a', 'state.json'])
  // Also after a restart. Confirming again has no effect.
  const again = start(one.data)
  assert.deepEqual([again.servedMark(), slotWithUse(again, 'active'), again.events], ['1', 'a', []])
  again.confirm(script('1'))
})

test('the next update uses the other slot, and reverting switches between both', async () => {
  const one = start()
  await install(one, ONE)
  one.confirm(script('1'))
  await install(one, TWO)
  one.confirm(script('2'))
  assert.deepEqual(describeSlots(one.status()), ['built-in 0.9.0 kept', 'a 1.0.0 former', 'b 1.0.1 active'])
  one.revert()
  assert.deepEqual([one.servedMark(), one.stateBits(), one.trialScript()], ['1', UPDATE_STATE.restarting, script('1')])
  assert.equal((await refusal(() => one.revert())).code, 43)
  one.confirm(script('1'))
  one.revert()
  one.confirm(script('2'))
  assert.deepEqual([one.servedMark(), slotWithUse(one, 'former')], ['2', 'a'])
  // A third update replaces the console that is not in use.
  await install(one, makeTestPack('3', { version: '1.0.2' }))
  assert.deepEqual(describeSlots(one.status()), ['built-in 0.9.0 kept', 'a 1.0.2 trial', 'b 1.0.1 kept'])
})

test('an unconfirmed console is replaced by the previous one after the timeout, with the reason', async () => {
  const one = start(undefined, { confirmTimeout: 50 })
  await install(one, ONE)
  one.confirm(script('1'))
  await install(one, TWO)
  assert.equal(one.servedMark(), '2')
  await until(() => one.servedMark() === '1', 'the previous console is back')
  const { state, ...status } = one.status()
  assert.deepEqual([state, slotWithUse(one, 'active'), slotWithUse(one, 'former')], [UPDATE_STATE.failed, 'a', undefined])
  assert.deepEqual([status['update-fault'], status['online-status']['update-result']], ['unconfirmed', 2])
  assert.equal(one.events.at(-1), 'console-failed 1.0.1 unconfirmed')
  assert.equal((await refusal(() => one.confirm(script('2')))).code, 38)
  const again = start(one.data)
  assert.deepEqual([again.servedMark(), again.status()['update-fault']], ['1', 'unconfirmed'])
  // It may be installed again, which clears the failure.
  await install(again, TWO)
  again.confirm(script('2'))
  assert.deepEqual([again.servedMark(), again.stateBits()], ['2', UPDATE_STATE.idle])
})

for (const at of ['received', 'staged', 'adopted', 'switched', 'confirmed', 'reverted'] as const)
  test(`a power cut right after '${at}' leaves a complete console, and nothing else`, async () => {
    const data = join(folder, `cut-${at}`)
    const before = start(data)
    await install(before, ONE)
    before.confirm(script('1'))

    const after = join(folder, `after-${at}`)
    const victim = start(data, {
      confirmTimeout: at === 'reverted' ? 20 : 60_000,
      // The next start uses the state of the disk at this moment.
      onStep: (name) => {
        if (name === at) cpSync(data, after, { recursive: true })
      }
    })
    await install(victim, TWO)
    if (at === 'reverted') await until(() => existsSync(after), 'the update was reverted')
    else victim.confirm(script('2'))

    const next = start(after)
    assert.equal(next.servedMark(), at === 'confirmed' ? '2' : '1')
    assert.equal(next.trialScript(), undefined)
    assert.equal(slotWithUse(next, 'ready'), undefined)
    const fault = { switched: 'interrupted', reverted: 'unconfirmed' }[at as string]
    assert.equal(next.status()['update-fault'], fault)
    const installed = at === 'received' || at === 'staged' ? ['a'] : ['a', 'b']
    assert.deepEqual(listFiles(after), [...installed, 'state.json'])
    await install(next, TWO)
    next.confirm(script('2'))
    assert.equal(next.servedMark(), '2')
  })

test('an invalid pack is refused with its reason, and changes nothing', async () => {
  const one = start(undefined, { budget: { html: {}, css: {}, js: {}, total: { raw: 5000 }, requests: 3 } })
  await install(one, ONE)
  one.confirm(script('1'))
  const files = listFiles(one.data)
  const other = makeKey()
  const [statement, signature, manifest, image] = readTar(TWO) as [TarFile, TarFile, TarFile, TarFile]
  const pack = (...entries: TarFile[]) => createTar(entries, 0)
  const replaceText = ({ path, bytes }: TarFile, from: string, to: string) => ({
    path,
    bytes: Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')
  })
  const flipped = Buffer.from(image.bytes)
  flipped.writeUInt8(flipped.readUInt8(200) ^ 1, 200)
  const large = { ...consoleFiles('4'), 'assets/more-12345678.js': 'x'.repeat(9000) }
  const cases: [why: string, bytes: Uint8Array, code: number, fault: string][] = [
    ['another key', makeTestPack('2', { signer: other.signer }), 36, 'wrong-key'],
    ['a changed statement', pack(replaceText(statement, '1.0.1', '9.0.1'), signature, manifest, image), 40, 'tampered'],
    ['a changed manifest', pack(statement, signature, replaceText(manifest, '1.0.1', '9.0.1'), image), 40, 'tampered'],
    ['a changed image', pack(statement, signature, manifest, { ...image, bytes: flipped }), 40, 'tampered'],
    ['a removed development flag', pack(replaceText(statement, '"development": true,', ''), signature, manifest, image), 40, 'tampered'],
    ['a truncated pack', TWO.subarray(0, TWO.length >> 1), 50, 'cut-short'],
    ['missing files', pack(statement, signature), 23, 'not-a-pack'],
    ['another file', Buffer.alloc(4096, 'x'), 23, 'not-a-pack'],
    ['no page', makeTestPack('5', { files: { 'assets/app-55555555.js': 'x' } }), 9, 'format'],
    ['no script', withoutScript('6'), 9, 'format'],
    ['a console that is too large', makeTestPack('4', { files: large }), 18, 'over-budget']
  ]
  for (const [why, bytes, code, fault] of cases) {
    assert.deepEqual(await refusal(one.uploadBytes(bytes)), { code, fault }, why)
    const status = one.status()
    assert.deepEqual(
      [status.state, status['update-fault'], slotWithUse(one, 'ready')],
      [UPDATE_STATE.failed, fault, undefined]
    )
    assert.equal(one.servedMark(), '1')
    assert.deepEqual(listFiles(one.data), files, why)
  }
  const { part, is, limit } = one.status()
  assert.deepEqual([part, limit, (is ?? 0) > 9000], ['total raw', 5000, true])
  // Cancelling clears the failure.
  one.cancel()
  assert.deepEqual([one.stateBits(), one.status()['update-fault']], [UPDATE_STATE.idle, undefined])
  assert.equal((await refusal(() => one.cancel())).code, 16)
})

test('in production packs signed with the development key are refused, and without keys all packs are', async () => {
  const mine = makeKey()
  const one = start(undefined, { trusted: [makeKey().open, mine.open] })
  assert.deepEqual(await refusal(one.uploadBytes(ONE)), { code: 36, fault: 'development' })
  const good = makeTestPack('6', { signer: mine.signer })
  await install(one, good)
  one.confirm(script('6'))
  // A console signed with a key that is no longer trusted is not served.
  const stricter = start(one.data, { trusted: [makeKey().open] })
  assert.deepEqual([stricter.servedMark(), stricter.status()['update-fault']], ['0', 'damaged'])

  const closed = start(undefined, { trusted: [] })
  assert.deepEqual([closed.stateBits(), closed.status()['enable-update']], [UPDATE_STATE.unavailable, false])
  assert.deepEqual(await refusal(closed.uploadBytes(good)), { code: 38, fault: 'no-keys' })
})

test('a cancelled or broken upload leaves no files, and blocks other uploads while it runs', async () => {
  const one = start()
  const { promise: never } = Promise.withResolvers<void>()
  const hanging = one.upload(ONE.length, async (write) => {
    await write(ONE.subarray(0, ONE.length >> 1))
    await never
  })
  const refused = refusal(hanging)
  await until(() => one.status().progress > 0, 'half of it is received')
  assert.deepEqual([one.stateBits(), one.status().progress], [UPDATE_STATE.uploading, 50])
  assert.equal((await refusal(one.uploadBytes(ONE))).code, 43)
  one.cancel()
  assert.equal((await refused).code, 42)
  assert.deepEqual([listFiles(one.data), one.stateBits()], [[], UPDATE_STATE.idle])

  const broken = one.upload(0, async (write) => {
    await write(ONE.subarray(0, 1000))
    throw new UploadRefused(50)
  })
  assert.equal((await refusal(broken)).code, 50)
  assert.deepEqual([listFiles(one.data), one.stateBits()], [[], UPDATE_STATE.failed])
})

test('an upload needs free space, and has a maximum size', async () => {
  const one = start(undefined, { freeSpace: async () => 10 << 20 })
  assert.equal((await refusal(one.uploadBytes(ONE))).code, 29)
  const wide = start()
  const tooLarge = wide.upload(0, async (write) => {
    for (let n = 0; n < 20; n++) await write(new Uint8Array(1 << 20))
  })
  assert.equal((await refusal(tooLarge)).code, 18)
  assert.equal((await refusal(wide.upload(1 << 30, async () => {}))).code, 18)
  assert.deepEqual(listFiles(wide.data), [])
})

test('an uploaded update is installed by its ID, an older version needs force, and it can be discarded', async () => {
  const one = start()
  await install(one, TWO)
  one.confirm(script('2'))
  const uploaded = await one.uploadBytes(ONE)
  assert.equal(uploaded.older, true)
  assert.equal((await refusal(() => one.install('0'.repeat(64), false))).code, 1004)
  assert.equal((await refusal(() => one.install(uploaded.id, false))).code, 1009)
  one.cancel()
  assert.equal((await refusal(() => one.install(uploaded.id, true))).code, 16)
  assert.deepEqual(listFiles(one.data), ['a', 'state.json'])
  await install(one, ONE, true)
  assert.equal(one.servedMark(), '1')
})

test('a modified slot is not served, and an updated hub serves its built-in console', async () => {
  const one = start()
  await install(one, ONE)
  one.confirm(script('1'))
  const page = join(one.data, 'console/a/www/index.html')
  const original = readFileSync(page)
  writeFileSync(page, 'console 9')
  const wary = start(one.data)
  assert.deepEqual([wary.servedMark(), wary.events], ['0', ['console-failed 1.0.0 damaged']])

  const two = start()
  await install(two, ONE)
  two.confirm(script('1'))
  const newer = join(folder, 'newer')
  cpSync(dist, newer, { recursive: true })
  writeFileSync(join(newer, 'index.html'), original.toString().replace('console 1', 'console 7'))
  const updated = start(two.data, { dist: newer })
  assert.deepEqual([slotWithUse(updated, 'active'), updated.root()], ['built-in', newer])
  assert.deepEqual(updated.events, ['console-own 0.9.0'])
})

test('a full disk does not prevent going back to the previous console', async () => {
  const one = start(undefined, { confirmTimeout: 50 })
  await install(one, ONE)
  // Makes the state file unwritable.
  mkdirSync(join(one.data, 'console/state.json.part'))
  const { error } = console
  console.error = () => {}
  try {
    await until(() => one.servedMark() === '0', 'the previous console is back')
  } finally {
    console.error = error
  }
  const next = start(one.data)
  assert.deepEqual([next.servedMark(), next.status()['update-fault']], ['0', 'interrupted'])
})

test('the built-in console has its version from version.json, or from the image that contains it', () => {
  const built = join(folder, 'built')
  cpSync(dist, built, { recursive: true })
  const builtInVersion = (root: string) => {
    const [{ version, commit, changed, time } = { version: '' }] = start(undefined, { dist: root }).status().consoles
    return [version, commit, changed, time]
  }
  assert.deepEqual(builtInVersion(built), ['0.9.0', undefined, undefined, undefined])
  writeFileSync(join(built, 'version.json'), '{"version":"0.9.1","commit":"abc","time":"1970-01-01T00:00:02.000Z"}')
  assert.deepEqual(builtInVersion(built), ['0.9.1', 'abc', undefined, 2000])

  const image = join(folder, 'image')
  cpSync(built, join(image, 'www'), { recursive: true })
  const { size, sha256 } = computeDigest(readFileSync(join(built, 'index.html')))
  const files = [{ path: 'index.html', size, sha256, encodings: {} }]
  writeFileSync(join(image, 'manifest.json'), JSON.stringify({ version: '0.9.2', commit: 'def', changed: true, files }))
  assert.deepEqual(builtInVersion(join(image, 'www')), ['0.9.2', 'def', true, undefined])
  // The manifest of another console is ignored.
  writeFileSync(join(image, 'www/index.html'), 'console 8')
  assert.deepEqual(builtInVersion(join(image, 'www')), ['0.9.1', 'abc', undefined, 2000])
})

interface TarFile {
  path: string
  bytes: Buffer
}

test.run()
