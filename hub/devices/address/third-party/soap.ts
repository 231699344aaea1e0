// SOAP requests to ONVIF services, with the two kinds of login that the ONVIF Core Specification has (5.9): a
// UsernameToken of WS-Security, or HTTP Digest (RFC 7616). A request is sent without login first; the answer tells
// which one the camera wants, so that the password is sent once.
import { createHash, randomBytes } from 'node:crypto'
import { AUTH_FAILED } from '../../../../contract/codes.ts'
import { LinkError } from '../../../../device-link/link-error.ts'
import type { DeviceRequest } from '../../../../device-link/request.ts'
import { elementsAt, parseXml, type XmlElement } from '../../xml.ts'
import type { Login, ThirdPartyEndpoint } from './adapter.ts'
import { invalidResponse } from './http-json.ts'

/** Bytes of a response. */
const RESPONSE_MAX = 1 << 20

const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss'

/** The text as the content of an element or an attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** @param now milliseconds since the epoch on the clock of the camera */
function usernameToken({ user, password }: Login, now: number): string {
  const nonce = randomBytes(16)
  const created = new Date(now).toISOString()
  const digest = createHash('sha1').update(nonce).update(created).update(password).digest('base64')
  return `<s:Header><Security s:mustUnderstand="1" xmlns="${WSSE}-wssecurity-secext-1.0.xsd"><UsernameToken>
<Username>${escapeXml(user)}</Username>
<Password Type="${WSSE}-username-token-profile-1.0#PasswordDigest">${digest}</Password>
<Nonce EncodingType="${WSSE}-soap-message-security-1.0#Base64Binary">${nonce.toString('base64')}</Nonce>
<Created xmlns="${WSSE}-wssecurity-utility-1.0.xsd">${created}</Created></UsernameToken></Security></s:Header>`
}

/** Parameters of a Digest challenge; undefined if there is none that the hub can answer. */
function challengeOf(header: string | undefined): Record<string, string> | undefined {
  // Several challenges can be in one header. Cameras name MD5 or no algorithm in the first one.
  const text = /digest\s+(.*)/is.exec(header ?? '')?.[1]
  if (text === undefined) return undefined
  const parameters: Record<string, string> = {}
  for (const [, name = '', quoted, plain] of text.matchAll(/([\w-]+)=(?:"([^"]*)"|([^\s,]+))/g))
    parameters[name.toLowerCase()] ??= quoted ?? plain ?? ''
  const algorithm = parameters.algorithm ?? 'MD5'
  return parameters.nonce !== undefined && /^(MD5|SHA-256)$/i.test(algorithm) ? parameters : undefined
}

/** The Authorization header that answers a Digest challenge; undefined if it has none. */
export function digestAuthorization(
  header: string | undefined,
  { user, password }: Login,
  method: string,
  path: string
): string | undefined {
  const challenge = challengeOf(header)
  if (!challenge) return undefined
  const { realm = '', nonce = '', opaque, algorithm = 'MD5', qop } = challenge
  const hash = (text: string) =>
    createHash(algorithm.toUpperCase() === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  const cnonce = randomBytes(8).toString('hex')
  const [first, second] = [hash(`${user}:${realm}:${password}`), hash(`${method}:${path}`)]
  const middle = qop === undefined ? nonce : `${nonce}:00000001:${cnonce}:auth`
  const quote = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`
  return `Digest ${[
    `username=${quote(user)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(path)}`,
    `response="${hash(`${first}:${middle}:${second}`)}"`,
    `algorithm=${algorithm}`,
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
    ...(qop === undefined ? [] : ['qop=auth', 'nc=00000001', `cnonce="${cnonce}"`])
  ].join(', ')}`
}

/**
 * @param path of the service
 * @param body XML of the body
 * @param header XML of the header
 */
export const soapRequest = (path: string, body: string, header = '', authorization?: string): DeviceRequest => ({
  method: 'POST',
  path,
  headers: {
    'content-type': 'application/soap+xml; charset=utf-8',
    ...(authorization !== undefined && { authorization })
  },
  body: `<?xml version="1.0" encoding="UTF-8"?>
<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">${header}<s:Body>${body}</s:Body></s:Envelope>`,
  maxBody: RESPONSE_MAX
})

export interface SoapCall {
  /** Path of the service. */
  path: string
  /** XML of the body. */
  body: string
  /** Milliseconds since the epoch on the clock of the camera, which refuses a token from another time. */
  now?: number
}

/**
 * Sends a request, and repeats it with the login if the camera demands one.
 * @returns the element in the body of the answer; undefined if it is a fault
 * @throws LinkError 36 if the login is refused or there is none, 49 if the answer is not SOAP
 */
export async function callSoap(
  endpoint: ThirdPartyEndpoint,
  login: Login,
  { path, body, now = Date.now() }: SoapCall
): Promise<XmlElement | undefined> {
  const first = await endpoint.send(soapRequest(path, body))
  if (first.status === 200) return readBody(first.body)
  const envelope = parseXml(first.body.toString())
  const isDemanded = first.status === 401 || /NotAuthorized|FailedAuthentication/i.test(first.body.toString())
  if (!isDemanded && elementsAt(envelope, 'Envelope').length === 0) throw invalidResponse()
  if (!isDemanded) return undefined
  if (login.user === '') throw refused()
  const authorization = digestAuthorization(String(first.headers['www-authenticate'] ?? ''), login, 'POST', path)
  const second = await endpoint.send(
    soapRequest(path, body, authorization === undefined ? usernameToken(login, now) : '', authorization)
  )
  if (second.status === 200) return readBody(second.body)
  if (second.status === 401 || /NotAuthorized|FailedAuthentication/i.test(second.body.toString())) throw refused()
  return undefined
}

const refused = () => new LinkError(AUTH_FAILED, 'the camera refuses the login')

/** @throws LinkError 49 if it is not SOAP */
function readBody(body: Buffer): XmlElement | undefined {
  const [envelope] = elementsAt(parseXml(body.toString()), 'Envelope')
  const [content] = elementsAt(envelope, 'Body')
  if (!content) throw invalidResponse()
  return 'Fault' in content ? undefined : content
}
