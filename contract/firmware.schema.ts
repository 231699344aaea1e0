// Schemas of firmware.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import {
  DATA_LOSS,
  DEVICE_BUSY,
  DEVICE_LOST,
  DEVICE_TYPE_ERROR,
  FILE_EXISTS,
  FILE_TYPE_ERROR,
  FORMAT_ERROR,
  INVALID_ARG,
  NEED_MORE_DATA,
  NO_SPACE,
  NOT_EXIST,
  NOT_PERMITTED,
  OBJECT_BUSY,
  RANGE_ERROR,
  TOO_LARGE,
  TOO_MANY,
  UNSUPPORTED,
  VERIFY_FAILED,
  WRONG_STATE
} from './codes.ts'
import { SerialResults } from './device/device.schema.ts'
import { DeviceUpdate, StatusInfo } from './device/status.schema.ts'
import { emptyRequest, family, id, ids, listOf, own, page, queryNumber, serial, since, text } from './fields.schema.ts'
import { FIRMWARE_FILE_MAX } from './firmware.ts'

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

/** Up to 10,000 devices in one rollout. */
const sn = z.array(serial).min(1).max(10_000)

const upgrade = { sn: sn.describe('up to 10,000'), 'firmware-id': id, force: force.describe('allows a downgrade') }

/**
 * Properties of a firmware file, from its header or from its name (docs/mwf.md). The misspelling `marjor-ver` is part
 * of the wire format.
 */
export const FirmwareInfo = z.object({
  'product-id': z.int().meta(family('0 if the file has no header')),
  'product-name': z.string().meta(family('Model name')),
  'firmware-id': z.int().meta(family('1 = test build')),
  'marjor-ver': z
    .number()
    .meta(family("Product, 1 = test build, version (the spelling `marjor-ver` is the vendor's), one letter")),
  'minor-ver': z
    .number()
    .meta(family("Product, 1 = test build, version (the spelling `marjor-ver` is the vendor's), one letter")),
  'build-number': z
    .number()
    .meta(family("Product, 1 = test build, version (the spelling `marjor-ver` is the vendor's), one letter")),
  'build-time': z.int().meta(family('Seconds since the epoch, 0 = unknown')),
  'hardware-ver': z.string().meta(family('One letter'))
})
export const Firmware = z.object({
  ...FirmwareInfo.shape,
  id: z.int().meta(family('Id')),
  'file-path': z.string().meta(family('File name')),
  'file-size': z.int().meta(family('Bytes')),
  'upload-date': z.number().meta(family('Seconds since the epoch')),
  sha256: z.string().meta(own('SHA-256 of the file in hex'))
})
/** A completely uploaded file that is not added yet. */
export const UploadedFirmware = z.object({
  'file-path': z.string().meta(family('File name')),
  'file-size': z.int().meta(family('Bytes')),
  'firmware-info': FirmwareInfo
})
/** Progress of a chunked upload. */
export const UploadState = z.object({
  upload: z.string().describe('32 hex digits'),
  name: z.string(),
  size: z.int().describe('Size of the whole file in bytes'),
  offset: z.int().describe('Bytes received: the offset of the next chunk')
})
export const RolloutPlan = z.object({
  first: z.number().optional().meta(own('Devices of the first wave (default 1)')),
  wave: z.number().optional().meta(own('Devices of each further wave (default 10)')),
  'stop-after': z
    .number()
    .optional()
    .meta(own('Stops the rollout after this number of failures (default 1); 0 = never'))
})
/**
 * - `running`; `paused` by a user, or `stopped` after too many failures: started devices continue, no further device
 * starts until resumed - `done`: every device has finished, successfully or not; `cancelled`: the same, and some
 * devices were cancelled
 */
