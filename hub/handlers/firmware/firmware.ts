// Handlers for firmware files: list, upload, add and delete.
import { FILE_EXISTS, NOT_EXIST, OBJECT_BUSY } from '../../../contract/codes.ts'
import {
  addFirmware,
  cancelUpload,
  deleteFirmware,
  type Firmware,
  finishUpload,
  listFirmware,
  queryUpload,
  startUpload,
  type UploadedFirmware,
  uploadChunk,
  uploadFirmware
} from '../../../contract/firmware.ts'
import { fitsDevice, formatVersion } from '../../../contract/mwf.ts'
import type { Gate } from '../../auth/gate.ts'
import { type FirmwareServices, markFirmwareAdded, markUpdatesChanged } from '../../firmware/firmware.ts'
import { readFormFile } from '../../firmware/multipart-file.ts'
import { type CheckedUpload, UploadRefused } from '../../firmware/uploads.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange,
  requireCaller
} from '../../http/handler.ts'
import { type FirmwareRow, firmwareInfoOf, firmwareTargetOf } from '../../store/firmware.ts'
import type { Store } from '../../store/store.ts'
import { paginateSince } from '../list.ts'

interface FirmwareParts {
  store: Store
  gate: Gate
  firmware: FirmwareServices
}

/** Characters of a log detail that lists firmware files. */
const DETAIL_MAX = 1000

/** Characters of a file name in the log. */
const NAME_MAX = 200

/** Name of a firmware in the operation log: product, hardware version and firmware version. */
function describeFirmware(info: UploadedFirmware['firmware-info']): string {
  return `${info['product-name']} ${info['hardware-ver']} ${formatVersion(info)}`
}

function serializeFirmware(row: FirmwareRow): Firmware {
  return {
    id: row.id,
    'file-path': row.name,
    'file-size': row.size,
    'upload-date': Math.floor(row.added / 1000),
    sha256: row.sha256,
    ...firmwareInfoOf(row)
  }
}

function serializeUpload({ id, checked }: CheckedUpload): UploadedFirmware {
  return { 'file-path': `${id}.mwf`, 'file-size': checked.size, 'firmware-info': checked.info }
}

/** Converts the rejection of an upload or a download into a CallError. */
export async function withCallError<T>(work: Promise<T>): Promise<T> {
  return work.catch((error): never => {
    throw error instanceof UploadRefused ? new CallError(error.code, error.extra) : error
  })
}

/** Id of the user to whom an upload belongs. */
const ownerOf = (context: Context) => requireCaller(context).user.id

/** Removes a firmware from the store, and its file after the commit. */
function removeFirmware(
  { store, firmware }: { store: Store; firmware: FirmwareServices },
  context: Context,
  row: FirmwareRow
): void {
  store.firmware.remove(row.id)
  context.afterCommit(() => {
    firmware.folder.remove(row.file.replace(/\.mwf$/, ''))
    store.changes.markRemoved('firmware', row.id)
    markUpdatesChanged(store)
  })
}

/**
 * Adds an uploaded file to the firmware list.
 * @param upload undefined if there is no such upload
 * @param force replaces a firmware of the same version
 * @returns the id of the firmware
 * @throws CallError 16 without an upload, `FILE_EXISTS` without `force`, `OBJECT_BUSY` if a rollout uses the existing
 * firmware
 */
function adoptUpload(
  parts: { store: Store; firmware: FirmwareServices },
  context: Context,
  upload: CheckedUpload | undefined,
  force: boolean | undefined
): number {
  const { store, firmware } = parts
  if (!upload) throw new CallError(NOT_EXIST)
  const { id, name, checked } = upload
  context.detail = describeFirmware(checked.info)
  const existing = store.firmware.findSameVersion(checked.info)
  if (existing) {
    if (!force) throw new CallError(FILE_EXISTS, { id: existing.id })
    if (store.rollouts.unfinishedWithFirmware(existing.id).length > 0) throw new CallError(OBJECT_BUSY)
    removeFirmware(parts, context, existing)
  }
  const firmwareId = store.firmware.add({ file: `${id}.mwf`, name, ...checked }, Date.now())
  context.objects.push(`firmware:${firmwareId}`)
  context.afterCommit(() => {
    firmware.folder.adopt(id)
    markFirmwareAdded(store, firmwareId)
  })
  return firmwareId
}

