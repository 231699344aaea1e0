// Handlers for export and import (contract/backup/export.ts).
import {
  applyImport,
  compareImport,
  EXPORT_FILE_MAX,
  EXPORT_PARTS,
  type ExportFault,
  exportConfiguration,
  uploadImport
} from '../../../contract/backup/export.ts'
import {
  FILE_TYPE_ERROR,
  IN_PROGRESS,
  INVALID_DATA,
  LICENSE_LIMIT,
  MISMATCH,
  NOT_EXIST,
  STATE_CHANGED,
  TOO_LARGE,
  UNSUPPORTED,
  VERIFY_FAILED
} from '../../../contract/codes.ts'
import type { Downloads } from '../../downloads/downloads.ts'
import { type DownloadFile, fileResponse } from '../../downloads/file-response.ts'
import { ExportError } from '../../export/archive.ts'
import { ImportRefused } from '../../export/transfer.ts'
import { readFormFile } from '../../firmware/multipart-file.ts'
import { UploadRefused } from '../../firmware/uploads.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange,
  requireCaller
} from '../../http/handler.ts'
import { RESTART_DELAY, type SystemOperation } from '../../machine/system-operation.ts'
import { wordDifference } from '../../messages/import-difference.ts'
import type { BackupService } from '../../scheduled-backups/backup-service.ts'

interface BackupExportParts {
  backups: BackupService
  downloads: Downloads
  operation: SystemOperation
  restart: (() => void) | undefined
  permissionsChanged: () => void
}

const FAULT_CODES: Readonly<Record<ExportFault, number>> = {
  'not-an-export': FILE_TYPE_ERROR,
  damaged: VERIFY_FAILED,
  newer: UNSUPPORTED,
  value: INVALID_DATA,
  inconsistent: INVALID_DATA,
  'no-admin': INVALID_DATA,
  passphrase: MISMATCH
}

const REFUSAL_CODES: Readonly<Record<ImportRefused['reason'], number>> = {
  'not-uploaded': NOT_EXIST,
  changed: STATE_CHANGED,
  license: LICENSE_LIMIT,
  passphrase: MISMATCH
}

/** Converts the refusal of an import into a CallError. */
export function importError(error: unknown): unknown {
  if (error instanceof UploadRefused) return new CallError(error.code, error.extra)
  if (error instanceof ImportRefused) {
    const fault = error.reason === 'passphrase' && { 'export-fault': 'passphrase' }
    return new CallError(REFUSAL_CODES[error.reason], { ...error.fields, ...fault })
  }
  if (!(error instanceof ExportError)) return error
  const { fault, of } = error
  return new CallError(FAULT_CODES[fault], { 'export-fault': fault, ...(of && { of }) })
}

const rethrow = (error: unknown): never => {
  throw importError(error)
}

/** Reads the file of a form. */
async function readFile({ body }: Context): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  await readFormFile(body?.body ?? null, body?.headers.get('content-type') ?? null, (_, source) =>
    source(async (bytes) => {
      size += bytes.length
      if (size > EXPORT_FILE_MAX) throw new UploadRefused(TOO_LARGE, { max: EXPORT_FILE_MAX })
      chunks.push(bytes)
    })
  )
  return Buffer.concat(chunks)
}

/** The configuration as a download. */
async function exportFile(
  { backups: { transfer } }: { backups: BackupService },
  passphrase?: string
): Promise<DownloadFile> {
  const { name, bytes } = await transfer.export(passphrase)
  return { name, type: 'application/x-tar', open: () => new Blob([new Uint8Array(bytes)]).stream() }
}

function handleApply({ backups: { transfer }, operation, restart, permissionsChanged }: BackupExportParts): Handler {
  return handleChange(applyImport, (context, { id, digest }) => {
    if (operation.current) throw new CallError(IN_PROGRESS)
    try {
      context.detail = transfer.apply(requireCaller(context).user, id, digest)
    } catch (error) {
      return rethrow(error)
    }
    // Nothing runs between the transaction and its effects. If the transaction fails, the hub accepts changes as
    // before.
    context.afterCommit(() => {
      transfer.clear()
      if (!restart) return permissionsChanged()
      operation.begin('importing')
      setTimeout(restart, RESTART_DELAY)
    })
    return {}
  })
}

export function exportHandlers(parts: BackupExportParts): Handler[] {
  const { transfer } = parts.backups
  parts.downloads.register('export', {
    call: exportConfiguration,
    describe: ({ passphrase }) => (passphrase === undefined ? 'export' : 'export, with secrets'),
    open: (_requester, { passphrase }) => exportFile(parts, passphrase)
  })
  return [
    handle(exportConfiguration, async () => fileResponse(await exportFile(parts))),
    handlePreparedChange(
      uploadImport,
      (context) =>
        readFile(context)
          .then((bytes) => transfer.upload(requireCaller(context).user.id, bytes))
          .catch(rethrow),
      (context, _, uploaded) => {
        context.detail = `${uploaded.host} ${new Date(uploaded.created).toISOString()}`
        return uploaded
      }
    ),
    handle(compareImport, async (context, { id, passphrase, parts: compared = [...EXPORT_PARTS] }) => {
      const difference = await transfer.compare(requireCaller(context).user, id, compared, passphrase).catch(rethrow)
      return wordDifference(context.language, difference)
    }),
    handleApply(parts)
  ]
}
