// What calls of users did to channels, read from their lines in the operation log.
import { LOG_CHANGED, LOG_NONE, LOG_ON } from '../../contract/log.ts'
import type { TimelineEvent } from '../../contract/stream/channel-timeline.ts'

/** A successful call, as the operation log has it. */
export interface RecordedOperation {
  user: string
  /** Name of the access token of the user's program. */
  token?: string | undefined
  /** Path of the call. */
  path: string
  /** Objects of the call, for instance `channel:100001`. */
  objects: readonly string[]
  detail: string
}

/**
 * Calls whose details are not shown to all who see the channel: they have names of users, notes, or names of several
 * objects.
 */
const UNNAMED_CALLS: readonly string[] = ['/channel/security/set', '/problem/acknowledge', '/trash/restore']

/** What a call did; undefined if the timeline does not show it. */
export function operationEvent(path: string, detail: string): TimelineEvent | undefined {
  const isOn = detail.endsWith(LOG_ON)
  switch (path) {
    case '/channel/add':
    case '/channel/duplicate':
      return 'created'
    case '/channel/del':
      return 'deleted'
    case '/trash/restore':
      return 'restored'
    case '/trash/del':
      return undefined
    case '/channel/set':
      return 'edited'
    case '/channel/enable':
      return isOn ? 'started' : 'stopped'
    case '/channel/input/set':
      return 'input-set'
    case '/channel/input/switch':
      return detail.endsWith(LOG_NONE) ? 'automatic' : 'input-chosen'
    case '/channel/output/add':
      return 'outputs-added'
    case '/channel/output/del':
      return 'outputs-removed'
    case '/channel/output/enable':
      return isOn ? 'outputs-enabled' : 'outputs-disabled'
    case '/channel/client/drop':
      return 'clients-dropped'
    default:
      return 'changed'
  }
}

/** The changed fields and the names in a detail of the operation log. @param channel name of the channel */
export function readDetail(detail: string, channel: string): { fields: string[]; names: string | undefined } {
  const [, text = detail, changed = ''] = new RegExp(`^(.*?)(?: ${LOG_CHANGED}(\\S*))?$`, 's').exec(detail) ?? []
  const untagged = text.replace(/ #[a-z]+$/, '')
  const fields = changed === '' ? [] : changed.split(',')
  if (untagged.endsWith(` → ${channel}`)) fields.unshift('name')
  const names = untagged.startsWith(`${channel}: `) ? untagged.slice(channel.length + 2) : undefined
  return { fields, names: names ?? (untagged === channel ? undefined : untagged) }
}

/** Events of a whole channel, whose details have the name of the channel. */
const WHOLE_EVENTS: readonly TimelineEvent[] = ['created', 'edited', 'deleted', 'restored']

/** Whether the names in the detail of a call are for all who see the channel. */
export function areNamesShown(event: TimelineEvent, path: string, objects: readonly string[]): boolean {
  // The detail of a call for several channels has the names of all of them.
  const channelCount = objects.filter((object) => object.startsWith('channel:')).length
  return !WHOLE_EVENTS.includes(event) && channelCount <= 1 && !UNNAMED_CALLS.includes(path)
}
