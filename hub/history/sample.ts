// Measures a channel for its history: bit rates, losses, viewers and the verdict of this second.
import type { ObservedChannel } from '../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { ChannelHealthMonitor } from '../health/channel-health.ts'
import type { WatchFeed } from '../preview/watch-feed.ts'
import type { Slot } from './slot.ts'

interface SamplerParts {
  engine: Pick<EngineClient, 'observe' | 'legReport'>
  channelHealth: Pick<ChannelHealthMonitor, 'verdictOf'>
  watches: Pick<WatchFeed, 'count'>
}

type Measured = Pick<Slot, 'in' | 'out' | 'lost' | 'errors'>

/** A channel that is switched off has no bit rate: 0 would be one that has failed. */
const NOT_MEASURED: Measured = { in: Number.NaN, out: Number.NaN, lost: Number.NaN, errors: Number.NaN }

/** Totals of the input on air at the last sample, which the next one subtracts. */
interface Totals {
  leg: number | undefined
  lost: number | undefined
  errors: number | undefined
}

/** Events a second since the last sample. A total that has become smaller was reset. */
function perSecond(total: number | undefined, before: number | undefined, seconds: number): number {
  if (total === undefined) return Number.NaN
  return (total < (before ?? total) ? total : total - (before ?? total)) / seconds
}

const playersAtSharedPorts = ({ clients = [] }: ObservedChannel) =>
  clients.filter(({ isPublisher, outputId }) => !isPublisher && outputId === undefined)

function countPlayers(observed: ObservedChannel): number {
  const atOutputs = [...observed.outputs.values()].reduce((sum, { clientNum = 0 }) => sum + clientNum, 0)
  return playersAtSharedPorts(observed).length + atOutputs
}

export class Sampler {
  readonly #parts: SamplerParts
  readonly #totals = new Map<number, Totals>()

  constructor(parts: SamplerParts) {
    this.#parts = parts
  }

  /**
   * The values of one second.
   * @param seconds time since the last sample
   * @returns undefined if the channel was not assessed yet
   */
  sample(id: number, seconds: number): Slot | undefined {
    const verdict = this.#parts.channelHealth.verdictOf(id)
    if (verdict === undefined) return undefined
    const observed = this.#parts.engine.observe(id)
    const isStopped = verdict === 'stopped'
    if (isStopped) this.#totals.delete(id)
    const values = isStopped ? NOT_MEASURED : this.#measure(id, observed, seconds)
    return {
      ...values,
      inMin: values.in,
      inMax: values.in,
      outMin: values.out,
      outMax: values.out,
      viewers: countPlayers(observed) + this.#parts.watches.count(id),
      observed: 1,
      onAir: Number(verdict === 'on-air'),
      degraded: Number(verdict === 'degraded'),
      down: Number(verdict === 'down'),
      stopped: Number(isStopped)
    }
  }

  forget(id: number): void {
    this.#totals.delete(id)
  }

  #measure(id: number, observed: ObservedChannel, seconds: number): Measured {
    const { kbps, onAir, backups, outputs } = observed
    const inputId = onAir?.inputId
    const leg = inputId !== undefined && backups?.has(inputId) ? inputId : undefined
    const report = this.#parts.engine.legReport(id, leg)
    const last = this.#totals.get(id)
    const before = last?.leg === leg ? last : undefined
    const totals = { leg, lost: report?.['pkt-loss-total'], errors: report?.['ts-cc-errors-total'] }
    this.#totals.set(id, totals)
    const receivers = [...outputs.values(), ...playersAtSharedPorts(observed)]
    return {
      in: kbps,
      out: receivers.length > 0 ? receivers.reduce((sum, receiver) => sum + receiver.kbps, 0) : Number.NaN,
      lost: perSecond(totals.lost, before?.lost, seconds),
      errors: perSecond(totals.errors, before?.errors, seconds)
    }
  }
}
