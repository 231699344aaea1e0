// The stream engine: keeps what runs in line with what is wanted. It knows channels, not HTTP, SQLite or device protocols.

import { SWITCH_AFTER, SWITCH_BACK } from '../contract/limits.ts'
import type { SwitchRule } from '../contract/stream/channel.ts'
import { CONNECTION, HTTP, NDI, PROTOCOL_DEFAULT, RTSP, SOURCE, SRT } from '../contract/stream/protocols.ts'
import type { Reason } from '../contract/stream/reason.ts'
import { Forbidden, placeOf } from './access/address-policy.ts'
import { type Allowed, createAllowed } from './access/ip-allow-list.ts'
import { createGuesses, type Guesses, markOf } from './access/key-throttle.ts'
import type { HlsShelves } from './hls/hls-store.ts'
import { createInput, type Input, type Stream } from './inputs/input.ts'
import { createSwitchboard, type Switchboard } from './inputs/input-switch.ts'
import { originKey, sourceHost } from './inputs/origin.ts'
import { createPictures, type PictureSize, type Pictures } from './inputs/preview.ts'
import type {
  ChannelObserved,
  ClientObserved,
  LegObserved,
  OutputObserved,
  StreamEvent,
  Wanted,
  WantedInput,
  WantedOutput
} from './interfaces/channel.ts'
import type { Patience, Surroundings } from './interfaces/engine-context.ts'
import type { Output } from './interfaces/leg.ts'
import { createNdiFinder, type NdiFound } from './ndi/discovery.ts'
import { createNdi } from './ndi/runtime.ts'
import { playKey } from './outputs/device-output.ts'
import { createOutput } from './outputs/output.ts'
import { targetHost } from './outputs/output-command.ts'
import { createSharedPorts, type PortRefusal, type PortSettings, type PortsObserved } from './ports/shared-ports.ts'
import { createLauncher, find } from './process/launcher.ts'
import { SRT_PROGRAM } from './srt/caller.ts'
import { createFigures, type Figures } from './stats/leg-stats.ts'
import { LAG } from './stats/meter.ts'
import { createHistory } from './stats/traffic-history.ts'

export type { ChannelObserved, LegObserved, OutputObserved, StreamEvent, Wanted } from './interfaces/channel.ts'

/** Milliseconds. */
const TICK = 500
const COALESCE = 20
const PATIENCE: Patience = { stall: 10_000, start: 15_000 }

export interface EngineOptions {
  /** Program name or path. */
  ffmpeg?: string
  /** Path of the library that hides arguments. */
  veil?: string
  /** Path of our program on libsrt. */
  srtProgram?: string
  /** Path of our program of NDI, and folders in which the runtime is looked for. */
  ndi?: { program?: string; folders?: readonly string[] }
  /** There are other NDI sources in the network, while somebody looks at them. */
  ndiChanged?(): void
  /** Address at which devices push; 0.0.0.0 unless told otherwise. */
  pushHost?: string
  /** Address of SRT listener outputs; 0.0.0.0 unless told otherwise. */
  outputHost?: string
  /** Whether streams may neither come from nor go to this machine and private networks. */
  forbidPrivate?(): boolean
  patience?: Partial<Patience>
  /** Address of the shared SRT and RTMP ports; 0.0.0.0 unless told otherwise. */
  sharedHost?: string
  /** A shared port opened or failed. */
  portsChanged?(): void
  /** Somebody at an address guessed keys of streams, and has to wait. */
  guessed?(address: string): void
  /** Somebody was turned away at a shared port. */
  turnedAway?(refusal: PortRefusal): void
  order: Surroundings['order']
  endOrder: Surroundings['endOrder']
  play: Surroundings['play']
  endPlay: Surroundings['endPlay']
  deviceOnline: Surroundings['deviceOnline']
  /** Shown values of a channel have changed; at most every 20 ms for each, and never for the living time alone. */
  changed(channelId: number): void
  event(event: StreamEvent): void
}

