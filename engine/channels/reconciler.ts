// Brings the running legs of a channel in line with the wanted state. Only differing legs are stopped or started.
import { isDeepStrictEqual } from 'node:util'
import { SWITCH_AFTER, SWITCH_BACK } from '../../contract/limits.ts'
import type { SwitchRule } from '../../contract/stream/channel.ts'
import { HTTP, NDI, RTP, RTSP, SRT, UDP } from '../../contract/stream/protocols.ts'
import { createIpAllowList } from '../access/ip-allow-list.ts'
import type { Input } from '../inputs/input.ts'
import { InputSwitch } from '../inputs/input-switch.ts'
import { inputKey } from '../inputs/origin.ts'
import type { StreamEvent, WantedChannel, WantedInput, WantedOutput } from '../interfaces/channel.ts'
import type { Stream } from '../interfaces/relay.ts'
import { createOutput, type OutputParts, type TakeOver } from '../outputs/output.ts'
import type { SharedPorts } from '../ports/shared-ports.ts'
import { Recorder, type RecorderParts } from '../recording/recorder.ts'
import { type Channel, type ChannelOutput, hasFallbacks, type TakeOverStage } from './channel.ts'
import type { InputPool } from './input-pool.ts'
import type { Releases } from './releases.ts'

const DEFAULT_RULE: SwitchRule = {
  'after-s': SWITCH_AFTER.default,
  back: 'first',
  'back-after-s': SWITCH_BACK.default
}

interface ReconcilerOptions {
  context: OutputParts & RecorderParts
  inputs: InputPool
  releases: Releases
  ports: SharedPorts
  onEvent(event: StreamEvent): void
}

export class Reconciler {
  readonly #options: ReconcilerOptions

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  reconcile(channel: Channel): void {
    const { wanted, stage } = channel
    const { inputs } = this.#options
    const canRun = (each: WantedInput) => stage === 'complete' || runsBeside(each, inputs.isContinued(inputKey(each)))
    const input = wanted.enable && wanted.input && canRun(wanted.input) ? wanted.input : null
    const outputs = input ? wanted.outputs.filter((each) => (each.enable ?? true) && isInStage(each, stage)) : []
    const backups = input ? (wanted.backups ?? []).filter(canRun) : []
    // Legs are stopped before others are started, because both may use the same port.
    this.#stopOutputs(channel, outputs)
    this.#releaseInputs(channel, input, backups)
    this.#acquireInputs(channel, input, backups)
    const stream = this.#connectInputs(channel)
    channel.setStream(stream)
    for (const preview of channel.previews) preview.attach(stream)
    channel.watch?.attach(stream)
    for (const output of outputs) {
      const encoded = stream && channel.encoders.streamFor(output, stream, this.#options.context)
      this.#startOutput(channel, output, encoded)
    }
    for (const ending of channel.encoders.stopUnused(outputs)) this.#options.releases.add(ending)
    if (stage !== 'complete') return
    this.#updateRecorder(channel, stream)
    for (const { output } of channel.outputs.values()) output.endTakeOver?.()
    const published = input?.kind === 'pushed' ? channel.input : undefined
    this.#options.ports.applyChannel(wanted.id, wanted.access, stream, published)
  }

  /**
   * Removes the input switch of a channel that has no other inputs any more, once no picture is on air that this would
   * interrupt.
   */
  dropIdleSwitch(channel: Channel): void {
    if (channel.inputSwitch && !hasFallbacks(channel.wanted) && this.#isIdle(channel.inputSwitch.stream))
      this.reconcile(channel)
  }

  stopOutput(channel: Channel, id: number): void {
    const output = channel.outputs.get(id)?.output
    if (output) this.#options.releases.add(output.stop(), output.key)
    channel.outputs.delete(id)
    channel.forgetEvents(`output ${id}`)
  }

  /** Starts or stops the recording. The other engine records a channel until it is handed over. */
  #updateRecorder(channel: Channel, stream: Stream | undefined): void {
    const { context, releases } = this.#options
    const { enable, recording } = channel.wanted
    const wanted = enable ? recording : undefined
    if (channel.recorder && !isDeepStrictEqual(channel.recorder.wanted, wanted)) {
      releases.add(channel.recorder.stop())
      channel.recorder = undefined
    }
    if (!wanted) return
    channel.recorder ??= new Recorder(wanted, context)
    channel.recorder.attach(stream)
  }

  /** Stops outputs that are not wanted, or that are wanted with another configuration. */
  #stopOutputs(channel: Channel, wanted: readonly WantedOutput[]): void {
    for (const [id, { fingerprint, allowList, output }] of channel.outputs) {
      const next = wanted.find((each) => each.id === id)
      const isSame = next && outputFingerprint(next) === fingerprint
      const hasSameRanges = () => next && allowedRanges(next, channel.wanted).join() === allowList.ranges.join()
      if (!isSame || (!output.recheckAddresses && !hasSameRanges())) this.stopOutput(channel, id)
    }
  }

