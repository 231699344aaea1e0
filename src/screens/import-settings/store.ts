// The import of settings: the uploaded export, its comparison with the configuration, and its progress.
import {
  applyImport,
  compareImport,
  EXPORT_PARTS,
  type ImportDifference,
  type UploadedExport,
  uploadImport
} from '../../../contract/backup/export.ts'
import type { Envelope } from '../../../contract/call.ts'
import { NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import { systemStatus } from '../../../contract/system.ts'
import { fetchJson } from '../../link/fetch-json.ts'
import { apiUrl } from '../../link/relay.ts'
import { send } from '../../link/send.ts'
import { $import, type ImportChoice } from '../../parts/opened-export.ts'
import { type FailureOptions, mutate, sendMutation } from '../../state/mutations.ts'
import { TEXT } from './text.ts'

/** Milliseconds for the upload. */
const UPLOAD_TIMEOUT = 300_000
/** Milliseconds between requests that check whether the hub is back. */
const RETURN_INTERVAL = 1000

/** The page shows the result itself. */
const isSuccess = ({ result }: Envelope) => result === SUCCESS

export async function uploadExport(file: File): Promise<void> {
  $import.set({ isUploading: true })
  const makeCall = () => {
    const body = new FormData()
    body.append('file', file)
    const request = { method: 'POST', body }
    return fetchJson(apiUrl(uploadImport.path), request, { timeout: UPLOAD_TIMEOUT }) as Promise<
      UploadedExport & Envelope
    >
  }
  const reply = await mutate(makeCall, { isShownElsewhere: isSuccess, success: { text: TEXT.file } })
  $import.set(reply.result === SUCCESS ? { uploaded: reply } : {})
}

export async function compare(
  uploaded: UploadedExport,
  compared: ImportChoice,
  { isShownElsewhere }: FailureOptions
): Promise<Envelope> {
  const { passphrase } = compared
  const parts = EXPORT_PARTS.filter((part) => compared[part])
  const request = { id: uploaded.id, parts, ...(passphrase && { passphrase }) }
  const reply = await mutate(() => send(compareImport, request), {
    isShownElsewhere: (response) => isSuccess(response) || isShownElsewhere?.(response) === true,
    success: { text: TEXT.differences }
  })
  if (reply.result === SUCCESS) $import.set({ uploaded, difference: reply, compared })
  else if (reply.result === NOT_EXIST) $import.set({})
  else $import.set({ uploaded })
  return reply
}

/** Imports, and resolves when the hub is back. */
export async function apply(uploaded: UploadedExport, difference: ImportDifference): Promise<void> {
  const upTime = await readUpTime()
  const request = { id: uploaded.id, digest: difference.digest }
  const { result } = await sendMutation(applyImport, request, {
    isShownElsewhere: isSuccess,
    success: { text: TEXT.running }
  })
  if (result !== SUCCESS) return $import.set({ uploaded })
  $import.set({ progress: 'restarting' })
  if (await whenRestarted(upTime)) $import.set({ progress: 'done' })
}

/** Seconds since the hub was started; undefined if it does not respond. */
async function readUpTime(): Promise<number | undefined> {
  const reply = await send(systemStatus, {})
  return reply.status?.system.status['hub-up-time']
}

/** @returns false if the user has signed out meanwhile */
async function whenRestarted(before = Number.POSITIVE_INFINITY): Promise<boolean> {
  const start = Date.now()
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, RETURN_INTERVAL))
    const upTime = await readUpTime()
    if ($import.get().progress !== 'restarting') return false
    // A hub that was not started again has been up for longer than before.
    if (upTime !== undefined && upTime < before + (Date.now() - start) / 1000 - 1) return true
  }
}
