// The files of the console in use, and of the one before it: a page that was loaded just before a switch still finds what it names.
import { createFiles, type Files, HASHED } from './static-files.ts'

/**
 * @param dist the console that the hub came with
 * @param fresh that one is read again for each request
 */
export function createConsoleFiles(dist: string, fresh = false) {
  let root = dist
  let now = createFiles(dist, fresh)
  let before: Files | undefined

  return {
    /** Shows another folder from now on. */
    use(folder: string): void {
      if (folder === root) return
      before = now
      now = createFiles(folder, fresh && folder === dist)
      root = folder
    },

    /** undefined for a path that is no file. */
    answer(request: Request): Response | undefined {
      const found = now(request)
      return found ?? (HASHED.test(new URL(request.url).pathname) ? before?.(request) : undefined)
    }
  }
}
