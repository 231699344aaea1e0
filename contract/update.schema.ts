// Schemas of update.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import {
  AUTH_FAILED,
  CANCELED,
  DATA_LOSS,
  FILE_TYPE_ERROR,
  IN_PROGRESS,
  NEED_MORE_DATA,
  NO_SPACE,
  NOT_EXIST,
  STATE_CHANGED,
  TOO_LARGE,
  UNSUPPORTED,
  VERIFY_FAILED,
  WRONG_STATE
} from './codes.ts'
import { StatusInfo } from './device/status.schema.ts'
import { emptyRequest, queryNumber } from './fields.schema.ts'
import { DiskSpaceDetails } from './firmware.schema.ts'
import { dryRun } from './off-air.schema.ts'
import { onlineAddress } from './online.schema.ts'
import { ONLINE_RELEASES_MAX, SLOTS, TRIAL_CHECKS, UPDATE_FAULTS } from './update.ts'

export const UpdateFault = z.enum(UPDATE_FAULTS)
/** Details of a refused update. With `over-budget`: the part that is too large, its size and its limit in bytes. */
export const UpdateRefusal = z.object({
  'update-fault': UpdateFault.optional(),
  part: z.string().optional().describe('With `over-budget`: the part that is too large'),
  is: z.number().optional().describe('With `over-budget`: its size in bytes'),
  limit: z.number().optional().describe('With `over-budget`: the limit in bytes')
})
/** A release on the web server. */
export const OnlineRelease = z.object({
  id: z.string().describe('SHA-256 of its file, for `startUpdate`, which then downloads it'),
  version: z.string(),
  'pre-release': z.literal(true).optional(),
  time: z.int().describe('When it was published, in milliseconds since the epoch'),
  size: z.int().describe('Size in bytes'),
  notes: z.string().describe('What has changed, in the language of the request')
})
/** Result of the last update, and newer versions that the hub has found. */
export const OnlineStatus = z.object({
  address: z.string().optional().describe('Address of the folder of the web server; empty: none'),
  date: z.int().optional().describe('When the server was asked last, in milliseconds since the epoch; 0: never'),
  'check-result': z.int().optional().describe('Result code of the last check'),
  fault: z
    .object({ reason: z.string(), 'next-step': z.string().optional() })
    .optional()
    .describe('Why the last check or download failed'),
  'enable-expr': z.boolean().optional().describe('Whether pre-releases count'),
  versions: z
    .object({ start: z.int(), total: z.int(), list: z.array(OnlineRelease) })
    .optional()
    .describe('Releases on the server, the newest first'),
  'update-result': z.number().describe('Result code of the last update'),
  enable: z.boolean().optional().describe('Whether the hub looks for new versions once a day'),
  'is-newest': z.boolean().optional().describe('Whether no version is known that is higher than the one in use'),
  'newest-version': z.string().optional().describe('The highest known version: the uploaded update, or the one in use')
})
/** Version of a console, from the manifest of its pack. */
export const ConsoleVersion = z.object({
  version: z.string(),
  commit: z.string().optional().describe('Commit from which it was built; absent if it was not recorded'),
  changed: z.boolean().optional().describe('`true`: it was built with uncommitted changes'),
  development: z.boolean().optional().describe('`true`: signed with the public development key'),
  time: z.int().optional().describe('Time of the commit in milliseconds since the epoch')
})
/** An uploaded and verified update. */
export const UploadedUpdate = z.object({
  ...ConsoleVersion.shape,
  id: z.string().describe('Id of the uploaded update, for `POST /api/update/start`'),
  size: z.int().describe('Size in bytes'),
  older: z
    .literal(true)
    .optional()
    .describe('Its version is lower than that of the active console: `startUpdate` needs `force`')
})
export const Slot = z.enum(SLOTS)
/**
 * - `ready`: uploaded and verified
 * - `active`: in use; `trial`: in use, not yet confirmed
 * - `former`: the target of `revertUpdate`
 * - `kept`: stored, otherwise unused
 */
export const ConsoleUse = z.enum(['ready', 'active', 'trial', 'former', 'kept'])
export const StoredConsole = z.object({
  ...UploadedUpdate.partial().shape,
  ...ConsoleVersion.shape,
  ...StatusInfo.partial().shape,
  slot: z.union([Slot, z.literal('uploaded')]),
  place: z.string().optional().describe('Name of the slot in the language of the request; `text` describes `use`'),
  use: ConsoleUse,
  left: z.number().optional().describe('Remaining trial time in seconds')
})
/** A release of the whole hub: uploaded, installed, or the one before. Its `use` is never `kept`. */
export const StoredRelease = z.object({
  ...UploadedUpdate.partial().shape,
  ...ConsoleVersion.shape,
  ...StatusInfo.partial().shape,
  use: ConsoleUse,
  left: z.number().optional().describe('Remaining trial time in seconds')
})
/** Why the hub went back to the release before. */
export const ReleaseRollback = z.object({
  version: z.string().describe('Version of the release that failed'),
  time: z.int().describe('When the hub went back, in milliseconds since the epoch'),
  check: z.enum(TRIAL_CHECKS).describe('The check that failed'),
  reason: z.string().describe('The reason as a sentence, in the language of the request'),
  channels: z.array(z.string()).optional().describe('With `channels`: names of those that carried no stream again'),
  lines: z.array(z.string()).describe('The last lines of its log')
})
/**
 * A key whose updates the hub accepts. Keys come from files that an operator of the machine names when the hub starts.
 */
