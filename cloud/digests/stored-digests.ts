// Reads the stored digests of an organisation. Those that have not changed are not read again.
import type { Scope } from '../store/scope.ts'
import type { StoredDigest } from './known-digest.ts'

/** Digests that are kept in memory. */
const KEPT_MAX = 20_000
/** Serial numbers of one query. */
const BATCH = 500

export interface ReceivedDigest extends StoredDigest {
  /** When the hub confirmed it last, in milliseconds since the epoch. */
  received: number
}

interface Kept {
  revision: number
  digest: StoredDigest
}

export class StoredDigests {
  readonly #kept = new Map<string, Kept>()

  /** The digests of an organisation by the serial numbers of their hubs. */
  async read(scope: Scope): Promise<ReadonlyMap<string, ReceivedDigest>> {
    const rows = await scope.select('digests').select(['sn', 'revision', 'received']).execute()
    const keyOf = (sn: string) => `${scope.organisation}/${sn}`
    const unknown = rows.filter(({ sn, revision }) => this.#kept.get(keyOf(sn))?.revision !== revision)
    for (let start = 0; start < unknown.length; start += BATCH) {
      const serials = unknown.slice(start, start + BATCH).map(({ sn }) => sn)
      const read = await scope.select('digests').select(['sn', 'revision', 'body']).where('sn', 'in', serials).execute()
      for (const { sn, revision, body } of read) this.#keep(keyOf(sn), { revision, digest: JSON.parse(body) })
    }
    return new Map(
      rows.flatMap(({ sn, received }) => {
        const kept = this.#kept.get(keyOf(sn))
        return kept ? [[sn, { ...kept.digest, received }] as const] : []
      })
    )
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key)
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && this.#kept.size >= KEPT_MAX) this.#kept.delete(oldest)
    this.#kept.set(key, kept)
  }
}
