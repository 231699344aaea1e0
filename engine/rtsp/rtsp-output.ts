// An output that players fetch over RTSP: a server on a port of its own, which has one stream under one key.
import { createServer, type Socket } from 'node:net'
import { CLIENTS_DEFAULT } from '../../contract/limits.ts'
import type { RtspOutput } from '../../contract/stream/source.ts'
import { plainAddress } from '../access/ip-allow-list.ts'
import { markOf } from '../access/key-throttle.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import { createSplice } from '../mpegts/splice.ts'
import type { OpenCarrier } from '../outputs/in-process-output.ts'
import { systemFailure } from '../process/system-failure.ts'
import { createMeter, type Meter } from '../stats/meter.ts'
import { createRtspLogin } from './authentication.ts'
import { createRtspReader } from './message.ts'
import { createRtspPlayer, type RtspPlayer } from './rtsp-player.ts'

/** Connections beyond the players that there may be: those that ask, or try. */
const CALLERS = 16
/** Milliseconds: for a connection that does not play; and between looks whether the other end of one that plays is still there. */
const IDLE = 15_000
const ALIVE = 10_000

interface Caller {
  id: number
  player: RtspPlayer
  meter: Meter
  /** IP address, and with its port. */
  host: string
  address: string
}

export function rtspOutput(
  config: RtspOutput,
  { outputHost, clientId, guesses, now }: Pick<Surroundings, 'outputHost' | 'clientId' | 'guesses' | 'now'>
): OpenCarrier {
  return async ({ carried, failed, changed, kbps, allowed }) => {
    const callers = new Map<Socket, Caller>()
    const most = config['max-client-num'] ?? CLIENTS_DEFAULT
    const { username = '', password = '', key = '' } = config
    /** Those who are set up. */
    const taking = () =>
      [...callers].flatMap(([socket, one]) => (one.player.since() === undefined || socket.destroyed ? [] : one))
    const count = () => taking().length
    let lost = 0
    /** Wrong logins are counted by themselves: they bar from nothing else. */
    const logins = `login ${key}`
    const barred = (host: string) => guesses.barred(host) || guesses.barred(host, logins)

    const server = createServer((socket) => {
      socket.on('error', () => {})
      const host = plainAddress(socket.remoteAddress)
      if (callers.size >= most + CALLERS || !allowed().has(host) || barred(host)) return void socket.destroy()
      socket.setNoDelay(true).setKeepAlive(true, ALIVE).setTimeout(IDLE)
      const login = config['enable-auth'] ? createRtspLogin({ username, password }) : undefined
      const meter = createMeter()
      const house = {
        ...{ key, room: () => count() < most, changed, kbps, now },
        wrongKey(tried: string) {
          guesses.wrong(host, markOf(tried))
          return !barred(host)
        },
        wrongLogin(tried: string) {
          guesses.wrong(host, markOf(tried), logins)
          return !barred(host)
        },
        carried(bytes: number) {
          meter.add(bytes, now())
          carried(bytes)
        }
      }
      const player = createRtspPlayer(socket, house, login)
      callers.set(socket, { id: clientId(), player, meter, host, address: `${host}:${socket.remotePort}` })
      socket.on('timeout', () => player.feed() || socket.destroy())
      const read = createRtspReader(player.request, () => socket.destroy())
      socket.on('data', read)
      socket.on('close', () => {
        lost += player.feed()?.dropped() ?? 0
        callers.delete(socket)
        player.close()
      })
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.port, outputHost, () => {
        server.off('error', reject)
        resolve()
      })
    })
    server.on('error', (error) => failed(systemFailure(error)))

    const feeds = () => [...callers.values()].flatMap(({ player }) => player.feed() ?? [])
    /** Players stay when the source begins anew, and many of them wait for as long as its clock goes back. */
    const splice = createSplice(
      {
        media(data, starts, tables) {
          for (const feed of feeds()) feed.take(data, starts, tables)
        },
        different() {
          for (const [socket, { player }] of callers) if (player.feed()) socket.destroy()
        }
      },
      now
    )
    return {
      media: splice.take,
      over: splice.cut,
      clients: count,
      takers: (at) =>
        taking().map(({ id, address, meter, player }) => {
          const livingTimeS = Math.floor((at - (player.since() ?? at)) / 1000)
          return { id, address, kbps: meter.kbps(at), livingTimeS }
        }),
      drop(id) {
        const [socket] = [...callers].find(([each, one]) => one.id === id && !each.destroyed) ?? []
        socket?.destroy()
        return socket !== undefined
      },
      recheck() {
        for (const [socket, { host }] of callers) if (!allowed().has(host)) socket.destroy()
      },
      waits: () => count() === 0,
      dropped: () => lost + feeds().reduce((sum, feed) => sum + feed.dropped(), 0),
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          for (const socket of callers.keys()) socket.destroy()
        })
    }
  }
}
