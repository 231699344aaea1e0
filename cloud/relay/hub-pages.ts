// The few pages that the cloud itself shows on the origin of a hub.
import { createHash } from 'node:crypto'
import { CLIENT_OFFLINE, NOT_LOGGED_IN, NOT_PERMITTED, TARGET_TIMEOUT } from '../../contract/codes.ts'
import { requestLanguage, translate } from '../../web-server/language.ts'
import type { Reply } from '../../web-server/reply.ts'
import { HUB_TITLE, RETRIES, relayText } from './texts.ts'

/** Path to which a page sends the ticket of a user who opens an origin. No device is likely to have it. */
export const ENTRANCE_PATH = '/headend-enter'

/** Seconds after which a page whose hub cannot be reached is requested again. */
const RETRY_AFTER = 5

const STATUS: Readonly<Record<number, number>> = {
  [NOT_LOGGED_IN]: 401,
  [NOT_PERMITTED]: 403,
  [CLIENT_OFFLINE]: 502,
  [TARGET_TIMEOUT]: 504
}

/** The path of a page of the console, as it stands behind `#`: no character of it has a meaning in HTML. */
const CONSOLE_PAGE = /^\/[\w./?=%-]{0,300}$/

/**
 * Sets the session cookie and opens the console, which stays at this origin whatever `page` is. The browser leaves this
 * page by itself, because a request that another site has caused, as the form was, would not have the cookie
 * (SameSite=Strict).
 * @param page the page of the console to open; any other text opens the first one
 */
export const entrancePage = (cookies: readonly string[], page: string): Reply => {
  const hash = CONSOLE_PAGE.test(page) ? `#${page}` : ''
  return htmlReply(200, `<!doctype html><meta http-equiv="refresh" content="0;url=/${hash}"><title>…</title>`, {
    'set-cookie': cookies
  })
}

/** Sends the form of `handOffPage`. */
const SUBMIT = 'document.forms[0].submit()'
const SUBMIT_HASH = createHash('sha256').update(SUBMIT).digest('base64')

/** Passes a ticket on to another origin in a form, so that it is in no URL. @param url where the form is sent to */
export const handOffPage = (url: string, ticket: string): Reply =>
  htmlReply(
    200,
    [
      `<!doctype html><title>…</title><form method="post" action="${url}">`,
      `<input type="hidden" name="ticket" value="${ticket}"></form><script>${SUBMIT}</script>`
    ].join(''),
    {
      'content-security-policy': `default-src 'none'; script-src 'sha256-${SUBMIT_HASH}'; form-action ${url}`,
      // The other origin only accepts a form that names this one.
      'referrer-policy': 'strict-origin-when-cross-origin'
    }
  )

/** Says why there is no console. @param sn serial number of the hub: letters, digits and hyphens */
export function refusalPage(headers: { get(name: string): string | null }, code: number, sn: string): Reply {
  const language = requestLanguage(headers)
  const retries = code === CLIENT_OFFLINE || code === TARGET_TIMEOUT
  const lines = [
    `<!doctype html><html lang="${language}"><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    ...(retries ? [`<meta http-equiv="refresh" content="${RETRY_AFTER}">`] : []),
    `<title>${sn}</title><h1>${translate(language, HUB_TITLE, { sn })}</h1>`,
    `<p>${relayText(headers, code)}</p>`,
    ...(retries ? [`<p>${translate(language, RETRIES)}</p>`] : [])
  ]
  return htmlReply(STATUS[code] ?? 404, lines.join(''))
}

const htmlReply = (status: number, body: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'text/html;charset=utf-8', 'cache-control': 'no-store', ...headers },
  body
})
