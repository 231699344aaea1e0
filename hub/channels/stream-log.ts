// Writes stream events to the event log, and limits the lines that clients without a valid key can cause.
import type { LogEvent } from '../../contract/events.ts'
import { LOG_ERROR, LOG_WARNING } from '../../contract/log.ts'
import { PROTOCOL_NAMES } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { StreamEvent } from '../../engine/interfaces/channel.ts'
import type { ObservedPorts, PortRefusal } from '../../engine/interfaces/ports.ts'
import { createRateLimit } from '../../process-log/rate-limit.ts'
import { appendReason } from '../messages/reasons.ts'
import type { Store } from '../store/store.ts'

/** Lines a minute about addresses that guess stream keys; one of each address. */
const GUESSING_PER_MINUTE = 10
/**
 * Lines a minute about refused callers: of one address, and of all. The same line is written once a
 * minute.
 */
const REFUSALS_PER_MINUTE = { perAddress: 6, total: 30 }

const LEVELS: Partial<Record<LogEvent, number>> = {
  'input-down': LOG_WARNING,
  'track-lost': LOG_WARNING,
  'input-changed': LOG_WARNING,
  'output-down': LOG_WARNING
}

export interface StreamLog {
  /** Logs an address that guessed stream keys and is blocked for a time. */
  logKeyGuessing(address: string): void
  /** Logs a caller that was refused at a shared port. */
  logRefusal(refusal: PortRefusal): void
  /** Logs shared ports that failed, or that opened after a failure. */
  logPorts(ports: ObservedPorts): void
  /** Logs the start or end of a channel, input or output. @param time milliseconds since the epoch */
  logStreamEvent(event: StreamEvent, time: number): void
}

export function createStreamLog(
  store: Pick<Store, 'logEvent' | 'channels' | 'devices'>,
  now: () => number = Date.now
): StreamLog {
  const guessing = createRateLimit(1, GUESSING_PER_MINUTE, now)
  const refusalLines = createRateLimit(1, 10 * REFUSALS_PER_MINUTE.total, now)
  const refusalAddresses = createRateLimit(REFUSALS_PER_MINUTE.perAddress, REFUSALS_PER_MINUTE.total, now)
  /** By port name: the reason of its last logged failure, or '' once it is open. */
  const portFailures = new Map<string, string>()

  function logRefusedCaller(
    names: readonly (string | undefined)[],
    address: string,
    channel: number | undefined,
    reason: Reason | undefined,
    time?: number
  ): void {
    const detail = appendReason(names.filter(Boolean).join(', '), reason)
    if (refusalLines.take(detail) === 'drop' || refusalAddresses.take(address) === 'drop') return
    store.logEvent({
      event: 'caller-refused',
      detail,
      level: LOG_WARNING,
      channel,
      ...(time !== undefined && { time })
    })
  }

  return {
    logKeyGuessing(address) {
      if (guessing.take(address) === 'drop') return
      store.logEvent({ event: 'keys-guessed', detail: address, level: LOG_WARNING })
    },

    logRefusal({ protocol, address, channelId, reason }) {
      const channel = channelId === undefined ? undefined : store.channels.byId(channelId)?.name
      logRefusedCaller([channel, PROTOCOL_NAMES[protocol], address], address, channelId, reason)
    },

    logPorts(ports) {
      for (const [name, { port, reason }] of Object.entries(ports)) {
        const failure = reason ?? (port === undefined ? undefined : '')
        if (failure === undefined || portFailures.get(name) === failure) continue
        if (failure)
          store.logEvent({ event: 'port-failed', detail: appendReason(name.toUpperCase(), reason), level: LOG_ERROR })
        // A port that opens is worth a line only after it had failed.
        else if (portFailures.has(name))
          store.logEvent({ event: 'port-opened', detail: `${name.toUpperCase()} ${port}` })
        portFailures.set(name, failure)
      }
    },

    logStreamEvent({ channelId, kind, name, inputId, playerSn, reason, address = '' }, time) {
      if (kind === 'caller-refused') {
        logRefusedCaller([name, address], address, channelId, reason, time)
        return
      }
      // A line that may contain a device's name goes to the log of that device, which only users with access to the
      // device can read.
      const input =
        kind.startsWith('input-') || kind.startsWith('track-')
          ? (inputId ?? store.channels.byId(channelId)?.input_id)
          : undefined
      const sn = playerSn ?? (input ? store.devices.byId(input)?.sn : undefined)
      store.logEvent({
        event: kind,
        detail: appendReason(name, reason),
        level: LEVELS[kind],
        sn,
        channel: channelId,
        time
      })
    }
  }
}
