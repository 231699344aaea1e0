import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { ChannelVerdict } from '../../../contract/health.ts'
import type { LegReport } from '../../../contract/stream/channel-history.ts'
import { SRT } from '../../../contract/stream/protocols.ts'
import { IDLE_LEG, type ObservedChannel, type ObservedClient } from '../../../engine/interfaces/channel.ts'
import { Sampler } from '../../../hub/history/sample.ts'
import { CARRYING_LEG } from '../../kit/hub/observed-channel.ts'

const test = suite('samples of a channel')

const MAIN = 11
const BACKUP = 12

let observed: ObservedChannel
let verdict: ChannelVerdict | undefined
/** Statistics of the main input, and of the backup. */
let reports: { main: Partial<LegReport>; backup: Partial<LegReport> }
let pages: number
let sampler: Sampler

const onAir = (inputId: number) => ({ inputId, slate: false, reason: 'on-air-first' }) as const

test.before.each(() => {
  observed = {
    ...CARRYING_LEG,
    input: CARRYING_LEG,
    backups: new Map([[BACKUP, CARRYING_LEG]]),
    outputs: new Map(),
    onAir: onAir(MAIN)
  }
  verdict = 'on-air'
  reports = { main: {}, backup: {} }
  pages = 0
  sampler = new Sampler({
    engine: {
      observe: () => observed,
      legReport: (_id, leg) => (leg === BACKUP ? reports.backup : reports.main) as LegReport
    },
    channelHealth: { verdictOf: () => verdict },
    watches: { count: () => pages }
  })
})

const client = (more: Partial<ObservedClient>): ObservedClient => ({
  id: 1,
  address: '192.0.2.1',
  kbps: 1000,
  livingTimeS: 1,
  isPublisher: false,
  protocol: SRT,
  ...more
})

test('outputs and players at the shared ports are added, players of an output and publishers are not added again', () => {
  observed.outputs = new Map([
    [1, { ...CARRYING_LEG, kbps: 3000, clientNum: 2 }],
    [2, { ...IDLE_LEG }]
  ])
  observed.clients = [client({}), client({ outputId: 1 }), client({ isPublisher: true })]
  pages = 4
  const sample = sampler.sample(1, 1)
  assert.deepEqual([sample?.in, sample?.out, sample?.viewers], [4200, 4000, 7])
})

test('a channel without outputs and players has no bit rate of outputs', () => {
  assert.ok(Number.isNaN(sampler.sample(1, 1)?.out))
})

test('losses are those since the last sample, by second, and of the input on air alone', () => {
  reports = { main: { 'pkt-loss-total': 100, 'ts-cc-errors-total': 7 }, backup: { 'pkt-loss-total': 5000 } }
  assert.deepEqual([sampler.sample(1, 1)?.lost, sampler.sample(1, 1)?.errors], [0, 0])
  reports.main = { 'pkt-loss-total': 130, 'ts-cc-errors-total': 8 }
  const later = sampler.sample(1, 2)
  assert.deepEqual([later?.lost, later?.errors], [15, 0.5])
  // The totals were reset.
  reports.main = { 'pkt-loss-total': 4, 'ts-cc-errors-total': 0 }
  assert.equal(sampler.sample(1, 1)?.lost, 4)
  observed.onAir = onAir(BACKUP)
  const switched = sampler.sample(1, 1)
  assert.equal(switched?.lost, 0)
  assert.ok(Number.isNaN(switched?.errors))
  reports.backup = { 'pkt-loss-total': 5003 }
  assert.equal(sampler.sample(1, 1)?.lost, 3)
})

test('a channel that is down has the bit rate 0, a stopped one none, and one that was not assessed no sample', () => {
  observed = { ...IDLE_LEG, input: IDLE_LEG, outputs: new Map([[1, IDLE_LEG]]) }
  verdict = 'down'
  const down = sampler.sample(1, 1)
  assert.deepEqual([down?.in, down?.out, down?.down, down?.onAir, down?.stopped], [0, 0, 1, 0, 0])
  verdict = 'stopped'
  const stopped = sampler.sample(1, 1)
  assert.deepEqual(
    [stopped?.in, stopped?.out, stopped?.lost, stopped?.stopped],
    [Number.NaN, Number.NaN, Number.NaN, 1]
  )
  verdict = 'waiting'
  const waiting = sampler.sample(1, 1)
  assert.deepEqual([waiting?.observed, waiting?.onAir, waiting?.down, waiting?.stopped], [1, 0, 0, 0])
  verdict = undefined
  assert.equal(sampler.sample(1, 1), undefined)
})

test.run()
