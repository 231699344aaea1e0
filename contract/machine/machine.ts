// Who changes the settings of the machine under the hub: its network, time, firewall and power
// (docs/architecture/machine.md).

export type { MachineAccess, MachineMode } from './machine.schema.ts'

/**
 * - `view`: the hub shows these settings and changes none of them. The default: a hub on a laptop must not touch its
 *   network.
 * - `manage`: the hub changes them, through the services of the system.
 */
export const MACHINE_MODES = ['view', 'manage'] as const
