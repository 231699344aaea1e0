// Handlers for the licence of the hub.
import {
  CHANNEL_CONTROL,
  CHANNEL_EDIT,
  DEVICE_ADV_CONTROL,
  isPermitted,
  SYSTEM_CONFIG_VIEW
} from '../../../contract/access/permissions.ts'
import type { Call } from '../../../contract/call.ts'
import { IN_PROGRESS, TIMEOUT, TOO_LARGE } from '../../../contract/codes.ts'
import {
  activateLicense,
  type CurrentLicense,
  deactivateLicense,
  getLicense,
  type LicenseRegistration,
  uploadLicense
} from '../../../contract/license/calls.ts'
import { LICENSE_STATE, type LicenseLimits, type LicenseRefusal } from '../../../contract/license/license.ts'
import { LICENSE_FILE_MAX } from '../../../license/statement.ts'
import type { HubRequest } from '../../../web-server/request.ts'
import type { Caller } from '../../auth/gate.ts'
import { readFormFile } from '../../firmware/multipart-file.ts'
import { UploadRefused } from '../../firmware/uploads.ts'
import {
  CallError,
  type Handler,
  handle,
  handlePreparedChange,
  interrupting,
  requireCaller
} from '../../http/handler.ts'
import { ServerAwayError, UntrustedAnswerError } from '../../license/license-server.ts'
import type { LicenseService } from '../../license/license-service.ts'
import type { Store } from '../../store/store.ts'

/** The stored licence as the system status has it. */
export function serializeLicense({ license }: { license: LicenseService }): LicenseRegistration {
  const { state, reason, statement, checkedAt } = license.status()
  return {
    status: state,
    ...(reason && { reason }),
    ...(statement && {
      'user-name': statement.title,
      sn: statement.sn,
      license: statement.limits,
      permissions: statement.permissions,
      machine: statement.machine,
      issued: statement.issued
    }),
    ...(checkedAt !== undefined && { checked: checkedAt })
  }
}

/** The limits in force. An ended licence shows its end too, so that a user knows what to renew. */
export function serializeLimits({ license, store }: { store: Store; license: LicenseService }): CurrentLicense {
  const { statement } = license.status()
  return {
    ...store.settings.get('license-limits'),
    ...(statement?.expires && { 'expired-time': statement.expires }),
    ...(statement?.['support-end'] && { 'support-end': statement['support-end'] })
  }
}

/**
 * The usage of the limits that a user may exhaust: that of channels for users who start or edit channels, that of
 * devices for users who accept them.
 */
export function serializeUsage({ store }: { store: Store }, user: Caller['user']): Partial<LicenseLimits> {
  const { 'max-dev-count': devices, ...channels } = store.licenseUsage()
  return {
    ...(isPermitted(SYSTEM_CONFIG_VIEW | CHANNEL_CONTROL | CHANNEL_EDIT, user) && channels),
    ...(isPermitted(SYSTEM_CONFIG_VIEW | DEVICE_ADV_CONTROL, user) && { 'max-dev-count': devices })
  }
}

/** Throws the result of a licence that is not valid. */
function requireValid(state: number, reason?: LicenseRefusal): void {
  if (state !== LICENSE_STATE.valid)
    throw new CallError(state, { 'license-state': state, ...(reason && { 'license-reason': reason }) })
}

/**
 * Sends one request at a time to the licence server.
 * @throws CallError 43 while another one runs, 2 if the server does not answer, or the state of an answer that is not
 * trusted
 */
async function askServer<T>({ license }: { license: LicenseService }, request: () => Promise<T>): Promise<T> {
  if (license.isAsking) throw new CallError(IN_PROGRESS)
  try {
    return await request()
  } catch (error) {
    if (error instanceof UntrustedAnswerError) requireValid(error.state, 'untrusted-server')
    throw error instanceof ServerAwayError ? new CallError(TIMEOUT) : error
  }
}

/** Reads an uploaded licence file. @throws UploadRefused */
async function readLicenseFile(body: Pick<HubRequest, 'body' | 'headers'> | undefined): Promise<unknown> {
  return readFormFile(body?.body ?? null, body?.headers.get('content-type') ?? null, async (_, source) => {
    const chunks: Uint8Array[] = []
    let length = 0
    await source(async (bytes) => {
      length += bytes.length
      if (length > LICENSE_FILE_MAX) throw new UploadRefused(TOO_LARGE, { max: LICENSE_FILE_MAX })
      chunks.push(bytes)
    })
    try {
      return JSON.parse(Buffer.concat(chunks).toString('utf8'))
    } catch {
      return requireValid(LICENSE_STATE.invalid, 'no-license')
    }
  })
}

/** A licence stops no channel: its limits count when the next one is started. */
const withoutInterruption = <Request>(call: Call<Request>, handler: Handler): Handler =>
  interrupting(call, handler, { find: () => ({ kind: 'nothing' }), isAlone: () => true })

export function licenseHandlers(parts: { store: Store; license: LicenseService }): Handler[] {
  const { license } = parts
  return [
    handle(getLicense, (context) => ({
      'license-reg': serializeLicense(parts),
      'cur-license': { ...serializeLimits(parts), used: serializeUsage(parts, requireCaller(context).user) },
      machine: license.machine,
      online: license.hasServer
    })),
    withoutInterruption(
      activateLicense,
      handlePreparedChange(
        activateLicense,
        (_, { 'user-name': title, sn }) => askServer(parts, () => license.activate(title, sn)),
        (context, { sn }, { state, license: activated }) => {
          context.detail = sn
          requireValid(state)
          license.store(activated)
          return {}
        }
      )
    ),
    withoutInterruption(
      deactivateLicense,
      handlePreparedChange(
        deactivateLicense,
        async (_, { 'user-name': title }) => {
          const { state, statement } = license.status()
          if (state === LICENSE_STATE.none || (statement?.title ?? '') !== title) requireValid(LICENSE_STATE.notExist)
          await askServer(parts, () => license.deactivate())
        },
        (context, { 'user-name': title }) => {
          context.detail = title
          license.store(undefined)
          return {}
        }
      )
    ),
    withoutInterruption(
      uploadLicense,
      handlePreparedChange(
        uploadLicense,
        (context) =>
          readLicenseFile(context.body).catch((error) => {
            throw error instanceof UploadRefused ? new CallError(error.code, error.extra) : error
          }),
        (context, _, file) => {
          const { state, reason } = license.install(file)
          requireValid(state, reason)
          context.detail = license.status().statement?.sn ?? ''
          return {}
        }
      )
    )
  ]
}
