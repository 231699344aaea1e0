// One SRT port and one RTMP port for all channels: who comes with which key is let in where, as the publisher of a channel or one of its
// players. The ports open when the first channel wants one.
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type KeyLength, RTMP, SRT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { type Allowed, createAllowed, hostOf } from '../access/ip-allow-list.ts'
import { markOf } from '../access/key-throttle.ts'
import type { Stream } from '../inputs/input.ts'
import { type InputCommand, inputCommand } from '../inputs/input-command.ts'
import type { ClientObserved, Door } from '../interfaces/channel.ts'
import type { Publisher, Surroundings } from '../interfaces/engine-context.ts'
import { find, type Launch, type Process } from '../process/launcher.ts'
import { createRtmpPort, hasRtmp, INSTALL_RTMP, type RtmpClient, type RtmpPort } from '../rtmp/rtmp-port.ts'
import {
  createSrtPort,
  INSTALL_SRT,
  type PortKey,
  type SrtClient,
  type SrtPort,
  type SrtRefusal
} from '../srt/srt-port.ts'
import { figuresTeller } from '../srt/srt-stats.ts'
import { createPlayers, type Players } from './players.ts'

export interface PortSettings {
  srt: { port: number; 'pb-key-len': KeyLength; passphrase: string }
  rtmp: { port: number }
}

/** A port as it is; neither while nobody wanted it yet. */
export interface PortObserved {
  /** The one that is open. */
  port?: number
  /** Why it is not. */
  reason?: Reason
}

export interface PortsObserved {
  srt: PortObserved
  rtmp: PortObserved
}

export interface SharedPortsOptions {
  /** Address that the ports are at. */
  host: string
  around: Surroundings
  /** Somebody began to send to a channel, or ceased to. */
  publisherChanged(channelId: number): void
  /** A port opened or failed. */
  changed(): void
  /** Somebody was turned away. */
  refused?(refusal: PortRefusal): void
}

/** Who was turned away at a shared port. */
export interface PortRefusal {
  protocol: typeof RTMP | typeof SRT
  /** IP address. */
  address: string
  /** Undefined for a key that is nobody's. */
  channelId: number | undefined
  reason: Reason
}

/** Players of a channel over SRT. */
const PLAYERS_MAX = 1000
/** Milliseconds. */
const LATENCY = 120
/** Milliseconds for which it is shown that somebody was turned away. */
const NOTICE = 10_000
/** What the program of the port says; the rest is a fault of its own. */
const REFUSALS: Partial<Record<SrtRefusal['why'], Reason>> = {
  key: 'key-unknown',
  mode: 'key-other-way',
  forbidden: 'from-elsewhere',
  busy: 'key-in-use',
  full: 'port-full',
  passphrase: 'wrong-passphrase'
}
const PROGRAM = join(import.meta.dirname, '../../build/headend-srt')

interface Client {
  id: number
  sends: boolean
  protocol: typeof RTMP | typeof SRT
  /** Its number at its port. */
  at: number
  address: string
  since: number
  channel: Channel
}

interface Channel {
  id: number
  door: Door
  allowed: Allowed
  /** What it gives out. */
  input: Stream
  /** What whoever has its push key sends; undefined when nobody may, because it has an input of its own. */
  pushed: Stream | undefined
  takes: boolean
  players: Players
  /** Who was turned away lately, and when. */
  turnedAway?: { at: number; reason: Reason }
  publisher?: { client: Client; publisher: Publisher }
}

export type SharedPorts = ReturnType<typeof createSharedPorts>

