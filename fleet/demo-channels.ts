// Channels of the demo set-up: each shows something that an operator meets. Ports are chosen among the free ones of the
// machine.
import { randomUUID } from 'node:crypto'
import { PORT_OCCUPIED, SUCCESS } from '../contract/codes.ts'
import type { Device } from '../contract/device/device.ts'
import { LATENCY_DEFAULT } from '../contract/limits.ts'
import {
  addChannel,
  addChannelOutputs,
  type ChannelConfig,
  enableChannel,
  setChannelInput
} from '../contract/stream/channel.ts'
import { HTTP, SRT } from '../contract/stream/protocols.ts'
import { type AddOutputRequest, addOutput } from '../contract/stream/source.ts'
import { systemStatus } from '../contract/system.ts'
import type { DemoPeer } from './demo-peers.ts'
import { findFreePort, isUdpPortFree } from './free-port.ts'
import { type Send, sendChecked, UnexpectedResponseError } from './hub-client.ts'

/** Ports of players' outputs, and of the demo's own receiver, are searched from the first one on. */
const FIRST_PORT = 9001
const LAST_PORT = 9999

export const PARTNER_CHANNEL = 'Chapel relay'
/**
 * Passphrase of the receiver. The output starts with another one, and fails until it is corrected. Its name says which
 * one is right.
 */
export const PARTNER_PASSPHRASE = 'partner-studio'
const PARTNER_OUTPUT = `Partner studio (passphrase ${PARTNER_PASSPHRASE})`
const WRONG_PASSPHRASE = 'not-the-passphrase'

/** Finds the accepted devices of the fleet by name. */
export interface DeviceFinder {
  byName(name: string | undefined): Device | undefined
  /** Another device if there is none of that name. */
  inputByName(name: string): Device | undefined
}

interface DemoChannel {
  name: string
  /** Name of the input device; none: the channel waits for a publisher. */
  device?: string
  backup?: string
  /** Decoder that plays the channel. */
  decoder?: string
  outputs: readonly ('srt' | 'hls' | 'partner')[]
  config?: Partial<ChannelConfig>
  isStopped?: true
}

const WEEKDAYS = 0b0011111

/** A schedule whose next start is some hours ahead, so that the channel is stopped at first. */
function createSchedule(now: Date): ChannelConfig['schedule'] {
  const isEvening = now.getHours() >= 16 && now.getHours() < 20
  const [start, stop] = isEvening ? ['08:00', '08:30'] : ['18:00', '18:30']
  return { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, rules: [{ days: WEEKDAYS, start, stop }] }
}

const demoChannels = (now: Date): readonly DemoChannel[] => [
  {
    name: 'Sunday service',
    device: 'Main Hall PTZ',
    backup: 'Chapel Right',
    decoder: 'Lobby Screen',
    outputs: ['srt', 'hls'],
    config: { slate: true, switch: { 'after-s': 3, back: 'first', 'back-after-s': 30 } }
  },
  { name: 'Lecture hall 2.14', device: 'Lecture 2.14', outputs: ['srt'] },
  { name: PARTNER_CHANNEL, device: 'Chapel Right', outputs: ['partner'] },
  { name: 'Guest contribution', outputs: ['srt'] },
  {
    name: 'Campus news',
    device: 'Campus News Desk',
    outputs: ['srt'],
    config: { schedule: createSchedule(now) },
    isStopped: true
  }
]

/** Adds the channels of the demo set-up to a hub. */
class ChannelSetUp {
  readonly #send: Send
  readonly #hubUrl: string
  /** Players and receivers for the outputs. */
  readonly peers: DemoPeer[] = []
  #nextPort = FIRST_PORT

  constructor(send: Send, hubUrl: string) {
    this.#send = send
    this.#hubUrl = hubUrl
  }

  async #takePort(): Promise<number> {
    const port = await findFreePort(isUdpPortFree, this.#nextPort, LAST_PORT)
    if (port === undefined) throw new UnexpectedResponseError(`no port from ${FIRST_PORT} to ${LAST_PORT} is free`)
    this.#nextPort = port + 1
    return port
  }

