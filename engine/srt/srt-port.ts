// The hub's SRT port, which many share: a program of ours on libsrt (engines/srt) lets in whoever comes with a known stream id and hands
// each connection over a socket of its own. Here it is kept running, told what is known, and asked how each connection does.
import { createServer, isIPv4, type Socket } from 'node:net'
import { join } from 'node:path'
import type { KeyLength } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { createAllowed, hostOf } from '../access/ip-allow-list.ts'
import type { Guesses } from '../access/key-throttle.ts'
import { createTries } from '../process/back-off.ts'
import { type Launcher, NotInstalled, type Process } from '../process/launcher.ts'
import { privateFolder, removeFolder } from '../process/private-folder.ts'
import type { SrtFigures } from './srt-stats.ts'

/** A stream id that is known. No value may hold a tab or the end of a line. */
export interface PortKey {
  /** What we call it: small letters, digits and hyphens, at most 32. */
  token: string
  /** Whoever comes with it sends its stream; else takes ours. */
  sends: boolean
  /** The stream id, or what `publish.srt/live/` or `play.srt/live/` stands before. */
  name: string
  /** Empty: no encryption. */
  passphrase: string
  keyLength: KeyLength
  /** Milliseconds. */
  latency: number
  /** Percent beyond the stream that who takes may be sent for what was lost, 5-100; absent: as much as it takes. */
  overhead?: number
  /** Connections at a time. A stream has one sender. */
  max: number
  /** IPv4 addresses, or ranges of them as `10.0.0.0/8`; empty: from anywhere. */
  from: readonly string[]
}

export interface SrtClient {
  id: number
  token: string
  /** Address and port. */
  peer: string
  /** As `now` counts. */
  since: number
  figures?: SrtFigures
}

/** Why somebody was not let in; without a token nobody knows the stream id. */
export interface SrtRefusal {
  why: 'key' | 'mode' | 'forbidden' | 'busy' | 'full' | 'passphrase' | 'handshake'
  token: string
  peer: string
  /** Of a stream id that nobody knows, by `markOf`. */
  mark?: string
}

export interface SrtPortOptions {
  launcher: Pick<Launcher, 'run'>
  /** Path of the program. */
  program: string
  host: string
  /** 0 lets the system choose. */
  port: number
  keyLength: KeyLength
  /** Milliseconds: the longest that a key of it has, for which there must be room. A usual one unless told. */
  latency?: number
  /** A connection whose bytes come from the socket, or go into it. */
  enter(client: SrtClient, socket: Socket): void
  leave(client: SrtClient): void
  refused(refusal: SrtRefusal): void
  /** Who guesses stream ids has to wait; nobody has without it. */
  guesses?: Guesses
  /** The port opened or failed, or figures came. */
  changed(): void
  now(): number
}

/** Milliseconds in which a connection and the word of it must both be there. */
const MEET = 2000
/** What installs the program. */
export const INSTALL_SRT = 'apt-get install -y gcc libc6-dev libsrt-gnutls-dev && make engines'
/** Milliseconds of 40 Mbps that SRT's own buffers hold. */
const ROOM = 2000
/** Characters of a line. */
const LINE_MAX = 4096

export type SrtPort = ReturnType<typeof createSrtPort>

