// The hubs with idle links: the node has their rows, and other processes have their links.
import type { HubHello } from '../../contract/cloud/link.ts'

export const ORGANISATION = 'headend'

/** What the parent process asks for. */
export interface LinkClients {
  port: number
  /** Numbers of the hubs. */
  first: number
  count: number
}

/** Hub with a number. The processes of the hubs say the same of it as the rows of the node. */
export const hubHello = (number: number): HubHello => ({
  ...{ organisation: ORGANISATION, code: '', sn: `HUB-${number}`, name: `Hub ${number}`, version: '0.1.0' },
  key: number.toString(16).padStart(64, '0')
})