  #releaseInputs(channel: Channel, input: WantedInput | null, backups: readonly WantedInput[]): void {
    const { inputs } = this.#options
    for (const [id, backup] of channel.backups) {
      const next = backups.find((each) => each.id === id)
      if (next && backup.key === inputKey(next)) continue
      channel.backups.delete(id)
      channel.forgetEvents(`input ${id}`)
      inputs.release(channel.wanted.id, id, backup)
    }
    const { input: current, inputId } = channel
    if (!current || (input && inputId === input.id && current.key === inputKey(input))) return
    channel.input = undefined
    channel.forgetEvents(`input ${inputId}`)
    inputs.release(channel.wanted.id, inputId, current)
  }

  #acquireInputs(channel: Channel, input: WantedInput | null, backups: readonly WantedInput[]): void {
    const { inputs, context } = this.#options
    const now = context.now()
    if (input && !channel.input) {
      channel.input = inputs.acquire(channel.wanted.id, input)
      channel.inputId = input.id
      channel.trafficBytes = channel.input.totalBytes()
      channel.stats('input').setBaseline(channel.input.counters(now), now)
    }
    if (input?.kind === 'device') channel.input?.changePushSettings(input.push)
    for (const backup of backups) {
      let running = channel.backups.get(backup.id)
      if (!running) {
        running = inputs.acquire(channel.wanted.id, backup)
        channel.backups.set(backup.id, running)
        channel.stats(backup.id).setBaseline(running.counters(now), now)
      }
      if (backup.kind === 'device') running.changePushSettings(backup.push)
    }
  }

  /**
   * Returns the stream for the outputs: the only input, or the output of the input switch. A switch for a channel on
   * air is used once its stream has begun, and stays when the last backup is removed until nothing is on air, so that
   * the picture goes on.
   */
  #connectInputs(channel: Channel): Stream | undefined {
    const { inputSwitch, input, wanted, stream } = channel
    const isSwitchOnAir = inputSwitch && stream === inputSwitch.stream && !this.#isIdle(stream)
    if (!input || !(hasFallbacks(wanted) || isSwitchOnAir)) {
      inputSwitch?.stop()
      channel.inputSwitch = undefined
      return input
    }
    const next = this.#updateSwitch(channel, input)
    return stream === input && input.isActive() && !next.hasStarted() ? input : next.stream
  }

  #isIdle(stream: Stream): boolean {
    const { now, timeouts } = this.#options.context
    return now() - (stream.lastMediaAt() ?? Number.NEGATIVE_INFINITY) > timeouts.stall
  }

  /** Creates the input switch, or changes its settings. */
  #updateSwitch(channel: Channel, input: Input): InputSwitch {
    const { context, onEvent } = this.#options
    const { wanted } = channel
    const {
      backups = [],
      switch: rule = DEFAULT_RULE,
      slate = false,
      hold,
      'switch-on-track-loss': onTrackLoss = true,
      'hold-both': holdBoth = false
    } = wanted
    const first = { id: channel.inputId, input }
    const others = backups.flatMap(({ id }) => {
      const backup = channel.backups.get(id)
      return backup ? { id, input: backup } : []
    })
    const inputs = [first, ...others]
    const hasBadContent = (id: number) => channel.content.get(id)?.switchesOver ?? false
    const settings = {
      name: wanted.name,
      inputs,
      rule,
      slate,
      onTrackLoss,
      hasBadContent,
      holdBoth,
      ...(hold && { hold })
    }
    if (channel.inputSwitch) {
      channel.inputSwitch.update(settings)
      return channel.inputSwitch
    }
    const created = new InputSwitch(settings, context, {
      onSwitch: ({ reason }, endedHold) => {
        if (!hasFallbacks(channel.wanted)) return
        onEvent({
          channelId: wanted.id,
          kind: 'channel-switched',
          name: channel.wanted.name,
          reason,
          ...(endedHold !== undefined && { endedHold })
        })
      },
      onStart: () => {
        if (channel.inputSwitch === created && channel.stream !== created.stream) this.reconcile(channel)
      }
    })
    channel.inputSwitch = created
    return created
  }

  /** Starts an output, or changes its allowed addresses. */
  #startOutput(channel: Channel, wanted: WantedOutput, stream: Stream | undefined): void {
    const ranges = allowedRanges(wanted, channel.wanted)
    let running = channel.outputs.get(wanted.id)
    if (!running) {
      const takeOver = channel.isTakenOver ? { isWaiting: () => channel.stage === 'waiting' } : undefined
      running = this.#createOutput(wanted, ranges, takeOver)
      channel.outputs.set(wanted.id, running)
      const now = this.#options.context.now()
      channel.stats(wanted.id).setBaseline(running.output.counters(now), now)
    } else if (running.allowList.ranges.join() !== ranges.join()) {
      running.allowList = createIpAllowList(ranges)
      running.output.recheckAddresses?.()
    }
    if (stream) running.output.attach(stream)
  }

  #createOutput(wanted: WantedOutput, ranges: readonly string[], takeOver?: TakeOver): ChannelOutput {
    const base = { fingerprint: outputFingerprint(wanted), allowList: createIpAllowList(ranges) }
    const output = createOutput(structuredClone(wanted), this.#options.context, () => base.allowList, takeOver)
    return Object.assign(base, { output })
  }
}

