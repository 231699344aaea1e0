// Changes of HTTPS and of the ports: the part `web` of the settings. The hub opens ports before it stores anything, so
// a refused change changes nothing.
import { INVALID_ARG, PORT_OCCUPIED, WRONG_STATE } from '../../../contract/codes.ts'
import { PORT_CONFIRM_TIME, WEB_PORTS, type WebPortName } from '../../../contract/web/ports.ts'
import type { TrialStart, WebFault, WebRequest } from '../../../contract/web/settings.ts'
import type { Certificates } from '../../../tls/certificates.ts'
import { hostNameOf, isHostName } from '../../../web-server/host-header.ts'
import type { SignInTickets } from '../../auth/sign-in-tickets.ts'
import type { SharedPorts } from '../../channels/shared-ports.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import { redirectsByDefault } from '../../http/web.ts'
import { findProgram } from '../../machine/port-program.ts'
import type { StoredWeb } from '../../store/settings.ts'
import type { Store } from '../../store/store.ts'
import type { PortsInUse } from '../stream/ports-in-use.ts'
import { toCallError } from './certificate.ts'

export interface SetWebParts {
  store: Store
  signInTickets: SignInTickets
  webPorts: WebPorts
  certificates: Certificates
  sharedPorts: SharedPorts
  portsInUse: PortsInUse
}

interface StoreWebParts {
  store: Store
  webPorts: WebPorts
  certificates: Certificates
}

/** A change that is ready to be stored. */
export interface PreparedWeb {
  trial?: TrialStart
}

const refuse = (fault: WebFault, field?: string): never => {
  throw new CallError(WRONG_STATE, { fault, ...(field !== undefined && { field: `web.${field}` }) })
}

const isOverHttps = ({ webPorts }: { webPorts: WebPorts }, { localPort }: Context): boolean =>
  localPort !== undefined && webPorts.nameOf(localPort) === 'https'

/** Whether the browser of a request uses HTTPS only for the ports of its host. */
function isStrict(parts: { store: Store; webPorts: WebPorts }, context: Context): boolean {
  const { hsts, 'hsts-name': name } = parts.store.settings.get('web')
  return hsts === 'on' && isOverHttps(parts, context) && hostNameOf(context.host) === name
}

/** The ports that a request changes. */
function changedPorts({ webPorts }: { webPorts: WebPorts }, request: WebRequest): [WebPortName, number][] {
  return WEB_PORTS.flatMap((name) => {
    const port = request[`${name}-port`]
    const isOpen = webPorts.portOf(name) === port && webPorts.settingOf(name) === port
    return port === undefined || isOpen ? [] : [[name, port] as [WebPortName, number]]
  })
}

/** Converts the error of a port that could not be opened. */
function openError(error: unknown, field: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new CallError(PORT_OCCUPIED, { field, port, holder: findProgram('tcp', port) })
  if (code === 'EACCES') return new CallError(WRONG_STATE, { fault: 'privileged' satisfies WebFault, field, port })
  return error
}

/** @param other another port of the same request */
function requireTrialAllowed(
  parts: SetWebParts,
  context: Context,
  [name, port]: [WebPortName, number],
  other: WebPortName | undefined
): void {
  if (parts.webPorts.isTrying() || parts.sharedPorts.trial.observe()) refuse('trial-open', `${name}-port`)
  if (other) refuse('one-port', `${other}-port`)
  if (name !== 'https' && isStrict(parts, context)) refuse('hsts-port', `${name}-port`)
  parts.portsInUse.requireFree(context, [port], `web.${name}-port`, { kind: name })
}

/**
 * Checks the port of HTTPS while it is not open: the setting is stored, and used when HTTPS is switched on.
 * @param change another port of the same request
 * @throws CallError 1007
 */
function requireFreeHttpsPort(
  { portsInUse, webPorts }: SetWebParts,
  context: Context,
  port: number,
  change: [WebPortName, number] | undefined
): void {
  const field = 'web.https-port'
  if (change?.[1] === port) throw new CallError(PORT_OCCUPIED, { field, port, holder: { of: 'web' } })
  if (port !== webPorts.settingOf('https')) portsInUse.requireFree(context, [port], field, { kind: 'https' })
}

/** Opens a new port on trial, or the port of HTTPS, which can be opened at once. */
async function openPorts(parts: SetWebParts, context: Context, request: WebRequest): Promise<TrialStart | undefined> {
  const { webPorts, signInTickets, certificates } = parts
  const isEnabling = request['enable-https'] === true && webPorts.portOf('https') === undefined
  const [change, ...more] = changedPorts(parts, request).filter(
    ([name]) => name !== 'https' || webPorts.portOf('https')
  )
  if (change) requireTrialAllowed(parts, context, change, more[0]?.[0])
  if (isEnabling) {
    const port = request['https-port'] ?? webPorts.settingOf('https')
    parts.portsInUse.requireFree(context, [port], 'web.https-port', { kind: 'https' })
    await certificates.start()
    if (!certificates.identity()) refuse('no-certificate')
    await webPorts.openHttps(port).catch((error) => {
      throw openError(error, 'web.https-port', port)
    })
  } else if (request['https-port'] !== undefined && webPorts.portOf('https') === undefined)
    requireFreeHttpsPort(parts, context, request['https-port'], change)
  if (!change) return undefined
  const [name, port] = change
  const trial = await webPorts.startTrial(name, port).catch((error) => {
    throw openError(error, `web.${name}-port`, port)
  })
  const isConsole = name === 'http' || name === 'https'
  const ticket = isConsole
    ? signInTickets.issue(requireCaller(context), PORT_CONFIRM_TIME * 1000, ({ port: at }) => webPorts.confirm(at))
    : undefined
  return {
    port: trial.port,
    'confirm-within-s': PORT_CONFIRM_TIME,
    ...(ticket !== undefined && { ticket }),
    ...(!isConsole && { 'confirm-path': trial.confirmPath })
  }
}

