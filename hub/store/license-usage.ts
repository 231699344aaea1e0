// How much of what a licence limits is in use. Active is what belongs to an enabled channel and is not switched off
// there, whether or not it carries anything now.

import type { LicenseLimits } from '../../contract/license.ts'
import { SRT } from '../../contract/stream/protocols.ts'
import { isFault, parseSourceUrl } from '../../contract/stream/source-url.ts'
import type { Database } from './database.ts'

export type LicenseUsage = Record<keyof LicenseLimits, number>

const INPUTS = `
  SELECT url FROM input WHERE protocol = ${SRT} AND id IN (
    SELECT input_id FROM channel WHERE enable = 1
    UNION SELECT node_id FROM channel_backup JOIN channel ON channel.id = channel_id WHERE enable = 1)`
const OUTPUTS = `
  SELECT protocol, config FROM output JOIN channel_output ON output_id = output.id
  JOIN channel ON channel.id = channel_id WHERE channel.enable = 1 AND channel_output.enable = 1`

/** Those that channels have by themselves. */
const OWN = `SELECT count(*) AS own FROM channel WHERE enable = 1 AND ndi <> '' AND json_extract(ndi, '$.enable')`

/** Devices that channels play on. */
const DEVICES = `SELECT count(*) AS devices FROM channel_device JOIN channel ON channel.id = channel_id
  WHERE channel.enable = 1 AND channel_device.enable = 1`

export function licenseUsage(database: Database): LicenseUsage {
  const [channels] = database.all<{ all: number; live: number }>(
    'SELECT count(*) AS "all", coalesce(sum(enable), 0) AS live FROM channel'
  )
  const outputs = database.all<{ protocol: number; config: string }>(OUTPUTS)
  const [{ own } = { own: 0 }] = database.all<{ own: number }>(OWN)
  const [{ devices } = { devices: 0 }] = database.all<{ devices: number }>(DEVICES)
  const servers = outputs.filter(({ protocol, config }) => protocol === SRT && JSON.parse(config).mode === 'listener')
  const waiting = database.all<{ url: string }>(INPUTS).filter(({ url: text }) => {
    const url = parseSourceUrl(text)
    return !isFault(url) && url.srt?.mode === 'listener'
  })
  return {
    'max-channel-count': channels?.all ?? 0,
    'max-live-count': channels?.live ?? 0,
    'max-output-count': outputs.length + own + devices,
    'max-srt-count': servers.length + waiting.length
  }
}

/** What a licence does not allow: which limit, what it is, and how many there would be. */
export interface LicenseExcess {
  of: keyof LicenseLimits
  max: number
  used: number
}

/**
 * The first limit that a change exceeds. What is over a limit already, as after a licence has ended, may stay as it is: only more of it
 * is refused.
 */
export function licenseExcess(
  limits: LicenseLimits,
  before: LicenseUsage,
  after: LicenseUsage
): LicenseExcess | undefined {
  for (const of of Object.keys(limits) as (keyof LicenseLimits)[]) {
    const max = limits[of]
    if (max > 0 && after[of] > max && after[of] > before[of]) return { of, max, used: before[of] }
  }
  return undefined
}
