// What the console does at another hub (`$isOtherHub`). Its code is in the later script, loaded for such a hub only.
import { atom } from 'nanostores'
import { $isOtherHub } from '../link/change-feed.ts'
import { transport } from '../link/fetch-json.ts'
import { preloadLater } from '../ui/lazy/later-script.ts'

/** Undefined at this hub, and until the code has arrived: a call that is missing then responds that it is. */
export const $otherHub = atom<typeof import('../link/other-hub.ts') | undefined>()

$isOtherHub.listen(async (isOther) => {
  const module = isOther ? await preloadLater(() => import('../link/other-hub.ts')).catch(() => undefined) : undefined
  $otherHub.set($isOtherHub.get() ? module : undefined)
})

/** Whether the hub, or the cloud, is known not to have a call. */
export const isMissing = (path: string | undefined): boolean =>
  path !== undefined && (transport.cloudCalls ?? $otherHub.get()?.USABLE_CALLS)?.has(path) === false
