// Channels that an engine hands over to the next one, which runs beside it (docs/architecture/upgrade.md).
import type { RelayAddress } from './relay.ts'

/** Channels that have to be handed over together, because they share an input. */
export interface HandOverGroup {
  ids: number[]
  /** Whether they use the shared ports, which one engine at a time can open: a publisher, or players. */
  usesPorts: boolean
}

/** What the next engine needs to continue the datagram inputs of channels. */
export interface OfferedInputs {
  /** Media socket of the relay of each of these inputs, by its key (`inputKey`). */
  sockets: [key: string, path: string][]
}

/** Where the next engine takes over what can be handed over without a gap. */
export interface TakenLegs {
  ids: number[]
  /** For the port of each datagram input, by its key. */
  sources: [key: string, address: RelayAddress][]
  /** For the datagram outputs. */
  targets: [channel: number, output: number, address: RelayAddress][]
}
