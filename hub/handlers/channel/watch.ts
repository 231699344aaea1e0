// Plays a channel in a page.
import { TOO_MANY } from '../../../contract/codes.ts'
import { watchChannel } from '../../../contract/stream/channel-watch.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Handler, handle, requireCaller } from '../../http/handler.ts'
import type { WatchFeed } from '../../preview/watch-feed.ts'
import type { Store } from '../../store/store.ts'
import type { TimelineRecorder } from '../../timeline/timeline-recorder.ts'
import { requireChannel } from './changes.ts'

interface ChannelWatchParts {
  store: Store
  gate: Gate
  watches: WatchFeed
  timeline: Pick<TimelineRecorder, 'recordWatch'>
}

export function handleWatchChannel(parts: ChannelWatchParts): Handler {
  return handle(watchChannel, async (context, { id, v }) => {
    requireChannel(parts, context, id)
    const { session, user } = requireCaller(context)
    const stream = await parts.watches.open({ owner: session, user: user.id, page: v }, id)
    if (stream instanceof Response) {
      parts.timeline.recordWatch(id, user.name)
      return stream
    }
    throw new CallError(stream, stream === TOO_MANY ? { max: parts.watches.limitFor(user.id) } : {})
  })
}
