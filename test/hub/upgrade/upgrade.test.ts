// The update of the console as far as a disk and a clock can tell: every step, and a power cut after each.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { type ConsoleHeld, type ConsoleUse, UPDATE_STATE, type UpdateStatus } from '../../../contract/update.ts'
import { makeImage } from '../../../firmware-pack/image.ts'
import { makePayload } from '../../../firmware-pack/payload.ts'
import { UploadRefused } from '../../../hub/firmware/uploads.ts'
import { createUpgrade, type Upgrade, type UpgradeOptions } from '../../../hub/upgrade/upgrade.ts'
import { DEVELOPMENT_KEY } from '../../../pack/keys.ts'
import { proofOf } from '../../../pack/manifest.ts'
import { tar, untar } from '../../../pack/tar.ts'
import { makeUpdate } from '../../../pack/update.ts'
import { consoleFiles, developmentSigner, makeKey, makeTestPack, writeConsole } from '../../kit/pack.ts'
import { until } from '../../kit/until.ts'

const test = suite('upgrade')

const folder = mkdtempSync(join(tmpdir(), 'headend-upgrade-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const dist = join(folder, 'dist')
writeConsole('0', dist)

const ONE = makeTestPack('1')
const TWO = makeTestPack('2', { version: '1.0.1' })
const script = (mark: string) => `app-${mark.repeat(8)}.js`

let hubs = 0
const open: Upgrade[] = []
test.after.each(() => {
  for (const one of open.splice(0)) one.close()
})

interface TestUpgrade extends Upgrade {
  data: string
  events: string[]
  /** What the page of the console says that is served. */
  shown(): string
  take(bytes: Uint8Array): ReturnType<Upgrade['upload']>
}

/** Starts one on a folder, as a hub does. */
function start(data = join(folder, `hub-${hubs++}`), options: Partial<UpgradeOptions> = {}): TestUpgrade {
  const events: string[] = []
  let root = dist
  const upgrade = createUpgrade({
    data,
    dist,
    version: '0.9.0',
    trusted: [DEVELOPMENT_KEY],
    changed() {},
    note: ({ event, detail }) => events.push(`${event} ${detail}`),
    serve(folder) {
      root = folder
    },
    ...options
  })
  open.push(upgrade)
  upgrade.start()
  return {
    ...upgrade,
    data,
    events,
    shown: () => /console (.)$/.exec(readFileSync(join(root, 'index.html'), 'utf8'))?.[1] ?? '',
    take: (bytes) => upgrade.upload(bytes.length, async (put) => put(bytes))
  }
}

async function install(one: TestUpgrade, bytes: Uint8Array, force = false): Promise<void> {
  one.install((await one.take(bytes)).id, force)
}

/** Signed, but its page starts what is not in it. */
function withoutScript(mark: string): Buffer {
  const bundle = Object.entries(consoleFiles(mark)).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  const { manifest, files } = makePayload(bundle, '1.0.0', { id: mark.repeat(40), time: 0, changed: false })
  manifest.files = manifest.files.filter(({ path }) => path === 'index.html')
  const text = Buffer.from(JSON.stringify(manifest))
  const pages = files.filter(({ path }) => path.startsWith('www/index.html'))
  const image = makeImage([{ path: 'manifest.json', bytes: text }, ...pages], 0)
  return makeUpdate(text, manifest, image, developmentSigner())
}

/** What a refusal says. */
async function refusal(work: Promise<unknown> | (() => unknown)): Promise<{ code: number; fault: unknown }> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (error instanceof UploadRefused) return { code: error.code, fault: error.extra['update-fault'] }
    throw error
  }
  throw new Error('it was not refused')
}

/** What lies in a hub's folder of consoles, whatever is in the slots. */
const left = (data: string) =>
  existsSync(join(data, 'console')) ? readdirSync(join(data, 'console')).sort() : ([] as string[])

const slotsOf = ({ consoles }: UpdateStatus) => consoles.map(({ slot, version, use }) => `${slot} ${version} ${use}`)
/** The slot of the console with this use. */
const placeOf = ({ status }: Upgrade, use: ConsoleUse) => status().consoles.find((one) => one.use === use)?.slot

