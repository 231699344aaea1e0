// An output that players come to over SRT, at a port of its own. Without our program ffmpeg listens, for one player at a time.
import type { Socket } from 'node:net'
import { CLIENTS_DEFAULT, LATENCY_DEFAULT } from '../../contract/limits.ts'
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../contract/stream/source.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import { createFeed, type Feed } from '../mpegts/packet-queue.ts'
import type { OpenCarrier } from '../outputs/in-process-output.ts'
import { failure } from '../process/failure.ts'
import { createMeter, type Meter } from '../stats/meter.ts'
import { addressOf, failedPort, keyOf, nameOf } from './dedicated-port.ts'
import { createSrtPort } from './srt-port.ts'
import { createSrtTally } from './srt-totals.ts'

const KEY_LENGTHS = { disable: 0, 'aes-128': 16, 'aes-192': 24, 'aes-256': 32 } as const
/** Milliseconds for which a caller that was turned away is shown. */
const NOTICE = 10_000

interface Player {
  id: number
  /** Address and port. */
  peer: string
  since: number
  socket: Socket
  feed: Feed
  meter: Meter
  /** Bytes that are in the meter. */
  counted: number
  /** The figures that were last heard. */
  heard: unknown
}

/** Players of an output, each with a queue of its own. */
export function srtListenerOutput(config: SrtOutput, program: string, around: Surroundings): OpenCarrier {
  const tally = createSrtTally()
  const keyLength = KEY_LENGTHS[config.enc ?? 'disable']
  return async ({ carried, changed, kbps, allowed }) => {
    const { launcher, now, clientId, guesses } = around
    const { latency = LATENCY_DEFAULT, 'max-client-num': max = CLIENTS_DEFAULT, bandwidth: overhead } = config
    const players = new Map<number, Player>()
    let lost = 0
    let turnedAway = Number.NEGATIVE_INFINITY
    let told = () => {}
    const first = new Promise<void>((resolve) => {
      told = resolve
    })

    function count(): void {
      for (const player of players.values()) {
        const sum = player.socket.bytesWritten - player.socket.writableLength
        if (sum > player.counted) carried(sum - player.counted)
        player.meter.add(sum - player.counted, now())
        player.counted = sum
      }
    }

    const port = createSrtPort({
      ...{ launcher, program, host: addressOf(around.outputHost), port: config['bind-port'] ?? 0, keyLength, now },
      ...{ latency, guesses },
      enter({ id, peer, since }, socket) {
        const feed = createFeed(socket, kbps)
        feed.seek()
        // It says nothing; but its end must be read.
        socket.resume()
        players.set(id, {
          id: clientId(),
          peer,
          since,
          socket,
          feed,
          meter: createMeter(),
          counted: 0,
          heard: undefined
        })
        turnedAway = Number.NEGATIVE_INFINITY
        changed()
      },
      leave({ id }) {
        count()
        lost += players.get(id)?.feed.dropped() ?? 0
        players.delete(id)
        changed()
      },
      refused({ why }) {
        if (why !== 'passphrase') return
        turnedAway = now()
        changed()
      },
      changed() {
        if (port.port() !== undefined || port.failure() !== undefined) told()
        for (const client of port.clients()) {
          const player = players.get(client.id)
          if (!player || !client.figures || player.heard === client.figures) continue
          player.heard = client.figures
          tally.heard(client.figures, player, now())
        }
        changed()
      }
    })
    const passphrase = keyLength > 0 ? (config.passphrase ?? '') : ''
    const name = nameOf(config['stream-id'] ?? '')
    const tellPort = () =>
      port.set([
        keyOf({
          ...{ sends: false, name, passphrase, keyLength, latency, max, from: allowed().ranges },
          ...(overhead !== undefined && { overhead })
        })
      ])
    tellPort()
    await first

    return {
      media(data, starts, tables) {
        for (const { feed } of players.values()) feed.take(data, starts, tables)
      },
      over() {
        for (const { feed } of players.values()) feed.seek()
      },
      tick: count,
      clients: () => players.size,
      takers: (at) =>
        [...players.values()].map(({ id, peer, since, meter }) => {
          return { id, address: peer, kbps: meter.kbps(at), livingTimeS: Math.floor((at - since) / 1000) }
        }),
      drop(taker) {
        const [id] = [...players].find(([, player]) => player.id === taker) ?? []
        if (id !== undefined) port.drop(id)
        return id !== undefined
      },
      recheck: tellPort,
      waits: () => players.size === 0,
      counted: tally.counted,
      dropped: () => [...players.values()].reduce((sum, { feed }) => sum + feed.dropped(), lost),
      trouble(at) {
        const refused = players.size === 0 && at - turnedAway < NOTICE
        return (
          failedPort(port) ??
          (refused ? failure(CONNECTION.notAuthorized, 'wrong-passphrase', SOURCE.running) : undefined)
        )
      },
      close: port.close
    }
  }
}