  /**
   * Adds an output on a free port. The hub may know more users of a port than the system. @returns the id and the port
   */
  async #addAtFreePort(requestFor: (port: number) => AddOutputRequest): Promise<{ id: number; port: number }> {
    for (;;) {
      const port = await this.#takePort()
      const { result, id } = await this.#send(addOutput, requestFor(port))
      if (result === PORT_OCCUPIED) continue
      if (result !== SUCCESS) throw new UnexpectedResponseError(`${addOutput.path} returned ${result}`)
      return { id, port }
    }
  }

  async #addSrt(channel: string): Promise<number> {
    const { id, port } = await this.#addAtFreePort((bindPort) => ({
      name: `${channel} SRT`,
      protocol: SRT,
      config: { mode: 'listener', 'bind-port': bindPort, latency: LATENCY_DEFAULT, enc: 'disable' }
    }))
    this.peers.push({ kind: 'player', url: `srt://${new URL(this.#hubUrl).hostname}:${port}` })
    return id
  }

  async #addHls(channel: string): Promise<number> {
    const key = randomUUID()
    const { id } = await sendChecked(this.#send, addOutput, {
      name: `${channel} website`,
      protocol: HTTP,
      config: { key }
    })
    const { ports } = (await sendChecked(this.#send, systemStatus, {})).status.system
    const url = new URL(`/hls/${key}/index.m3u8`, this.#hubUrl)
    if (ports?.files?.port) url.port = String(ports.files.port)
    this.peers.push({ kind: 'player', url: url.href })
    return id
  }

  async #addPartner(): Promise<number> {
    const { id, port } = await this.#addAtFreePort((targetPort) => ({
      name: PARTNER_OUTPUT,
      protocol: SRT,
      config: {
        mode: 'caller',
        'dst-ip': '127.0.0.1',
        'dst-port': targetPort,
        latency: LATENCY_DEFAULT,
        enc: 'aes-128',
        passphrase: WRONG_PASSPHRASE
      }
    }))
    this.peers.push({ kind: 'receiver', port, passphrase: PARTNER_PASSPHRASE })
    return id
  }

  /** Adds a channel, unless its input is missing. @returns whether it was added */
  async add(channel: DemoChannel, find: DeviceFinder): Promise<boolean> {
    const { name, device, config = {}, isStopped } = channel
    const input = device === undefined ? undefined : find.inputByName(device)
    if (device !== undefined && !input) return false
    const outputs: number[] = []
    for (const kind of channel.outputs)
      outputs.push(
        await (kind === 'srt' ? this.#addSrt(name) : kind === 'hls' ? this.#addHls(name) : this.#addPartner())
      )
    const decoder = find.byName(channel.decoder)
    if (decoder) outputs.push(decoder.id)
    const backup = find.byName(channel.backup)
    const backups = backup && backup.id !== input?.id ? [backup.id] : []
    const { id } = await sendChecked(this.#send, addChannel, { name, config: { ...config, backups } })
    if (input) await sendChecked(this.#send, setChannelInput, { id, input: input.id })
    await sendChecked(this.#send, addChannelOutputs, { id, outputs })
    if (!isStopped) await sendChecked(this.#send, enableChannel, { id, enable: true })
    return true
  }
}

/**
 * Adds the demo channels: one with a backup, one with a single output, one whose output fails until its passphrase is
 * corrected, one that waits for a publisher, and one that is stopped and has a schedule.
 * @returns the number of channels, and the players and receivers for their outputs
 */
export async function addDemoChannels(
  send: Send,
  hubUrl: string,
  find: DeviceFinder
): Promise<{ count: number; peers: DemoPeer[] }> {
  const setUp = new ChannelSetUp(send, hubUrl)
  let count = 0
  for (const channel of demoChannels(new Date())) if (await setUp.add(channel, find)) count++
  return { count, peers: setUp.peers }
}
