// An output that players fetch over RTSP: a server on a port of its own, which has one stream under one key.
import { createServer, type Socket } from 'node:net'
import { CLIENTS_DEFAULT } from '../../contract/limits.ts'
import { CONNECTION, SOURCE } from '../../contract/protocols.ts'
import type { RtspOutput } from '../../contract/source.ts'
import { failure } from './failure.ts'
import type { OpenCarrier } from './hub-output.ts'
import { createRtspLogin } from './rtsp-login.ts'
import { createRtspReader } from './rtsp-message.ts'
import { createRtspPlayer, type RtspPlayer } from './rtsp-player.ts'

/** Connections beyond the players that there may be: those that ask, or try. */
const CALLERS = 16
/** Milliseconds: for a connection that does not play; and between looks whether the other end of one that plays is still there. */
const IDLE = 15_000
const ALIVE = 10_000

/** @param host address to listen at */
export function rtspOutput(config: RtspOutput, host: string): OpenCarrier {
  return async ({ carried, failed, changed, kbps }) => {
    const players = new Map<Socket, RtspPlayer>()
    const most = config['max-client-num'] ?? CLIENTS_DEFAULT
    const { username = '', password = '', key = '' } = config
    const count = () => [...players.values()].filter((player) => player.counts()).length
    let lost = 0
    const house = { key, room: () => count() < most, carried, changed, kbps }

    const server = createServer((socket) => {
      socket.on('error', () => {})
      if (players.size >= most + CALLERS) return void socket.destroy()
      socket.setNoDelay(true).setKeepAlive(true, ALIVE).setTimeout(IDLE)
      const login = config['enable-auth'] ? createRtspLogin({ username, password }) : undefined
      const player = createRtspPlayer(socket, house, login)
      players.set(socket, player)
      socket.on('timeout', () => player.feed() || socket.destroy())
      const read = createRtspReader(player.request, () => socket.destroy())
      socket.on('data', read)
      socket.on('close', () => {
        lost += player.feed()?.dropped() ?? 0
        players.delete(socket)
        player.close()
      })
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.port, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
    server.on('error', (error) =>
      failed(failure(CONNECTION.creationFailed, `not-started ${error.message}`, SOURCE.addFailed))
    )

    const feeds = () => [...players.values()].flatMap((player) => player.feed() ?? [])
    return {
      media(data, starts, tables) {
        for (const player of players.values()) player.feed()?.take(data, starts, tables)
      },
      over() {
        for (const feed of feeds()) feed.seek()
      },
      clients: count,
      waits: () => count() === 0,
      dropped: () => lost + feeds().reduce((sum, feed) => sum + feed.dropped(), 0),
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          for (const socket of players.keys()) socket.destroy()
        })
    }
  }
}
