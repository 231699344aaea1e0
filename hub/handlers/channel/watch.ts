// Plays a channel in a page.
import { TOO_MANY } from '../../../contract/codes.ts'
import { WATCHERS_MAX } from '../../../contract/limits.ts'
import { watchChannel } from '../../../contract/stream/channel-watch.ts'
import type { HubContext } from '../../context.ts'
import { CallError, type Handler, handle, requireCaller } from '../../http/handler.ts'
import { requireChannel } from './changes.ts'

export function handleWatchChannel(hub: HubContext): Handler {
  return handle(watchChannel, async (context, { id }) => {
    requireChannel(hub, context, id)
    const stream = await hub.watches.open(requireCaller(context).session, id)
    if (stream instanceof Response) return stream
    throw new CallError(stream, stream === TOO_MANY ? { max: WATCHERS_MAX } : {})
  })
}
