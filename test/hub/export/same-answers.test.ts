// An export with a passphrase, imported into an empty hub, gives the same answers to every call that reads.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { Call } from '../../../contract/call.ts'
import { enableChannel } from '../../../contract/stream/channel.ts'
import { listDeclaredCalls } from '../../../make/wire/declared-calls.ts'
import { EXAMPLES } from '../../contract/request-examples.ts'
import { answerFaults } from '../../kit/hub/answer-check.ts'
import { fillHub } from '../../kit/hub/backup/filled-hub.ts'
import { importExport, sealedExport } from '../../kit/hub/backup/import-export.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'

const test = suite('same answers')

const PASSPHRASE = 'a long passphrase'

/** Calls whose answers are not configuration, with the reason. */
const OTHER_ANSWERS: Readonly<Record<string, string>> = {
  '/changes': 'revision numbers',
  '/backup/list': 'backups and their schedule stay with the hub',
  '/cloud': 'the registration with a cloud stays with the hub',
  '/channel/history': 'history is not in an export',
  '/channel/history/file': 'history is not in an export',
  '/channel/series': 'history is not in an export',
  '/channel/series/file': 'history is not in an export',
  '/event/file': 'history and logs are not in an export',
  '/event/list': 'history and logs are not in an export',
  '/channel/timeline': 'history is not in an export',
  '/channel/timeline/file': 'history is not in an export',
  '/syslog/status': 'the state of the syslog server is measured',
  '/log/check': 'logs are not in an export',
  '/log/export': 'logs are not in an export',
  '/log/list': 'logs are not in an export',
  '/logout': 'ends the session',
  '/network/list': 'the network belongs to the machine',
  '/system/addresses': 'addresses and ports belong to the machine',
  '/preview/open': 'a stream',
  '/preview/clear': 'a stream',
  '/channel/watch': 'a stream',
  '/channel/fault-picture': 'a picture of what is on air',
  '/session/list': 'sessions are not in an export',
  '/system/export': 'has its time',
  '/system/ports': 'ports belong to the machine'
}

/** Fields that are measured, times, revisions, those of the session, and commands, which name folders. */
const MEASURED = new Set([
  'command',
  'rev',
  'mark',
  'revision',
  'date-time',
  'cpu',
  'mem',
  'mem-total',
  'disk-info',
  'free',
  'net-tx',
  'net-rx',
  'temperature',
  'fan-rpm',
  'up-time',
  'hub-up-time',
  'status-code',
  'health',
  'problem',
  'since',
  'offline-date',
  'start-time',
  'conn-state',
  'on-air',
  'trouble',
  'kbps',
  'report',
  'conn-num',
  'retry-in-s',
  'living-time-s',
  'live-num',
  'last-login',
  'state',
  'reason',
  'next-step',
  'time',
  'rx',
  'tx'
])

function configuration(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(configuration)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !MEASURED.has(name))
      .map(([name, each]) => [name, configuration(each)])
  )
}

/** Requests of a call: its examples, and those about the objects of the hub. */
function requestsOf(call: Call, { channel, devices }: Awaited<ReturnType<typeof fillHub>>): object[] {
  const examples = (EXAMPLES.get(call) ?? []) as object[]
  return [
    ...examples,
    { id: channel },
    { sn: devices[0] },
    { ids: String(channel) },
    { type: 'group' },
    { type: 'usr' }
  ]
}

/** The configuration in an answer, which must have the declared fields. */
async function answerOf(admin: Client, call: Call, request: object): Promise<unknown> {
  const answer = await admin.send(call, request).catch(String)
  if (typeof answer !== 'string') assert.deepEqual(answerFaults(call, answer), [], call.path)
  return configuration(answer)
}

async function answers(admin: Client, filled: Awaited<ReturnType<typeof fillHub>>): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>()
  for (const call of listDeclaredCalls()) {
    if (call.method !== 'GET' || OTHER_ANSWERS[call.path]) continue
    for (const request of requestsOf(call, filled))
      all.set(`${call.path} ${JSON.stringify(request)}`, await answerOf(admin, call, request))
  }
  return all
}

async function restart(hub: TestHub, data: string): Promise<TestHub> {
  await hub.close()
  return startHub({ data })
}

test('an export imported into an empty hub gives the same answers to every call that reads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-import-'))
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  let source = await startHub({ data: from })
  let target = await startHub({ data: to })
  try {
    const admin = source.clientAs()
    const filled = await fillHub(source, admin)
    // The problems of running channels are measured.
    await admin.send(enableChannel, { id: filled.channel, enable: false })
    source = await restart(source, from)
    const bytes = await sealedExport(source, PASSPHRASE)
    const difference = await importExport(target.clientAs(), bytes, { passphrase: PASSPHRASE })
    assert.deepEqual(difference.notes, [])
    target = await restart(target, to)
    const [expected, actual] = [await answers(source.clientAs(), filled), await answers(target.clientAs(), filled)]
    assert.ok(expected.size > 100)
    for (const [request, answer] of expected) assert.deepEqual(actual.get(request), answer, request)
    // The token works in the new hub.
    const player = target.client()
    player.token = filled.token
    assert.equal((await player.raw('GET', '/api/device/list')).status, 200)
  } finally {
    await source.close()
    await target.close()
    rmSync(folder, { recursive: true })
  }
})

test.run()
