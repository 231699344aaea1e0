// Creates the stream engine and the components which control channels.
import { createEngine } from '../../engine/engine.ts'
import type { Engine } from '../../engine/interfaces/engine.ts'
import { createScheduler } from '../channels/scheduler.ts'
import { createSharedPorts } from '../channels/shared-ports.ts'
import { createStreamLog } from '../channels/stream-log.ts'
import { createIncomingStreams } from '../devices/incoming-streams.ts'
import type { Store } from '../store/store.ts'
import type { DeviceServices } from './device-services.ts'
import type { HubOptions } from './options.ts'

interface StreamServicesOptions {
  store: Store
  /** Address on which the hub listens. */
  host: string
  options: HubOptions
  devices: Pick<DeviceServices, 'links' | 'registry'>
  /** Applies the stored configuration of a channel to the engine. */
  applyChannel(id: number): void
}

export type StreamServices = ReturnType<typeof createStreamServices>

export function createStreamServices({ store, host, options, devices, applyChannel }: StreamServicesOptions) {
  const { links, registry } = devices
  const streamLog = createStreamLog(store)
  const engine: Engine = createEngine({
    pushHost: host,
    outputHost: host,
    sharedHost: host,
    ...(options.ndi && { ndi: options.ndi }),
    forbidPrivate: () => store.settings.get('streams')['forbid-private'],
    orderPush: links.orderStream,
    cancelOrder: links.cancelOrder,
    orderPlayback: links.orderPlayback,
    cancelPlayback: links.cancelPlayback,
    isDeviceOnline: registry.isOnline,
    onNdiSourcesChange: () => store.changes.markChanged('source'),
    onPortsChange() {
      store.changes.markChanged('status')
      streamLog.logPorts(engine.observePorts())
    },
    onKeyGuessing: streamLog.logKeyGuessing,
    onPortRefusal: streamLog.logRefusal,
    onChannelChange(id) {
      store.changes.markChanged('channel', id)
      incomingStreams.refreshChannel(id)
    },
    onEvent: streamLog.logStreamEvent
  })
  const incomingStreams = createIncomingStreams({
    store,
    observe: engine.observe,
    onDeviceChanged: (id) => store.changes.markChanged('device', id)
  })
  const scheduler = createScheduler({ store, onSwitch: applyChannel, clock: options.clock })
  return { engine, scheduler, incomingStreams, sharedPorts: createSharedPorts(store, engine) }
}