export function createSharedPorts({ host, around, publisherChanged, changed, refused }: SharedPortsOptions) {
  const { launcher, now } = around
  const address = host === '::' ? '0.0.0.0' : host === 'localhost' || host === '::1' ? '127.0.0.1' : host
  const channels = new Map<number, Channel>()
  const clients = new Map<number, Client>()
  let settings: PortSettings | undefined
  let srt: SrtPort | undefined
  let rtmp: RtmpPort | undefined
  /** Ports that are on their way out. */
  const closing = new Set<Promise<void>>()
  /** By channel: where its leg sends, as long as the port is the same. */
  const relays = new Map<number, { url: string; name: string }>()
  let told = ''

  function tell(): void {
    const text = JSON.stringify(observe())
    if (text !== told) {
      told = text
      changed()
    }
    around.changed()
  }

  function observe(): PortsObserved {
    const of = (port: SrtPort | RtmpPort | undefined): PortObserved => {
      const [open, reason] = [port?.port(), port?.failure()]
      return { ...(open !== undefined && { port: open }), ...(reason !== undefined && { reason }) }
    }
    return { srt: of(srt), rtmp: of(rtmp) }
  }

  function close(port: SrtPort | RtmpPort | undefined): void {
    if (!port) return
    const gone = port.close().finally(() => closing.delete(gone))
    closing.add(gone)
  }

  // SRT: channel and side are in the token.

  const channelOf = (token: string) => channels.get(Number(token.split('-')[1]))

  function enterSrt(client: SrtClient, socket: Socket): void {
    const channel = channelOf(client.token)
    const sends = client.token.startsWith('push')
    if (!channel || (sends && channel.publisher)) {
      if (channel)
        refused?.({ protocol: SRT, address: hostOf(client.peer), channelId: channel.id, reason: 'key-in-use' })
      srt?.drop(client.id)
      socket.destroy()
      return
    }
    const one = add({ sends, protocol: SRT, at: client.id, address: client.peer, channel })
    if (!sends) channel.players.enter(one.id, socket)
    else
      setPublisher(one, {
        command: () => NO_COMMAND,
        run: (launch) => carry(client, socket, launch, () => throwOut(one))
      })
  }

  // RTMP: names inside are made of the channel's id.

  function admit({ sends, key, peer }: Pick<RtmpClient, 'sends' | 'key' | 'peer'>): string | undefined {
    if (around.guesses.barred(peer)) return undefined
    for (const channel of channels.values()) {
      const { door, takes, publisher, allowed, id } = channel
      if (sends ? !takes || door.pushKey !== key : !door.rtmp || door.playKey !== key) continue
      const reason = !allowed.has(peer) ? 'from-elsewhere' : sends && publisher ? 'key-in-use' : undefined
      if (reason) {
        if (sends && reason === 'from-elsewhere') turnAway(channel, reason)
        refused?.({ protocol: RTMP, address: peer, channelId: id, reason })
        return undefined
      }
      return `${sends ? 'in' : 'out'}-${id}`
    }
    around.guesses.wrong(peer, markOf(key))
    refused?.({ protocol: RTMP, address: peer, channelId: undefined, reason: 'key-unknown' })
    return undefined
  }

  function enterRtmp({ id, sends, peer, stream }: RtmpClient): void {
    const channel = channelOf(stream)
    if (!channel) return
    const one = add({ sends, protocol: RTMP, at: id, address: peer, channel })
    if (sends)
      setPublisher(one, {
        command: () => pull(stream),
        run(launch) {
          const process = launcher.run(launch)
          return {
            ...process,
            stop() {
              throwOut(one)
              return process.stop()
            }
          }
        }
      })
    else relay(channel)
  }

  /** The pass of our own leg is good for one connection, which is made at once. */
  function pull(stream: string): InputCommand {
    if (!rtmp) throw new Error('the RTMP port is closed')
    const { url, name } = rtmp.own(stream, true)
    const { hostname, port, pathname } = new URL(url)
    const path = `${pathname}/${name}`
    return inputCommand({ protocol: RTMP, scheme: 'rtmp', host: hostname, port: Number(port), path })
  }

  /** Carries the channel to nginx while somebody watches there. */
  function relay(channel: Channel): void {
    const watched = [...clients.values()].some((one) => one.channel === channel && one.protocol === RTMP && !one.sends)
    if (!watched || !rtmp) {
      channel.players.relay(undefined)
      return
    }
    const { url, name } = relays.get(channel.id) ?? rtmp.own(`out-${channel.id}`, false)
    relays.set(channel.id, { url, name })
    channel.players.relay({ url, key: name })
  }

  function add(more: Omit<Client, 'id' | 'since'>): Client {
    const one = { ...more, id: around.clientId(), since: now() }
    clients.set(one.id, one)
    tell()
    return one
  }

  function turnAway(channel: Channel, reason: Reason): void {
    channel.turnedAway = { at: now(), reason }
    around.changed()
  }

  function setPublisher(client: Client, publisher: Publisher): void {
    client.channel.publisher = { client, publisher }
    delete client.channel.turnedAway
    publisherChanged(client.channel.id)
  }

  function left(protocol: number, at: number): void {
    const one = [...clients.values()].find((client) => client.protocol === protocol && client.at === at)
    if (!one) return
    clients.delete(one.id)
    const { channel } = one
    channel.players.leave(one.id)
    if (channel.publisher?.client === one) {
      delete channel.publisher
      // What was given to a leg that never came.
      if (protocol === RTMP) rtmp?.disown(`in-${channel.id}`)
      publisherChanged(channel.id)
    } else if (protocol === RTMP) relay(channel)
    tell()
  }

  function throwOut({ id, protocol, at }: Client): void {
    if (clients.has(id)) (protocol === SRT ? srt : rtmp)?.drop(at)
  }

  function keys(): PortKey[] {
    if (!settings) return []
    const { 'pb-key-len': keyLength, passphrase } = settings.srt
    const shared = { keyLength, passphrase: keyLength === 0 ? '' : passphrase, latency: LATENCY }
    return [...channels.values()].flatMap(({ id, door, takes }) => {
      const push = { ...shared, token: `push-${id}`, sends: true, name: door.pushKey, max: 1, from: door.allowIp }
      const play = { ...push, token: `play-${id}`, sends: false, name: door.playKey, max: PLAYERS_MAX }
      return [...(takes ? [push] : []), ...(door.srt ? [play] : [])]
    })
  }

  /** Opens what is wanted, and tells it what is known. */
  function refresh(): void {
    if (!settings) return
    const wanted = keys()
    if (wanted.length > 0 && !srt) {
      const { port } = settings.srt
      srt = createSrtPort({
        ...{ launcher, program: PROGRAM, host: address, port, keyLength: 0, guesses: around.guesses, now },
        enter: enterSrt,
        leave: ({ id }) => left(SRT, id),
        refused({ why, token, peer }) {
          const channel = channelOf(token)
          const reason = REFUSALS[why]
          if (reason) refused?.({ protocol: SRT, address: hostOf(peer), channelId: channel?.id, reason })
          const shown = reason === 'wrong-passphrase' || reason === 'from-elsewhere'
          if (channel && shown && token.startsWith('push-')) turnAway(channel, reason)
        },
        changed: tell
      })
    }
    srt?.set(wanted)
    if (!rtmp && [...channels.values()].some(({ door, takes }) => takes || door.rtmp)) {
      const { port } = settings.rtmp
      const leave = ({ id }: RtmpClient) => left(RTMP, id)
      rtmp = createRtmpPort({
        ...{ launcher, host: address, port, now, admit, enter: enterRtmp, leave },
        changed() {
          // It may have come back at another port.
          if (rtmp?.port() === undefined) relays.clear()
          tell()
        }
      })
    }
  }

  function remove(channel: Channel): void {
    for (const one of clients.values()) if (one.channel === channel) throwOut(one)
    channels.delete(channel.id)
    relays.delete(channel.id)
    rtmp?.disown(`out-${channel.id}`)
    channel.players.stop()
  }

  return {
    /** Opens the ports, or moves them: who is connected to one that moves is cut. */
    use(next: PortSettings): void {
      if (settings && settings.srt.port !== next.srt.port) {
        close(srt)
        srt = undefined
      }
      if (settings && settings.rtmp.port !== next.rtmp.port) {
        close(rtmp)
        rtmp = undefined
        relays.clear()
      }
      settings = structuredClone(next)
      refresh()
      tell()
    },
    /**
     * How a channel is reached, and what it gives out; without either it is not.
     * @param pushed its input, where that is whoever has its push key
     */
    apply(id: number, door: Door | undefined, input: Stream | undefined, pushed: Stream | undefined): void {
      const takes = pushed !== undefined
      const before = channels.get(id)
      if (!door || !input) {
        if (before) remove(before)
      } else {
        const channel = before ?? {
          ...{ id, door, input, pushed, takes, allowed: createAllowed(door.allowIp) },
          players: createPlayers(around)
        }
        const was = before && JSON.stringify([before.door, before.takes])
        Object.assign(channel, { door, input, pushed, takes, allowed: createAllowed(door.allowIp) })
        channels.set(id, channel)
        channel.players.attach(input)
        // SRT cuts by itself whose key means something else now.
        if (before && was !== JSON.stringify([door, takes]))
          for (const one of clients.values()) if (one.channel === channel && one.protocol === RTMP) recheck(one)
      }
      refresh()
    },
    /** Who sends to a channel now. */
    publisher: (id: number): Publisher | undefined => channels.get(id)?.publisher?.publisher,
    /** Why somebody was turned away who wanted to send, lately. */
    turnedAway(id: number): Reason | undefined {
      const last = channels.get(id)?.turnedAway
      return last && now() - last.at < NOTICE ? last.reason : undefined
    },
    /** Oldest first. */
    clients: (id: number): ClientObserved[] =>
      [...clients.values()]
        .filter((one) => one.channel.id === id)
        .map((one) => {
          const { sends, protocol, address, since, channel } = one
          const kbps = sends
            ? (channel.pushed?.kbps() ?? 0)
            : protocol === SRT
              ? channel.players.kbps(one.id)
              : (rtmp?.kbps(`out-${id}`) ?? 0)
          return { id: one.id, sends, protocol, address, kbps, livingTimeS: Math.floor((now() - since) / 1000) }
        }),
    /** Throws one out. False when there is none. It may come back. */
    drop(channel: number, id: number): boolean {
      const one = clients.get(id)
      if (one?.channel.id !== channel) return false
      throwOut(one)
      return true
    },
    observe,
    /** Tries at once to open what is not. */
    retry(): void {
      srt?.retry()
      rtmp?.retry()
    },
    tick(at: number): void {
      for (const { players } of channels.values()) players.tick(at)
    },
    /** A sentence for each program that is not there. */
    missing(): string[] {
      return [
        ...(find(PROGRAM)
          ? []
          : [`the program of the SRT port is missing, so nobody can push or play over it: ${INSTALL_SRT}`]),
        ...(hasRtmp()
          ? []
          : [`nginx with its RTMP module is missing, so nobody can push or play over RTMP: ${INSTALL_RTMP}`])
      ]
    },
    async close(): Promise<void> {
      for (const channel of [...channels.values()]) remove(channel)
      close(srt)
      close(rtmp)
      await Promise.all(closing)
    }
  }

  /** Lets one of RTMP stay that would be let in anew. */
  function recheck(one: Client): void {
    const came = rtmp?.clients().find(({ id }) => id === one.at)
    const { door, takes, allowed } = one.channel
    const same = one.sends ? takes && came?.key === door.pushKey : door.rtmp && came?.key === door.playKey
    if (!came || !same || !allowed.has(came.peer)) throwOut(one)
  }
}

const NO_COMMAND: InputCommand = { args: [], secrets: [], listens: false, connectionless: false }

/** What a socket brings, as if a process did. */
function carry(client: SrtClient, socket: Socket, launch: Launch, drop: () => void): Process {
  const gone = Promise.withResolvers<void>()
  const tell = figuresTeller(client, launch.figures)
  let asked = false
  socket.on('data', (chunk) => {
    if (asked) return
    launch.gives?.(chunk)
    tell()
  })
  const close = () => {
    gone.resolve()
    if (!asked) launch.ended([])
  }
  if (socket.destroyed) queueMicrotask(close)
  else socket.once('close', close)
  return {
    pid: undefined,
    input: undefined,
    stop() {
      asked = true
      drop()
      socket.destroy()
      return gone.promise
    }
  }
}
