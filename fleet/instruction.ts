// Instructions from the supervisor to a device process.

import type { LinkTls } from '../device-link/link-tls.ts'
import type { BehaviourCommand } from './behaviour.ts'

export interface Instruction {
  act: 'start' | 'stop' | 'tell'
  sn: string
  order?: BehaviourCommand
}

export interface HubLink {
  host: string
  port: number
  /** Over TLS. */
  tls?: LinkTls
}

/**
 * Parses the address of the hub: as `parseHostPort`, after `tls://` for TLS. @param pin of the hub's public key.
 * @throws Error
 */
export function parseHubLink(text: string, pin?: string): HubLink {
  const [, scheme, address = ''] = /^(tls:\/\/)?(.*)$/.exec(text) ?? []
  return { ...parseHostPort(address), ...(scheme && { tls: { pin: pin || undefined } }) }
}

/** Parses `host:port`, with an IPv6 address in brackets. @throws Error if the text has another format */
export function parseHostPort(text: string): { host: string; port: number } {
  const match = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(text)
  const port = Number(match?.[3])
  if (!match || port < 1 || port > 65_535) throw new Error(`'${text}' is not host:port`)
  return { host: match[1] ?? match[2] ?? '', port }
}
