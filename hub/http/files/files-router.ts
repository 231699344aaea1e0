// Routes the requests of the port for files: HLS, and the calls that return a file to download. Everything else is 404.
import type { Call } from '../../../contract/call.ts'
import { PORT_CONFIRM_PATH } from '../../../contract/web/ports.ts'
import type { Peer } from '../../../web-server/peer.ts'
import { type Reply, textReply, withHeaders } from '../../../web-server/reply.ts'
import type { HubRequest } from '../../../web-server/request.ts'
import { SECURITY_HEADERS } from '../../../web-server/security-headers.ts'
import type { Gate } from '../../auth/gate.ts'
import { admitPlayer, type HlsHandler, type RouteHandler } from '../router.ts'

interface FilesRouterOptions {
  gate: Pick<Gate, 'caller'>
  api: RouteHandler
  hls: HlsHandler
  /** Calls without effects, whose response is a file. */
  downloads: readonly Call[]
  /** Confirms this port, which was changed. @returns whether the query and the port are right */
  confirmPort(search: string, localPort: number | undefined): Promise<boolean>
}

/** A link of the console leads to another port, so the page leaves by the download unless errors are downloads, too. */
const ERROR_FILE = { 'content-disposition': 'attachment; filename="error.json"' }

/** @returns a function which handles one request of a peer */
export function createFilesRouter({ gate, api, hls, downloads, confirmPort }: FilesRouterOptions) {
  const paths = new Set(downloads.map(({ path }) => `/api${path}`))

  async function download(request: HubRequest, peer: Peer): Promise<Reply | Response> {
    const caller = gate.caller(request.headers, peer.address)
    const answer = await api(fromOwnHost(request), peer, caller)
    // A ticket stands for a session.
    if (caller || isFile(answer)) peer.admit?.()
    return withHeaders(answer, ERROR_FILE)
  }

  async function route(request: HubRequest, peer: Peer): Promise<Reply | Response> {
    if (request.path === PORT_CONFIRM_PATH && (await confirmPort(request.search, peer.localPort)))
      return { status: 204, headers: SECURITY_HEADERS, body: null }
    const isDownload = request.method === 'GET' && paths.has(request.path)
    const answer = isDownload ? await download(request, peer) : textReply('Not found\n', 404)
    return withHeaders(answer, SECURITY_HEADERS)
  }

  return (request: HubRequest, peer: Peer): Promise<Reply | Response> => {
    const stream = hls(request, peer.address)
    return stream ? admitPlayer(stream, peer) : route(request, peer)
  }
}

const isFile = (answer: Reply | Response) => answer instanceof Response && answer.ok

/**
 * The console is at another port of the same host, for which a browser declares `same-site`. Only a navigation passes:
 * its response is a download that no page can read.
 */
function fromOwnHost(request: HubRequest): HubRequest {
  const { headers } = request
  const isNavigation = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-site') === 'same-site'
  if (!isNavigation) return request
  return {
    method: request.method,
    path: request.path,
    search: request.search,
    headers: { get: (name) => (name === 'sec-fetch-site' ? 'same-origin' : headers.get(name)) },
    body: null,
    readText: async () => ''
  }
}