export const TrustedKey = z.object({
  fingerprint: z.string().describe('SHA-256 of the public key (SPKI, DER) in hex, as in the statement of an update'),
  development: z.boolean().optional().describe('The public development key')
})
export const UpdateStatus = z.object({
  ...UpdateRefusal.shape,
  state: z.int().describe('Bits of `UPDATE_STATE`'),
  progress: z.int().describe('Percent of the current step'),
  'enable-update': z.boolean(),
  command: z
    .string()
    .optional()
    .describe('Without `enable-update`: the command that installs the key of the issuer, for a shell on the machine'),
  version: z.string().describe('Version of the hub'),
  'online-status': OnlineStatus,
  consoles: z.array(StoredConsole).describe('The uploaded console, then the consoles in the slots'),
  releases: z
    .array(StoredRelease)
    .optional()
    .describe('The uploaded release, the one in use, and the one before. Absent: the hub runs from no release'),
  'engine-version': z
    .string()
    .optional()
    .describe(
      'Version of the release from which streams run, if it is another one: the update takes effect for them when they are restarted'
    ),
  'switch-over-fault': z
    .string()
    .optional()
    .describe('With `engine-version`: that the last switch-over of the streams was not completed'),
  rollback: ReleaseRollback.optional().describe(
    'Why the hub went back, until an update is uploaded or this is dismissed'
  ),
  'trusted-keys': z.array(TrustedKey).optional().describe('Returned only to the Admin group')
})

export type UpdateFault = z.infer<typeof UpdateFault>
export type UpdateRefusal = z.infer<typeof UpdateRefusal>
export type OnlineRelease = z.infer<typeof OnlineRelease>
export type OnlineStatus = z.infer<typeof OnlineStatus>
export type ConsoleVersion = z.infer<typeof ConsoleVersion>
export type UploadedUpdate = z.infer<typeof UploadedUpdate>
export type ReleaseRollback = z.infer<typeof ReleaseRollback>
export type Slot = z.infer<typeof Slot>
export type ConsoleUse = z.infer<typeof ConsoleUse>
export type StoredConsole = z.infer<typeof StoredConsole>
export type StoredRelease = z.infer<typeof StoredRelease>
export type TrustedKey = z.infer<typeof TrustedKey>
export type UpdateStatus = z.infer<typeof UpdateStatus>

