import type { EngineMethods, HubMethods } from '../interfaces/wire.ts'
import type { Peer } from './peer.ts'

/** The connection at the hub's end. */
export type EnginePeer = Peer<EngineMethods, HubMethods>
/** The connection at the engine's end. */
export type HubPeer = Peer<HubMethods, EngineMethods>
