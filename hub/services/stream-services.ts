// Creates the client of the stream engine and the components which control channels.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { LOG_ERROR, LOG_WARNING } from '../../contract/log.ts'
import { createEngineClient } from '../../engine/client/engine-client.ts'
import { engineSocketPath } from '../../engine/client/socket-path.ts'
import type { EngineClient, EngineClientOptions } from '../../engine/interfaces/engine-client.ts'
import type { DeviceState, EngineEvent } from '../../engine/interfaces/wire.ts'
import { createScheduler } from '../channels/scheduler.ts'
import { createSharedPorts } from '../channels/shared-ports.ts'
import { createStreamLog, type StreamLog } from '../channels/stream-log.ts'
import { createIncomingStreams } from '../devices/incoming-streams.ts'
import type { Store } from '../store/store.ts'
import type { DeviceServices } from './device-services.ts'
import type { HubOptions } from './options.ts'

interface StreamServicesOptions {
  store: Store
  options: HubOptions
  devices: Pick<DeviceServices, 'links' | 'registry'>
  /** Applies the stored configuration of a channel to the engine. */
  applyChannel(id: number): void
}

export type StreamServices = ReturnType<typeof createStreamServices>

export function createStreamServices({ store, options, devices, applyChannel }: StreamServicesOptions) {
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
    onPortsChange() {
      store.changes.markChanged('status')
      streamLog.logPorts(engine.observePorts())
    },
    onChannelChange(id) {
      store.changes.markChanged('channel', id)
      incomingStreams.refreshChannel(id)
    },
    // On disk before the engine forgets them.
    onEvents: (events) =>
      store.database.transaction(() => {
        for (const event of events) logEngineEvent(streamLog, event)
      }),
    ...engineStateEvents(store)
  })
  const incomingStreams = createIncomingStreams({
    store,
    observe: engine.observe,
    onDeviceChanged: (id) => store.changes.markChanged('device', id)
  })
  const scheduler = createScheduler({ store, onSwitch: applyChannel, clock: options.clock })
  return { engine, scheduler, incomingStreams, sharedPorts: createSharedPorts(store, engine) }
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
function engineStateEvents({
  changes,
  logEvent
}: Store): Pick<EngineClientOptions, 'onAway' | 'onBack' | 'onMissing' | 'onOtherProtocol'> {
  return {
    onAway() {
      logEvent({ event: 'engine-away', level: LOG_ERROR })
      changes.markChanged('status')
    },
    onBack({ away, isRestarted }) {
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
