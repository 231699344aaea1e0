// The live pictures of the console: one stream for all of it, open while somebody is signed in and something is wanted.
import { atom } from 'nanostores'
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { clearPreview, openPreview, setupPreview } from '../../contract/preview.ts'
import { $asks, tellSeen } from '../link/change-feed.ts'
import { openStream, send } from '../link/send.ts'
import { createPreviews } from '../preview/previews.ts'
import { $session, onClear } from './session.ts'

const SAVER_KEY = `${CACHE_PREFIX}saver`

/** What browsers tell of a line; not all do. */
const { connection } = navigator as { connection?: { saveData?: boolean } }

/** Whether pictures are to be few and small: 1 or 0, as chosen in this browser, else as the browser itself is set. */
export const $saver = atom(Number(localStorage.getItem(SAVER_KEY) ?? connection?.saveData ?? 0))

/** Saves data, or does not any more, and remembers it. */
export function toggleSaver(): void {
  $saver.set(1 - $saver.get())
  localStorage.setItem(SAVER_KEY, `${$saver.get()}`)
}

export const previews = createPreviews({
  open: (signal) =>
    openStream(
      openPreview,
      { v: Date.now(), seen: $asks.get() ? 1 : undefined, save: $saver.get() || undefined },
      signal
    ),
  setup: (request) => send(setupPreview, request),
  clear: (id) => send(clearPreview, { id }),
  seen: tellSeen
})

onClear(previews.clear)

/** Opens the stream anew as things are now. How it is paced must be known: on a thin line what was sent blindly is in the way. */
function renew(): void {
  previews.stop()
  if ($session.get() && $asks.get() !== undefined) previews.start()
}

$session.listen((user, before) => user?.name === before?.name || renew())
$asks.listen(renew)
$saver.listen(renew)
