// The ports of the hub (docs/wire.md, "Ports of the hub").
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import { FILES_PORT, LINK_PORT, RTMP_PORT, SRT_PORT } from '../limits.ts'
import type { HubPortName } from './ports.schema.ts'

export type { HlsState, HubPort, HubPortName, HubPorts, PortOutcome, PortTrial, WebPortName } from './ports.schema.ts'

/**
 * Ports that are changed with a confirmation: console, console over TLS, registration of devices, HLS and downloads.
 */
export const WEB_PORTS = ['http', 'https', 'link', 'files'] as const

/** The ports of a hub that was reset. */
export const PORT_DEFAULTS: Readonly<Record<HubPortName, number>> = {
  http: 80,
  https: 443,
  link: LINK_PORT,
  files: FILES_PORT,
  srt: SRT_PORT,
  rtmp: RTMP_PORT
}

/** Seconds within which a new port has to be confirmed from a connection to it. */
export const PORT_CONFIRM_TIME = 60

/**
 * Path at which the new port for registration or files is confirmed: the console cannot call it from its page, but can
 * navigate to it.
 */
export const PORT_CONFIRM_PATH = '/confirm-port'

export const listPorts = declareCall('GET /system/ports', SYSTEM_CONFIG_VIEW)

export const confirmPort = declareCall('POST /system/ports/confirm', SYSTEM_CONFIG_EDIT)

export const cancelPort = declareCall('POST /system/ports/cancel', SYSTEM_CONFIG_EDIT)
