// The trial of a release, with small programs instead of its hub.
import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { openStore } from '../../../hub/store/store.ts'
import { type Trial, UpgradeFiles } from '../../../hub/upgrade/trial/trial-files.ts'
import { runPendingTrial } from '../../../hub/upgrade/trial/trial-runner.ts'
import type { UpdaterClient } from '../../../hub/upgrade/updater-client.ts'
import { until } from '../../kit/until.ts'

const test = suite('trial of a release')

let folder: string
let data: string
let files: UpgradeFiles
/** Requests to the update service. */
let requests: string[]

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-trial-'))
  data = join(folder, 'data')
  mkdirSync(data)
  files = new UpgradeFiles(data)
  requests = []
  const store = openStore(data)
  store.logEvent({ event: 'hub-started', detail: 'before' })
  store.settings.set('device-name' as never, 'before' as never)
  store.close()
})
test.after.each(() => rmSync(folder, { recursive: true, force: true }))

const service = (failing?: string) => {
  const answer = (request: string) => {
    requests.push(request)
    if (request === failing) throw new Error(`${request} failed`)
    return {} as never
  }
  return {
    activate: async (version: string) => answer(`activate ${version}`),
    reject: async (version: string) => answer(`reject ${version}`)
  } as unknown as UpdaterClient
}

