// nftables in memory, for tests of the firewall service.
import { NftError, type Tables } from '../../../firewall/table.ts'

export class MemoryTables implements Tables {
  isPresent = true
  /** The next texts that fail. */
  failures = 0
  isReadable = true
  applied: string[] = []
  /** The table in effect; empty = none. */
  current = ''
  counts = new Map<string, readonly [number, number]>()

  isInstalled = () => this.isPresent

  async apply(text: string) {
    if (this.failures > 0) {
      this.failures--
      throw new NftError('Operation not supported')
    }
    this.applied.push(text)
    if (text.startsWith('flush set')) return
    this.current = text.includes('table inet headend {') ? text : ''
  }

  async read() {
    if (!this.isReadable) throw new NftError('Resource temporarily unavailable')
    if (this.current === '') return undefined
    const refused: [string, readonly [number, number]][] = this.current.includes('refused') ? [['refused', [0, 0]]] : []
    return { counts: new Map([...refused, ...this.counts]) }
  }
}
