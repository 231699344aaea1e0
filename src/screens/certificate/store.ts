// Store and mutations of HTTPS and its certificate.
import type { Call, Envelope } from '../../../contract/call.ts'
import { REAUTHENTICATION_REQUIRED, SUCCESS } from '../../../contract/codes.ts'
import { setSettings } from '../../../contract/settings.ts'
import { uploadCertificate, uploadCertificateKey } from '../../../contract/web/certificate.ts'
import type { WebRequest } from '../../../contract/web/settings.ts'
import { fetchJson } from '../../link/fetch-json.ts'
import { apiUrl } from '../../link/relay.ts'
import { send } from '../../link/send.ts'
import { type MutateOptions, mutate, sendMutation } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'

const SAVED = { success: { text: OUTCOME.settingsSaved, names: [] } }

export const setWeb = (web: WebRequest): Promise<Envelope> => sendMutation(setSettings, { web }, SAVED)

/** Uploads one file as a form. */
function upload(call: Call<object, { filename: string }>, text: string): Promise<Envelope & { filename?: string }> {
  const body = new FormData()
  body.append('file', new Blob([text]), 'file.pem')
  return fetchJson(apiUrl(call.path), { method: 'POST', body })
}

/** Uploads a certificate and its key, and uses both. */
export function installCertificate(
  certificate: string,
  key: string,
  options: Partial<MutateOptions>
): Promise<Envelope> {
  return mutate(() => installFiles(certificate, key), { ...SAVED, ...options })
}

async function installFiles(certificate: string, key: string): Promise<Envelope> {
  const [first, second] = [await upload(uploadCertificate, certificate), await upload(uploadCertificateKey, key)]
  const refused = [first, second].find(({ result }) => result !== SUCCESS)
  if (refused?.result === REAUTHENTICATION_REQUIRED) return refused
  if (refused) return { ...refused, field: refused === first ? 'certificate' : 'key' }
  const web = { 'cert-filename': first.filename ?? '', 'cert-key-filename': second.filename ?? '' }
  const response = await send(setSettings, { web })
  return response.result === SUCCESS
    ? response
    : { ...response, field: response.field?.endsWith('key-filename') ? 'key' : 'certificate' }
}