test('a pack is uploaded, installed, shown at once, and stays when it is confirmed', async () => {
  const one = start()
  assert.deepEqual([one.shown(), one.state(), placeOf(one, 'active')], ['0', UPDATE_STATE.idle, 'built-in'])
  const uploaded = await one.take(ONE)
  assert.deepEqual(
    [uploaded.version, uploaded.commit, uploaded.development, uploaded.size, uploaded.older],
    ['1.0.0', '1'.repeat(40), true, ONE.length, undefined]
  )
  const { slot, use, ...ready } = one.status().consoles[0] as ConsoleHeld
  assert.deepEqual([one.shown(), slot, use, ready], ['0', 'uploaded', 'ready', uploaded])
  one.install(uploaded.id, false)
  assert.deepEqual([one.shown(), one.state()], ['1', UPDATE_STATE.restarting])
  assert.deepEqual(slotsOf(one.status()), ['built-in 0.9.0 kept', 'a 1.0.0 trial'])
  const { left: seconds = 0 } = one.status().consoles[1] ?? {}
  assert.ok(seconds > 80 && seconds <= 90)
  assert.equal(one.onTrial(), script('1'))
  assert.equal((await refusal(() => one.confirm(script('0')))).code, 38)
  one.confirm(script('1'))
  assert.deepEqual([one.state(), one.onTrial(), placeOf(one, 'former')], [UPDATE_STATE.idle, undefined, 'built-in'])
  assert.deepEqual(one.events, ['console-installed 1.0.0', 'console-confirmed 1.0.0'])
  assert.deepEqual(left(one.data), ['a', 'state.json'])
  // Also after a restart; and once more is no fault.
  const again = start(one.data)
  assert.deepEqual([again.shown(), placeOf(again, 'active'), again.events], ['1', 'a', []])
  again.confirm(script('1'))
})

test('the next one goes into the other slot, and one can go back and forth', async () => {
  const one = start()
  await install(one, ONE)
  one.confirm(script('1'))
  await install(one, TWO)
  one.confirm(script('2'))
  assert.deepEqual(slotsOf(one.status()), ['built-in 0.9.0 kept', 'a 1.0.0 former', 'b 1.0.1 active'])
  one.revert()
  assert.deepEqual([one.shown(), one.state(), one.onTrial()], ['1', UPDATE_STATE.restarting, script('1')])
  assert.equal((await refusal(() => one.revert())).code, 43)
  one.confirm(script('1'))
  one.revert()
  one.confirm(script('2'))
  assert.deepEqual([one.shown(), placeOf(one, 'former')], ['2', 'a'])
  // A third takes the place of the one that is not in use.
  await install(one, makeTestPack('3', { version: '1.0.2' }))
  assert.deepEqual(slotsOf(one.status()), ['built-in 0.9.0 kept', 'a 1.0.2 trial', 'b 1.0.1 kept'])
})

test('a console that nobody confirms is gone after a while, with the reason', async () => {
  const one = start(undefined, { confirmWithin: 50 })
  await install(one, ONE)
  one.confirm(script('1'))
  await install(one, TWO)
  assert.equal(one.shown(), '2')
  await until(() => one.shown() === '1', 'the console before is back')
  const { state, ...status } = one.status()
  assert.deepEqual([state, placeOf(one, 'active'), placeOf(one, 'former')], [UPDATE_STATE.failed, 'a', undefined])
  assert.deepEqual([status['update-fault'], status['online-status']['update-result']], ['unconfirmed', 2])
  assert.equal(one.events.at(-1), 'console-failed 1.0.1 unconfirmed')
  assert.equal((await refusal(() => one.confirm(script('2')))).code, 38)
  const again = start(one.data)
  assert.deepEqual([again.shown(), again.status()['update-fault']], ['1', 'unconfirmed'])
  // It may be tried once more, and the old news are then gone.
  await install(again, TWO)
  again.confirm(script('2'))
  assert.deepEqual([again.shown(), again.state()], ['2', UPDATE_STATE.idle])
})

for (const at of ['received', 'staged', 'adopted', 'switched', 'confirmed', 'reverted'] as const)
  test(`a power cut right after '${at}' leaves a whole console, and nothing else`, async () => {
    const data = join(folder, `cut-${at}`)
    const before = start(data)
    await install(before, ONE)
    before.confirm(script('1'))

    const after = join(folder, `after-${at}`)
    const victim = start(data, {
      confirmWithin: at === 'reverted' ? 20 : 60_000,
      // What is on the disk at this moment is what the next start finds.
      step: (name) => {
        if (name === at) cpSync(data, after, { recursive: true })
      }
    })
    await install(victim, TWO)
    if (at === 'reverted') await until(() => existsSync(after), 'it was given up')
    else victim.confirm(script('2'))

    const next = start(after)
    assert.equal(next.shown(), at === 'confirmed' ? '2' : '1')
    assert.equal(next.onTrial(), undefined)
    assert.equal(placeOf(next, 'ready'), undefined)
    const fault = { switched: 'interrupted', reverted: 'unconfirmed' }[at as string]
    assert.equal(next.status()['update-fault'], fault)
    const installed = at === 'received' || at === 'staged' ? ['a'] : ['a', 'b']
    assert.deepEqual(left(after), [...installed, 'state.json'])
    await install(next, TWO)
    next.confirm(script('2'))
    assert.equal(next.shown(), '2')
  })

