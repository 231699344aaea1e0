// Creates the client of the stream engine and the components which control channels.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../contract/device/status.ts'
import { DEFAULT_HEALTH_BOUNDS } from '../../contract/health.ts'
import { LOG_ERROR, LOG_WARNING } from '../../contract/log.ts'
import { createEngineClient } from '../../engine/client/engine-client.ts'
import { engineSocketPath } from '../../engine/client/socket-path.ts'
import type { StreamEvent } from '../../engine/interfaces/channel.ts'
import type { EngineClient, EngineClientOptions } from '../../engine/interfaces/engine-client.ts'
import type { NdiStatus } from '../../engine/interfaces/ndi.ts'
import type { DeviceState, EngineEvent } from '../../engine/interfaces/wire.ts'
import { createScheduler } from '../channels/scheduler.ts'
import { createSharedPorts } from '../channels/shared-ports.ts'
import { createStreamLog, type StreamLog } from '../channels/stream-log.ts'
import { createIncomingStreams } from '../devices/incoming-streams.ts'
import { ChannelHealthMonitor } from '../health/channel-health.ts'
import type { StoredSince } from '../health/channel-verdicts.ts'
import { RouterService } from '../ndi/router-service.ts'
import { channelSetting, holdOf } from '../store/channels.ts'
import type { Store } from '../store/store.ts'
import { PanelServers } from '../videohub/panel-servers.ts'
import type { DeviceServices } from './device-services.ts'
import { DEFAULT_HOST, type HubOptions } from './options.ts'

interface StreamServicesOptions {
  store: Store
  options: HubOptions
  devices: Pick<DeviceServices, 'links' | 'registry'>
  /** Applies the stored configuration of a channel to the engine. */
  applyChannel(id: number): void
  /** The NDI runtime can be used, or cannot be used any more. */
  onNdiStatusChange(status: NdiStatus): void
}

export type StreamServices = ReturnType<typeof createStreamServices>

export function createStreamServices({
  store,
  options,
  devices,
  applyChannel,
  onNdiStatusChange
}: StreamServicesOptions) {
  const { links, registry } = devices
  const streamLog = createStreamLog(store)
  const engine: EngineClient = createEngineClient({
    socket: options.engineSocket ?? engineSocketPath(options.data),
    forbidPrivate: () => store.settings.get('streams')['forbid-private'],
    orderPush: links.orderStream,
    cancelOrder: links.cancelOrder,
    orderPlayback: links.orderPlayback,
    cancelPlayback: links.cancelPlayback,
    deviceState: (sn) => deviceState(devices, store, sn),
    onlineDevices: () => registry.onlineSerials(),
    onNdiSourcesChange: () => store.changes.markChanged('source'),
    onNdiStateChange: () => store.changes.markChanged('ndi'),
    onPortsChange() {
      store.changes.markChanged('status')
      streamLog.logPorts(engine.observePorts())
    },
    onChannelChange(id) {
      store.changes.markChanged('channel', id)
      channelHealth.refresh(id)
      incomingStreams.refreshChannel(id)
    },
    wantedMatrices: () => routers.wantedMatrices(),
    onMatrixChange: (id) => routers.observationChanged(id),
    onNdiStatusChange,
    // On disk before the engine forgets them.
    onEvents(events) {
      const released = store.database.transaction(() => {
        for (const event of events) logEngineEvent(streamLog, event)
        return events.filter((event) => event.kind === 'stream' && endHold(store, event.event))
      })
      for (const event of released) if (event.kind === 'stream') applyChannel(event.event.channelId)
    },
    ...engineStateEvents(store, () => channelHealth.restartAll())
  })
  const channelHealth = new ChannelHealthMonitor({
    engine,
    boundsOf(id) {
      const row = store.channels.byId(id)
      return row ? channelSetting(row, 'health') : DEFAULT_HEALTH_BOUNDS
    },
    onChange(id) {
      store.changes.markChanged('channel', id)
      store.changes.markChanged('problem')
    },
    hasNoSignal: (sn) => ((registry.liveState(sn)?.observation?.warns ?? 0) & DEVICE_WARNING_BITS.noSignal) !== 0,
    storedSince: storedBeginnings(store)
  })
  const incomingStreams = createIncomingStreams({
    store,
    observe: engine.observe,
    onDeviceChanged: (id) => store.changes.markChanged('device', id)
  })
  const scheduler = createScheduler({ store, onSwitch: applyChannel, clock: options.clock })
  const routers = new RouterService(store, engine, options.clock)
  const panels = new PanelServers({ routers, host: options.host ?? DEFAULT_HOST, logEvent: store.logEvent })
  const sharedPorts = createSharedPorts(store, engine, options.web?.confirmTime)
  return { engine, channelHealth, scheduler, routers, panels, incomingStreams, sharedPorts }
}

/** Looks up since when channels and outputs were in trouble when the hub was stopped. */
function storedBeginnings({ problems }: Store): (channel: number) => StoredSince {
  const stored = problems.all()
  return (channel) => (verdict, output) => {
    if (verdict !== 'down' && verdict !== 'degraded') return undefined
    return stored.get(output === undefined ? `channel-${channel}` : `output-${channel}-${output}`)?.since
  }
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
function deviceState({ registry }: Pick<DeviceServices, 'registry'>, { devices }: Store, sn: string): DeviceState {
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
  onRestarted: () => void
): Pick<EngineClientOptions, 'onAway' | 'onBack' | 'onMissing' | 'onOtherProtocol'> {
  return {
    onAway() {
      logEvent({ event: 'engine-away', level: LOG_ERROR })
      changes.markChanged('status')
    },
    onBack({ away, isRestarted }) {
      if (isRestarted) onRestarted()
      const event = isRestarted ? 'engine-restarted' : 'engine-back'
      logEvent({ event, detail: (away / 1000).toFixed(1), level: LOG_WARNING })
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
