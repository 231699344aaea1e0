// The clock for deadlines that a restart of the hub must not change.
import { uptime } from 'node:os'

/**
 * Milliseconds since the machine started, with the time that it slept. Nobody can set this clock. Its resolution is 10
 * ms.
 */
export const machineUptimeMs = (): number => Math.round(uptime() * 1000)