test('what is no good is refused with its reason, and changes nothing', async () => {
  const one = start(undefined, { budget: { html: {}, css: {}, js: {}, total: { raw: 5000 }, requests: 3 } })
  await install(one, ONE)
  one.confirm(script('1'))
  const files = left(one.data)
  const other = makeKey()
  const [statement, signature, manifest, image] = untar(TWO) as [TarFile, TarFile, TarFile, TarFile]
  const pack = (...entries: TarFile[]) => tar(entries, 0)
  const spoilt = ({ path, bytes }: TarFile, from: string, to: string) => ({
    path,
    bytes: Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')
  })
  const bitten = Buffer.from(image.bytes)
  bitten.writeUInt8(bitten.readUInt8(200) ^ 1, 200)
  const large = { ...consoleFiles('4'), 'assets/more-12345678.js': 'x'.repeat(9000) }
  const cases: [why: string, bytes: Uint8Array, code: number, fault: string][] = [
    ['another key', makeTestPack('2', { signer: other.signer }), 36, 'wrong-key'],
    ['a changed statement', pack(spoilt(statement, '1.0.1', '9.0.1'), signature, manifest, image), 40, 'tampered'],
    ['a changed manifest', pack(statement, signature, spoilt(manifest, '1.0.1', '9.0.1'), image), 40, 'tampered'],
    ['a changed image', pack(statement, signature, manifest, { ...image, bytes: bitten }), 40, 'tampered'],
    ['a hidden mark', pack(spoilt(statement, '"development": true,', ''), signature, manifest, image), 40, 'tampered'],
    ['its end missing', TWO.subarray(0, TWO.length >> 1), 50, 'cut-short'],
    ['files missing', pack(statement, signature), 23, 'not-a-pack'],
    ['something else', Buffer.alloc(4096, 'x'), 23, 'not-a-pack'],
    ['no page', makeTestPack('5', { files: { 'assets/app-55555555.js': 'x' } }), 9, 'format'],
    ['no script', withoutScript('6'), 9, 'format'],
    ['too much in it', makeTestPack('4', { files: large }), 18, 'over-budget']
  ]
  for (const [why, bytes, code, fault] of cases) {
    assert.deepEqual(await refusal(one.take(bytes)), { code, fault }, why)
    const status = one.status()
    assert.deepEqual(
      [status.state, status['update-fault'], placeOf(one, 'ready')],
      [UPDATE_STATE.failed, fault, undefined]
    )
    assert.equal(one.shown(), '1')
    assert.deepEqual(left(one.data), files, why)
  }
  const { part, is, limit } = one.status()
  assert.deepEqual([part, limit, (is ?? 0) > 9000], ['total raw', 5000, true])
  // Who has read it may put it away.
  one.cancel()
  assert.deepEqual([one.state(), one.status()['update-fault']], [UPDATE_STATE.idle, undefined])
  assert.equal((await refusal(() => one.cancel())).code, 16)
})

test('in production the development key opens nothing, and without a key nothing is taken', async () => {
  const mine = makeKey()
  const one = start(undefined, { trusted: [makeKey().open, mine.open] })
  assert.deepEqual(await refusal(one.take(ONE)), { code: 36, fault: 'development' })
  const good = makeTestPack('6', { signer: mine.signer })
  await install(one, good)
  one.confirm(script('6'))
  // Signed by a key that is not trusted any more, it is not shown either.
  const stricter = start(one.data, { trusted: [makeKey().open] })
  assert.deepEqual([stricter.shown(), stricter.status()['update-fault']], ['0', 'damaged'])

  const closed = start(undefined, { trusted: [] })
  assert.deepEqual([closed.state(), closed.status()['enable-update']], [UPDATE_STATE.unavailable, false])
  assert.deepEqual(await refusal(closed.take(good)), { code: 38, fault: 'no-keys' })
})

test('an upload that is cancelled or breaks leaves nothing, and another one has to wait for it', async () => {
  const one = start()
  const { promise: never } = Promise.withResolvers<void>()
  const hanging = one.upload(ONE.length, async (put) => {
    await put(ONE.subarray(0, ONE.length >> 1))
    await never
  })
  const refusedAs = refusal(hanging)
  await until(() => one.status().progress > 0, 'half of it is here')
  assert.deepEqual([one.state(), one.status().progress], [UPDATE_STATE.uploading, 50])
  assert.equal((await refusal(one.take(ONE))).code, 43)
  one.cancel()
  assert.equal((await refusedAs).code, 42)
  assert.deepEqual([left(one.data), one.state()], [[], UPDATE_STATE.idle])

  const broken = one.upload(0, async (put) => {
    await put(ONE.subarray(0, 1000))
    throw new UploadRefused(50)
  })
  assert.equal((await refusal(broken)).code, 50)
  assert.deepEqual([left(one.data), one.state()], [[], UPDATE_STATE.failed])
})

