// Verdicts on channels, inputs and outputs as a table: states and rates, then verdict, reason and next step.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEFAULT_HEALTH_BOUNDS, type HealthBounds, type HealthReason, type NextStep } from '../../../contract/health.ts'
import {
  type Assessment,
  assessChannel,
  assessInput,
  assessOutput,
  type ChannelFacts,
  type InputAssessment,
  type LegFacts
} from '../../../contract/stream/channel-health.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'

const test = suite('verdicts from states and rates')

type Expected = [verdict: string, reason?: HealthReason, nextStep?: NextStep]

const leg = (state: keyof typeof SOURCE_STATE, connection: keyof typeof CONNECTION_STATE): LegFacts => ({
  state: SOURCE_STATE[state],
  'conn-state': CONNECTION_STATE[connection]
})

const CARRYING = leg('running', 'connected')
const AWAITED = leg('running', 'waiting')
const IDLE = leg('initializing', 'waiting')
const CONNECTING = leg('adding', 'connecting')
const REFUSED = leg('failed', 'refused')
const SILENT: LegFacts = { ...leg('failed', 'failed'), cause: 'no-data' }
const lossy = (percent: number): LegFacts => ({ ...CARRYING, quality: { 'loss-percent': percent } })
const broken = (discontinuities: number): LegFacts => ({ ...CARRYING, quality: { discontinuities } })

const summarize = ({ verdict, reason, 'next-step': step }: Assessment | InputAssessment): Expected =>
  step ? [verdict, reason, step] : reason ? [verdict, reason] : [verdict]

const OUTPUTS: [LegFacts, ...Expected][] = [
  [CARRYING, 'on-air'],
  [lossy(0.1), 'on-air'],
  [lossy(0.11), 'degraded', 'packet-loss', 'check-network'],
  [broken(1), 'degraded', 'discontinuities', 'check-network'],
  [{ ...CARRYING, quality: { 'loss-percent': 9, discontinuities: 1 } }, 'degraded', 'discontinuities', 'check-network'],
  [AWAITED, 'waiting', 'awaits-player'],
  [IDLE, 'starting'],
  [CONNECTING, 'starting'],
  [leg('configuring', 'waiting'), 'starting'],
  [leg('running', 'connecting'), 'starting'],
  [leg('running', 'waitingForData'), 'starting'],
  [{ ...IDLE, cause: 'input-silent' }, 'waiting', 'input-silent', 'check-source'],
  [leg('failed', 'failed'), 'down', 'unreachable', 'check-address'],
  [leg('failed', 'nameNotFound'), 'down', 'unreachable', 'check-address'],
  [leg('failed', 'tcpPortFailed'), 'down', 'unreachable', 'check-address'],
  [leg('failed', 'disconnected'), 'down', 'disconnected', 'check-address'],
  [leg('adding', 'disconnected'), 'down', 'disconnected', 'check-address'],
  [leg('failed', 'refused'), 'down', 'refused', 'check-address'],
  [leg('failed', 'handshakeFailed'), 'down', 'refused', 'check-address'],
  [leg('failed', 'streamFailed'), 'down', 'refused', 'check-address'],
  [leg('failed', 'notAuthorized'), 'down', 'not-authorized', 'check-credentials'],
  [leg('failed', 'creationFailed'), 'down', 'failed', 'check-address'],
  [leg('addFailed', 'waiting'), 'down', 'failed', 'check-address'],
  [leg('unsupported', 'waiting'), 'down', 'failed', 'check-address'],
  [leg('firmwareTooOld', 'waiting'), 'down', 'failed', 'check-address'],
  [leg('offline', 'waiting'), 'down', 'failed', 'check-address'],
  [{ ...REFUSED, cause: 'no-data' }, 'down', 'no-data', 'check-source'],
  [{ ...REFUSED, cause: 'wrong-format' }, 'down', 'wrong-format', 'check-format'],
  [{ ...REFUSED, cause: 'wrong-audio' }, 'down', 'wrong-audio', 'encode-audio'],
  [{ ...REFUSED, cause: 'too-slow' }, 'down', 'too-slow', 'check-network'],
  [{ ...REFUSED, cause: 'address-in-use' }, 'down', 'address-in-use', 'choose-port'],
  [{ ...REFUSED, cause: 'not-installed' }, 'down', 'not-installed', 'install'],
  [{ ...REFUSED, cause: 'device-offline' }, 'down', 'device-offline', 'check-device'],
  [{ ...REFUSED, cause: 'engine-away' }, 'down', 'engine-away', 'wait']
]

test('each state of an output has its verdict', () => {
  for (const [facts, ...expected] of OUTPUTS) {
    const output = { ...facts, enable: true }
    assert.deepEqual(summarize(assessOutput(true, output)), expected, JSON.stringify(facts))
    assert.deepEqual(summarize(assessOutput(false, output)), ['stopped'])
    assert.deepEqual(summarize(assessOutput(true, { ...facts, enable: false })), ['stopped'])
  }
})

