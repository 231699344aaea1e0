// Options of a hub, with the defaults that do not belong to one component.

import type { MachineMode } from '../contract/machine/machine.ts'
import type { PreviewSize } from '../engine/interfaces/channel.ts'
import type { AnnounceSetupCode } from './auth/setup-code.ts'
import type { CloudOption } from './cloud/cloud-settings.ts'
import type { AddressedDevicesTiming } from './devices/address/reachability.ts'
import type { FirmwareOptions } from './firmware/firmware.ts'
import type { LicenseOptions } from './license/license-service.ts'
import type { ConsoleUpdaterOptions } from './upgrade/console-updater.ts'
import type { TrialLink } from './upgrade/trial/trial-link.ts'
import type { UpdaterClient } from './upgrade/updater-client.ts'

export const DEFAULT_HOST = '127.0.0.1'
export const DEFAULT_DIST = 'dist'

export interface HubOptions {
  /** Data folder; `:memory:` keeps nothing. */
  data: string
  /** Folder of the built console; `dist` by default. */
  dist?: string
  /** Reads the console's files again for each request. */
  dev?: boolean
  /**
   * Development mode: says on every page and in the log that the development key is trusted. `consoleUpdater.trusted`
   * decides whether it is.
   */
  development?: boolean
  /** Console updates: trusted keys (default: none), size budget (default: none). The other options are for tests. */
  consoleUpdater?: Partial<
    Pick<ConsoleUpdaterOptions, 'trusted' | 'budget' | 'freeSpace' | 'confirmTimeout' | 'onStep'>
  >
  /** Path of the program that updates the hardware of the machine; none by default. */
  hardwareUpdate?: string
  /** Licences: trusted keys (default: none), and the address of the licence server. The other options are for tests. */
  license?: Partial<Pick<LicenseOptions, 'trusted' | 'server' | 'machine' | 'now'>>
  /** A cloud with which the hub registers; it replaces the one in the settings. */
  cloud?: CloudOption
  /** Address on which all ports listen; 127.0.0.1 by default. */
  host?: string
  /** Names under which the hub answers, besides those of the machine and of the settings. */
  hosts?: readonly string[]
  /** Whether the hub changes the settings of its machine; `view` by default. */
  machine?: MachineMode
  /** Shows the setup code that is asked for beside the default password. Absent: no code is asked for. */
  announceSetupCode?: AnnounceSetupCode
  /** Path of the socket of the firewall service; for tests. */
  firewallSocket?: string
  /**
   * HTTPS and ports, for tests: the clock of certificates, PEM certificates of trusted authorities, and milliseconds to
   * confirm a new port.
   */
  web?: { now?: () => number; authorities?: readonly string[]; confirmTime?: number }
  /** The update service; without it only the console can be upgraded. */
  updater?: UpdaterClient
  /** Hardware version of an appliance: updates can be for some only. */
  hardware?: string
  /** The trial of the release from which this hub runs. */
  trial?: TrialLink
  /** Ends this process, which is started again at once. Without it the hub cannot be upgraded. */
  endProcess?: () => void
  /**
   * Closes this hub, and creates another one on the same data folder. Without it the data of the hub cannot be replaced
   * while it runs.
   */
  restart?: () => void
  /** Features of this hub: bits of `FEATURE_BITS`. None by default. */
  features?: number
  /** Width in pixels and images per second requested from devices for previews. */
  preview?: PreviewSize
  /** For tests: timeouts of device actions, in milliseconds. */
  actions?: { response: number; poll: number }
  /** For tests: timing of devices at addresses. */
  addressed?: Partial<AddressedDevicesTiming>
  /** Keys whose lists of firmware are accepted. For tests: free disk space and timing of device updates. */
  firmware?: Pick<FirmwareOptions, 'trusted' | 'freeSpace' | 'timing'>
  /** Absolute path of the folder for recordings of channels. Default: `recordings` in the data folder. */
  recordings?: string
  /** Path of the engine's socket. Default: `engine/engine.sock` in the data folder. */
  engineSocket?: string
  /** For tests: the clock of channel schedules, in milliseconds since the epoch. */
  clock?: () => number
  /** For tests: the clock of sessions and lock-out, in milliseconds since the epoch. */
  sessionClock?: () => number
  /**
   * Milliseconds between checks whether sessions behind open sockets, previews and device pages are still valid; 5000
   * by default.
   */
  sessionCheckInterval?: number
}