test('it needs room, and takes no more than a console can have', async () => {
  const one = start(undefined, { free: async () => 10 << 20 })
  assert.equal((await refusal(one.take(ONE))).code, 29)
  const wide = start()
  const flood = wide.upload(0, async (put) => {
    for (let n = 0; n < 20; n++) await put(new Uint8Array(1 << 20))
  })
  assert.equal((await refusal(flood)).code, 18)
  assert.equal((await refusal(wide.upload(1 << 30, async () => {}))).code, 18)
  assert.deepEqual(left(wide.data), [])
})

test('what was uploaded is installed as it was seen, may be older only by force, and may be discarded', async () => {
  const one = start()
  await install(one, TWO)
  one.confirm(script('2'))
  const uploaded = await one.take(ONE)
  assert.equal(uploaded.older, true)
  assert.equal((await refusal(() => one.install('0'.repeat(64), false))).code, 1004)
  assert.equal((await refusal(() => one.install(uploaded.id, false))).code, 1009)
  one.cancel()
  assert.equal((await refusal(() => one.install(uploaded.id, true))).code, 16)
  assert.deepEqual(left(one.data), ['a', 'state.json'])
  await install(one, ONE, true)
  assert.equal(one.shown(), '1')
})

test('a slot that was tampered with is not shown, and an updated hub shows its own console', async () => {
  const one = start()
  await install(one, ONE)
  one.confirm(script('1'))
  const page = join(one.data, 'console/a/www/index.html')
  const whole = readFileSync(page)
  writeFileSync(page, 'console 9')
  const wary = start(one.data)
  assert.deepEqual([wary.shown(), wary.events], ['0', ['console-failed 1.0.0 damaged']])

  const two = start()
  await install(two, ONE)
  two.confirm(script('1'))
  const newer = join(folder, 'newer')
  cpSync(dist, newer, { recursive: true })
  writeFileSync(join(newer, 'index.html'), whole.toString().replace('console 1', 'console 7'))
  const updated = start(two.data, { dist: newer })
  assert.deepEqual([placeOf(updated, 'active'), updated.root()], ['built-in', newer])
  assert.deepEqual(updated.events, ['console-own 0.9.0'])
})

test('a disk that takes nothing more keeps nobody from going back', async () => {
  const one = start(undefined, { confirmWithin: 50 })
  await install(one, ONE)
  // Where the note is written first, nothing can be written.
  mkdirSync(join(one.data, 'console/state.json.part'))
  const { error } = console
  console.error = () => {}
  try {
    await until(() => one.shown() === '0', 'the console before is back')
  } finally {
    console.error = error
  }
  const next = start(one.data)
  assert.deepEqual([next.shown(), next.status()['update-fault']], ['0', 'interrupted'])
})

test('the console that the hub came with says its commit, by the build or by the image it is part of', () => {
  const built = join(folder, 'built')
  cpSync(dist, built, { recursive: true })
  const ownOf = (root: string) => {
    const [{ version, commit, changed, time } = { version: '' }] = start(undefined, { dist: root }).status().consoles
    return [version, commit, changed, time]
  }
  assert.deepEqual(ownOf(built), ['0.9.0', undefined, undefined, undefined])
  writeFileSync(join(built, 'version.json'), '{"version":"0.9.1","commit":"abc","time":"1970-01-01T00:00:02.000Z"}')
  assert.deepEqual(ownOf(built), ['0.9.1', 'abc', undefined, 2000])

  const image = join(folder, 'image')
  cpSync(built, join(image, 'www'), { recursive: true })
  const { size, sha256 } = proofOf(readFileSync(join(built, 'index.html')))
  const files = [{ path: 'index.html', size, sha256, encodings: {} }]
  writeFileSync(join(image, 'manifest.json'), JSON.stringify({ version: '0.9.2', commit: 'def', changed: true, files }))
  assert.deepEqual(ownOf(join(image, 'www')), ['0.9.2', 'def', true, undefined])
  // A manifest of something else says nothing of it.
  writeFileSync(join(image, 'www/index.html'), 'console 8')
  assert.deepEqual(ownOf(join(image, 'www')), ['0.9.1', 'abc', undefined, 2000])
})

interface TarFile {
  path: string
  bytes: Buffer
}

test.run()