export interface Engine {
  /** Adds or changes a channel. Only what differs is touched; a new name touches nothing. */
  apply(wanted: Wanted): void
  remove(id: number): void
  /** What was measured; a channel the engine does not know is one that waits. */
  observe(id: number): ChannelObserved
  /** What was measured of a leg since it is known, whether or not it runs: an output or backup by its id, the first input without. */
  figures(id: number, leg?: number): Figures | undefined
  /** How loud the input on air is, as `Input.level`, with the id of the backup that it is; undefined where there is none. */
  level(id: number): { backup: number | undefined; level: number[] } | undefined
  /**
   * Pictures of what a channel's outputs are given, until the function returned is called: none while there is nothing. Their bytes are
   * never changed afterwards.
   * @returns undefined for a channel that the engine does not know
   */
  watch(id: number, size: PictureSize, onPicture: (jpeg: Uint8Array) => void): (() => void) | undefined
  /** Bytes counted since the engine began: they only grow while a leg is left alone. */
  counted(id: number): { input: number; outputs: Map<number, number> }
  /** Opens the shared ports, or moves them. Until then no channel is reached at one. */
  usePorts(settings: PortSettings): void
  ports(): PortsObserved
  /** Tries at once to open what is not. */
  retryPorts(): void
  /** Throws a publisher or player of a channel out. False when there is none. It may come back, as `Output.drop` says. */
  dropClient(channelId: number, client: number): boolean
  /** Input traffic of all channels, oldest first: 60 seconds and 60 minutes. */
  traffic(): { mbpsS: number[]; mbpsM: number[] }
  /** The NDI sources of the network. */
  findNdi(): Promise<NdiFound>
  /** A device came online or went offline. */
  deviceChanged(sn: string): void
  /** What the machine lacks: a sentence each, with what does not work and how to install it. */
  missing(): { text: string; optional: boolean }[]
  /** Where streams may go has changed: what leads elsewhere is ended, and says why. The others go on. */
  judgeAnew(): void
  /** What the web server hands out. */
  readonly shelves: HlsShelves
  /** Who comes with wrong keys, there and everywhere else. */
  readonly guesses: Guesses
  /** Processes that run now. */
  processes(): number
  /** Ends all processes and asks devices to stop. */
  close(): Promise<void>
}

interface Channel {
  wanted: Wanted
  input: Input | undefined
  /** Its id. */
  inputId: number
  /** By their ids. */
  backups: Map<number, Input>
  /** What is between inputs and outputs where there is more than the one input. */
  board: Switchboard | undefined
  /** What the outputs are given. */
  stream: Stream | undefined
  /** Those who look at it. */
  watchers: Set<Pictures>
  outputs: Map<number, { made: string; output: Output; allowed: Allowed }>
  /** Bytes of the input that the traffic history already holds. */
  counted: number
  shown: string
  figures: Map<number | 'input', Figures>
  /** What was last announced of each leg: true is up, a number the failure, undefined nothing yet. */
  announced: Map<string, true | number | undefined>
}

const SWITCH: SwitchRule = { 'after-s': SWITCH_AFTER.standard, back: 'first', 'back-after-s': SWITCH_BACK.standard }
const IDLE: LegObserved = { state: SOURCE.initializing, connState: CONNECTION.waiting, kbps: 0, livingTimeS: 0 }

