// The hub's RTMP port, which many share: nginx with its RTMP module. It asks the hub about everybody who comes, and the hub gives each
// stream another name inside, so that keys stay outside. Here it is kept running, answered, and asked how each stream does.
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import type { Reason } from '../../contract/stream/reason.ts'
import { createTries } from '../process/back-off.ts'
import { scrub } from '../process/failure.ts'
import { find, type Launcher, NotInstalled, type Process } from '../process/launcher.ts'
import { privateFolder, removeFolder } from '../process/private-folder.ts'
import { APPLICATION, rtmpConfig } from './nginx-config.ts'

export interface RtmpClient {
  /** Of nginx; a new one has another. */
  id: number
  /** Whoever sends to us; else takes from us. */
  sends: boolean
  /** The key it came with. */
  key: string
  /** IP address. */
  peer: string
  /** What the stream is called inside. */
  stream: string
  /** As `now` counts. */
  since: number
}

export interface RtmpPortOptions {
  launcher: Pick<Launcher, 'run'>
  /** Path of nginx. */
  program?: string
  host: string
  /** 0 for one that is free. */
  port: number
  /** What the stream of somebody who comes is called inside; undefined refuses. */
  admit(visitor: Pick<RtmpClient, 'sends' | 'key' | 'peer'>): string | undefined
  enter(client: RtmpClient): void
  leave(client: RtmpClient): void
  /** The port opened or failed, or figures came. */
  changed(): void
  now(): number
}

export type RtmpPort = ReturnType<typeof createRtmpPort>

const PROGRAMS = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', 'nginx']
const MODULES = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/usr/share'].map(
  (at) => `${at}/nginx/modules/ngx_rtmp_module.so`
)
/** What installs them. */
export const INSTALL_RTMP = 'apt-get install -y nginx libnginx-mod-rtmp'
/** Milliseconds between looks whether it has opened, and between those at its figures. */
const OPENING = 100
const LOOK = 2000
/** Milliseconds that nginx has to answer. */
const PATIENCE = 2000
/** Bytes that it may ask with. */
const QUESTION_MAX = 16_384

/** In the page of figures: a stream's name and the bytes that were sent of it. */
const STREAM = /<stream>\s*<name>([^<]*)<\/name>.*?<bytes_out>(\d+)<\/bytes_out>/gs

/** Whether this machine has what the port is made of. */
export const hasRtmp = () => PROGRAMS.some(find) && MODULES.some(existsSync)

