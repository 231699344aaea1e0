// Imports modules of the later script: the rare screens and dialogs, which are not part of the first load
// (docs/architecture/first-load.md).
import { CACHE_PREFIX, CHUNK_TIMEOUT, REQUEST_TIMEOUT } from '../../../contract/limits.ts'
import { loadLaterSentences } from '../../text/language.ts'

/** In session storage: the later script for which the page was reloaded. */
const RELOADED_KEY = `${CACHE_PREFIX}reloaded`

function rejectAfter(milliseconds: number): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('timed out')), milliseconds))
}

/**
 * Reloads the page if that helps: when the file is gone because the console was upgraded, once for each file; and when
 * the user has asked for a retry and the hub responds, because browsers keep the failure of an import until the page is
 * reloaded. The request replaces a truncated copy in the browser's cache.
 */
async function reloadIfUseful(isRetry: boolean): Promise<void> {
  const file = window.pageLoader?.later
  if (!file) return
  const response = await fetch(file, { cache: 'reload', signal: AbortSignal.timeout(REQUEST_TIMEOUT) })
  await response.arrayBuffer()
  const isGone = response.status === 404
  if (!(isRetry && (response.ok || isGone)) && !(isGone && sessionStorage.getItem(RELOADED_KEY) !== file)) return
  sessionStorage.setItem(RELOADED_KEY, file)
  location.reload()
  // The placeholder stays until the page is replaced.
  await new Promise(() => {})
}

/**
 * Runs a dynamic import before its module is needed, and loads the sentences of the later script. A failure does not
 * reload the page: what the user is doing would be lost.
 * @returns the module
 * @throws Error when the file cannot be loaded or does not arrive in time
 */
export async function preloadLater<Module>(load: () => Promise<Module>): Promise<Module> {
  const [module] = await Promise.race([Promise.all([load(), loadLaterSentences()]), rejectAfter(CHUNK_TIMEOUT)])
  return module
}

/**
 * Runs a dynamic import for a screen or dialog that the user has opened, and loads the sentences of the later script.
 * @param isRetry whether the user has asked for it after a failure
 * @returns the module; never resolves when the page is reloaded instead
 * @throws Error when the file cannot be loaded or does not arrive in time
 */
export async function importLater<Module>(load: () => Promise<Module>, isRetry = false): Promise<Module> {
  try {
    return await preloadLater(load)
  } catch (error) {
    await reloadIfUseful(isRetry).catch(() => undefined)
    throw error
  }
}