/** Begins the trial of a release whose hub is this program. */
function beginTrial(program: string, more: Partial<Trial> = {}): void {
  const release = join(folder, 'release')
  mkdirSync(join(release, 'bin'), { recursive: true })
  mkdirSync(join(release, 'hub'))
  writeFileSync(join(release, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(release, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  writeFileSync(join(release, 'hub/main.ts'), program)
  const channels = [{ id: 7, name: 'Hall' }]
  const trial = { version: '2.0.0', from: '1.0.0', protocol: 4, folder: release, phase: 'begun', channels, starts: 0 }
  files.write('trial', { ...(trial as Trial), ...more })
}

/** A hub that answers. @param carrying IDs of the channels that carry a stream @param status of its answers */
const hubProgram = (carrying: number[], status = 200) => `
  import { createServer } from 'node:http'
  import { DatabaseSync } from 'node:sqlite'
  const database = new DatabaseSync('${join(data, 'headend.sqlite')}')
  database.exec("INSERT INTO event_log (time, level, kind, event, detail) VALUES (1, 1, 'system', 'hub-started', 'trial')")
  database.exec("INSERT OR REPLACE INTO setting VALUES ('device-name', '\\"trial\\"')")
  database.close()
  console.log('hub on trial')
  const server = createServer((_, response) => response.writeHead(${status}).end())
  server.listen(0, '127.0.0.1', () => {
    const url = 'http://127.0.0.1:' + server.address().port
    const report = () => process.send({ kind: 'state', url, carrying: ${JSON.stringify(carrying)}, wanted: [7] })
    report()
    setInterval(report, 200)
  })
  process.on('disconnect', () => process.exit())
  process.on('message', ({ kind }) => kind === 'passed' && process.exit(3))
`

const run = (options: { version?: string; updater?: UpdaterClient; seconds?: number } = {}) =>
  runPendingTrial({ data, version: '1.0.0', updater: service(), seconds: 5, ...options })

/** What the database has after the trial: the details of events, and the name. */
function stored(): { events: string[]; name: string } {
  const database = new DatabaseSync(join(data, 'headend.sqlite'), { readOnly: true })
  try {
    const events = database.prepare('SELECT detail FROM event_log ORDER BY id').all()
    const setting = database.prepare("SELECT value FROM setting WHERE name = 'device-name'").get()
    return { events: events.map(({ detail }) => String(detail)), name: JSON.parse(String(setting?.value)) as string }
  } finally {
    database.close()
  }
}

test('without a trial, the release runs the hub', async () => {
  assert.deepEqual(await run(), { kind: 'none' })
})

test('a release that works for the whole trial stays, without a browser, and its data is kept', async () => {
  beginTrial(hubProgram([7]))
  assert.deepEqual(await run(), { kind: 'ended', status: 3 })
  assert.deepEqual(requests, ['activate 2.0.0'])
  assert.deepEqual(stored(), { events: ['before', 'trial'], name: 'trial' })
  assert.equal(files.read('former')?.version, '1.0.0')
  assert.deepEqual(readdirSync(join(data, 'upgrade')).sort(), ['former.json', 'former.sqlite'])
})

test('a browser that confirms ends the trial at once', async () => {
  beginTrial(`${hubProgram([7])}\nprocess.send({ kind: 'confirmed' })`)
  assert.equal((await run({ seconds: 3600 })).kind, 'ended')
})

test('a channel that carries no stream again is named; changes are undone, and what the hub recorded is kept', async () => {
  beginTrial(hubProgram([]))
  assert.deepEqual(await run(), { kind: 'none' })
  const { check, channels, lines } = files.read('failure') ?? {}
  assert.deepEqual([check, channels, lines], ['channels', ['Hall'], ['hub on trial']])
  assert.deepEqual(requests, ['reject 2.0.0'])
  assert.deepEqual(stored(), { events: ['before', 'trial'], name: 'before' })
  assert.deepEqual(readdirSync(join(data, 'upgrade')), ['failure.json'])
})

test('a hub that answers with errors, and one that hangs, fail their checks', async () => {
  beginTrial(hubProgram([7], 500))
  await run()
  assert.equal(files.read('failure')?.check, 'answer')
  rmSync(join(folder, 'release'), { recursive: true })
  beginTrial('setInterval(() => {}, 1000)')
  await run({ seconds: 2 })
  assert.equal(files.read('failure')?.check, 'process')
  assert.deepEqual(stored().name, 'before')
})

test('a hub that keeps ending is started five times', async () => {
  const counter = join(folder, 'starts')
  beginTrial(`import { appendFileSync } from 'node:fs'; appendFileSync('${counter}', 'x'); process.exit(1)`)
  await run({ seconds: 3600 })
  assert.equal(files.read('failure')?.check, 'process')
  assert.equal(readFileSync(counter, 'utf8'), 'xxxxx')
})

test('a release that the update service does not activate is left', async () => {
  beginTrial(hubProgram([7]))
  await run({ updater: service('activate 2.0.0') })
  const { check, lines } = files.read('failure') ?? {}
  assert.equal(check, 'activation')
  assert.ok(lines?.includes('activate 2.0.0 failed'))
  assert.equal(stored().name, 'before')
})

test('a trial that was interrupted while the data was put back is continued', async () => {
  beginTrial(hubProgram([]))
  await run()
  // As after a power cut between the two renames: the database of the trial is away, the copy has not come back.
  const database = join(data, 'headend.sqlite')
  copyFileSync(database, files.pathOf('before.sqlite'))
  renameSync(database, files.pathOf('failed.sqlite'))
  rmSync(join(folder, 'release'), { recursive: true })
  beginTrial(hubProgram([]), { phase: 'failed' })
  assert.deepEqual(await run(), { kind: 'none' })
  assert.equal(stored().name, 'before')
})

test('a roll back that is interrupted at its beginning, and then fails, brings back the data of now', async () => {
  const database = new DatabaseSync(join(data, 'headend.sqlite'))
  database.prepare('VACUUM INTO ?').run(join(files.open(), 'former.sqlite'))
  database.exec("UPDATE setting SET value = '\"now\"' WHERE name = 'device-name'")
  database.close()
  beginTrial(hubProgram([]), { revert: true })
  // As a power cut: the next step of the trial cannot be recorded.
  const obstacle = files.pathOf('trial.json.part')
  mkdirSync(obstacle)
  await assert.rejects(run(), /EISDIR/)
  rmSync(obstacle, { recursive: true })
  assert.deepEqual(await run(), { kind: 'none' })
  assert.equal(files.read('failure')?.check, 'channels')
  assert.equal(stored().name, 'now')
  assert.deepEqual(requests, ['activate 2.0.0', 'activate 1.0.0'])
})

test('a release that the launcher starts during its own trial was activated, and finishes it', async () => {
  beginTrial(hubProgram([7]), { phase: 'running' })
  assert.deepEqual(await run({ version: '2.0.0' }), { kind: 'none' })
  assert.equal(files.read('former')?.version, '1.0.0')
  assert.equal(files.read('trial'), undefined)
})

test('the release of a package that was installed during a trial ends the trial, with the data of before', async () => {
  beginTrial(hubProgram([7]))
  const running = run({ seconds: 3600 })
  await until(() => files.read('trial')?.phase === 'running', 'the trial runs')
  process.emit('SIGTERM')
  assert.deepEqual(await running, { kind: 'ended', status: 0 })
  assert.deepEqual(await run({ version: '3.0.0' }), { kind: 'none' })
  assert.equal(stored().name, 'before')
  assert.deepEqual(requests, ['reject 2.0.0'])
})

test.run()