export const RolloutState = z.enum(['running', 'paused', 'stopped', 'done', 'cancelled'])
export const Rollout = z.object({
  ...RolloutPlan.required().shape,
  ...StatusInfo.shape,
  id: z.int().meta(own('Id, firmware; `test` 1 = test build')),
  'firmware-id': z.int().meta(own('Id, firmware; `test` 1 = test build')),
  'product-name': z.string().meta(own('Id, firmware; `test` 1 = test build')),
  'hardware-ver': z.string().meta(own('Id, firmware; `test` 1 = test build')),
  version: z.string().meta(own('`major.minor.build`')),
  test: z.number().meta(own('1 = test build')),
  state: RolloutState.meta(own('`running`, `paused` (by a user), `stopped` (too many failures), `done`, `cancelled`')),
  user: z.string().meta(own('User who started it')),
  created: z.int().meta(own('Start')),
  ended: z.int().meta(own('End (0 until then)')),
  total: z.int().meta(own('Numbers of devices that the caller may see')),
  waiting: z.number().meta(own('Numbers of visible devices')),
  active: z.number().meta(own('Numbers of visible devices')),
  done: z.number().meta(own('Numbers of visible devices')),
  failed: z.number().meta(own('Numbers of visible devices')),
  cancelled: z.number().meta(own('Numbers of visible devices'))
})
/** One device of a rollout. */
export const RolloutDevice = z.object({
  ...DeviceUpdate.shape,
  sn: z.string(),
  name: z.string().describe('Current name; the serial number if the device was deleted'),
  from: z.string().describe('Firmware version when the rollout started, and the current one'),
  'firmware-ver': z.string(),
  wave: z.number().describe('Wave in which it started, from 1; 0 = not started'),
  started: z.int().describe('Milliseconds since the epoch; 0 = not started, not ended'),
  ended: z.int()
})
/** Details of result 29, in bytes: free space, space that the upload needs, and space that must remain free. */
export const DiskSpaceDetails = z.object({
  'free-size': z.int().optional(),
  'need-size': z.int().optional(),
  'keep-size': z.int().optional()
})

export type FirmwareInfo = z.infer<typeof FirmwareInfo>
export type Firmware = z.infer<typeof Firmware>
export type UploadedFirmware = z.infer<typeof UploadedFirmware>
export type UploadState = z.infer<typeof UploadState>
export type RolloutPlan = z.infer<typeof RolloutPlan>
export type RolloutState = z.infer<typeof RolloutState>
export type Rollout = z.infer<typeof Rollout>
export type RolloutDevice = z.infer<typeof RolloutDevice>
export type DiskSpaceDetails = z.infer<typeof DiskSpaceDetails>

const uploadErrors = {
  [INVALID_ARG]: 'no form',
  [FILE_TYPE_ERROR]: 'not a firmware file',
  [FORMAT_ERROR]: 'invalid header',
  [VERIFY_FAILED]: 'checksum mismatch',
  [TOO_LARGE]: 'larger than 1 GiB',
  [NO_SPACE]: '',
  [TOO_MANY]: '16 uploads',
  [NEED_MORE_DATA]: 'incomplete'
}

const addErrors = { [NOT_EXIST]: '', [FILE_EXISTS]: 'with `id`', [OBJECT_BUSY]: 'a rollout uses the existing file' }

const upgradeErrors = {
  [NOT_EXIST]: 'unknown firmware, and per device',
  [DEVICE_TYPE_ERROR]: 'per device',
  [DEVICE_LOST]: 'per device',
  [DEVICE_BUSY]: 'per device',
  [DATA_LOSS]: 'per device',
  [WRONG_STATE]: 'per device',
  [UNSUPPORTED]: 'per device'
}

