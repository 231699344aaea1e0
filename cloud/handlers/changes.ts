// The revision with which the pages of the cloud notice that something has changed.
import { getRevisions, TOPICS } from '../../contract/change-feed.ts'
import { type Handler, handle } from '../http/handler.ts'

/**
 * Revisions of the links of organisations. What users do and the registrations of hubs have lines in the log, whose ids
 * increase.
 */
export interface LinkChanges {
  revisionOf(organisation: string): number
}

export function changeHandlers({ changes }: { changes: LinkChanges }): Handler[] {
  return [
    handle(getRevisions, async ({ organisation }, scope) => {
      const last = await scope.select('log_entries').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      const revision = changes.revisionOf(organisation) + (last?.id ?? 0)
      return { revs: Object.fromEntries(TOPICS.map((topic) => [topic, revision])) }
    })
  ]
}
