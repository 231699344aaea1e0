// Schemas of firmware.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import {
  FILE_EXISTS,
  FILE_TYPE_ERROR,
  FORMAT_ERROR,
  IN_PROGRESS,
  INVALID_ARG,
  NEED_MORE_DATA,
  NO_SPACE,
  NOT_EXIST,
  OBJECT_BUSY,
  RANGE_ERROR,
  TOO_LARGE,
  TOO_MANY,
  VERIFY_FAILED,
  WRONG_STATE
} from './codes.ts'
import { StatusInfo } from './device/status.schema.ts'
import { emptyRequest, family, ids, listOf, own, page, queryNumber, serial, since, text } from './fields.schema.ts'
import { FIRMWARE_FILE_MAX } from './firmware.ts'

const upload = z.string().regex(/^[0-9a-f]{32}$/)

const force = z.boolean().optional()

/**
 * Properties of a firmware file, from its header or from its name (docs/mwf.md). The misspelling `marjor-ver` is part
 * of the wire format.
 */
export const FirmwareInfo = z.object({
  'product-id': z.int().meta(family('Number of the model; 0 if the file has no header')),
  'product-name': z.string().meta(family('Name of the model')),
  'firmware-id': z.int().meta(family('1 = test build, 0 = release')),
  'marjor-ver': z.number().meta(family("First number of the version (the spelling is the vendor's)")),
  'minor-ver': z.number().meta(family('Second number of the version')),
  'build-number': z.number().meta(family('Third number of the version')),
  'build-time': z.int().meta(family('Build time in seconds since the epoch; 0 = unknown')),
  'hardware-ver': z.string().meta(family('Hardware version for which it is, one letter'))
})
export const Firmware = z.object({
  ...FirmwareInfo.shape,
  id: z.int().meta(family('Id of the firmware file')),
  'file-path': z.string().meta(family('Name of the file')),
  'file-size': z.int().meta(family('Size of the file in bytes')),
  'upload-date': z.number().meta(family('When it was added, in seconds since the epoch')),
  sha256: z.string().meta(own('SHA-256 of the file in hex'))
})
/** A completely uploaded file that is not added yet. */
export const UploadedFirmware = z.object({
  'file-path': z.string().meta(family('Name of the file')),
  'file-size': z.int().meta(family('Size of the file in bytes')),
  'firmware-info': FirmwareInfo
})
/** Progress of a chunked upload. */
export const UploadState = z.object({
  upload: z.string().describe('32 hex digits'),
  name: z.string(),
  size: z.int().describe('Size of the whole file in bytes'),
  offset: z.int().describe('Bytes received: the offset of the next chunk')
})
/** Details of result 29, in bytes: free space, space that the upload needs, and space that must remain free. */
export const DiskSpaceDetails = z.object({
  'free-size': z.int().optional(),
  'need-size': z.int().optional(),
  'keep-size': z.int().optional()
})
/** A release of firmware on the web server. */
export const OnlineFirmware = z.object({
  ...StatusInfo.shape,
  id: z.string().describe('SHA-256 of the file in hex'),
  'product-name': z.string().describe('Name of the model'),
  'hardware-ver': z.string().describe('Hardware version for which it is, one letter'),
  version: z.string(),
  'pre-release': z.literal(true).optional(),
  time: z.int().describe('When it was published, in milliseconds since the epoch'),
  size: z.int().describe('Size of the file in bytes'),
  notes: z.string().describe('Release notes in the language of the request'),
  state: z
    .int()
    .describe('-1 failed, 0 idle, 1 the server is asked, 2 the file is checked, 3 among the files, 4 downloading'),
  progress: z.int().describe('Percent of the download'),
  'firmware-id': z.int().optional().describe('Id of the firmware file if it is among the files')
})
export const OnlineFirmwareList = z.object({
  address: z.string().describe('Address of the web server; empty: none is set up'),
  date: z.int().describe('When the server was asked last, in milliseconds since the epoch; 0 = never'),
  fault: z
    .object({ reason: z.string(), 'next-step': z.string().optional() })
    .optional()
    .describe('Why the last check or download failed, or why there is no check, and what to do'),
  list: z.array(OnlineFirmware).describe('Releases, newest first')
})

export type OnlineFirmware = z.infer<typeof OnlineFirmware>
export type OnlineFirmwareList = z.infer<typeof OnlineFirmwareList>
export type FirmwareInfo = z.infer<typeof FirmwareInfo>
export type Firmware = z.infer<typeof Firmware>
export type UploadedFirmware = z.infer<typeof UploadedFirmware>
export type UploadState = z.infer<typeof UploadState>
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
    request: z.object({ upload, offset: queryNumber(0, FIRMWARE_FILE_MAX).unwrap() }),
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
  'GET /firmware/online/list': {
    summary:
      'Lists releases of firmware on a web server, for the families of accepted devices. The setting `firmware-server` has its address; the server is asked once a day, and by `checkOnlineFirmware`.',
    request: emptyRequest,
    response: OnlineFirmwareList,
    source: 'own',
    examples: [{}]
  },
  'POST /firmware/online/check': {
    summary: 'Asks the web server for releases of firmware.',
    operation: ['Check for firmware online', '在线检查固件'],
    request: emptyRequest,
    errors: { [WRONG_STATE]: 'no server is set up', [IN_PROGRESS]: '' },
    source: 'own',
    examples: [{}]
  },
  'POST /firmware/online/download': {
    summary:
      'Downloads a release in the background, checks it, and adds it to the firmware files. What has arrived of a download that broke off or was cancelled is kept for a day, and continued. A pre-release counts as a test build.',
    operation: ['Download firmware', '下载固件'],
    request: z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
    errors: { [NOT_EXIST]: '', [FILE_EXISTS]: 'with `id`', [IN_PROGRESS]: 'there is one download at a time' },
    source: 'own',
    examples: [{ id: '0a'.repeat(32) }]
  },
  'POST /firmware/online/cancel': {
    summary: 'Cancels the download.',
    operation: ['Cancel firmware download', '取消固件下载'],
    request: emptyRequest,
    errors: { [NOT_EXIST]: 'no download' },
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