test('an output without media that has not failed waits for its input', () => {
  const waiting: Expected = ['waiting', 'input-silent', 'check-source']
  assert.deepEqual(summarize(assessOutput(true, { ...CONNECTING, enable: true }, false)), waiting)
  assert.deepEqual(summarize(assessOutput(true, { ...IDLE, enable: true }, false)), waiting)
  assert.deepEqual(summarize(assessOutput(true, { ...REFUSED, enable: true }, false)), [
    'down',
    'refused',
    'check-address'
  ])
})

const INPUTS: [LegFacts, onAir: number | null | undefined, ...Expected][] = [
  [CARRYING, undefined, 'on-air'],
  [CARRYING, 1, 'on-air'],
  [CARRYING, 2, 'standby'],
  [CARRYING, null, 'standby'],
  [broken(1), 1, 'degraded', 'discontinuities', 'check-network'],
  [{ ...CARRYING, 'no-signal': true }, 1, 'degraded', 'no-signal', 'check-signal'],
  [{ ...CARRYING, 'no-signal': true }, 2, 'degraded', 'no-signal', 'check-signal'],
  [{ ...CARRYING, cause: 'video-lost' }, 1, 'degraded', 'video-lost', 'check-tracks'],
  [{ ...CARRYING, cause: 'audio-lost' }, 2, 'degraded', 'audio-lost', 'check-tracks'],
  [{ ...CARRYING, cause: 'codecs-changed' }, 1, 'degraded', 'codecs-changed', 'check-format'],
  [{ ...SILENT, 'no-signal': true }, 2, 'down', 'no-data', 'check-source'],
  [AWAITED, 1, 'waiting', 'awaits-publisher', 'publish'],
  [AWAITED, 2, 'waiting', 'awaits-publisher', 'publish'],
  [CONNECTING, 1, 'starting'],
  [SILENT, 2, 'down', 'no-data', 'check-source'],
  [{ ...leg('failed', 'failed'), cause: 'input-lost' }, 1, 'down', 'input-lost', 'check-source']
]

test('each state of an input has its verdict, and an input with media beside the one on air is on standby', () => {
  for (const [facts, onAir, ...expected] of INPUTS) {
    const input = { ...facts, id: 1 }
    assert.deepEqual(summarize(assessInput(true, input, onAir)), expected, `${JSON.stringify(facts)} ${onAir}`)
    assert.deepEqual(summarize(assessInput(false, input, onAir)), ['stopped'])
  }
})

interface Row {
  input?: LegFacts | null
  backups?: LegFacts[]
  /** Number of the input on air: 0 is the main input. */
  onAir?: number
  slate?: boolean
  manual?: true
  /** Seconds until the main input returns. */
  returnsInS?: number
  outputs?: LegFacts[]
  bounds?: HealthBounds
  /** Numbers of the verdict. */
  numbers?: object
}

function factsOf({
  input = CARRYING,
  backups = [],
  onAir,
  slate = false,
  manual,
  returnsInS,
  outputs = []
}: Row): ChannelFacts {
  return {
    config: { enable: true },
    input: input && { ...input, id: 10 },
    backups: backups.map((backup, index) => ({ ...backup, id: 11 + index })),
    ...((onAir !== undefined || slate) && {
      'on-air': {
        input: onAir === undefined ? null : 10 + onAir,
        slate,
        ...(manual && { manual }),
        ...(returnsInS && { 'returns-in-s': returnsInS })
      }
    }),
    outputs: { list: outputs.map((output) => ({ ...output, enable: true })) }
  }
}

const bounds: HealthBounds = { 'loss-percent': 5, discontinuities: 3 }
const BACKUP = { backups: [CARRYING], onAir: 1, numbers: { backup: 1 } }
const ALL_FAILED = { outputs: 2, 'outputs-failed': 2 }
const ONE_FAILED = { outputs: 2, 'outputs-failed': 1 }

