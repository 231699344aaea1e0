// Starts the parts of the hub, once all of them exist.
import { LOG_WARNING } from '../contract/log.ts'
import type { EngineClient } from '../engine/interfaces/engine-client.ts'
import { DEVELOPMENT_FINGERPRINT } from '../pack/keys.ts'
import type { Notifications } from './alerts/notifications.ts'
import type { ChannelControl } from './channels/channel-control.ts'
import type { Scheduler } from './channels/scheduler.ts'
import { wantedNdi } from './channels/wanted-ndi.ts'
import type { CloudLink } from './cloud/cloud-link.ts'
import type { AddressedDevices } from './devices/address/addressed-devices.ts'
import type { FirmwareServices } from './firmware/firmware.ts'
import type { ProblemMonitor } from './health/problem-monitor.ts'
import type { ChannelHistories } from './history/history.ts'
import type { LicenseService } from './license/license-service.ts'
import type { Machine } from './machine/machine.ts'
import type { RouterService } from './ndi/router-service.ts'
import type { HubOptions } from './options.ts'
import type { Recordings } from './recordings/recordings.ts'
import type { BackupService } from './scheduled-backups/backup-service.ts'
import type { Store } from './store/store.ts'
import type { TimelineRecorder } from './timeline/timeline-recorder.ts'
import type { ConsoleUpdater } from './upgrade/console-updater.ts'

interface StartedParts {
  store: Store
  version: string
  scheduler: Scheduler
  routers: RouterService
  channelControl: ChannelControl
  problems: ProblemMonitor
  notifications: Notifications
  engine: EngineClient
  timeline: TimelineRecorder
  histories: ChannelHistories
  recordings: Recordings
}

/** The parts that have nothing to do with streams, or begin after them. */
interface StartedServices {
  consoleUpdater: ConsoleUpdater
  license: LicenseService
  backups: BackupService
  cloudLink: CloudLink
  firmware: FirmwareServices
  addressedDevices: AddressedDevices
  machine: Machine
}

/**
 * The channels are switched as their schedules require before they are applied, and all are applied before the engine
 * is connected, because it stops all others.
 */
export function start(parts: StartedParts & StartedServices, options: Pick<HubOptions, 'development' | 'cloud'>): void {
  const { store, engine, timeline } = parts
  if (options.development)
    store.logEvent({ event: 'development-mode', detail: DEVELOPMENT_FINGERPRINT, level: LOG_WARNING })
  // First, because an option that is not valid ends the start.
  parts.cloudLink.start(options.cloud)
  timeline.start(parts.version)
  parts.scheduler.start()
  parts.routers.start()
  void engine.configureNdi(wantedNdi(store))
  parts.channelControl.applyAll()
  parts.recordings.start()
  parts.problems.start()
  parts.notifications.start()
  engine.connect()
  void engine.whenConnected().then(() => {
    timeline.engineConnected()
    parts.histories.start()
  })
  store.logEvent({ event: 'hub-started', detail: parts.version })
  parts.consoleUpdater.start()
  parts.license.start()
  parts.backups.start()
  parts.firmware.rollouts.start()
  parts.firmware.online.start()
  parts.addressedDevices.start()
  parts.machine.hardware.start()
}

/** Logs that the hub stops. Called before the parts are closed. */
export function recordStop({ store, timeline }: Pick<StartedParts, 'store' | 'timeline'>): void {
  store.logEvent({ event: 'hub-stopped' })
  timeline.close()
}
