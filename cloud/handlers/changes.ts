// The revision with which the pages of the cloud notice that something has changed.
import { getRevisions, TOPICS } from '../../contract/change-feed.ts'
import { type Handler, handle } from '../http/handler.ts'

/**
 * Counts the changes of links for each organisation, from the time of the start, so that a restarted node has higher
 * numbers. What users do and the registrations of hubs have lines in the log, whose ids increase.
 */
export class LinkChanges {
  readonly #start: number
  readonly #counts = new Map<string, number>()

  /** @param now milliseconds since the epoch */
  constructor(now: number) {
    this.#start = now
  }

  record(organisation: string): void {
    this.#counts.set(organisation, this.of(organisation) + 1)
  }

  of(organisation: string): number {
    return this.#counts.get(organisation) ?? this.#start
  }
}

export function changeHandlers({ changes }: { changes: LinkChanges }): Handler[] {
  return [
    handle(getRevisions, async ({ organisation }, scope) => {
      const last = await scope.select('log_entries').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      const revision = changes.of(organisation) + (last?.id ?? 0)
      return { revs: Object.fromEntries(TOPICS.map((topic) => [topic, revision])) }
    })
  ]
}
