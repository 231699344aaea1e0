// Who changes the settings of the machine under the hub: its network, time, firewall and power (docs/architecture/machine.md).

/**
 * - `view`: the hub shows these settings and changes none of them. The default: a hub on a laptop must not touch its network.
 * - `manage`: the hub changes them, through the services of the system.
 */
export const MACHINE_MODES = ['view', 'manage'] as const

export type MachineMode = (typeof MACHINE_MODES)[number]

/** Whether the hub can change one part of the machine, such as its network. */
export interface MachineAccess {
  machine: MachineMode
  /** Why the hub cannot change this part, in the language of the request. Absent if it can. */
  reason?: string
  /** The next step, in the language of the request. */
  'next-step'?: string
  /** With `reason`: the Debian package that provides the missing service. */
  package?: string
}