export function createEngine(options: EngineOptions): Engine {
  const launcher = createLauncher(options.ffmpeg, options.veil)
  const history = createHistory()
  const channels = new Map<number, Channel>()
  const inputs = new Map<string, { input: Input; users: Set<string> }>()
  const leaving = new Map<string, Promise<void>>()
  /** Outputs that are on their way out. */
  const ending = new Set<Promise<void> | undefined>()
  let soon: ReturnType<typeof setTimeout> | undefined
  let closed = false
  let lastClient = 0

  const shelves: HlsShelves = new Map()
  const now = () => performance.now()
  const ndi = createNdi({ launcher, ffmpeg: options.ffmpeg, now, ...options.ndi })
  const finder = createNdiFinder(ndi, launcher, () => options.ndiChanged?.())

  const guesses = createGuesses({
    // What is stopped comes to nobody's ear, but its keys are those of somebody.
    known: (mark) => [...channels.values()].some(({ wanted }) => keysOf(wanted).some((key) => markOf(key) === mark)),
    began: (address) => options.guessed?.(address),
    now
  })

  const around: Surroundings = {
    launcher,
    pushHost: options.pushHost ?? '0.0.0.0',
    outputHost: options.outputHost ?? '0.0.0.0',
    srtProgram: () => find(options.srtProgram ?? SRT_PROGRAM),
    ndi,
    patience: { ...PATIENCE, ...options.patience },
    shelves,
    guesses,
    place: (host) => placeOf(host, options.forbidPrivate?.() ?? false),
    order: (sn, order) => options.order(sn, order),
    endOrder: (sn) => options.endOrder(sn),
    play: (sn, order) => options.play(sn, order),
    endPlay: (sn) => options.endPlay(sn),
    deviceOnline: (sn) => options.deviceOnline(sn),
    publisher: (id) => ports.publisher(id),
    turnedAway: (id) => ports.turnedAway(id),
    released: async (key) => leaving.get(key),
    clientId: () => ++lastClient,
    now,
    changed() {
      if (closed) return
      soon ??= setTimeout(refresh, COALESCE)
    }
  }

  const ports = createSharedPorts({
    host: options.sharedHost ?? '0.0.0.0',
    around,
    publisherChanged(channel) {
      inputs.get(originKey({ id: 0, name: '', kind: 'pushed', channel }))?.input.originChanged()
    },
    changed: () => options.portsChanged?.(),
    refused: (refusal) => options.turnedAway?.(refusal)
  })

  /** An input as a channel uses it, be it the first or a backup: inputs of the same origin are one. */
  function share(channel: Channel, input: WantedInput): Input {
    const key = originKey(input)
    let shared = inputs.get(key)
    if (!shared) {
      shared = { input: createInput(input, around), users: new Set() }
      inputs.set(key, shared)
    }
    shared.users.add(`${channel.wanted.id} ${input.id}`)
    return shared.input
  }

  function acquire(channel: Channel): void {
    if (!channel.wanted.input) return
    const input = share(channel, channel.wanted.input)
    channel.input = input
    channel.inputId = channel.wanted.input.id
    channel.counted = input.total()
    figuresOf(channel, 'input').begin(input.counted(around.now()), around.now())
  }

  function figuresOf(channel: Channel, leg: number | 'input'): Figures {
    let figures = channel.figures.get(leg)
    if (!figures) {
      figures = createFigures(LAG)
      channel.figures.set(leg, figures)
    }
    return figures
  }

  function release(channel: Channel): void {
    const { input, inputId } = channel
    channel.input = undefined
    channel.announced.delete('input')
    if (input) unshare(channel, inputId, input)
  }

  function unshare(channel: Channel, id: number, input: Input): void {
    const shared = inputs.get(input.key)
    if (!shared) return
    shared.users.delete(`${channel.wanted.id} ${id}`)
    if (shared.users.size > 0) return
    inputs.delete(input.key)
    const gone = input.stop().finally(() => {
      if (leaving.get(input.key) === gone) leaving.delete(input.key)
    })
    leaving.set(input.key, gone)
  }

  function drop(channel: Channel, id: number): void {
    const output = channel.outputs.get(id)?.output
    const key = output?.key
    const gone = output?.stop().finally(() => {
      ending.delete(gone)
      if (key !== undefined && leaving.get(key) === gone) leaving.delete(key)
    })
    if (gone) ending.add(gone)
    if (gone && key !== undefined) leaving.set(key, gone)
    channel.outputs.delete(id)
    channel.announced.delete(`output ${id}`)
  }

  function reconcile(channel: Channel): void {
    const { wanted } = channel
    const input = wanted.enable ? wanted.input : null
    // What goes, goes before what comes: it may hold the same port.
    const outputs = input ? wanted.outputs.filter(({ enable = true }) => enable) : []
    for (const [id, { made, allowed, output }] of channel.outputs) {
      const still = outputs.find((each) => each.id === id)
      const same = still && madeOf(still) === made
      if (!same || (!output.recheck && rangesOf(still, wanted).join() !== allowed.ranges.join())) drop(channel, id)
    }
    const backups = input ? (wanted.backups ?? []) : []
    for (const [id, backup] of channel.backups) {
      const still = backups.find((each) => each.id === id)
      if (still && backup.key === originKey(still)) continue
      channel.backups.delete(id)
      channel.announced.delete(`backup ${id}`)
      unshare(channel, id, backup)
    }
    if (channel.input && (!input || channel.inputId !== input.id || channel.input.key !== originKey(input)))
      release(channel)
    if (input && !channel.input) acquire(channel)
    if (input?.kind === 'device') channel.input?.change(input.manner)
    for (const backup of backups) {
      if (!channel.backups.has(backup.id)) {
        const shared = share(channel, backup)
        channel.backups.set(backup.id, shared)
        figuresOf(channel, backup.id).begin(shared.counted(around.now()), around.now())
      }
      if (backup.kind === 'device') channel.backups.get(backup.id)?.change(backup.manner)
    }
    const stream = connect(channel)
    channel.stream = stream
    for (const watcher of channel.watchers) watcher.to(stream)
    for (const output of outputs) {
      const ranges = rangesOf(output, wanted)
      let leg = channel.outputs.get(output.id)
      if (!leg) {
        const mine = { made: madeOf(output), allowed: createAllowed(ranges) }
        leg = Object.assign(mine, { output: createOutput(structuredClone(output), around, () => mine.allowed) })
        channel.outputs.set(output.id, leg)
        figuresOf(channel, output.id).begin(leg.output.counted(around.now()), around.now())
      } else if (leg.allowed.ranges.join() !== ranges.join()) {
        leg.allowed = createAllowed(ranges)
        leg.output.recheck?.()
      }
      if (stream) leg.output.attach(stream)
    }
    ports.apply(wanted.id, wanted.door, stream, input?.kind === 'pushed' ? channel.input : undefined)
  }

  /** What the outputs are given: the one input as it is, or what the switchboard makes of several. */
  function connect(channel: Channel): Stream | undefined {
    const { input, wanted } = channel
    const { backups = [], switch: rule = SWITCH, slate = false } = wanted
    if (!input || (backups.length === 0 && !slate)) {
      channel.board?.stop()
      channel.board = undefined
      return input
    }
    const inputs = [
      { id: channel.inputId, input },
      ...backups.flatMap(({ id }) => {
        const backup = channel.backups.get(id)
        return backup ? { id, input: backup } : []
      })
    ]
    const setting = { name: wanted.name, inputs, rule, slate }
    if (channel.board) channel.board.set(setting)
    else
      channel.board = createSwitchboard(setting, around, ({ why }) =>
        options.event({ channelId: wanted.id, kind: 'channel-switched', name: channel.wanted.name, reason: why })
      )
    return channel.board.stream
  }

  /** What a channel without a switchboard has on air. */
  function onAirOf({ board, input, inputId }: Channel, at: number): ChannelObserved['onAir'] {
    if (board) return board.view()
    if (!input) return undefined
    const carries = input.view(at).connState === CONNECTION.connected
    return { input: inputId, slate: false, why: carries ? 'on-air-first' : 'on-air-none' }
  }

  function observe(id: number): ChannelObserved {
    const channel = channels.get(id)
    const at = around.now()
    const input = channel?.input?.view(at) ?? IDLE
    const outputs = new Map<number, OutputObserved>()
    for (const output of channel?.wanted.outputs ?? [])
      outputs.set(output.id, channel?.outputs.get(output.id)?.output.view(at) ?? IDLE)
    const backups = new Map([...(channel?.backups ?? [])].map(([each, backup]) => [each, backup.view(at)]))
    const onAir = channel && onAirOf(channel, at)
    const whole = channel?.board?.input()?.view(at) ?? input
    return { ...whole, input, backups, outputs, clients: clientsOf(id, at), ...(onAir && { onAir }) }
  }

  /** Who sends to it and takes from it, oldest first. */
  function clientsOf(id: number, at: number): ClientObserved[] {
    const channel = channels.get(id)
    const takers = (channel?.wanted.outputs ?? []).flatMap(({ id: output, protocol }) => {
      const mine = channel?.outputs.get(output)?.output.takers?.(at) ?? []
      return mine.map((taker) => ({ ...taker, sends: false, protocol, output }))
    })
    return [...ports.clients(id), ...takers].sort((a, b) => a.id - b.id)
  }

  /** Tells of what has changed since it was last called. */
  function refresh(): void {
    clearTimeout(soon)
    soon = undefined
    for (const [id, channel] of channels) {
      const view = observe(id)
      if (channel.input && channel.wanted.input) announce(channel, 'input', channel.wanted.input, view.input, undefined)
      for (const backup of channel.wanted.backups ?? []) {
        const seen = view.backups?.get(backup.id)
        if (seen) announce(channel, `backup ${backup.id}`, backup, seen, undefined)
      }
      for (const output of channel.wanted.outputs) {
        const leg = channel.outputs.get(output.id)?.output
        const seen = view.outputs.get(output.id)
        if (leg && seen) announce(channel, `output ${output.id}`, output, seen, leg.lastWord())
      }
      const shown = JSON.stringify([view, ...view.outputs, ...(view.backups ?? [])], (name, value) =>
        name === 'livingTimeS' ? undefined : value
      )
      if (shown === channel.shown) continue
      channel.shown = shown
      options.changed(id)
    }
  }

  /** An event when a leg begins to carry, when it ends, and when it fails in a new way. */
  function announce(
    channel: Channel,
    leg: string,
    wanted: WantedInput | WantedOutput,
    view: LegObserved,
    word: Reason | undefined
  ): void {
    const { id, name } = wanted
    const player = 'protocol' in wanted && wanted.protocol === PROTOCOL_DEFAULT ? wanted.config.sn : undefined
    const side = leg.startsWith('output') ? 'output' : 'input'
    const before = channel.announced.get(leg)
    const up = view.connState === CONNECTION.connected
    const failed = view.connState > CONNECTION.connected ? view.connState : undefined
    if (up ? before === true : before !== true && (failed === undefined || failed === before)) return
    channel.announced.set(leg, up ? true : failed)
    const reason = view.reason ?? word
    options.event({
      channelId: channel.wanted.id,
      kind: `${side}-${up ? 'up' : 'down'}`,
      name,
      ...(side === 'input' && { input: id }),
      ...(player !== undefined && { player }),
      ...(!up && reason !== undefined && { reason })
    })
  }

  async function judge(channel: Channel): Promise<void> {
    const { wanted } = channel
    const forbidden = async (host: string | undefined) => {
      const error =
        host === undefined
          ? undefined
          : await around.place(host).then(
              () => undefined,
              (reason) => reason
            )
      return error instanceof Forbidden
    }
    const sources = [wanted.input, ...(wanted.backups ?? [])].map((input) => input && sourceHost(input))
    const source = (await Promise.all(sources.map((host) => forbidden(host ?? undefined)))).includes(true)
    const targets = await Promise.all(wanted.outputs.map((output) => forbidden(targetHost(output))))
    // Changed meanwhile, it was judged as it began.
    if (closed || channel.wanted !== wanted) return
    if (source) {
      channel.wanted = { ...wanted, enable: false }
      reconcile(channel)
      channel.wanted = wanted
    } else for (const [at, output] of wanted.outputs.entries()) if (targets[at]) drop(channel, output.id)
    reconcile(channel)
    around.changed()
  }

  let ticks = 0
  let measured = 0
  const timer = setInterval(() => {
    const at = around.now()
    for (const { input } of inputs.values()) input.tick(at)
    for (const channel of channels.values()) for (const { output } of channel.outputs.values()) output.tick(at)
    for (const { board } of channels.values()) board?.tick()
    ports.tick(at)
    refresh()
    measure(at)
    if (++ticks % (1000 / TICK) === 0) countSecond()
  }, TICK)

  /** Once in each second of the clock. */
  function measure(at: number): void {
    const second = Math.floor(at / 1000)
    if (second === measured) return
    measured = second
    for (const channel of channels.values()) {
      if (channel.input) figuresOf(channel, 'input').measure(channel.input.counted(at), at)
      for (const [id, backup] of channel.backups) figuresOf(channel, id).measure(backup.counted(at), at)
      for (const [id, { output }] of channel.outputs) figuresOf(channel, id).measure(output.counted(at), at)
    }
  }

  function countSecond(): void {
    let bytes = 0
    for (const channel of channels.values()) {
      if (!channel.input) continue
      bytes += channel.input.total() - channel.counted
      channel.counted = channel.input.total()
    }
    history.second(bytes)
  }

  return {
    apply(wanted) {
      if (closed) return
      const kept = structuredClone(wanted)
      const channel = channels.get(wanted.id) ?? {
        wanted: { ...kept, enable: false },
        input: undefined,
        inputId: 0,
        backups: new Map(),
        board: undefined,
        stream: undefined,
        watchers: new Set(),
        outputs: new Map(),
        counted: 0,
        shown: '',
        figures: new Map(),
        announced: new Map()
      }
      channels.set(wanted.id, channel)
      const was = channel.wanted.enable
      channel.wanted = kept
      const legs = new Set([...kept.outputs, ...(kept.backups ?? [])].map((leg) => leg.id))
      for (const leg of channel.figures.keys()) if (leg !== 'input' && !legs.has(leg)) channel.figures.delete(leg)
      if (was !== wanted.enable)
        options.event({
          channelId: wanted.id,
          kind: wanted.enable ? 'channel-started' : 'channel-stopped',
          name: wanted.name
        })
      reconcile(channel)
      around.changed()
    },
    remove(id) {
      const channel = channels.get(id)
      if (!channel) return
      const { enable, name } = channel.wanted
      channel.wanted.enable = false
      reconcile(channel)
      channels.delete(id)
      if (enable) options.event({ channelId: id, kind: 'channel-stopped', name })
    },
    observe,
    level(id) {
      const channel = channels.get(id)
      const input = channel?.board ? channel.board.input() : channel?.input
      const level = input?.level(around.now())
      return level && { backup: [...(channel?.backups ?? [])].find(([, backup]) => backup === input)?.[0], level }
    },
    watch(id, size, onPicture) {
      const channel = channels.get(id)
      if (!channel) return undefined
      const pictures = createPictures(size, onPicture, around)
      channel.watchers.add(pictures)
      pictures.to(channel.stream)
      return () => {
        channel.watchers.delete(pictures)
        pictures.stop()
      }
    },
    figures: (id, leg) => channels.get(id)?.figures.get(leg ?? 'input'),
    counted(id) {
      const channel = channels.get(id)
      const outputs = new Map([...(channel?.outputs ?? [])].map(([each, { output }]) => [each, output.total()]))
      return { input: channel?.input?.total() ?? 0, outputs }
    },
    usePorts(settings) {
      if (!closed) ports.use(settings)
    },
    ports: ports.observe,
    retryPorts: ports.retry,
    dropClient: (id, client) =>
      ports.drop(id, client) ||
      [...(channels.get(id)?.outputs.values() ?? [])].some(({ output }) => output.drop?.(client) ?? false),
    traffic: history.read,
    findNdi: finder.find,
    deviceChanged(sn) {
      for (const channel of channels.values())
        for (const { output } of channel.outputs.values()) if (output.key === playKey(sn)) output.originChanged?.()
      inputs.get(originKey({ id: 0, name: '', kind: 'device', sn }))?.input.originChanged()
    },
    missing: () => [
      ...[...launcher.missing(), ...ports.missing()].map((text) => ({ text, optional: false })),
      // Many a hub is never to carry it.
      ...ndi.missing().map((text) => ({ text, optional: true }))
    ],
    judgeAnew() {
      for (const channel of channels.values()) void judge(channel)
    },
    shelves,
    guesses,
    processes: launcher.count,
    async close() {
      closed = true
      clearInterval(timer)
      clearTimeout(soon)
      for (const channel of channels.values()) {
        channel.wanted.enable = false
        reconcile(channel)
      }
      channels.clear()
      finder.stop()
      await ports.close()
      await Promise.all([...leaving.values(), ...ending, launcher.stopAll()])
      await launcher.quiet()
    }
  }
}

/** All keys that somebody may have been given for a channel. */
function keysOf({ door, outputs }: Wanted): string[] {
  const own = outputs.flatMap(({ config }) => ('key' in config && config.key ? [config.key] : []))
  return door ? [door.pushKey, door.playKey, ...own] : own
}

/** From where players may come to an output: as it says, else as its channel does. */
function rangesOf({ protocol, config }: WantedOutput, { door }: Wanted): readonly string[] {
  const played = protocol === RTSP || protocol === HTTP || (protocol === SRT && config.mode === 'listener')
  if (!played) return []
  return config['allow-ip']?.length ? config['allow-ip'] : (door?.allowIp ?? [])
}

/** What an output is made of: a change of it makes another one, but for from where players may come. Its name belongs to that only where it is known by it elsewhere. */
function madeOf({ name, protocol, config }: WantedOutput): string {
  const parts = Object.entries(config).filter(([part]) => part !== 'allow-ip')
  const made = [protocol, parts.sort(([a], [b]) => (a < b ? -1 : 1))]
  return JSON.stringify(protocol === NDI ? [...made, name] : made)
}
