// Where an input comes from: a URL that is opened, or a device that is asked to push to a listener made for it.

import { randomBytes } from 'node:crypto'
import { LATENCY_DEFAULT } from '../../contract/limits.ts'
import { HTTP, RTP, UDP } from '../../contract/stream/protocols.ts'
import type { SourceUrl } from '../../contract/stream/source-url.ts'
import { createHttpProxy } from '../access/http-proxy.ts'
import type { PushManner, WantedInput } from '../interfaces/channel.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import { ndiHost, ndiReceiver } from '../ndi/ndi-input.ts'
import type { Failure } from '../process/failure.ts'
import type { Launch, Process } from '../process/launcher.ts'
import { addressOfInterface } from '../process/network-interface.ts'
import { freeUdpPort } from '../srt/dedicated-port.ts'
import { listenOverSrt } from '../srt/listener-input.ts'
import { type InputCommand, inputCommand, type PushTarget, pushCommand, pushUrl, type Way } from './input-command.ts'

const MANNER: PushManner = { latency: LATENCY_DEFAULT, 'stream-index': 0 }
/** Milliseconds a device has to confirm that it stops. */
const PARTING = 2000

export interface Origin {
  /** Inputs of the same origin are one, whatever they are called: a device pushes once, a port listens once. */
  key: string
  device: boolean
  /** Has the next command ask for it in another manner. @returns whether that differs from the present one */
  change(manner: PushManner | undefined): boolean
  /** Whether it can be had now. */
  ready(): boolean
  command(): Promise<InputCommand>
  /** Carries out the command, where it is not only a process that is run. */
  run?(launch: Launch): Process
  /** Makes the other end send; rejects when it will not. */
  begun(): Promise<void>
  /** Lets the other end stop sending. Never rejects. */
  over(): Promise<void>
}

export function originKey(input: WantedInput): string {
  if (input.kind === 'pushed') return `pushed ${input.channel}`
  if (input.kind === 'ndi') return `ndi ${JSON.stringify(input.source)}`
  return input.kind === 'device' ? `device ${input.sn}` : `url ${JSON.stringify(input.url)}`
}

/** What listens for whoever sends over SRT: our program, or without it the process that the command describes. */
function createListener(around: Surroundings) {
  let why: Failure | undefined
  return {
    run(url: SourceUrl, launch: Launch): Process {
      const program = around.srtProgram()
      why = undefined
      if (program === undefined) return around.launcher.run(launch)
      return listenOverSrt(url, program, around, launch, (reason) => {
        why = reason
      })
    },
    failure: () => why
  }
}

/** The host that an input is fetched from; undefined where what comes, comes to us. */
export function sourceHost(input: WantedInput): string | undefined {
  if (input.kind === 'ndi') return ndiHost(input.source)
  if (input.kind !== 'url') return undefined
  const { protocol, srt, host } = input.url
  return protocol === UDP || protocol === RTP || srt?.mode === 'listener' ? undefined : host
}

export function createOrigin(input: WantedInput, around: Surroundings): Origin {
  const key = originKey(input)
  if (input.kind === 'url') {
    const { url } = input
    const proxy = url.protocol === HTTP ? createHttpProxy(around.place) : undefined
    /** Judges where it leads, as far as that can be known beforehand. */
    async function way(): Promise<Way> {
      const { iface } = url.group ?? {}
      // What comes to us by itself leads nowhere.
      const host = sourceHost(input)
      if (host === undefined) return iface ? { iface: addressOfInterface(iface) } : {}
      const address = await around.place(host)
      if (proxy) return { proxy: await proxy.url() }
      return { address }
    }
    const listener = url.srt?.mode === 'listener' ? createListener(around) : undefined
    const why = proxy?.failure ?? listener?.failure
    return {
      key,
      device: false,
      change: () => false,
      ready: () => true,
      async command() {
        const command = inputCommand(url, await way())
        return why ? { ...command, failure: why } : command
      },
      ...(listener && { run: (launch) => listener.run(url, launch) }),
      begun: async () => {},
      over: async () => proxy?.close()
    }
  }
  if (input.kind === 'ndi') {
    const { command, run } = ndiReceiver(input.source, around)
    return {
      ...{ key, device: false, command, run },
      change: () => false,
      ready: () => true,
      begun: async () => {},
      over: async () => {}
    }
  }
  if (input.kind === 'pushed') {
    const publisher = () => {
      const one = around.publisher(input.channel)
      if (!one) throw new Error('nobody sends')
      return one
    }
    return {
      key,
      device: false,
      change: () => false,
      ready: () => around.publisher(input.channel) !== undefined,
      command: async () => publisher().command(),
      run: (launch) => publisher().run(launch),
      begun: async () => {},
      over: async () => {}
    }
  }
  const { sn } = input
  const listener = createListener(around)
  let push: PushTarget | undefined
  let manner = input.manner ?? MANNER
  let order: Parameters<Surroundings['order']>[1] | undefined
  return {
    key,
    device: true,
    change(next = MANNER) {
      const differs = next.latency !== manner.latency || next['stream-index'] !== manner['stream-index']
      manner = next
      return differs
    },
    ready: () => around.deviceOnline(sn),
    async command() {
      const passphrase = randomBytes(24).toString('base64url')
      const port = await freeUdpPort(around.pushHost)
      const id = `push/${randomBytes(9).toString('base64url')}`
      order = { port, 'stream-id': id, passphrase, ...manner }
      push = { host: around.pushHost, port, passphrase, latency: manner.latency }
      return { ...pushCommand(push), failure: listener.failure }
    },
    run: (launch) => (push ? listener.run(pushUrl(push), launch) : around.launcher.run(launch)),
    async begun() {
      if (order) await around.order(sn, order)
    },
    async over() {
      if (!order) return
      order = undefined
      if (!around.deviceOnline(sn)) return
      let timer: ReturnType<typeof setTimeout> | undefined
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PARTING)
      })
      await Promise.race([around.endOrder(sn).catch(() => {}), enough])
      clearTimeout(timer)
    }
  }
}
