// The pages that were last opened from the palette, kept in the browser for each user.
import { CACHE_PREFIX } from '../../contract/limits.ts'
import { $session } from '../state/session.ts'
import type { IconName } from '../ui/icon.tsx'

const PAGES_MAX = 5

export interface RecentPage {
  /** Link with its query. */
  path: string
  icon: IconName
  name: string
}

const storageKey = () => `${CACHE_PREFIX}recent-${$session.get()?.id}`

/** Newest first. */
export function recentPages(): readonly RecentPage[] {
  try {
    return JSON.parse(localStorage.getItem(storageKey()) ?? '[]')
  } catch {
    return []
  }
}

export function addRecentPage(page: RecentPage): void {
  const others = recentPages().filter(({ path }) => path !== page.path)
  localStorage.setItem(storageKey(), JSON.stringify([page, ...others].slice(0, PAGES_MAX)))
}
