// Serves the files of the current console. Files with a hash in their name are also served from the previous console,
// because a page loaded just before an update still requests them.
import type { Reply } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import { createFiles, type Files, HASHED } from '../../web-server/static-files.ts'
import { addDevelopmentBanner } from './development-banner.ts'

/**
 * @param dist folder of the built-in console
 * @param dev whether to read the built-in console again for each request
 * @param isDevelopment whether the pages get the development banner
 */
export function createConsoleFiles(dist: string, dev = false, isDevelopment = false) {
  const changePage = isDevelopment ? addDevelopmentBanner : undefined
  let folder = dist
  let files = createFiles(dist, dev, changePage)
  let previousFiles: Files | undefined

  return {
    /** Serves another folder from now on. */
    switchTo(newFolder: string): void {
      if (newFolder === folder) return
      previousFiles = files
      files = createFiles(newFolder, dev && newFolder === dist, changePage)
      folder = newFolder
    },

    /** @returns undefined if the path is not a file */
    serveFile(request: HubRequest): Reply | undefined {
      const reply = files(request)
      return reply ?? (HASHED.test(request.path) ? previousFiles?.(request) : undefined)
    }
  }
}
