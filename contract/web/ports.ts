// The ports of the hub (docs/wire.md, "Ports of the hub").
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../call.ts'
import { FILES_PORT, LINK_PORT, RTMP_PORT, SRT_PORT } from '../limits.ts'

/** Ports that are changed with a confirmation: console, console over TLS, registration of devices, HLS and downloads. */
export const WEB_PORTS = ['http', 'https', 'link', 'files'] as const
export type WebPortName = (typeof WEB_PORTS)[number]

export type HubPortName = WebPortName | 'srt' | 'rtmp'

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

/** Path at which the new port for registration or files is confirmed: the console cannot call it from its page, but can navigate to it. */
export const PORT_CONFIRM_PATH = '/confirm-port'

export interface HubPort {
  name: HubPortName
  /** The open port; absent while it is closed. */
  port?: number
  /** The value of the setting: the port that the hub opens at its next start. */
  setting: number
  /** The value without a setting: that of the environment, or the reset value. */
  default: number
  /** Why it is closed, or why another port than that of the setting is open, in the language of the request. */
  reason?: string
  'next-step'?: string
}

/** A new port that waits for its confirmation. Those of `WEB_PORTS` are open beside the ones that they replace. */
export interface PortTrial {
  name: HubPortName
  port: number
  /** Seconds until it is closed again. */
  'remaining-s': number
}

/** How the last change of a port ended. */
export interface PortOutcome {
  name: HubPortName
  port: number
  outcome: 'confirmed' | 'not-confirmed' | 'canceled'
  /** Milliseconds since the epoch. */
  at: number
}

/** The switch of all HLS outputs (the part `hls` of the settings), and what switching it off would interrupt. */
export interface HlsState {
  enable: boolean
  /** HLS outputs that carry media, and the players that fetch from them. */
  running: number
  players: number
}

export interface HubPorts {
  list: HubPort[]
  trial?: PortTrial
  last?: PortOutcome
  hls: HlsState
}

export const listPorts = declareCall<EmptyRequest, HubPorts>('GET', '/system/ports', SYSTEM_CONFIG_VIEW)

/** Confirms a new port. 38 if it is one of `WEB_PORTS` and the request did not arrive there; 16 if no port waits for a confirmation. */
export const confirmPort = declareCall<EmptyRequest>('POST', '/system/ports/confirm', SYSTEM_CONFIG_EDIT)

/** Closes a new port that is not confirmed. The former one stays. 16 if there is none. */
export const cancelPort = declareCall<EmptyRequest>('POST', '/system/ports/cancel', SYSTEM_CONFIG_EDIT)
