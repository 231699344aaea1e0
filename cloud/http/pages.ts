// Serves the files of the cloud's own pages.
import type { Reply } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import { allowFormTargets } from '../../web-server/security-headers.ts'
import { createFiles } from '../../web-server/static-files.ts'

/**
 * The pages open hubs by sending forms to their origins, which the policy of the page therefore allows.
 * @param dist folder of the built pages
 * @param originsOfHubs sources of the policy, for the Host header of a request
 */
export function createPages(dist: string, originsOfHubs: (host: string) => string) {
  const files = createFiles(dist)
  /** @returns undefined if the path is not a file */
  return (request: HubRequest): Reply | undefined => {
    const reply = files(request)
    const { 'content-security-policy': policy } = reply?.headers ?? {}
    if (!reply || typeof policy !== 'string') return reply
    const targets = originsOfHubs(request.headers.get('host') ?? '')
    const headers = {
      'content-security-policy': allowFormTargets(policy, targets),
      // The origin of a hub only accepts a form that names the origin of the cloud.
      'referrer-policy': 'strict-origin-when-cross-origin'
    }
    return { ...reply, headers: { ...reply.headers, ...headers } }
  }
}