export const firmwareSchemas = {
  'GET /firmware/list': {
    summary: 'Lists firmware files by product, hardware, and version, newest first.',
    request: z.object({
      ...page,
      'product-id': queryNumber(0, 0xffff_ffff).describe('0 = all'),
      'hardware-ver': z
        .string()
        .regex(/^[A-Z]?$/)
        .optional()
        .describe('One letter; absent = all'),
      sn: serial.optional().describe('files compatible with this device'),
      since
    }),
    response: listOf(Firmware),
    responseNote: 'list of firmware files',
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{}, { start: 0, count: 10000, 'product-id': 787, 'hardware-ver': 'A', sn: 'B313210600123', since: 1 }]
  },
  'POST /firmware/upload': {
    summary:
      'Uploads a file as multipart/form-data, part `file`, and keeps it until `addFirmware`, for at most a day. A request may take at most five minutes; slower uploads use chunks (`startUpload`).',
    operation: ['Upload firmware', '上传固件'],
    request: emptyRequest,
    requestNote: 'form with the part `file`',
    response: UploadedFirmware,
    errors: uploadErrors,
    source: 'own',
    examples: [{}]
  },
  'POST /firmware/add': {
    summary: 'Adds an uploaded file.',
    operation: ['Add firmware', '添加固件'],
    request: z.object({
      'file-path': z
        .string()
        .regex(/^[0-9a-f]{32}\.mwf$/)
        .describe('from the upload'),
      force: force.describe('replaces the same version')
    }),
    response: z.object({
      id: z.int()
    }),
    errors: addErrors,
    source: 'own',
    examples: [
      { 'file-path': 'e3afed0047b08059d0fada10f400c1e5.mwf' },
      { 'file-path': 'e3afed0047b08059d0fada10f400c1e5.mwf', force: true }
    ]
  },
  'POST /firmware/del': {
    summary: 'Deletes firmware files.',
    operation: ['Delete firmware', '删除固件'],
    request: z.object({
      id: ids.describe('one or several'),
      force: force.describe('cancels the devices that have not started')
    }),
    errors: { [NOT_EXIST]: '', [OBJECT_BUSY]: 'a rollout uses it' },
    source: 'own',
    examples: [{ id: 1 }, { id: [1, 2], force: false }]
  },
  'POST /firmware/upload/start': {
    summary:
      'Starts a chunked upload. Same errors as `uploadFirmware`. `finishUpload` checks `sha256` of the whole file.',
    operation: ['Start firmware upload', '开始上传固件'],
    request: z.object({
      name: text.min(1),
      size: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
    }),
    response: UploadState,
    errors: { [FILE_TYPE_ERROR]: '', [TOO_LARGE]: '', [NO_SPACE]: '', [TOO_MANY]: '' },
    source: 'own',
    examples: [
      { name: 'a.mwf', size: 0 },
      { name: 'a.mwf', size: 1, sha256: '0a'.repeat(32) }
    ]
  },
  'POST /firmware/upload/piece': {
    summary:
      'Uploads a chunk: the body has the bytes (application/octet-stream), the query string has the request. Bytes received before a disconnection are kept. A chunk that is still being received is replaced by a new one for the same offset.',
    request: z.object({ upload, offset: requiredQueryNumber(FIRMWARE_FILE_MAX) }),
    requestNote: '`offset` in the query string, bytes in the body',
    response: UploadState,
    errors: { [RANGE_ERROR]: 'with the expected `offset`', [NOT_EXIST]: '', [TOO_LARGE]: '' },
    source: 'own',
    examples: [{ upload: 'e3afed0047b08059d0fada10f400c1e5', offset: 0 }]
  },
  'GET /firmware/upload/state': {
    summary: 'Returns how much of a chunked upload was received.',
    request: z.object({ upload }),
    response: UploadState,
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ upload: 'e3afed0047b08059d0fada10f400c1e5' }]
  },
  'POST /firmware/upload/finish': {
    summary: 'Verifies the file. `add` also adds it and returns its `id`; `force` replaces the same version.',
    operation: ['Finish firmware upload', '完成固件上传'],
    request: z.object({ upload, add: z.boolean().optional().describe('adds the file too'), force }),
    response: z.object({ ...UploadedFirmware.shape, id: z.int().optional() }),
    responseNote: '`file-path`, `file-size`, `firmware-info`; with `add` `id`',
    errors: { ...uploadErrors, ...addErrors, [NEED_MORE_DATA]: 'with `offset`' },
    source: 'own',
    examples: [
      { upload: 'e3afed0047b08059d0fada10f400c1e5' },
      { upload: 'e3afed0047b08059d0fada10f400c1e5', add: true, force: true }
    ]
  },
  'POST /firmware/upload/cancel': {
    summary: 'Cancels an upload and deletes its bytes.',
    operation: ['Cancel firmware upload', '取消固件上传'],
    request: z.object({ upload }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ upload: 'e3afed0047b08059d0fada10f400c1e5' }]
  },
  'POST /device/upgrade': {
    summary:
      "Updates devices without waves. Returns the `id` of the rollout. Per device: 24 not compatible with model or hardware; 16 unknown; 12 offline; 11 already updating; 1009 it has a higher version; 38 not accepted; 9 cannot be updated through the hub. Whole call: 16 unknown firmware; the first device's result if no device can be updated.",
    operation: ['Update firmware of devices', '更新设备固件'],
    request: z.object(upgrade),
    response: z.object({ ...SerialResults.shape, id: z.int() }),
    responseNote: '`details`, `id` of the rollout',
    errors: upgradeErrors,
    source: 'vendor; own: `force`, `id`, 1009, 38, 9',
    examples: [{ sn: ['B313210600123'], 'firmware-id': 1 }]
  },
  'POST /rollout/start': {
    summary:
      'Updates devices in waves. A wave starts after the previous one has finished, unless `stop-after` failures stopped the rollout.',
    operation: ['Start rollout', '开始批量更新'],
    request: z.object({
      ...upgrade,
      first: deviceCount.describe('devices of the first wave, 1'),
      wave: z.int().min(1).max(1000).optional().describe('devices of each further wave, 10'),
      'stop-after': deviceCount.describe('failures, 1; 0 = never')
    }),
    response: z.object({ ...SerialResults.shape, id: z.int() }),
    errors: upgradeErrors,
    source: 'own',
    examples: [
      { sn: ['B313210600123'], 'firmware-id': 1 },
      { sn: ['B313210600123'], 'firmware-id': 1, force: true, first: 0, wave: 1, 'stop-after': 0 }
    ]
  },
  'GET /rollout/list': {
    summary: 'Lists rollouts, newest first; only those with a device that the caller may see.',
    request: z.object({ ...page, since }),
    response: listOf(Rollout),
    responseNote: 'list of rollouts with a visible device, newest first',

    source: 'own',
    examples: [{}, { start: 0, count: 10000, since: 1 }]
  },
  'GET /rollout/query': {
    summary: 'Returns one rollout.',
    request: z.object({ id: queryId }),
    response: z.object({
      rollout: Rollout
    }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'GET /rollout/devices': {
    summary:
      'Lists the devices of a rollout that the caller may see: failed ones first, then in rollout order. `rev` is the revision of the topic `rollout`.',
    request: z.object({ ...page, id: queryId, since }),
    response: listOf(RolloutDevice),
    responseNote: 'list of its visible devices, failed ones first',
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }, { start: 0, count: 10000, id: 1, since: 1 }]
  },
  'POST /rollout/pause': {
    summary:
      'Pauses a rollout. This and the calls below: 16 unknown; 31 if the caller may not see all of its devices; 38 not possible in its state.',
    operation: ['Pause rollout', '暂停批量更新'],
    request: z.object({ id }),
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: 'a hidden device', [WRONG_STATE]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /rollout/resume': {
    summary: 'Resumes a paused or stopped rollout. Failures so far no longer count towards `stop-after`.',
    operation: ['Resume rollout', '继续批量更新'],
    request: z.object({ id }),
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: '', [WRONG_STATE]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /rollout/cancel': {
    summary: 'Cancels the devices that have not started.',
    operation: ['Cancel rollout', '取消批量更新'],
    request: z.object({ id: id.describe('cancels the devices that have not started') }),
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: '', [WRONG_STATE]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /rollout/retry': {
    summary:
      'Queues failed and cancelled devices again; without `sn` all of them. Per device: 11 if another rollout is updating it.',
    operation: ['Retry rollout', '重试批量更新'],
    request: z.object({ id, sn: sn.optional().describe('absent: all failed and cancelled devices') }),
    response: SerialResults,
    errors: {
      [NOT_EXIST]: '',
      [NOT_PERMITTED]: '',
      [WRONG_STATE]: 'also per device',
      [DEVICE_BUSY]: 'per device',
      [DATA_LOSS]: 'per device'
    },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, sn: ['B313210600123'] }]
  },
  'POST /rollout/del': {
    summary: 'Deletes a rollout that has ended.',
    operation: ['Delete rollout', '删除批量更新'],
    request: z.object({ id }),
    requestNote: '`id` of a rollout that has ended',
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: '', [WRONG_STATE]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  }
} satisfies CallSchemas
