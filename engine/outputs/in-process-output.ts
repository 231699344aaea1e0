// One output that the hub carries itself, without a process: to datagrams, or to players who come. What carries it is a `Carrier`.
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { type Allowed, ANYBODY } from '../access/ip-allow-list.ts'
import type { Tap } from '../inputs/input.ts'
import type { OutputObserved, TakerObserved } from '../interfaces/channel.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import type { Output } from '../interfaces/leg.ts'
import type { Failure } from '../process/failure.ts'
import { createSupervisor } from '../process/supervisor.ts'
import { systemFailure } from '../process/system-failure.ts'
import type { Counted } from '../stats/leg-stats.ts'
import { carrying, createMeter } from '../stats/meter.ts'
import { createTapping } from './subscription.ts'

export interface Carrier extends Tap {
  /** Those who take it now, where they can be counted. */
  clients?(): number
  /** As `Output` has them. */
  takers?(now: number): TakerObserved[]
  drop?(taker: number): boolean
  recheck?(): void
  /** Nobody takes it now, and so it carries nothing. */
  waits?(): boolean
  /** What was counted besides bytes. */
  counted?(now: number): Partial<Counted>
  /** Call about twice a second. */
  tick?(): void
  /** What is wrong while it goes on. */
  trouble?(now: number): Failure | undefined
  /** Bytes left out because who takes it was too slow. */
  dropped(): number
  close(): Promise<void>
}

/** What a carrier says. */
export interface CarrierWatch {
  /** Bytes of MPEG-TS went out. */
  carried(bytes: number): void
  /** It is over, and is to be opened again. */
  failed(why: Failure): void
  /** Those who take it changed. */
  changed(): void
  /** Of the input now. */
  kbps(): number
  /** From where players may come. */
  allowed(): Allowed
}

/** A device that takes an output, which comes and goes. */
export interface DeviceEnd {
  /** As `Output.key`. */
  key: string
  /** Whether it is there now. */
  ready(): boolean
  /** Resolves when an earlier output has let go of it. */
  released(): Promise<void>
  /** Lets it stop. Never rejects. */
  over(): Promise<void>
}

/** Opens what carries an output. An error is why it cannot be opened. */
export type OpenCarrier = (watch: CarrierWatch) => Promise<Carrier>

/**
 * Opens at once, and again when the device that takes it, if one does, comes back.
 * @param allowed from where players may come now; `recheck` tells of another one
 */
export function createHubOutput(
  open: OpenCarrier,
  around: Surroundings,
  allowed: () => Allowed = () => ANYBODY,
  device?: DeviceEnd
): Output {
  const { now, changed } = around
  const meter = createMeter()
  let carrier: Carrier | undefined
  let word: Reason | undefined

  const supervisor = createSupervisor({
    carried: meter.ran,
    changed,
    quiet: async () => {
      await Promise.all([around.launcher.quiet(), device?.released()])
    },
    now,
    async begin(attempt) {
      meter.reset()
      let mine: Carrier | undefined
      const watch: CarrierWatch = {
        carried(bytes) {
          const at = now()
          if (!meter.carrying(at)) {
            supervisor.works()
            changed()
          }
          meter.add(bytes, at)
        },
        failed(why) {
          if (carrier === mine) carrier = undefined
          attempt.over(why)
        },
        changed() {
          if (!device && carrier?.waits?.()) word = 'client-left'
          changed()
        },
        kbps: () => tapping.stream()?.kbps() ?? 0,
        allowed
      }
      try {
        mine = await open(watch)
      } catch (error) {
        attempt.over(systemFailure(error as Error))
        return undefined
      }
      const opened = mine
      if (attempt.alive()) carrier = opened
      return {
        pid: undefined,
        input: undefined,
        async stop() {
          if (carrier === opened) carrier = undefined
          await opened.close()
        }
      }
    }
  })

  const tap: Tap = {
    media: (data, starts, tables) => carrier?.media(data, starts, tables),
    over: () => carrier?.over()
  }
  const tapping = createTapping(tap)

  let stopped = false
  const away = () => device?.ready() === false
  if (!away()) supervisor.wake()

  return {
    ...(device && { key: device.key }),
    attach: tapping.to,
    total: meter.total,
    counted: (at) => ({ ...carrier?.counted?.(at), bytes: meter.settled(at) }),
    lastWord: () => word,
    tick: () => carrier?.tick?.(),
    takers: (at) => carrier?.takers?.(at) ?? [],
    drop: (taker) => carrier?.drop?.(taker) ?? false,
    recheck: () => carrier?.recheck?.(),
    originChanged() {
      if (stopped) return
      if (away()) supervisor.park()
      else supervisor.wake(true)
      changed()
    },
    view(at): OutputObserved {
      const dropped = carrier?.dropped()
      const clientNum = carrier?.clients?.()
      const more = { ...(clientNum !== undefined && { clientNum }), ...(dropped && { dropped }) }
      const still = { kbps: 0, livingTimeS: 0, ...more }
      if (away())
        return { ...still, state: SOURCE.offline, connState: CONNECTION.disconnected, reason: 'device-offline' }
      const why = carrier ? carrier.trouble?.(at) : supervisor.failure()
      if (why) return { ...still, ...why }
      if (!carrier || (device && carrier.waits?.()))
        return { ...still, state: SOURCE.adding, connState: CONNECTION.connecting }
      if (carrier.waits?.()) return { ...still, state: SOURCE.running, connState: CONNECTION.waiting }
      if (meter.carrying(at)) return { ...more, ...carrying(meter, at) }
      const reason: Reason | undefined = tapping.stream()?.carrying() ? undefined : 'input-silent'
      return { ...still, state: SOURCE.running, connState: CONNECTION.waitingForData, ...(reason && { reason }) }
    },
    async stop() {
      stopped = true
      tapping.leave()
      await Promise.all([supervisor.park(), device?.over()])
    }
  }
}
