import * as z from 'zod'
import {
  addFirmware,
  cancelRollout,
  cancelUpload,
  deleteFirmware,
  deleteRollout,
  FIRMWARE_FILE_MAX,
  finishUpload,
  listFirmware,
  listRolloutDevices,
  listRollouts,
  pauseRollout,
  queryRollout,
  queryUpload,
  resumeRollout,
  retryRollout,
  sendPiece,
  startRollout,
  startUpload,
  upgradeDevices,
  uploadFirmware
} from '../firmware.ts'
import { id, ids, nothing, page, queryNumber, serial, shape, since, text } from './shape.ts'

const upload = z.string().regex(/^[0-9a-f]{32}$/)
const force = z.boolean().optional()
const aCount = z.int().min(0).max(1000).optional()
/** A whole number in a query that must be there. */
function queried(max: number) {
  return z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,16}$/)
        .transform(Number)
    ])
    .pipe(z.int().min(0).max(max))
    .meta({ type: 'integer', minimum: 0, maximum: max })
}
const queryId = queried(Number.MAX_SAFE_INTEGER)

shape(
  listFirmware,
  z.object({
    ...page,
    'product-id': queryNumber(0, 0xffff_ffff),
    'hardware-ver': z
      .string()
      .regex(/^[A-Z]?$/)
      .optional(),
    sn: serial.optional(),
    since
  })
)
shape(uploadFirmware, nothing)
shape(addFirmware, z.object({ 'file-path': z.string().regex(/^[0-9a-f]{32}\.mwf$/), force }))
shape(deleteFirmware, z.object({ id: ids, force }))
// Larger ones are refused by the call itself, with a code of their own.
shape(
  startUpload,
  z.object({
    name: text.min(1),
    size: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
  })
)
shape(sendPiece, z.object({ upload, offset: queried(FIRMWARE_FILE_MAX) }))
shape(queryUpload, z.object({ upload }))
shape(finishUpload, z.object({ upload, add: z.boolean().optional(), force }))
shape(cancelUpload, z.object({ upload }))

/** A whole fleet at once. */
const sn = z.array(serial).min(1).max(10_000)
const upgrade = { sn, 'firmware-id': id, force }
shape(upgradeDevices, z.object(upgrade))
shape(
  startRollout,
  z.object({ ...upgrade, first: aCount, wave: z.int().min(1).max(1000).optional(), 'stop-after': aCount })
)
shape(listRollouts, z.object({ ...page, since }))
shape(queryRollout, z.object({ id: queryId }))
shape(listRolloutDevices, z.object({ ...page, id: queryId, since }))
shape(pauseRollout, z.object({ id }))
shape(resumeRollout, z.object({ id }))
shape(cancelRollout, z.object({ id }))
shape(retryRollout, z.object({ id, sn: sn.optional() }))
shape(deleteRollout, z.object({ id }))
