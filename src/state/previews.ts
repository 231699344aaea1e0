// The live previews of the console: one stream for all preview images, open while a user is signed in and an image is
// visible.
import { atom } from 'nanostores'
import { TOO_MANY } from '../../contract/codes.ts'
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { clearPreview, openPreview, setupPreview } from '../../contract/preview.ts'
import { $feedTakesRequests, acknowledgePreviews } from '../link/change-feed.ts'
import { openStream, send } from '../link/send.ts'
import { createPreviews } from '../preview/previews.ts'
import { $session, onSessionClear } from './session.ts'
import { notify } from './toasts.ts'

/** '1' or '0' in local storage. */
const DATA_SAVER_KEY = `${CACHE_PREFIX}saver`

/** The user's choice, or else the default, or the data saver setting of the browser, which not all browsers offer. */
function readDataSaver(isDefault = false): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  const choice = localStorage.getItem(DATA_SAVER_KEY)
  return choice === null ? isDefault || connection?.saveData === true : choice === '1'
}

/** Whether the hub shall send fewer and smaller preview images. */
export const $dataSaver = atom(readDataSaver())

/** Applies the default of the hub. */
export const applyDataSaverDefault = (isOn = false) => $dataSaver.set(readDataSaver(isOn))

/** Switches the data saver on or off, and remembers the choice in this browser. */
export function toggleDataSaver(): void {
  const isOn = !$dataSaver.get()
  $dataSaver.set(isOn)
  localStorage.setItem(DATA_SAVER_KEY, isOn ? '1' : '0')
}

export const previews = createPreviews({
  async open(signal) {
    const response = await openStream(
      openPreview,
      {
        v: Date.now(),
        seen: $feedTakesRequests.get() ? 1 : undefined,
        save: $dataSaver.get() ? 1 : undefined
      },
      signal
    )
    // A cloud that relays no further pictures says why.
    if (response.headers.get('content-type')?.startsWith('application/json')) {
      const refusal = await response.clone().json()
      if (refusal.result === TOO_MANY) notify(refusal)
    }
    return response
  },
  setup: (request) => send(setupPreview, request),
  clear: (id) => send(clearPreview, { id }),
  acknowledge: acknowledgePreviews
})

onSessionClear(previews.clear)

/**
 * Opens the stream again with the current settings. Waits until it is known whether images can be acknowledged: images
 * sent without that would congest a slow connection.
 */
function restart(): void {
  previews.stop()
  if ($session.get() && $feedTakesRequests.get() !== undefined) previews.start()
}

$session.listen((user, previous) => user?.name === previous?.name || restart())
$feedTakesRequests.listen(restart)
$dataSaver.listen(restart)