export const updateSchemas = {
  'GET /update/status': {
    summary:
      'Returns the consoles and the state of an update. `update-fault` and `message` explain a failure of the last update.',
    request: z.object({
      start: queryNumber(0, 1000).describe('first release online, 0 by default'),
      count: queryNumber(0, ONLINE_RELEASES_MAX).describe('releases online, 20 by default')
    }),
    response: UpdateStatus,
    responseNote:
      '`state`, `progress` (percent), `enable-update`, `command`, `version` (of the hub), `online-status`: `update-result`, `date`, `check-result`, `enable`, `enable-expr`, `versions`, own: `address`, `fault`; `is-newest`, `newest-version` (the uploaded update, or the version in use), `update-fault`, `part`, `is`, `limit`, `consoles`, `releases`, `engine-version`, `switch-over-fault`, `rollback`; to the Admin group `trusted-keys`',

    source:
      'vendor; own: `command`, `update-fault`, `part`, `is`, `limit`, `consoles`, `releases`, `engine-version`, `switch-over-fault`, `rollback`, `trusted-keys`',
    examples: [{}]
  },
  'POST /update/upload': {
    summary:
      'Uploads an update as multipart/form-data, part `file`, verifies it, and keeps it until it is installed, replaced or cancelled. `update-fault` has the details.',
    operation: ['Upload update', '上传更新'],
    request: emptyRequest,
    requestNote:
      'form with the part `file`: a console of at most 16 MiB, or a release, whose signed statement has its size',
    response: z.object({ ...UploadedUpdate.shape, ...DiskSpaceDetails.shape }),
    errors: {
      [FILE_TYPE_ERROR]: 'each with `update-fault` where it applies',
      [NEED_MORE_DATA]: 'each with `update-fault` where it applies',
      [VERIFY_FAILED]: 'each with `update-fault` where it applies',
      [AUTH_FAILED]: 'each with `update-fault` where it applies',
      [UNSUPPORTED]: 'each with `update-fault` where it applies',
      [TOO_LARGE]: 'each with `update-fault` where it applies',
      [NO_SPACE]: 'each with `update-fault` where it applies',
      [CANCELED]: 'each with `update-fault` where it applies',
      [IN_PROGRESS]: 'each with `update-fault` where it applies',
      [WRONG_STATE]: 'each with `update-fault` where it applies'
    },
    source: 'own',
    examples: [{}]
  },
  'POST /update/check': {
    summary: 'Asks the web server for releases of the hub.',
    operation: ['Check for updates', '检查更新'],
    request: emptyRequest,
    errors: { [WRONG_STATE]: 'no server is set up', [IN_PROGRESS]: '' },
    source: 'own',
    examples: [{}]
  },
  'POST /update/set': {
    summary: 'Changes where and whether the hub looks for releases.',
    operation: ['Set up updates', '设置更新'],
    request: z.object({
      address: onlineAddress.optional().describe('folder of a web server with channel files; empty: none'),
      enable: z.boolean().optional().describe('looks once a day'),
      'enable-expr': z.boolean().optional().describe('pre-releases, too')
    }),
    source: 'own',
    examples: [{}, { address: 'https://releases.example.com/headend', enable: true }, { 'enable-expr': false }]
  },
  'POST /update/start': {
    summary:
      'Installs the uploaded update and activates it on trial: a console in the unused slot, without confirmation in time the hub rolls back; a release in its own folder, the hub restarts and rolls back if it does not work (docs/architecture/upgrade.md). Streams continue, unless the release has another engine protocol.',
    operation: ['Install update', '安装更新'],
    request: z.object({
      id: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .describe('of the uploaded update, or of a release online, which is then downloaded and kept like an upload'),
      force: z.boolean().optional().describe('allows a lower version'),
      ...dryRun
    }),
    errors: {
      [NOT_EXIST]: '',
      [STATE_CHANGED]: 'another update was uploaded',
      [DATA_LOSS]: '',
      [IN_PROGRESS]: '',
      [WRONG_STATE]: ''
    },
    source: 'own',
    examples: [
      { id: 'e3afed0047b08059d0fada10f400c1e5e3afed0047b08059d0fada10f400c1e5' },
      { id: 'e3afed0047b08059d0fada10f400c1e5e3afed0047b08059d0fada10f400c1e5', force: true }
    ]
  },
  'POST /update/cancel': {
    summary: 'Cancels an upload, or deletes the uploaded update.',
    operation: ['Discard uploaded update', '放弃已上传的更新'],
    request: emptyRequest,
    errors: { [NOT_EXIST]: 'nothing to cancel' },
    source: 'own',
    examples: [{}]
  },
  'POST /update/confirm': {
    summary:
      'Confirms that the console on trial works, or the release of which it is a part. Sent by the console itself after it has loaded; `script` is the name of its script (`console-trial` of the system status).',
    operation: ['Confirm console', '确认控制台'],
    request: z.object({
      script: z
        .string()
        .regex(/^[\w-]+\.js$/)
        .describe('name of the script of the console on trial')
    }),
    errors: { [WRONG_STATE]: 'another console is active' },
    source: 'own',
    examples: [{ script: 'app-0123abcd.js' }]
  },
  'POST /update/revert': {
    summary:
      'Activates the previous console, on trial like a new one; with `release` the previous release of the hub, with the data that it had: later changes are lost.',
    operation: ['Roll back', '回退'],
    request: z.object({
      release: z.literal(true).optional().describe('the whole hub'),
      force: z.boolean().optional().describe('with `release`: accepts the loss of later changes'),
      ...dryRun
    }),
    errors: {
      [NOT_EXIST]: 'nothing to go back to',
      [DATA_LOSS]: 'with `release`, without `force`',
      [IN_PROGRESS]: '',
      [WRONG_STATE]: ''
    },
    source: 'own',
    examples: [{}, { release: true, force: true }]
  },
  'POST /update/restart-streams': {
    summary:
      'Moves all streams to the stream engine of the release of the hub, one channel after the other; `engine-version` of the status is absent when that is done, `switch-over-fault` says that it has failed. `off-air` lists the channels that are interrupted: all of them where the engine has to be restarted instead (docs/architecture/upgrade.md).',
    operation: ['Switch streams over', '切换流'],
    request: z.object({ ...dryRun }),
    errors: { [WRONG_STATE]: 'they already run from the release of the hub', [IN_PROGRESS]: 'they are being moved' },
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
