// Nodes of one cloud in this process, on one PostgreSQL.
import { join } from 'node:path'
import type { CloudOptions } from '../../../cloud/cloud.ts'
import { freeTcpPort } from '../net/free-port.ts'
import { startCloud, type TestCloud } from './cloud.ts'
import type { PostgresServer } from './postgres.ts'
import { withFolder } from './registered-hub.ts'

export interface CloudNode {
  cloud: TestCloud
  linkPort: number
  webPort: number
}

interface NodesOptions {
  count: number
  /** Whether the nodes say at which address hubs reach each of them. */
  hasAddresses?: boolean
  options?: Partial<CloudOptions>
}

/** Runs a test with nodes on an empty database. */
export function withNodes(
  postgres: PostgresServer,
  { count, hasAddresses = false, options = {} }: NodesOptions,
  run: (nodes: CloudNode[], databaseUrl: string) => Promise<void>
): Promise<void> {
  return withFolder(async (folder) => {
    const databaseUrl = await postgres.createDatabase()
    const nodes: CloudNode[] = []
    try {
      while (nodes.length < count) {
        const port = await freeTcpPort()
        const nodeAddress = hasAddresses ? `127.0.0.1:${port}` : undefined
        const keyFile = join(folder, 'cloud.key')
        const cloud = await startCloud({ databaseUrl, nodeAddress, keyFile, ...options })
        const { linkPort, port: webPort } = await cloud.listen(0, port)
        nodes.push({ cloud, linkPort, webPort })
      }
      await run(nodes, databaseUrl)
    } finally {
      for (const { cloud } of nodes) await cloud.close()
    }
  })
}
