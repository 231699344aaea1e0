// Handlers for the licence of the hub.
import { INVALID_ARG, TIMEOUT, TOO_LARGE } from '../../../contract/codes.ts'
import {
  activateLicense,
  type CurrentLicense,
  deactivateLicense,
  getLicense,
  type LicenseRegistration,
  uploadLicense
} from '../../../contract/license/calls.ts'
import { LICENSE_STATE } from '../../../contract/license/license.ts'
import { LICENSE_FILE_MAX } from '../../../license/statement.ts'
import type { HubContext } from '../../context.ts'
import { readFormFile } from '../../firmware/multipart-file.ts'
import { UploadRefused } from '../../firmware/uploads.ts'
import { CallError, type Handler, handle, handlePreparedChange } from '../../http/handler.ts'
import type { HubRequest } from '../../http/request.ts'
import { LicenseServerError } from '../../license/license-service.ts'
import { countLicenseUsage } from '../../store/license-usage.ts'

/** The stored licence as the system status has it. */
export function serializeLicense({ license }: Pick<HubContext, 'license'>): LicenseRegistration {
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
export function serializeLimits({ license, store }: Pick<HubContext, 'license' | 'store'>): CurrentLicense {
  const { statement } = license.status()
  return {
    ...store.settings.get('license-limits'),
    ...(statement?.expires && { 'expired-time': statement.expires }),
    ...(statement?.['support-end'] && { 'support-end': statement['support-end'] })
  }
}

/** Throws the result of a licence that is not valid. */
function requireValid(state: number): void {
  if (state !== LICENSE_STATE.valid) throw new CallError(state, { 'license-state': state })
}

/** Waits for the licence server. @throws CallError 2 if it does not answer */
async function askServer<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof LicenseServerError ? new CallError(TIMEOUT) : error
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
      throw new UploadRefused(INVALID_ARG, { field: 'file' })
    }
  })
}

export function licenseHandlers(hub: HubContext): Handler[] {
  const { license, store } = hub
  return [
    handle(getLicense, () => ({
      'license-reg': serializeLicense(hub),
      'cur-license': { ...serializeLimits(hub), used: countLicenseUsage(store.database) },
      machine: license.machine,
      online: license.hasServer
    })),
    handlePreparedChange(
      activateLicense,
      (_, { 'user-name': title, sn }) => askServer(license.activate(title, sn)),
      (context, { sn }, { state, license: activated }) => {
        context.detail = sn
        requireValid(state)
        license.store(activated)
        return {}
      }
    ),
    handlePreparedChange(
      deactivateLicense,
      async (_, { 'user-name': title }) => {
        if (license.status().statement?.title !== title) requireValid(LICENSE_STATE.notExist)
        return askServer(license.deactivate())
      },
      (context, { 'user-name': title }, state) => {
        context.detail = title
        requireValid(state)
        license.store(undefined)
        return {}
      }
    ),
    handlePreparedChange(
      uploadLicense,
      (context) =>
        readLicenseFile(context.body).catch((error) => {
          throw error instanceof UploadRefused ? new CallError(error.code, error.extra) : error
        }),
      (_, __, file) => {
        requireValid(license.install(file))
        return {}
      }
    )
  ]
}
