// Responses to requests with a Host header that is not on the allow list.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { NOT_PERMITTED } from '../contract/codes.ts'
import { logger } from '../process-log/logger.ts'
import { hostHeaderOf, hostNameOf } from './host-header.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import { jsonReply, type Reply, textReply, withHeaders } from './reply.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/** RFC 9110, 15.5.20: the request was sent to a server that cannot answer for this name. */
const MISDIRECTED = 421

/** In both languages, because the browser shows it outside the console. */
const TEXT =
  'The hub does not answer under this name. Open it by its IP address. An administrator can add the name to the\n' +
  'settings (hosts), or start the hub with the environment variable HOSTS=name.\n' +
  '中控不以此名称提供服务。请改用 IP 地址访问。管理员可在设置（hosts）中添加此名称，\n' +
  '或在启动中控时设置环境变量 HOSTS=名称。\n'

/** The response to a request with a name that is not allowed. Without a well-formed Host header it is 400. */
export function refuseHost(request: IncomingMessage): Reply {
  const { url } = request
  const name = hostNameOf(hostHeaderOf(request))
  if (name === undefined)
    return withHeaders(textReply('The Host header is missing, malformed or repeated\n', 400), SECURITY_HEADERS)
  logger.warn('Request refused: Host header not on the allow list', { host: name })
  const reply = url?.startsWith('/api/')
    ? jsonReply({ result: NOT_PERMITTED, message: TEXT.trim() }, MISDIRECTED)
    : textReply(TEXT, MISDIRECTED, { 'cache-control': 'no-store' })
  return withHeaders(reply, SECURITY_HEADERS)
}

/** Refuses an upgrade request for the same reason. */
export function refuseUpgradeHost(request: IncomingMessage, socket: Duplex): void {
  const isReadable = hostNameOf(hostHeaderOf(request)) !== undefined
  const status = isReadable ? `${MISDIRECTED} Misdirected Request` : '400 Bad Request'
  refuseUpgrade(socket, status)
}