function handleListFirmware({ store, gate }: { store: Store; gate: Gate }): Handler {
  return handle(listFirmware, (context, request) => {
    const { 'product-id': product, 'hardware-ver': hardware, sn } = request
    const device = sn === undefined ? undefined : store.devices.bySerial(sn)
    if (sn !== undefined && !(device && gate.canSeeDevice(requireCaller(context), device)))
      throw new CallError(NOT_EXIST)
    const fits = (row: FirmwareRow) => !device || fitsDevice(firmwareInfoOf(row), firmwareTargetOf(device))
    const rows = store.firmware
      .all()
      .filter(
        (row) => (!product || row.product_id === product) && (!hardware || row.hardware_ver === hardware) && fits(row)
      )
    return paginateSince(store.changes, 'firmware', request, rows, serializeFirmware)
  })
}

/** Uploads a file as a form, in one request. */
function handleUploadFirmware({ firmware: { uploads } }: { firmware: FirmwareServices }): Handler {
  return handlePreparedChange(
    uploadFirmware,
    (context) => {
      const { body = null, headers } = context.body ?? {}
      const size = Number(headers?.get('content-length') ?? 0) || 0
      return withCallError(
        readFormFile(body, headers?.get('content-type') ?? null, (name, fill) => {
          context.detail = name.slice(-NAME_MAX)
          return uploads.writeWholeFile(ownerOf(context), name, size, fill)
        })
      )
    },
    (context, _, upload) => {
      context.detail = describeFirmware(upload.checked.info)
      return serializeUpload(upload)
    }
  )
}

/** The calls of an upload in pieces. */
function chunkedUploadHandlers(parts: { store: Store; firmware: FirmwareServices }): Handler[] {
  const { uploads } = parts.firmware
  return [
    handlePreparedChange(
      startUpload,
      (context, { name, size, sha256 }) => {
        context.detail = name
        return withCallError(uploads.startUpload(ownerOf(context), name, size, sha256))
      },
      (_context, _request, state) => state
    ),
    // Declared as a read, because the log has only the start and the end of an upload, not every piece.
    handle(uploadChunk, (context, { upload, offset }) =>
      withCallError(uploads.writeChunk(ownerOf(context), upload, offset, context.body?.body ?? null))
    ),
    handle(queryUpload, async (context, { upload }) =>
      withCallError(Promise.resolve().then(() => uploads.uploadState(ownerOf(context), upload)))
    ),
    handlePreparedChange(
      finishUpload,
      (context, { upload }) => withCallError(uploads.finishUpload(ownerOf(context), upload)),
      (context, { add, force }, upload) => {
        context.detail = describeFirmware(upload.checked.info)
        return { ...serializeUpload(upload), ...(add && { id: adoptUpload(parts, context, upload, force) }) }
      }
    ),
    handlePreparedChange(
      cancelUpload,
      (context, { upload }) => withCallError(uploads.cancelUpload(ownerOf(context), upload)),
      () => ({})
    )
  ]
}

function handleAddFirmware(parts: { store: Store; firmware: FirmwareServices }): Handler {
  return handleChange(addFirmware, (context, request) => {
    const upload = parts.firmware.uploads.findCheckedUpload(request['file-path'])
    return { id: adoptUpload(parts, context, upload, request.force) }
  })
}

function handleDeleteFirmware(parts: { store: Store; firmware: FirmwareServices }): Handler {
  const { store, firmware } = parts
  return handleChange(deleteFirmware, (context, request) => {
    const rows = [...new Set([request.id].flat())].map((id) => {
      context.objects.push(`firmware:${id}`)
      const row = store.firmware.byId(id)
      if (!row) throw new CallError(NOT_EXIST)
      return row
    })
    context.detail = rows
      .map((row) => describeFirmware(firmwareInfoOf(row)))
      .join(', ')
      .slice(0, DETAIL_MAX)
    for (const row of rows) {
      const rollouts = store.rollouts.unfinishedWithFirmware(row.id)
      if (rollouts.length > 0 && !request.force) throw new CallError(OBJECT_BUSY)
      for (const rollout of rollouts) {
        store.rollouts.cancelWaiting(rollout.id, Date.now())
        context.afterCommit(() => firmware.rollouts.resumeRollout(rollout.id))
      }
      removeFirmware(parts, context, row)
    }
    return {}
  })
}

export function firmwareHandlers(parts: FirmwareParts): Handler[] {
  return [
    handleListFirmware(parts),
    handleUploadFirmware(parts),
    ...chunkedUploadHandlers(parts),
    handleAddFirmware(parts),
    handleDeleteFirmware(parts)
  ]
}
