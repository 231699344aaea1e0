// What the answers work with: the hub's parts, made once in `hub.ts`.

import type { Engine } from '../engine/engine.ts'
import type { Reach } from './auth/device-access.ts'
import type { Gate } from './auth/gate.ts'
import type { LockOut } from './auth/lock-out.ts'
import type { Scheduler } from './channels/scheduler.ts'
import type { DeviceActions } from './devices/actions.ts'
import type { Addressed } from './devices/address/addressed-devices.ts'
import type { Arriving } from './devices/incoming-streams.ts'
import type { DeviceLinks } from './devices/link/links.ts'
import type { PortForwards } from './devices/port-forwards.ts'
import type { Registry } from './devices/registry.ts'
import type { FirmwareParts } from './firmware/firmware.ts'
import type { Monitor } from './machine/monitor.ts'
import type { Pages } from './pages/pages.ts'
import type { PreviewFeed } from './preview/feed.ts'
import type { Store } from './store/store.ts'
import type { Upgrade } from './upgrade/upgrade.ts'

export interface Hub {
  store: Store
  gate: Gate
  lockOut: LockOut
  registry: Registry
  links: DeviceLinks
  actions: DeviceActions
  arriving: Arriving
  addressed: Addressed
  engine: Engine
  scheduler: Scheduler
  firmware: FirmwareParts
  upgrade: Upgrade
  monitor: Monitor
  previews: PreviewFeed
  forwards: PortForwards
  /** Whether what was opened towards a device may stay open. */
  reach: Reach
  pages: Pages
  /** Address that everything listens on. */
  host: string
  /** The hub's software version. */
  version: string
  /** Milliseconds since the epoch at which this hub started. */
  started: number
  /** Ports that the hub itself listens on, which no output may take. */
  ownPorts: () => number[]
  /** Some sessions or tokens are over: open sockets and previews are looked through at once. */
  sessionsEnded: () => void
  /** Some callers hold other rights, or see other devices: the same, and every list is answered anew and whole. */
  rightsChanged: () => void
  /** A device may have come, gone, or been decided on: polling and streams follow. */
  presence: (sn: string) => void
  /** How streams of devices are carried has changed: of one, or by the global default. */
  devicesConfigured: (id?: number) => void
  /** Somebody looks at a device: what is known of it is kept fresh, however many others there are. */
  lookedAt: (sn: string) => void
  /** The port that all channels share: the one that is open, or will be with the first channel that wants it. */
  sharedPort: (part: 'srt' | 'rtmp') => number | undefined
  /** The settings of the shared ports are others now. */
  portsSet: (part: 'srt' | 'rtmp') => void
  /** Tells the stream engine what a channel should be now, and the consoles that it changed. */
  applyChannel: (id: number) => void
}
