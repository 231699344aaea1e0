// Request schemas of the calls for firmware files and rollouts.
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
  startRollout,
  startUpload,
  upgradeDevices,
  uploadChunk,
  uploadFirmware
} from '../firmware.ts'
import { defineSchema, emptyRequest, id, ids, page, queryNumber, serial, since, text } from './schema.ts'

const upload = z.string().regex(/^[0-9a-f]{32}$/)
const force = z.boolean().optional()
const deviceCount = z.int().min(0).max(1000).optional()
/** A required whole number in a query string. */
function requiredQueryNumber(max: number) {
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
const queryId = requiredQueryNumber(Number.MAX_SAFE_INTEGER)

defineSchema(
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
defineSchema(uploadFirmware, emptyRequest)
defineSchema(addFirmware, z.object({ 'file-path': z.string().regex(/^[0-9a-f]{32}\.mwf$/), force }))
defineSchema(deleteFirmware, z.object({ id: ids, force }))
// The handler refuses larger files, with a separate code.
defineSchema(
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
defineSchema(uploadChunk, z.object({ upload, offset: requiredQueryNumber(FIRMWARE_FILE_MAX) }))
defineSchema(queryUpload, z.object({ upload }))
defineSchema(finishUpload, z.object({ upload, add: z.boolean().optional(), force }))
defineSchema(cancelUpload, z.object({ upload }))

/** Up to 10,000 devices in one rollout. */
const sn = z.array(serial).min(1).max(10_000)
const upgrade = { sn, 'firmware-id': id, force }
defineSchema(upgradeDevices, z.object(upgrade))
defineSchema(
  startRollout,
  z.object({ ...upgrade, first: deviceCount, wave: z.int().min(1).max(1000).optional(), 'stop-after': deviceCount })
)
defineSchema(listRollouts, z.object({ ...page, since }))
defineSchema(queryRollout, z.object({ id: queryId }))
defineSchema(listRolloutDevices, z.object({ ...page, id: queryId, since }))
defineSchema(pauseRollout, z.object({ id }))
defineSchema(resumeRollout, z.object({ id }))
defineSchema(cancelRollout, z.object({ id }))
defineSchema(retryRollout, z.object({ id, sn: sn.optional() }))
defineSchema(deleteRollout, z.object({ id }))
