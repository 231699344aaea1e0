// The firewall service at a socket of its own, with nftables in memory.
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '../../../firewall/server.ts'
import { FirewallService } from '../../../firewall/service.ts'
import { portStore } from '../../../firewall/store.ts'
import { MemoryTables } from './tables.ts'

export class TestFirewall {
  readonly folder = mkdtempSync(join(tmpdir(), 'headend-firewall-'))
  readonly socket = join(this.folder, 'socket')
  readonly tables = new MemoryTables()
  #service: FirewallService | undefined
  #server: Server | undefined

  async start(confirmTime?: number): Promise<void> {
    const store = portStore(this.folder, () => {})
    const options = { tables: this.tables, store, report() {}, trackingTime: 1 }
    this.#service = new FirewallService({ ...options, ...(confirmTime !== undefined && { confirmTime }) })
    await this.#service.start()
    this.#server = await listen(this.socket, this.#service)
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.#server?.close(resolve))
    await this.#service?.stop()
    this.#server = undefined
  }

  /** Stops it, and forgets its state. */
  async reset(): Promise<void> {
    if (this.#server) await this.stop()
    rmSync(join(this.folder, 'ports.json'), { force: true })
    Object.assign(this.tables, new MemoryTables())
  }

  async close(): Promise<void> {
    if (this.#server) await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
