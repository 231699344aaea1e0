// Connects this node with the other ones: running nodes, the links of hubs at each node, and HTTP/2 connections between
// nodes. On SQLite there is one node, and none of this runs.
import { isIPv6 } from 'node:net'
import { plainAddress } from '../../contract/network-prefix.ts'
import type { Link } from '../../device-link/link.ts'
import { logger } from '../../process-log/logger.ts'
import { type Notifications, notify } from '../store/notifications.ts'
import type { Store } from '../store/store.ts'
import { LinkTable } from './link-table.ts'
import { createNodeIdentity, type NodeClaim, nodeText } from './node-identity.ts'
import { NodeServer } from './node-server.ts'
import { Nodes, type RunningNode } from './nodes.ts'
import { Peers } from './peers.ts'
import type { LinkRow } from './remote-rows.ts'

/** Milliseconds between heartbeats that an unknown client causes. */
const UNKNOWN_INTERVAL = 1000

export interface PeerOptions {
  /** Port for other nodes; 0: the system chooses. */
  port: number
  /** `host:port` at which other nodes reach this one; by default its address in the network of PostgreSQL. */
  address?: string | undefined
}

interface NodeNetworkOptions {
  store: Store
  /** `host:port` at which hubs reach this node; empty: at the address of the cloud. */
  nodeAddress: string
  /** Signs with the key of the cloud. */
  sign(data: Buffer): Buffer
  /** Whether the cloud has signed something. */
  isSigned(data: Buffer, signature: Buffer): boolean
  /** The link of a hub at this node. */
  ownLinkOf(organisation: string, sn: string): Link | undefined
  /** Links at other nodes have changed. @param sn undefined: any of the organisation */
  onRemoteChange(organisation: string, sn: string | undefined): void
  /** A user has accepted, rejected or deleted hubs at another node. @param serials undefined: any */
  onDecision(organisation: string, serials: readonly string[] | undefined): void
  /** Called after each heartbeat, with whether other nodes run than before. */
  onHeartbeat(isChanged: boolean): Promise<void>
  /** Milliseconds since the epoch. */
  now: () => number
}

export class NodeNetwork {
  readonly table: LinkTable
  readonly #options: NodeNetworkOptions
  readonly #nodes: Nodes
  #notifications: Notifications | undefined
  #server: NodeServer | undefined
  #peers: Peers | undefined
  #known: readonly RunningNode[] = []
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(options: NodeNetworkOptions) {
    const { store, nodeAddress, isSigned, now, onRemoteChange, onDecision } = options
    this.#options = options
    this.#nodes = new Nodes({
      ...{ store, address: nodeAddress },
      isGenuine: (claim, signature) => isSigned(Buffer.from(nodeText(claim)), Buffer.from(signature, 'base64')),
      onForgotten: () => this.table.restore()
    })
    this.table = new LinkTable({
      ...{ store, node: this.#nodes.id, now, onRemoteChange, onDecision },
      onNodesChange: () => void this.#nodes.refresh()
    })
  }

  /** Identifier of this node. */
  get id(): string {
    return this.#nodes.id
  }

  /** The nodes that run, this one included. */
  get running(): readonly RunningNode[] {
    return this.#nodes.running
  }

  /** Reads which nodes run. */
  refresh(): Promise<void> {
    return this.#nodes.refresh()
  }

  /** Whether PostgreSQL answers; true with SQLite. */
  get hasDatabase(): boolean {
    return this.#notifications?.isConnected ?? true
  }

  /** Links of a hub at other nodes that run, the newest first. */
  rowsOf(organisation: string, sn: string): LinkRow[] {
    const rows = this.table.find(organisation, sn)
    return rows.filter(({ node }) => this.running.some(({ id }) => id === node))
  }

  /** A link of a hub at another node that can be reached. */
  linkOf(organisation: string, sn: string): Link | undefined {
    for (const row of this.table.find(organisation, sn)) {
      const link = row.isHeld ? undefined : this.#peers?.linkOf(row)
      if (link) return link
    }
    return undefined
  }

  /** Joins the other nodes. @throws if the port is in use, or PostgreSQL does not answer */
  async join(peer: PeerOptions): Promise<void> {
    this.#notifications = this.#options.store.listen({
      onNotification: (payload) => this.table.receive(payload),
      onConnected: () => void this.table.readAll(),
      onLost() {}
    })
    if (this.#notifications) {
      await this.#notifications.start()
      await this.#openPort(peer, this.#notifications.localAddress)
    }
    await this.#nodes.join((isChanged) => this.#observe(isChanged))
    if (!this.#notifications) return
    await this.table.readAll()
    await this.#announce()
  }

  async close(): Promise<void> {
    await this.table.close()
    await this.#nodes.close()
    if (this.#notifications) await this.#announce().catch(() => {})
    await this.#notifications?.close()
    this.#peers?.close()
    await this.#server?.close()
  }

  async #openPort({ port, address }: PeerOptions, localAddress: string | undefined): Promise<void> {
    const identity = await createNodeIdentity(this.id)
    this.#peers = new Peers({ identity, onChange: (node) => this.table.touchNode(node) })
    this.#server = new NodeServer({
      identity,
      isNode: (pin) => this.running.some((node) => node.pin === pin),
      onUnknown: () => this.#refreshSometimes(),
      linkOf: this.#options.ownLinkOf
    })
    const host = plainAddress(localAddress ?? '127.0.0.1')
    const opened = await this.#server.listen(port, address === undefined ? host : undefined)
    const claim: NodeClaim = {
      id: this.id,
      peerAddress: address ?? `${isIPv6(host) ? `[${host}]` : host}:${opened}`,
      pin: identity.pin
    }
    const signature = this.#options.sign(Buffer.from(nodeText(claim))).toString('base64')
    this.#nodes.setPeerClaim({ ...claim, signature })
    logger.info('Other nodes reach this one', { address: claim.peerAddress })
  }

  /** Lets the other nodes read which nodes run. */
  #announce(): Promise<void> {
    return this.#options.store.withinCloud((transaction) => notify(transaction, [JSON.stringify({ node: this.id })]))
  }

  async #observe(isChanged: boolean): Promise<void> {
    const gone = this.#known.filter(({ id }) => this.running.every((node) => node.id !== id))
    this.#known = this.running
    this.#peers?.update(this.running.filter(({ id }) => id !== this.id))
    for (const { id } of gone) if (id !== this.id) this.table.removeNode(id)
    await this.#options.onHeartbeat(isChanged)
  }

  /** A client with an unknown key may be a node that has just started, or anybody. */
  #refreshSometimes(): void {
    const now = performance.now()
    if (now - this.#refreshedAt < UNKNOWN_INTERVAL) return
    this.#refreshedAt = now
    void this.#nodes.refresh()
  }
}