const CHANNELS: [Row, ...Expected][] = [
  [{}, 'on-air'],
  [{ backups: [SILENT], onAir: 0 }, 'on-air'],
  [{ outputs: [AWAITED, CONNECTING] }, 'on-air'],
  // Quality.
  [{ input: lossy(0.11), numbers: { 'loss-percent': 0.11 } }, 'degraded', 'packet-loss', 'check-network'],
  [{ outputs: [CARRYING, lossy(2)], numbers: { 'loss-percent': 2 } }, 'degraded', 'packet-loss', 'check-network'],
  [{ input: broken(1), numbers: { discontinuities: 1 } }, 'degraded', 'discontinuities', 'check-network'],
  [{ input: lossy(5), bounds }, 'on-air'],
  [{ input: broken(3), bounds }, 'on-air'],
  [{ input: broken(4), bounds, numbers: { discontinuities: 4 } }, 'degraded', 'discontinuities', 'check-network'],
  [{ input: { ...CARRYING, 'no-signal': true } }, 'degraded', 'no-signal', 'check-signal'],
  [{ backups: [{ ...CARRYING, 'no-signal': true }], onAir: 0 }, 'on-air'],
  // Tracks.
  [{ input: { ...CARRYING, cause: 'video-lost' } }, 'degraded', 'video-lost', 'check-tracks'],
  [
    { input: { ...CARRYING, cause: 'audio-track-lost', 'audio-track': 2 }, numbers: { 'audio-track': 2 } },
    'degraded',
    'audio-track-lost',
    'check-tracks'
  ],
  [{ input: { ...CARRYING, cause: 'codecs-changed' } }, 'degraded', 'codecs-changed', 'check-format'],
  [
    { input: { ...CARRYING, cause: 'codecs-changed' }, outputs: [CARRYING, REFUSED], numbers: ONE_FAILED },
    'degraded',
    'outputs-failed',
    'check-outputs'
  ],
  [{ backups: [{ ...CARRYING, cause: 'audio-lost' }], onAir: 0 }, 'on-air'],
  [{ ...BACKUP, input: { ...CARRYING, cause: 'video-lost' } }, 'degraded', 'main-video-lost', 'check-main-input'],
  [{ ...BACKUP, input: { ...CARRYING, cause: 'audio-lost' } }, 'degraded', 'main-audio-lost', 'check-main-input'],
  [{ ...BACKUP, backups: [{ ...CARRYING, cause: 'video-lost' }] }, 'degraded', 'video-lost', 'check-tracks'],
  // Outputs.
  [{ outputs: [CARRYING, REFUSED], numbers: ONE_FAILED }, 'degraded', 'outputs-failed', 'check-outputs'],
  [{ outputs: [REFUSED, REFUSED], numbers: ALL_FAILED }, 'down', 'outputs-failed', 'check-outputs'],
  // Backups and slate.
  [{ ...BACKUP, input: SILENT }, 'degraded', 'on-backup', 'check-main-input'],
  [BACKUP, 'degraded', 'main-back', 'switch-to-main'],
  [{ ...BACKUP, returnsInS: 8, numbers: { backup: 1, 'returns-in-s': 8 } }, 'degraded', 'main-returns', 'wait'],
  [{ ...BACKUP, manual: true }, 'degraded', 'manual-backup', 'end-manual'],
  [
    { input: SILENT, backups: [SILENT, CARRYING], onAir: 2, numbers: { backup: 2 } },
    'degraded',
    'on-backup',
    'check-main-input'
  ],
  [{ input: SILENT, slate: true }, 'degraded', 'on-slate', 'check-source'],
  [{ slate: true, manual: true }, 'degraded', 'manual-slate', 'end-manual'],
  [
    { ...BACKUP, input: SILENT, outputs: [CARRYING, REFUSED], numbers: { backup: 1, ...ONE_FAILED } },
    'degraded',
    'on-backup',
    'check-main-input'
  ],
  [{ slate: true, outputs: [REFUSED, REFUSED], numbers: ALL_FAILED }, 'down', 'outputs-failed', 'check-outputs'],
  // No media.
  [{ input: null }, 'waiting', 'awaits-publisher', 'publish'],
  [{ input: AWAITED }, 'waiting', 'awaits-publisher', 'publish'],
  [{ input: IDLE }, 'starting'],
  [{ input: CONNECTING }, 'starting'],
  [{ input: REFUSED }, 'down', 'refused', 'check-address'],
  [{ input: SILENT, outputs: [REFUSED, REFUSED], numbers: ALL_FAILED }, 'down', 'no-data', 'check-source'],
  [{ input: SILENT, backups: [REFUSED], onAir: 0 }, 'down', 'no-input', 'check-source'],
  [{ input: SILENT, backups: [SILENT], onAir: 0 }, 'down', 'no-data', 'check-source'],
  [{ input: SILENT, backups: [AWAITED], onAir: 0 }, 'down', 'no-data', 'check-source'],
  [{ backups: [SILENT], onAir: 1, numbers: { backup: 1 } }, 'down', 'no-data', 'check-source'],
  // Failed outputs are no cause while there is nothing to send.
  [{ input: AWAITED, outputs: [REFUSED, REFUSED] }, 'waiting', 'awaits-publisher', 'publish'],
  [{ input: null, outputs: [REFUSED] }, 'waiting', 'awaits-publisher', 'publish'],
  [{ input: CONNECTING, outputs: [REFUSED] }, 'starting']
]

test('each state of a started channel has its verdict, its numbers and the next step', () => {
  for (const [row, ...expected] of CHANNELS) {
    const assessment = assessChannel(factsOf(row), row.bounds ?? DEFAULT_HEALTH_BOUNDS)
    const { verdict: _, reason: __, 'next-step': ___, ...numbers } = assessment
    assert.deepEqual([...summarize(assessment), numbers], [...expected, row.numbers ?? {}], JSON.stringify(row))
  }
})

test('outputs that are disabled do not count', () => {
  const outputs = { list: [{ ...REFUSED, enable: false }] }
  assert.deepEqual(assessChannel({ ...factsOf({}), outputs }), { verdict: 'on-air' })
})

test('a stopped channel is stopped, whatever its legs do', () => {
  const facts = factsOf({ outputs: [REFUSED, REFUSED] })
  assert.deepEqual(assessChannel({ ...facts, config: { enable: false } }), { verdict: 'stopped' })
})

test.run()