export function createSrtPort(options: SrtPortOptions) {
  const { launcher, program, host, keyLength, latency = 0, guesses, changed, now } = options
  const folder = privateFolder('srt')
  const path = join(folder, 'hub')
  const tries = createTries(start)
  const keys = new Map<string, PortKey>()
  const clients = new Map<number, SrtClient>()
  const sockets = new Map<number, Socket>()
  let process: Process | undefined
  let listening: number | undefined
  let failure: Reason | undefined
  let began = 0
  let closed = false

  /** Of each connection come a socket and a word, in either order. */
  const server = createServer((socket) => {
    socket.on('error', () => {})
    const late = setTimeout(() => socket.destroy(), MEET)
    const first = () => {
      const head: Buffer | null = socket.read()
      if (!head) return
      const end = head.indexOf(10)
      // The program says its number in one write before anything else.
      if (end < 0) return void socket.destroy()
      socket.off('readable', first)
      clearTimeout(late)
      if (end + 1 < head.length) socket.unshift(head.subarray(end + 1))
      const id = Number(head.subarray(0, end).toString())
      sockets.set(id, socket)
      socket.once('close', () => sockets.delete(id))
      meet(id)
    }
    socket.on('readable', first)
  })
  server.on('error', (error) => console.error('SRT port:', error))

  function meet(id: number): void {
    const client = clients.get(id)
    const socket = sockets.get(id)
    if (client && socket) options.enter(client, socket)
  }

  function heard(text: string): void {
    const said = JSON.parse(text)
    if (said.listening) {
      listening = said.listening
      failure = undefined
      changed()
    } else if (said.open) {
      const client = { id: said.open, token: said.token, peer: said.peer, since: now() }
      clients.set(client.id, client)
      meet(client.id)
    } else if (said.stats) {
      const { stats, ...figures } = said
      const client = clients.get(stats)
      if (client) client.figures = figures
      changed()
    } else if (said.close) left(said.close)
    else if (said.refused) {
      const { refused: why, token, peer, mark } = said
      if (mark) guesses?.wrong(hostOf(peer), mark)
      options.refused({ why, token, peer, ...(mark && { mark }) })
    } else if (said.failed) failure = `port-taken ${options.port}`
    else if (said.fault) console.error(`SRT port: it does not understand a ${said.fault}`)
  }

  function left(id: number): void {
    const client = clients.get(id)
    if (!client) return
    clients.delete(id)
    sockets.get(id)?.destroy()
    options.leave(client)
  }

  function start(): void {
    began = now()
    let rest = ''
    try {
      process = launcher.run({
        program,
        args: [
          'port',
          host,
          String(options.port),
          String(keyLength),
          path,
          ...(latency > ROOM ? [String(latency)] : [])
        ],
        takes: true,
        gives(chunk) {
          const lines = (rest + chunk.toString()).split('\n')
          rest = (lines.pop() ?? '').slice(-LINE_MAX)
          for (const line of lines) heard(line)
        },
        ended(lines) {
          const last = lines.at(-1)
          over(last === undefined ? 'ended-silently' : `said ${last.slice(0, 200)}`)
        }
      })
    } catch (error) {
      over(error instanceof NotInstalled ? `install-with ${INSTALL_SRT}` : `not-started ${(error as Error).message}`)
      return
    }
    for (const key of keys.values()) order('key', ...fieldsOf(key))
    for (const { address, wait } of guesses?.bars() ?? []) bar(address, wait)
  }

  /** The program knows addresses of IPv4: nobody else can come. */
  function bar(address: string, wait: number): void {
    if (isIPv4(address)) order('bar', address, Math.ceil(wait))
  }

  function over(reason: Reason): void {
    const ran = listening === undefined ? 0 : now() - began
    process = undefined
    listening = undefined
    for (const id of [...clients.keys()]) left(id)
    if (closed) return
    // The program's own word, where it gave one.
    failure = reason === 'ended-silently' ? (failure ?? reason) : reason
    tries.failed(ran)
    changed()
  }

  function cutStrangers({ token, from }: PortKey): void {
    const allowed = createAllowed(from)
    for (const client of clients.values())
      if (client.token === token && !allowed.has(hostOf(client.peer))) order('drop', client.id)
  }

  function order(...fields: readonly (string | number)[]): void {
    process?.input?.write(`${fields.join('\t')}\n`)
  }

  const unwatch = guesses?.watch(bar)
  server.listen(path, start)

  return {
    /**
     * What is known from now on. Who came with a key that is gone, or means something else now, is cut; where only the addresses are others,
     * who comes from elsewhere.
     */
    set(wanted: readonly PortKey[]): void {
      const gone = new Set(keys.keys())
      for (const key of wanted) {
        gone.delete(key.token)
        const before = keys.get(key.token)
        const [is, was] = [fieldsOf(key).join('\t'), before && fieldsOf(before).join('\t')]
        if (is === was) continue
        const moved = before && fieldsOf({ ...before, from: key.from }).join('\t') === is
        if (before && !moved) order('gone', key.token)
        keys.set(key.token, key)
        order('key', ...fieldsOf(key))
        if (moved) cutStrangers(key)
      }
      for (const token of gone) {
        keys.delete(token)
        order('gone', token)
      }
    },
    /** Ends a connection. It may come back. */
    drop: (id: number): void => order('drop', id),
    /** Oldest first. */
    clients: (): readonly SrtClient[] => [...clients.values()],
    /** The port that is open; undefined while it cannot be opened. */
    port: () => listening,
    /** Why it is not open; undefined while it is, or is about to be. */
    failure: () => failure,
    /** Does not wait for the next try. */
    retry: tries.retry,
    async close(): Promise<void> {
      closed = true
      unwatch?.()
      tries.end()
      const gone = process?.stop()
      for (const id of [...clients.keys()]) left(id)
      for (const socket of sockets.values()) socket.destroy()
      await gone
      await new Promise<void>((resolve) => server.close(() => resolve()))
      removeFolder(folder)
    }
  }
}

function fieldsOf(key: PortKey): (string | number)[] {
  const { token, sends, name, passphrase, keyLength, latency, max, from, overhead = 0 } = key
  const fields = [token, sends ? 's' : 't', name, passphrase, keyLength, latency, max, from.join(','), overhead]
  if (fields.some((field) => /[\t\r\n]/.test(String(field))))
    throw new Error(`${token} holds a tab or an end of a line`)
  return fields
}
