// One input: the process that brings the stream in, its measurements, and everyone who takes it.
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { SourceUrl } from '../../contract/stream/source-url.ts'
import type { LegObserved, PushManner, WantedInput } from '../interfaces/channel.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import type { Tap } from '../interfaces/tap.ts'
import { createTsReader } from '../mpegts/packets.ts'
import { SECOND } from '../mpegts/timestamps.ts'
import { explain, failure, orderFailure } from '../process/failure.ts'
import type { Process } from '../process/launcher.ts'
import { type Attempt, createSupervisor } from '../process/supervisor.ts'
import { systemFailure } from '../process/system-failure.ts'
import { makeCall } from '../srt/caller.ts'
import type { SrtFigures } from '../srt/srt-stats.ts'
import { createSrtTally } from '../srt/srt-totals.ts'
import { createLevel } from '../stats/audio-level.ts'
import type { Counted } from '../stats/leg-stats.ts'
import { carrying, createMeter } from '../stats/meter.ts'
import type { InputCommand } from './input-command.ts'
import { createOrigin } from './origin.ts'

/** Milliseconds for which a failure is shown while the next try has nothing to show yet. */
const STICKY = 5000
/** Milliseconds for which a caller that was turned away is shown. */
const NOTICE = 10_000
/** What ffmpeg says of a frame whose time is not after the last one's, in units of MPEG-TS; it then gives it the last one's and one more. */
const BACK = /Non-monoton\w+ DTS.*previous: (-?\d+), current: (-?\d+)/
/** Who goes back by more has begun anew: the times would stand still for as long as the run before had lasted. */
const JUMP_BACK = 2 * SECOND
/** What ffmpeg says, once, of packets whose numbers are lower than the last one's: it leaves them all out, though who sends began anew. */
const OLD = /RTP: dropping old packet/
/** Milliseconds without anything else after which that is so. */
const OLD_ONLY = 1000

export type { Tap } from '../interfaces/tap.ts'

/** What an output can take: an input, or what was put together of several. */
export interface Stream {
  readonly taps: Set<Tap>
  kbps(): number
  carrying(): boolean
}

export interface Input extends Stream {
  readonly key: string
  view(now: number): LegObserved
  /** Bytes of MPEG-TS so far. */
  total(): number
  /** In dBFS by audio channel, where there is sound; measured while it is asked for every few seconds. */
  level(now: number): number[] | undefined
  /** All that was counted. */
  counted(now: number): Counted
  /** Call about twice a second. */
  tick(now: number): void
  /** How it is to be had: when that is another way than now, it is begun anew. */
  change(manner: PushManner | undefined): void
  /** The origin came or went. */
  originChanged(): void
  stop(): Promise<void>
}

/** Packets have numbers there. */
const overRtp = ({ scheme }: SourceUrl) => scheme === 'rtp' || scheme === 'rtsp'