/** The host name under which HSTS is on after a change; undefined if it is off. */
function hstsNameAfter({ store }: { store: Store }, context: Context, { hsts }: WebRequest): string | undefined {
  const stored = store.settings.get('web')
  if (hsts === false) return undefined
  if (stored.hsts === 'on') return stored['hsts-name'] ?? ''
  return hsts ? (hostNameOf(context.host) ?? '') : undefined
}

/** Refuses what would make the console unreachable. */
async function checkTransport(parts: SetWebParts, context: Context, request: WebRequest): Promise<void> {
  const { certificates, store } = parts
  const stored = store.settings.get('web')
  const isRedirecting = stored['redirect-http'] || redirectsByDefault(store.settings, certificates)
  const isSecure = isOverHttps(parts, context)
  const isTurnedOn = (name: 'redirect-http' | 'hsts', was: boolean) => request[name] === true && !was
  if (isTurnedOn('redirect-http', isRedirecting) && !isSecure) refuse('not-over-https', 'redirect-http')
  const isHstsOn = stored.hsts === 'on' && request.hsts !== false
  if (isHstsOn && request['enable-https'] === false) refuse('hsts-on', 'enable-https')
  if (!isTurnedOn('hsts', stored.hsts === 'on')) return
  if (!isSecure) refuse('not-over-https', 'hsts')
  const name = hostNameOf(context.host) ?? ''
  if (!isHostName(name) || !(await certificates.isTrustedFor(name))) refuse('not-trusted', 'hsts')
}

/** @throws CallError -102 or -103; 38 if browsers that use HTTPS only would refuse the certificate */
async function checkPair(
  parts: { store: Store; certificates: Certificates },
  context: Context,
  request: WebRequest
): Promise<void> {
  const { 'cert-filename': cert, 'cert-key-filename': key } = request
  if (cert === undefined || key === undefined) return
  const hstsName = hstsNameAfter(parts, context, request)
  if (cert === '' && key === '') return hstsName === undefined ? undefined : refuse('hsts-on', 'cert-filename')
  try {
    const identity = parts.certificates.checkPair({ cert, key })
    if (hstsName !== undefined && !(await parts.certificates.isTrustedFor(hstsName, identity)))
      refuse('not-trusted', 'cert-filename')
  } catch (error) {
    const of = (error as { of?: string }).of === 'key' ? 'cert-key-filename' : 'cert-filename'
    throw toCallError(error, { field: `web.${of}` })
  }
}

/** Checks a change, and opens what it needs. @throws CallError */
export async function prepareWeb(parts: SetWebParts, context: Context, request: WebRequest): Promise<PreparedWeb> {
  if (context.localPort === undefined && parts.webPorts.portOf('http') === undefined)
    throw new CallError(INVALID_ARG, { field: 'web' })
  await checkTransport(parts, context, request)
  await checkPair(parts, context, request)
  try {
    const trial = await openPorts(parts, context, request)
    return trial ? { trial } : {}
  } finally {
    // Closes HTTPS again if it was opened for a change that is refused after all.
    if (request['enable-https']) parts.webPorts.httpsChangedAfterReply()
  }
}

/**
 * The stored part after a change. A port on trial is stored when it is confirmed, and a port for HTTPS that is not open
 * at once.
 */
function changedWeb(parts: { store: Store; webPorts: WebPorts }, context: Context, request: WebRequest): StoredWeb {
  const { webPorts, store } = parts
  const stored = store.settings.get('web')
  const { 'cert-filename': cert, 'cert-key-filename': key, hsts } = request
  const isNewPair = cert !== undefined && key !== undefined && cert !== stored.pair?.cert
  const enable = request['enable-https'] ?? stored['enable-https']
  const httpsPort = request['https-port']
  const isHttpsChosen = httpsPort !== undefined && webPorts.trial()?.name !== 'https'
  return {
    ports: isHttpsChosen ? webPorts.withPort('https', webPorts.portOf('https') ?? httpsPort) : stored.ports,
    'enable-https': enable,
    'redirect-http': enable === false ? false : (request['redirect-http'] ?? stored['redirect-http']),
    'redirect-off': request['redirect-http'] === undefined ? stored['redirect-off'] : !request['redirect-http'],
    hsts: hsts === undefined ? stored.hsts : hsts ? 'on' : stored.hsts === 'off' ? 'off' : 'revoked',
    'hsts-name': hstsNameAfter(parts, context, request) ?? null,
    pair: isNewPair ? (cert ? { cert, key: key ?? '' } : null) : stored.pair,
    'former-pair': isNewPair && stored.pair ? stored.pair : stored['former-pair']
  }
}

/** Stores a prepared change. It takes effect when it is stored. */
export function setWeb(parts: StoreWebParts, context: Context, request: WebRequest): void {
  const { webPorts, certificates, store } = parts
  const value = changedWeb(parts, context, request)
  const names = Object.entries(request).filter(([name]) => !name.startsWith('cert'))
  const uploaded = request['cert-filename'] ? [`certificate ${request['cert-filename']}`] : []
  context.detail = ['web', ...names.map(([name, field]) => `${name} ${field}`), ...uploaded].join(', ')
  const isPairChanged = value.pair !== store.settings.get('web').pair
  store.settings.set('web', value)
  context.afterCommit(async () => {
    if (isPairChanged) await certificates.settingChanged()
    if (request['enable-https'] === true) await webPorts.httpsChanged()
    if (request['enable-https'] === false) webPorts.httpsChangedAfterReply()
    store.changes.markChanged('status')
  })
}
