// Removes secrets from rows, for an export without a passphrase. The import takes a removed secret from the same object
// of this hub if there is one.
import { hubSetting } from '../../contract/hub-settings.schema.ts'
import { isNdiUrl } from '../../contract/ndi/url.ts'
import type { Setting } from '../../contract/setting.schema.ts'
import { CHANNEL_SETTINGS } from '../../contract/stream/channel-settings.schema.ts'
import { PRIVATE_OUTPUT_SETTINGS } from '../../contract/stream/output-settings.schema.ts'
import { RTMP } from '../../contract/stream/protocols.ts'
import { formatSourceUrl, isFault, parseSourceUrl } from '../../contract/stream/source-url.ts'
import type { Row, TableName } from './tables.ts'

/**
 * A source URL without its secrets: login, passphrase, stream ID, RTMP stream key, and the path and query of other
 * URLs, which can be a secret as a whole.
 */
export function stripUrl(text: string): string {
  if (isNdiUrl(text)) return text
  const url = parseSourceUrl(text)
  if (isFault(url)) return ''
  const path = url.protocol === RTMP ? url.path.replace(/^(\/[^/?]+).*$/s, '$1') : url.path && '/'
  const { user: _user, password: _password, srt, ...rest } = url
  return formatSourceUrl({ ...rest, path, ...(srt && { srt: { ...srt, streamId: '', passphrase: '' } }) })
}

/** The configuration of an output without its secrets. */
export function stripConfig(text: string): string {
  const config = JSON.parse(text) as Record<string, unknown>
  const kept = Object.entries(config).filter(
    ([name]) => !PRIVATE_OUTPUT_SETTINGS.includes(name) || name === 'enable-auth'
  )
  const open = Object.fromEntries(kept)
  if (typeof open.url === 'string') open.url = stripUrl(open.url)
  return JSON.stringify(open)
}

function stripSetting({ name, value }: Row): string {
  const stored = JSON.parse(String(value))
  const secret = hubSetting(String(name))?.secret
  return secret ? JSON.stringify({ ...stored, [secret.member]: '' }) : String(value)
}

/** Texts in place of the keys of a channel, which are unique. */
function withheldKeys({ id }: Row): Row {
  const rows: readonly Setting[] = Object.values(CHANNEL_SETTINGS)
  const keys = rows.flatMap(({ key, stored }) => (key && stored ? [[stored[0], `withheld ${key.withheld} ${id}`]] : []))
  return Object.fromEntries(keys)
}

/** The row without secrets. */
export function redactRow(table: TableName, row: Row): Row {
  switch (table) {
    case 'user':
      return {
        ...row,
        password: '',
        is_default_password: 0,
        second_factor: '',
        second_factor_since: 0,
        second_factor_step: 0
      }
    case 'device':
      return { ...row, key_hash: '' }
    case 'device_address':
      return { ...row, secret: '' }
    case 'input':
      return { ...row, url: stripUrl(String(row.url)) }
    case 'output':
      return { ...row, config: stripConfig(String(row.config)) }
    case 'channel':
      return { ...row, ...withheldKeys(row) }
    case 'setting':
      return { ...row, value: stripSetting(row) }
    default:
      return row
  }
}
