// One subscription upstream for each preview id, shared by all browsers that show it and ended with the last of them.

/**
 * Asks for the pictures of a preview id until the function returned is called, through all absences of its device.
 * The bytes handed over are never changed afterwards.
 * @returns undefined when there is nobody to ask now
 */
export type SubscribePictures = (id: string, onPicture: (jpeg: Uint8Array) => void) => (() => void) | undefined

/** Told each new picture. */
export type Taker = (id: string, jpeg: Uint8Array) => void

/** Milliseconds for which a picture is worth showing to a newcomer; the console marks older ones as stale anyway. */
const NEWEST_FOR = 5000

/** Milliseconds until somebody is looked for again where there was nobody to ask. */
const ASK_AGAIN = 3000

interface Source {
  takers: Set<Taker>
  newest?: { jpeg: Uint8Array; at: number }
  end?: () => void
}

/** Makes the sources. Times are in milliseconds. */
export function createSources(
  subscribe: SubscribePictures,
  now: () => number,
  askAgain = ASK_AGAIN,
  freshFor = NEWEST_FOR
) {
  const sources = new Map<string, Source>()
  let asking: NodeJS.Timeout | undefined

  function ask(id: string, source: Source): void {
    source.end = subscribe(id, (jpeg) => {
      if (sources.get(id) !== source) return
      source.newest = { jpeg, at: now() }
      for (const taker of source.takers) taker(id, jpeg)
    })
    if (!source.end) asking ??= setTimeout(askAll, askAgain).unref()
  }

  function askAll(): void {
    asking = undefined
    for (const [id, source] of sources) if (!source.end) ask(id, source)
  }

  return {
    /** Adds a taker, which gets the newest picture at once where there is one. */
    join(id: string, taker: Taker): void {
      let source = sources.get(id)
      if (!source) {
        source = { takers: new Set() }
        sources.set(id, source)
        ask(id, source)
      }
      if (source.takers.has(taker)) return
      source.takers.add(taker)
      if (source.newest && now() - source.newest.at < freshFor) taker(id, source.newest.jpeg)
    },

    /** Takes a taker away; the last one ends the subscription. */
    leave(id: string, taker: Taker): void {
      const source = sources.get(id)
      if (!source?.takers.delete(taker) || source.takers.size > 0) return
      sources.delete(id)
      source.end?.()
      if (sources.size > 0) return
      clearTimeout(asking)
      asking = undefined
    }
  }
}

export type Sources = ReturnType<typeof createSources>
