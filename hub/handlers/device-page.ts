// The way to a device's own web page (contract/device/web-page.ts): on the console's origin there is only the door. It gives who may enter a
// ticket and sends the browser to the page's own origin.
import {
  CLIENT_NOT_EXIST,
  CLIENT_OFFLINE,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TOO_MANY
} from '../../contract/codes.ts'
import { WEB_PAGE_PREFIX, WEB_PAGE_RIGHT } from '../../contract/device/web-page.ts'
import { permits } from '../../contract/permissions.ts'
import type { Caller } from '../auth/gate.ts'
import type { Hub } from '../context.ts'
import type { Peer } from '../http/api.ts'
import { isFromOwnPage } from '../http/origin.ts'

/** What each refusal is for the address bar: a status, and words in both languages, since nobody knows here which one is read. */
const REFUSALS: Readonly<Record<number, [number, string]>> = {
  [NOT_LOGGED_IN]: [401, 'Sign in to the console first.\n请先登录控制台。\n'],
  [NOT_PERMITTED]: [403, 'You may not open the pages of devices.\n您没有打开设备页面的权限。\n'],
  [CLIENT_NOT_EXIST]: [404, 'There is no such device.\n设备不存在。\n'],
  [CLIENT_OFFLINE]: [502, 'The device is not connected.\n设备未连接。\n'],
  [TOO_MANY]: [503, 'Too many device pages are open.\n打开的设备页面过多。\n']
}

/** Answers GET requests whose path starts with `/socket/sc-remote/`. */
export function createRemote({ store, registry, reach, pages }: Hub) {
  return async function remote(request: Request, peer: Peer, caller: Caller | undefined): Promise<Response> {
    const url = new URL(request.url)
    const [sn = ''] = url.pathname.slice(WEB_PAGE_PREFIX.length).split('/')
    const serial = /^[\w-]{1,64}$/.test(sn) ? sn : ''

    function log(code: number): void {
      const written = store.database.transaction(() =>
        store.logs.addOperation({
          time: Date.now(),
          user: caller?.user.name ?? '',
          ip: peer.address,
          event: WEB_PAGE_PREFIX.slice(0, -1),
          detail: serial,
          code,
          objects: serial ? [`device:${serial}`] : [],
          nobody: !caller
        })
      )
      if (written) store.changes.bump('log')
    }
    function refuse(code: number): Response {
      log(code)
      const [status, words] = REFUSALS[code] ?? [500, '']
      return new Response(words, {
        status,
        headers: { 'content-type': 'text/plain;charset=utf-8', 'cache-control': 'no-store' }
      })
    }

    if (request.method !== 'GET') return new Response('', { status: 405, headers: { allow: 'GET' } })
    if (!caller) return refuse(NOT_LOGGED_IN)
    const own = isFromOwnPage(request.headers, url.host)
    // Who may open no page at all is not told which devices there are.
    if (own === false || caller.mustChangePassword || !permits(WEB_PAGE_RIGHT, caller.user))
      return refuse(NOT_PERMITTED)
    if (!serial || !reach(caller.session, serial, WEB_PAGE_RIGHT)) return refuse(CLIENT_NOT_EXIST)
    if (!registry.online(serial)) return refuse(CLIENT_OFFLINE)
    const opened = await pages.open(serial, caller.session)
    if (!opened) return refuse(TOO_MANY)
    log(SUCCESS)
    // The cookie is set here for there: a browser keeps one set of cookies for all ports of a host, and so no address holds a secret.
    const location = `http://${url.hostname}:${opened.port}/`
    return new Response(null, {
      status: 303,
      headers: { location, 'set-cookie': opened.cookie, 'cache-control': 'no-store' }
    })
  }
}
