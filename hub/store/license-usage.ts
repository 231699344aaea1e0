// Counts what a licence limits. Active is what belongs to an enabled channel and is switched on there, whether or not
// it carries a stream.

import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import type { LicenseLimits } from '../../contract/license/license.ts'
import { SRT } from '../../contract/stream/protocols.ts'
import { isFault, parseSourceUrl } from '../../contract/stream/source-url.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

export type LicenseUsage = Record<keyof LicenseLimits, number>

const SRT_INPUTS = `
  SELECT url FROM input WHERE protocol = ${SRT} AND id IN (
    SELECT input_id FROM channel WHERE enable = 1
    UNION SELECT node_id FROM channel_backup JOIN channel ON channel.id = channel_id WHERE enable = 1)`
const OUTPUTS = `
  SELECT protocol, config FROM output JOIN channel_output ON output_id = output.id
  JOIN channel ON channel.id = channel_id WHERE channel.enable = 1 AND channel_output.enable = 1`

/** NDI outputs of the channels themselves. */
const NDI_OUTPUTS = `SELECT count(*) AS n FROM channel WHERE enable = 1 AND ndi <> '' AND json_extract(ndi, '$.enable')`

/** Devices that play a channel. */
const DEVICE_OUTPUTS = `SELECT count(*) AS n FROM channel_device JOIN channel ON channel.id = channel_id
  WHERE channel.enable = 1 AND channel_device.enable = 1`

export function countLicenseUsage(database: Database): LicenseUsage {
  const count = (sql: string) => database.get<{ n: number }>(sql)?.n ?? 0
  const outputs = database.all<{ protocol: number; config: string }>(OUTPUTS)
  const listenerOutputs = outputs.filter(
    ({ protocol, config }) => protocol === SRT && JSON.parse(config).mode === 'listener'
  )
  const listenerInputs = database.all<{ url: string }>(SRT_INPUTS).filter(({ url: text }) => {
    const url = parseSourceUrl(text)
    return !isFault(url) && url.srt?.mode === 'listener'
  })
  return {
    'max-channel-count': count('SELECT count(*) AS n FROM channel'),
    'max-live-count': count('SELECT count(*) AS n FROM channel WHERE enable <> 0'),
    'max-output-count': outputs.length + count(NDI_OUTPUTS) + count(DEVICE_OUTPUTS),
    'max-srt-count': listenerOutputs.length + listenerInputs.length,
    'max-dev-count': count(`SELECT count(*) AS n FROM device WHERE reg_state = ${REGISTRATION_STATE.accepted}`)
  }
}

const TABLES = ['channel', 'channel_backup', 'channel_output', 'channel_device', 'input', 'output', 'device']

/** Counts as `countLicenseUsage`, and remembers the counts until a statement writes to one of the tables. */
export function licenseUsageReader(database: Database): () => LicenseUsage {
  const usage = createQueryCache(database, TABLES, (_all: 'all') => countLicenseUsage(database))
  return () => usage('all') ?? countLicenseUsage(database)
}

/** A limit that is exceeded: its name, its value, and the usage before the change. */
interface LicenseExcess {
  of: keyof LicenseLimits
  max: number
  used: number
}

/**
 * The first limit that a change exceeds. Usage that already exceeded a limit, for instance because a licence ended, may
 * stay; only an increase is refused.
 */
export function findLicenseExcess(
  limits: LicenseLimits,
  before: LicenseUsage,
  after: LicenseUsage
): LicenseExcess | undefined {
  for (const name of Object.keys(limits) as (keyof LicenseLimits)[]) {
    const max = limits[name]
    if (max > 0 && after[name] > max && after[name] > before[name]) return { of: name, max, used: before[name] }
  }
  return undefined
}
