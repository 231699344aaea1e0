// The client of the stream engine, as the hub connects it: devices obey its orders, its events are logged, and the
// parts that follow channels and matrices are added to its events when they are created.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { LOG_ERROR, LOG_WARNING } from '../../contract/log.ts'
import { createEngineClient } from '../../engine/client/create-engine-client.ts'
import type { StreamEvent } from '../../engine/interfaces/channel.ts'
import type { EngineClient, EngineClientOptions } from '../../engine/interfaces/engine-client.ts'
import type { NdiStatus } from '../../engine/interfaces/ndi.ts'
import type { DeviceState, EngineEvent } from '../../engine/interfaces/wire.ts'
import type { DeviceLinks } from '../devices/link/links.ts'
import type { Registry } from '../devices/registry.ts'
import { Emitter } from '../emitter.ts'
import type { Lifetime } from '../lifetime.ts'
import { wantedMatrices } from '../ndi/wanted-matrices.ts'
import { holdOf } from '../store/channels.ts'
import type { Store } from '../store/store.ts'
import type { TimelineRecorder } from '../timeline/timeline-recorder.ts'
import { type OfflineReasonParts, offlineReason } from './offline-reason.ts'
import { createStreamLog, type StreamLog } from './stream-log.ts'

export class EngineEvents {
  /** Observed values of a channel changed. */
  readonly channelChanged = new Emitter<[id: number]>()
  /** Observed values of a matrix changed. */
  readonly matrixChanged = new Emitter<[id: number]>()
  /** The NDI runtime can be used, or cannot be used any more. */
  readonly ndiStatusChanged = new Emitter<[status: NdiStatus]>()
  /** What an operator has put on air in a channel has ended. */
  readonly holdEnded = new Emitter<[channel: number]>()
  /** The engine was restarted, so that all streams were interrupted. */
  readonly restarted = new Emitter()
}

interface EngineOptions extends OfflineReasonParts {
  store: Store
  lifetime: Lifetime
  registry: Registry
  links: DeviceLinks
  timeline: TimelineRecorder
  /** Path of the engine's socket. */
  socket: string
}

export function createEngine(options: EngineOptions) {
  const { store, lifetime, registry, links, timeline, socket } = options
  const streamLog = createStreamLog(store)
  const engineEvents = new EngineEvents()
  const engine: EngineClient = createEngineClient({
    socket,
    forbidPrivate: () => store.settings.get('streams')['forbid-private'],
    orderPush: links.orderStream,
    cancelOrder: links.cancelOrder,
    orderPlayback: links.orderPlayback,
    cancelPlayback: links.cancelPlayback,
    deviceState: (sn) => deviceState(registry, store, sn),
    offlineReason: (sn) => offlineReason(options, sn),
    onlineDevices: () => registry.onlineSerials(),
    hasNoSignal: registry.hasNoSignal,
    onNdiSourcesChange: () => store.changes.markChanged('source'),
    onNdiStateChange: () => store.changes.markChanged('ndi'),
    onPortsChange() {
      store.changes.markChanged('status')
      streamLog.logPorts(engine.observePorts())
    },
    onChannelChange(id) {
      store.changes.markChanged('channel', id)
      engineEvents.channelChanged.emit(id)
    },
    wantedMatrices: () => wantedMatrices(store),
    onMatrixChange: engineEvents.matrixChanged.emit,
    onNdiStatusChange: engineEvents.ndiStatusChanged.emit,
    // On disk before the engine forgets them.
    onEvents(events) {
      const released = store.database.transaction(() => {
        for (const event of events) {
          logEngineEvent(streamLog, event)
          if (event.kind === 'stream') timeline.recordStreamEvent(event.event, event.time)
        }
        return events.filter((event) => event.kind === 'stream' && endHold(store, event.event))
      })
      for (const event of released) if (event.kind === 'stream') engineEvents.holdEnded.emit(event.event.channelId)
    },
    ...engineStateEvents(store, timeline, engineEvents.restarted.emit)
  })
  lifetime.add(engine)
  registry.stateChanged.on((sn) => engine.notifyDeviceChange(sn))
  registry.signalChanged.on((sn) => engine.notifyDeviceChange(sn))
  return { engine, engineEvents }
}

/**
 * Forgets what an operator has put on air once that has ended, so that a restarted engine does not put it on air again.
 * @returns whether this has changed the channel
 */
function endHold({ channels }: Store, { channelId, endedHold }: StreamEvent): boolean {
  const row = channels.byId(channelId)
  if (endedHold === undefined || !row || holdOf(row)?.version !== endedHold) return false
  channels.setHold(channelId)
  return true
}

/** A device that is not accepted any more must end its streams. */
function deviceState(registry: Registry, { devices }: Store, sn: string): DeviceState {
  if (registry.isOnline(sn)) return 'online'
  return devices.bySerial(sn)?.reg_state === REGISTRATION_STATE.accepted ? 'offline' : 'removed'
}

function logEngineEvent(streamLog: StreamLog, event: EngineEvent): void {
  if (event.kind === 'guessing') streamLog.logKeyGuessing(event.address)
  else if (event.kind === 'refusal') streamLog.logRefusal(event.refusal)
  else streamLog.logStreamEvent(event.event, event.time)
}

/** Logs whether the engine can be reached. */
function engineStateEvents(
  { changes, logEvent }: Store,
  timeline: Pick<TimelineRecorder, 'recordEngine'>,
  onRestart: () => void
): Pick<EngineClientOptions, 'onAway' | 'onRestart' | 'onBack' | 'onMissing' | 'onOtherProtocol'> {
  return {
    onAway() {
      logEvent({ event: 'engine-away', level: LOG_ERROR })
      timeline.recordEngine('engine-away')
      changes.markChanged('status')
    },
    onRestart,
    onBack({ away, isRestarted }) {
      const event = isRestarted ? 'engine-restarted' : 'engine-back'
      logEvent({ event, detail: (away / 1000).toFixed(1), level: LOG_WARNING })
      timeline.recordEngine(event, away)
      changes.markChanged('status')
    },
    onMissing(missing) {
      for (const { text, optional } of missing)
        logEvent({ event: 'engine-missing', detail: text, ...(!optional && { level: LOG_ERROR }) })
    },
    onOtherProtocol(protocol) {
      logEvent({ event: 'engine-outdated', detail: String(protocol), level: LOG_WARNING })
    }
  }
}
