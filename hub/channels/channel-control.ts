// Passes stored channels to the stream engine, and to the parts that follow them.
import type { WantedChannel } from '../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { WantedRecording } from '../../engine/interfaces/recording.ts'
import type { IncomingStreams } from '../devices/incoming-streams.ts'
import { Emitter } from '../emitter.ts'
import type { ChannelHealthMonitor } from '../health/channel-health.ts'
import type { Store } from '../store/store.ts'
import type { TimelineRecorder } from '../timeline/timeline-recorder.ts'
import { wantedChannel } from './wanted.ts'

/**
 * IDs of the channels that a device feeds or that feed a device.
 * @param device ID of the device; by default any device
 */
export function channelsOfDevices({ channels, devices }: Store, device?: number): number[] {
  const isAffected = (node: number) => (device === undefined || node === device) && devices.byId(node) !== undefined
  return channels
    .all()
    .filter(({ id }) =>
      [...channels.inputIds(id), ...channels.deviceOutputs(id).map((output) => output.id)].some(isAffected)
    )
    .map(({ id }) => id)
}

interface ChannelControlOptions {
  store: Store
  engine: Pick<EngineClient, 'apply' | 'remove'>
  channelHealth: { apply: ChannelHealthMonitor['apply'] }
  incomingStreams: Pick<IncomingStreams, 'refreshChannel'>
  timeline: Pick<TimelineRecorder, 'channelRemoved'>
  recordings: { wantedOf(id: number): WantedRecording | undefined }
}

/** The methods are arrow functions, so that they can be passed on as callbacks. */
export class ChannelControl {
  /** A channel was deleted. */
  readonly removed = new Emitter<[id: number]>()
  readonly #options: ChannelControlOptions

  constructor(options: ChannelControlOptions) {
    this.#options = options
  }

  /**
   * Passes the stored configuration of a channel to the stream engine, and marks the channel as changed. Resolves when
   * the engine has taken it over, or after a short time.
   */
  readonly apply = (id: number): Promise<void> => {
    const { store, channelHealth, incomingStreams, timeline } = this.#options
    const wanted = this.#wanted(id)
    channelHealth.apply(id, wanted)
    const applied = this.#pass(id, wanted)
    incomingStreams.refreshChannel(id)
    if (wanted) store.changes.markChanged('channel', id)
    else {
      store.changes.markRemoved('channel', id)
      timeline.channelRemoved(id)
      this.removed.emit(id)
    }
    store.changes.markChanged('status')
    return applied
  }

  #wanted(id: number): WantedChannel | undefined {
    const wanted = wantedChannel(this.#options.store, id)
    const recording = this.#options.recordings.wantedOf(id)
    return wanted && { ...wanted, ...(recording && { recording }) }
  }

  #pass(id: number, wanted: WantedChannel | undefined): Promise<void> {
    const { engine } = this.#options
    return wanted ? engine.apply(wanted) : engine.remove(id)
  }

  applyAll(): void {
    for (const { id } of this.#options.store.channels.all()) void this.apply(id)
  }

  /**
   * The stream configuration of a device changed, or the global one if no ID is given: applies the channels that use
   * it.
   */
  readonly deviceConfigChanged = (device?: number): void => {
    for (const id of channelsOfDevices(this.#options.store, device)) void this.apply(id)
  }
}