/** Starts at once. */
export function createInput(wanted: WantedInput, around: Surroundings): Input {
  const { launcher, patience, now, changed } = around
  const origin = createOrigin(wanted, around)
  const meter = createMeter()
  const tally = createSrtTally()
  const taps = new Set<Tap>()
  /** Gaps in the counters of what came, and packets that ffmpeg missed by theirs. */
  let gaps = 0
  let missed = 0
  const level = createLevel(taps, () => meter.kbps(now()), around)
  let command: InputCommand | undefined
  let notice: { at: number; reason: Reason } | undefined
  let garbage = false
  /** When packets were left out as old ones. */
  let oldAt = 0
  let stopped = false
  /** It is begun anew because it is wanted in another way. */
  let configuring = false

  const supervisor = createSupervisor({
    begin,
    carried: meter.ran,
    changed,
    quiet: async () => {
      await Promise.all([launcher.quiet(), around.released(origin.key)])
    },
    now
  })

  async function begin(attempt: Attempt): Promise<Process | undefined> {
    const made = await origin.command().catch((error: Error) => attempt.over(systemFailure(error)))
    if (!made || !attempt.alive()) return undefined
    command = made
    const { args, secrets, hides, places } = command
    meter.reset()
    garbage = false
    const figures = (counted: SrtFigures) => tally.heard(counted, attempt, now())
    const call = makeCall(command.call, around.srtProgram(), { opened() {}, figures })
    const process = (origin.run ?? launcher.run)({
      ...(call ? call.launch : { args, ...(hides && { hides }), ...(places && { places }) }),
      gives: createSession(attempt),
      figures,
      line(text) {
        missed += Number(/RTP: missed (\d+) packets/.exec(text)?.[1] ?? 0)
        if (OLD.test(text)) oldAt = now()
        const [, last, next] = BACK.exec(text) ?? []
        if (attempt.alive() && Number(last) - Number(next) > JUMP_BACK) {
          end()
          supervisor.again()
          return
        }
        if (meter.last() !== undefined || !/BADSECRET|UNSECURE/.test(text)) return
        notice = { at: now(), reason: 'wrong-passphrase' }
        changed()
      },
      ended(lines) {
        for (const tap of taps) tap.over()
        const srtCaller = wanted.kind === 'url' && wanted.url.srt?.mode === 'caller'
        const opened = meter.last() !== undefined
        // Silence is all a connectionless source can say, so there is nothing to explain.
        const silent = command?.connectionless && lines.some((line) => line.includes('timed out'))
        attempt.over(
          silent || made.another?.()
            ? undefined
            : (call?.failure() ?? made.failure?.() ?? explain(lines, { opened, srtCaller, secrets }))
        )
      }
    })
    origin.begun().catch((error: Error) => {
      if (attempt.alive()) attempt.over(orderFailure(error, secrets))
    })
    return process
  }

  /** What reads the bytes of one run: its end and the next run's beginning never mix. */
  function createSession(attempt: Attempt): (chunk: Buffer) => void {
    let revision = 0
    const reader = createTsReader((data, starts) => {
      const at = now()
      const was = meter.carrying(at)
      meter.add(data.length, at)
      if (!was) {
        supervisor.works()
        configuring = false
        notice = undefined
        changed()
      }
      const tables = reader.tables()
      if (!tables) return
      if (reader.revision() !== revision) {
        revision = reader.revision()
        for (const tap of taps) tap.over()
      }
      for (const tap of taps) tap.media(data, starts, tables)
    })
    return (chunk) => {
      if (!attempt.alive()) return
      const before = meter.total()
      const known = reader.gaps()
      reader.push(chunk)
      gaps += reader.gaps() - known
      garbage ||= meter.total() === before && chunk.length > 188
    }
  }

  function end(): void {
    for (const tap of taps) tap.over()
  }

  if (origin.ready()) supervisor.wake()

  return {
    key: origin.key,
    taps,
    kbps: () => meter.kbps(now()),
    carrying: () => meter.carrying(now()),
    total: meter.total,
    level: level.read,
    counted: (at) => ({
      bytes: meter.settled(at),
      ...tally.counted(at),
      ...(wanted.kind === 'url' && overRtp(wanted.url) && { lost: missed }),
      ...(command && !command.remuxes && { gaps })
    }),
    view(at) {
      const still = { kbps: 0, livingTimeS: 0 }
      if (wanted.kind === 'pushed' && !origin.ready()) {
        const reason = around.turnedAway(wanted.channel)
        const connState = reason === undefined ? CONNECTION.waiting : CONNECTION.notAuthorized
        return { ...still, state: SOURCE.running, connState, ...(reason !== undefined && { reason }) }
      }
      if (!origin.ready())
        return { ...still, state: SOURCE.offline, connState: CONNECTION.disconnected, reason: 'device-offline' }
      if (supervisor.phase() === 'running' && meter.carrying(at)) return carrying(meter, at)
      const why = supervisor.failure()
      if (configuring && !why) return { ...still, state: SOURCE.configuring, connState: CONNECTION.connecting }
      const sticky = command?.listens && wanted.kind === 'url' ? 1000 : STICKY
      if (why && !(supervisor.phase() === 'running' && at - supervisor.since() > sticky)) return { ...still, ...why }
      if (notice && at - notice.at < NOTICE)
        return { ...still, state: SOURCE.running, connState: CONNECTION.notAuthorized, reason: notice.reason }
      if (supervisor.phase() === 'running' && (meter.last() !== undefined || garbage)) {
        const reason = garbage ? 'not-mpeg-ts' : 'no-data'
        return { ...still, state: SOURCE.running, connState: CONNECTION.waitingForData, reason }
      }
      const trouble = supervisor.phase() === 'running' ? command?.trouble?.() : undefined
      if (trouble) return { ...still, ...trouble }
      if (command?.connectionless) return { ...still, state: SOURCE.running, connState: CONNECTION.waitingForData }
      if (command?.listens && !origin.device) return { ...still, state: SOURCE.running, connState: CONNECTION.waiting }
      return { ...still, state: SOURCE.adding, connState: CONNECTION.connecting }
    },
    tick(at) {
      level.tick(at)
      if (supervisor.phase() !== 'running') return
      const last = meter.last()
      if (last !== undefined && oldAt > last && at - oldAt > OLD_ONLY) {
        end()
        supervisor.again()
      } else if (last !== undefined && at - last > patience.stall) {
        end()
        supervisor.again(
          command?.connectionless
            ? undefined
            : failure(CONNECTION.disconnected, `no-data-for ${Math.round(patience.stall / 1000)}`)
        )
      } else if (last === undefined && at - supervisor.since() > patience.start) {
        if (garbage) supervisor.again(failure(CONNECTION.streamFailed, 'not-mpeg-ts'))
        else if (origin.device) supervisor.again(failure(CONNECTION.failed, 'device-silent'))
        else if (!command?.listens && !command?.connectionless)
          supervisor.again(failure(CONNECTION.failed, 'nothing-received'))
      }
    },
    change(manner) {
      if (!origin.change(manner) || supervisor.phase() === 'parked') return
      configuring = true
      end()
      supervisor.again()
    },
    originChanged() {
      if (stopped) return
      if (origin.ready()) supervisor.wake(true)
      else {
        end()
        supervisor.park()
      }
      changed()
    },
    async stop() {
      stopped = true
      end()
      level.stop()
      taps.clear()
      await Promise.all([supervisor.park(), origin.over()])
    }
  }
}