export function createRtmpPort(options: RtmpPortOptions) {
  const { launcher, host, changed, now } = options
  const folder = privateFolder('rtmp')
  const [asks, control] = [join(folder, 'hub'), join(folder, 'nginx')]
  const tries = createTries(start)
  const clients = new Map<number, RtmpClient>()
  /** What our own legs show when they come: the stream it is for, and whether it is good for once only. */
  const passes = new Map<string, { stream: string; once: boolean }>()
  /** Of each stream: bytes that were sent of it when it was last looked at, and kilobits a second since the look before. */
  let sent = new Map<string, { bytes: number; at: number; kbps: number }>()
  let process: Process | undefined
  let listening: number | undefined
  let failure: Reason | undefined
  let looking: NodeJS.Timeout | undefined
  let began = 0
  let closed = false

  const hooks = createServer(async (question, answer) => {
    const refuse = () => answer.writeHead(403).end()
    try {
      const said = new URLSearchParams(await read(question))
      // Of what a visitor can add to the question all stands behind what nginx itself says, and the first one counts.
      const id = Number(said.get('clientid'))
      const key = said.get('name') ?? ''
      const hook = question.url?.slice(1)
      if (hook === 'publish' || hook === 'play') {
        const inside = enter(id, hook === 'publish', key, said.get('addr') ?? '', said.get('pass'))
        if (inside === undefined) return void refuse()
        answer.writeHead(302, { location: inside }).end()
      } else {
        left(id)
        answer.end()
      }
    } catch {
      refuse()
    }
  })
  hooks.on('error', (error) => console.error('RTMP port:', error))

  /** @returns what the stream is called inside */
  function enter(id: number, sends: boolean, key: string, peer: string, pass: string | null): string | undefined {
    if (!Number.isInteger(id)) return undefined
    const own = pass === null ? undefined : passes.get(pass)
    if (own) {
      if (own.once) passes.delete(pass ?? '')
      return own.stream === key ? key : undefined
    }
    // One that plays again over the same connection has left what it played.
    left(id)
    const stream = options.admit({ sends, key, peer })
    if (stream === undefined) return undefined
    const client = { id, sends, key, peer, stream, since: now() }
    clients.set(id, client)
    options.enter(client)
    return stream
  }

  function left(id: number): void {
    const client = clients.get(id)
    if (!client) return
    clients.delete(id)
    options.leave(client)
  }

  async function start(): Promise<void> {
    began = now()
    const mine = { alive: true }
    try {
      const module = MODULES.find(existsSync)
      const program = options.program ?? PROGRAMS.find(find)
      if (!program) throw new NotInstalled('nginx')
      if (!module) throw new NotInstalled('libnginx-mod-rtmp')
      const port = options.port || (await freePort(host))
      if (closed) return
      rmSync(control, { force: true })
      const config = join(folder, 'nginx.conf')
      writeFileSync(config, rtmpConfig({ folder, module, host, port, asks, control }), { mode: 0o600 })
      process = launcher.run({
        program,
        args: ['-e', 'stderr', '-p', folder, '-c', config],
        ended(lines) {
          mine.alive = false
          const last = lines.find((line) => line.includes('[emerg]')) ?? lines.at(-1)
          if (lines.some((line) => line.includes('Address already in use'))) over(`port-taken ${port}`)
          else over(last === undefined ? 'ended-silently' : `said ${scrub(last, [folder])}`)
        }
      })
      await opened(mine)
      if (!mine.alive || closed) return
      listening = port
      failure = undefined
      changed()
      looking = setTimeout(look, LOOK)
    } catch (error) {
      if (closed) return
      over(error instanceof NotInstalled ? `install-with ${INSTALL_RTMP}` : `not-started ${(error as Error).message}`)
    }
  }

  /** Resolves when it answers, which it does once all its ports are open, or when it is over. */
  async function opened(run: { alive: boolean }): Promise<void> {
    while (run.alive && !closed) {
      const answer = await ask('/stat').catch(() => undefined)
      if (answer !== undefined) return
      await new Promise((resolve) => setTimeout(resolve, OPENING))
    }
  }

  function over(reason: Reason): void {
    const ran = listening === undefined ? 0 : now() - began
    process = undefined
    listening = undefined
    clearTimeout(looking)
    for (const id of [...clients.keys()]) left(id)
    if (closed) return
    failure = reason
    tries.failed(ran)
    changed()
  }

  /** Who is there, and how much they are sent: the word that somebody has left may be lost. */
  async function look(): Promise<void> {
    const before = new Set(clients.keys())
    const page = before.size > 0 ? await ask('/stat').catch(() => undefined) : undefined
    if (closed || listening === undefined) return
    if (page !== undefined) {
      const there = new Set([...page.matchAll(/<client><id>(\d+)<\/id>/g)].map((match) => Number(match[1])))
      for (const id of before) if (!there.has(id)) left(id)
      const at = now()
      const next: typeof sent = new Map()
      for (const [, name = '', told] of page.matchAll(STREAM)) {
        const [bytes, old] = [Number(told), sent.get(name)]
        const kbps = old && bytes >= old.bytes ? ((bytes - old.bytes) * 8) / (at - old.at) : 0
        next.set(name, { bytes, at, kbps })
      }
      sent = next
      changed()
    }
    looking = setTimeout(look, LOOK)
  }

  function ask(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const asked = request({ socketPath: control, path, timeout: PATIENCE }, (answer) => {
        read(answer, 1 << 22).then(resolve, reject)
      })
      asked.on('timeout', () => asked.destroy(new Error('no answer')))
      asked.on('error', reject).end()
    })
  }

  hooks.listen(asks, start)

  return {
    /**
     * The address of a stream inside, for a leg of ours.
     * @param once the address may be seen by others: it is good for one connection
     */
    own(stream: string, once: boolean): { url: string; name: string } {
      const pass = randomBytes(18).toString('base64url')
      passes.set(pass, { stream, once })
      const loopback = host === '0.0.0.0' ? '127.0.0.1' : host
      return { url: `rtmp://${loopback}:${listening ?? options.port}/${APPLICATION}`, name: `${stream}?pass=${pass}` }
    },
    /** What was given for a stream is good no more. */
    disown(stream: string): void {
      for (const [pass, { stream: of }] of passes) if (of === stream) passes.delete(pass)
    },
    /** Ends a connection. It may come back. */
    drop(id: number): void {
      left(id)
      ask(`/control/drop/client?app=${APPLICATION}&clientid=${id}`).catch(() => {})
    },
    /** Oldest first. */
    clients: (): readonly RtmpClient[] => [...clients.values()],
    /** Kilobits a second that each taker of a stream is sent. */
    kbps(stream: string): number {
      const takers = [...clients.values()].filter((client) => client.stream === stream && !client.sends).length
      return takers === 0 ? 0 : Math.round((sent.get(stream)?.kbps ?? 0) / takers)
    },
    /** The port that is open; undefined while it cannot be opened. */
    port: () => listening,
    /** Why it is not open; undefined while it is, or is about to be. */
    failure: () => failure,
    /** Does not wait for the next try. */
    retry: tries.retry,
    async close(): Promise<void> {
      closed = true
      tries.end()
      clearTimeout(looking)
      const gone = process?.stop()
      for (const id of [...clients.keys()]) left(id)
      await gone
      hooks.closeAllConnections()
      await new Promise<void>((resolve) => hooks.close(() => resolve()))
      removeFolder(folder)
    }
  }
}

async function read(message: IncomingMessage, most = QUESTION_MAX): Promise<string> {
  let text = ''
  for await (const chunk of message.setEncoding('utf8')) {
    text += chunk
    if (text.length > most) throw new Error('too long')
  }
  return text
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createTcpServer().once('error', reject)
    server.listen(0, host, () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
