// Limits of the pictures and videos that a node relays. They take most of the bytes of a relay. Each
// user, each hub and the node have a maximum number of streams, so that calls are not delayed.
import { openPreview } from '../../contract/preview.ts'
import { watchChannel } from '../../contract/stream/channel-watch.ts'

/** Whose limit is reached. */
export type LimitOwner = 'user' | 'hub' | 'node'

type Limits = Readonly<Record<LimitOwner, number>>

/**
 * Streams at a time, by the path of the call that opens them. The console of a tab has one stream of all the pictures
 * that it shows, those of devices, channels and NDI sources; a watched channel is a stream of its own. The limits of
 * the hub itself hold, too.
 */
export const PICTURE_LIMITS: Readonly<Record<string, Limits>> = {
  [`/api${openPreview.path}`]: { user: 16, hub: 64, node: 1000 },
  [`/api${watchChannel.path}`]: { user: 8, hub: 16, node: 128 }
}

/** A limit that is reached. */
export interface ReachedLimit {
  owner: LimitOwner
  max: number
}

interface StreamOwners {
  organisation: string
  user: string
  sn: string
}

export class PictureLimits {
  readonly #counts = new Map<string, number>()

  /**
   * Takes a place for a stream.
   * @param path of the call on the hub
   * @returns a function that gives the place back, to be called once; or the limit that is reached. A call that opens
   * no pictures takes no place
   */
  take(path: string, { organisation, user, sn }: StreamOwners): (() => void) | ReachedLimit {
    const limits = PICTURE_LIMITS[path]
    if (!limits) return () => {}
    // Neither a path nor the name of an organisation has a space.
    const keys: Readonly<Record<LimitOwner, string>> = {
      user: `${path} user ${organisation} ${user}`,
      hub: `${path} hub ${organisation} ${sn}`,
      node: path
    }
    for (const owner of ['user', 'hub', 'node'] as const)
      if (this.#countOf(keys[owner]) >= limits[owner]) return { owner, max: limits[owner] }
    for (const key of Object.values(keys)) this.#counts.set(key, this.#countOf(key) + 1)
    return () => {
      for (const key of Object.values(keys)) {
        const count = this.#countOf(key) - 1
        if (count > 0) this.#counts.set(key, count)
        else this.#counts.delete(key)
      }
    }
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0
  }
}
