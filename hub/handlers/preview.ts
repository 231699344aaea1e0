// Handlers for preview images. A preview stream belongs to one session and is not stored.
import { SUCCESS } from '../../contract/codes.ts'
import { clearPreview, openPreview, setupPreview } from '../../contract/preview.ts'
import { CallError, type Handler, handle, requireCaller } from '../http/handler.ts'
import type { PreviewFeed } from '../preview/feed.ts'

export function previewHandlers({ previews }: { previews: PreviewFeed }): Handler[] {
  /** An empty reply. @throws CallError if the result is not success */
  function replyFor(result: number): object {
    if (result !== SUCCESS) throw new CallError(result)
    return {}
  }
  return [
    handle(openPreview, (context, request) => previews.open(requireCaller(context).session, request)),
    // These two affect one open stream only and store nothing, so they count as reads and are not logged.
    handle(setupPreview, (context, request) => replyFor(previews.setup(requireCaller(context).session, request))),
    handle(clearPreview, (context, request) => replyFor(previews.clear(requireCaller(context).session, request.id)))
  ]
}
