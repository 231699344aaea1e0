// The live pictures of the console: one stream for all of it, open while somebody is signed in and something is wanted.
import { clearPreview, openPreview, setupPreview } from '../../contract/preview.ts'
import { openStream, send } from '../link/send.ts'
import { createPreviews } from '../preview/previews.ts'
import { $session, onClear } from './session.ts'

export const previews = createPreviews({
  open: (signal) => openStream(openPreview, { v: Date.now() }, signal),
  setup: (request) => send(setupPreview, request),
  clear: (id) => send(clearPreview, { id })
})

onClear(previews.clear)

$session.subscribe((user) => {
  if (user) previews.start()
  else previews.stop()
})