/** Whether an input can run while another engine still receives it. @param isContinued as in `InputPool` */
function runsBeside(input: WantedInput, isContinued: boolean): boolean {
  if (input.kind !== 'url') return input.kind === 'ndi'
  const { protocol, srt } = input.url
  return protocol === UDP || protocol === RTP ? isContinued : !srt || srt.mode === 'caller'
}

/** HLS needs no port. It runs beside that of the other engine, so that players find segments of both. */
function isInStage({ protocol }: WantedOutput, stage: TakeOverStage): boolean {
  if (stage === 'complete' || protocol === HTTP) return true
  return stage === 'waiting' && (protocol === UDP || protocol === RTP)
}

/** Addresses that may connect to an output: its own if it has any, otherwise those of the channel. */
function allowedRanges({ protocol, config }: WantedOutput, { access }: WantedChannel): readonly string[] {
  const hasPlayers = protocol === RTSP || protocol === HTTP || (protocol === SRT && config.mode === 'listener')
  if (!hasPlayers) return []
  return config['allow-ip']?.length ? config['allow-ip'] : (access?.['allow-ip'] ?? [])
}

/**
 * The configuration of an output except its allowed addresses. If it changes, the output is restarted. The name is part
 * of it only for NDI, where it is the name of the source.
 */
function outputFingerprint({ name, protocol, config }: WantedOutput): string {
  const fields = Object.entries(config).filter(([field]) => field !== 'allow-ip')
  const fingerprint = [protocol, fields.sort(([a], [b]) => (a < b ? -1 : 1))]
  return JSON.stringify(protocol === NDI ? [...fingerprint, name] : fingerprint)
}
