// Checks the objects of an import with the rules of the calls that would create them, so that no import stores what a
// call refuses. Values are replaced by what the call would store; fields that it does not know are dropped.

import { isDeepStrictEqual } from 'node:util'
import { addView, SAVED_VIEWS_MAX, type ViewList } from '../../contract/access/saved-view.ts'
import { TOKEN_SCOPES } from '../../contract/access/token.ts'
import { addGroup, addUser } from '../../contract/access/user.ts'
import type { ExportPart } from '../../contract/backup/export.ts'
import type { Call } from '../../contract/call.ts'
import { schemaOf } from '../../contract/calls.schema.ts'
import { addCatalog } from '../../contract/catalog.ts'
import { addDevice, setDeviceAddress } from '../../contract/device/address.ts'
import { configureDevices, REGISTRATION_STATE, setGlobalDevice } from '../../contract/device/device.ts'
import { CHANNEL_OUTPUTS_MAX } from '../../contract/limits.ts'
import { setDeviceName } from '../../contract/machine/name.ts'
import { addMatrix, addSalvo, MATRICES_MAX, setMatrix, takeRoutes } from '../../contract/ndi/router.ts'
import type { SettingTable } from '../../contract/setting.schema.ts'
import { type Settings, setSettings } from '../../contract/settings.ts'
import { setChannel } from '../../contract/stream/channel.ts'
import { setGlobalChannel } from '../../contract/stream/channel-security.ts'
import { CHANNEL_SETTINGS } from '../../contract/stream/channel-settings.schema.ts'
import { INPUT_SETTINGS } from '../../contract/stream/input-settings.schema.ts'
import { addPreset, PRESETS_MAX } from '../../contract/stream/preset.ts'
import { addInput, addOutput } from '../../contract/stream/source.ts'
import { addTag, OBJECT_TAGS_MAX, TAGS_MAX, type TagColor } from '../../contract/tag.ts'
import { storedSettings, toColumns } from '../store/stored-settings.ts'
import { ExportError } from './archive.ts'
import { type Row, specOf, TABLE_NAMES, type Tables, type Value } from './tables.ts'

/** Any value of the right shape: the password itself is not in an export. */
const SOME_MD5 = '0'.repeat(32)
const PASSWORD_HASH = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/
const SHA256 = /^[0-9a-f]{64}$/
/** Characters of a value for which no call has a rule. */
const TEXT_MAX = 4096
/** Characters of a column with JSON, and of any other column. */
const JSON_COLUMN_MAX = 1 << 20
const TEXT_COLUMN_MAX = 1 << 16
/** IDs count up from the largest one. From here on, enough are left for new objects. */
const ID_MAX = 2 ** 31

const fail = (of: string): never => {
  throw new ExportError('value', of)
}

/** @returns the request as the call would receive it. @throws ExportError if the call refuses it */
function check<Request>(of: string, call: Call<Request, never> | Call<Request>, request: Request): Request {
  const parsed = schemaOf(call as Call)?.request.safeParse(request)
  return parsed?.success ? (parsed.data as Request) : fail(of)
}

function parse(of: string, text: Row[string] | undefined) {
  try {
    return JSON.parse(String(text))
  } catch {
    return fail(of)
  }
}

/** Whether two texts are the same value, also with another order of its fields. */
function isSameJson(text: Row[string] | undefined, other: Value): boolean {
  if (text === other) return true
  try {
    return isDeepStrictEqual(JSON.parse(String(text)), JSON.parse(String(other)))
  } catch {
    // One of them is empty.
    return false
  }
}

/** The value as JSON; the present text if it is the same value, so that another order of fields is not a change. */
function toStoredText(text: Row[string] | undefined, value: unknown): string {
  const next = value === undefined ? '' : JSON.stringify(value)
  return isSameJson(text, next) ? String(text) : next
}

const isBit = (id: Row[string] | undefined) =>
  typeof id === 'number' && id > 0 && id <= 2 ** 31 && (id & (id - 1)) === 0

/** ID 0 means no device group and no input, so no object may have it. */
function validateIds(tables: Tables, parts: ReadonlySet<ExportPart>): void {
  for (const table of TABLE_NAMES.filter((name) => parts.has(specOf(name).part)))
    for (const { id, name, sn } of tables[table])
      if (id !== undefined && (Number(id) < 1 || Number(id) > ID_MAX)) fail(`${table} ${name ?? sn ?? id}`)
}

/** @param parts the parts that are imported. @throws ExportError */
export function validateTables(tables: Tables, parts: ReadonlySet<ExportPart>): void {
  for (const rows of Object.values(tables))
    for (const row of rows)
      for (const value of Object.values(row))
        if (
          typeof value === 'string' &&
          value.length > (row.value === value || row.config ? JSON_COLUMN_MAX : TEXT_COLUMN_MAX)
        )
          fail(String(row.name ?? ''))
  validateIds(tables, parts)
  if (parts.has('users')) validateUsers(tables)
  if (parts.has('devices')) validateDevices(tables)
  if (parts.has('streams')) validateStreams(tables)
  if (parts.has('streams') || parts.has('devices')) validateTags(tables)
  if (parts.has('ndi')) validateMatrices(tables)
  for (const row of tables.setting) validateSetting(row)
}

function validateUsers({ user, user_group: groups, recovery_code: codes, saved_view: views, token }: Tables): void {
  for (const group of groups) {
    const of = `group ${group.name}`
    const { name, description, permission, require_second_factor: required } = group
    const request = { name: String(name), permissions: Number(permission), desc: String(description) }
    check(of, addGroup, { ...request, 'require-second-factor': required === 1 })
    if (!isBit(group.id)) fail(of)
  }
  for (const each of user) {
    const of = `user ${each.name}`
    const { name, nick, expires, guest } = each
    const request = { name: String(name), nick: String(nick), expires: Number(expires), guest: guest === 1 }
    check(of, addUser, { ...request, passwd: SOME_MD5 } as never)
    if (!isBit(each.id) || !PASSWORD_HASH.test(String(each.password))) fail(of)
    if (!/^[A-Z2-7]{0,128}$/.test(String(each.second_factor))) fail(of)
  }
  for (const [, ofUser] of Map.groupBy(views, ({ user_id: id }) => id)) {
    if (ofUser.length > SAVED_VIEWS_MAX) fail('view')
    for (const { list, name, query } of ofUser)
      check(`view ${name}`, addView, { list: list as ViewList, name: String(name), query: String(query) })
  }
  for (const { hash } of codes) if (!SHA256.test(String(hash))) fail('recovery code')
  for (const { hash, name, scopes } of token) {
    const areKnown = String(scopes)
      .split(' ')
      .every((scope) => (TOKEN_SCOPES as readonly string[]).includes(scope))
    if (!SHA256.test(String(hash)) || !areKnown || !isPlainText(name)) fail(`token ${name}`)
  }
}

const isPlainText = (value: Row[string] | undefined) =>
  typeof value === 'string' && value.length <= TEXT_MAX && !/\p{Cc}/u.test(value)

function validateDevices({ catalog, device, device_config: configs, device_address: addresses }: Tables): void {
  const parents = new Map(catalog.map(({ id, parent_id: parent }) => [id, parent]))
  for (const { id, name, parent_id: parent } of catalog) {
    check(`catalog ${name}`, addCatalog, { 'parent-id': Number(parent), name: String(name) })
    // The inheritance of visibility follows the parents to the top.
    const seen = new Set([id])
    for (let above = parent; above !== 0 && above !== undefined; above = parents.get(above) ?? 0) {
      if (seen.has(above) || !parents.has(above)) throw new ExportError('inconsistent', `catalog ${name}`)
      seen.add(above)
    }
  }
  const states: readonly unknown[] = Object.values(REGISTRATION_STATE)
  const serials = new Map(device.map(({ id, sn }) => [id, String(sn)]))
  for (const each of device) {
    const of = `device ${each.name}`
    const sn = String(each.sn)
    check(of, configureDevices, { sn: [sn], config: {} })
    if (!Object.values(each).every((value) => typeof value === 'number' || isPlainText(value))) fail(of)
    if (!states.includes(each.reg_state) || !/^([0-9a-f]{64})?$/.test(String(each.key_hash))) fail(of)
    if (each.catalog_id !== 0 && !parents.has(each.catalog_id as number)) throw new ExportError('inconsistent', of)
  }
  for (const row of configs) {
    const sn = serials.get(row.device_id as number) ?? ''
    const { config } = check(`device ${sn}`, configureDevices, { sn: [sn], config: parse(sn, row.config) })
    row.config = toStoredText(row.config, config)
  }
  for (const row of addresses) validateAddress(serials.get(row.device_id as number) ?? '', row)
}

function validateAddress(sn: string, { address, port, https, secret, cert, rtmp_port: rtmpPort }: Row): void {
  const of = `device ${sn}`
  const ports = { port: Number(port), 'rtmp-port': Number(rtmpPort) }
  check(of, setDeviceAddress, { sn, address: String(address), ...ports, https: https === 1 })
  if (cert !== '' && !SHA256.test(String(cert))) fail(of)
  if (secret !== '') check(of, addDevice, { address: String(address), ...parse(of, secret) })
}

function validateStreams({
  input,
  output,
  channel,
  channel_output: outputs,
  channel_device: devices,
  ...rest
}: Tables) {
  for (const row of input) {
    const of = `input ${row.name}`
    const { url, ...settings } = storedSettings(INPUT_SETTINGS, row, (text) => parse(of, text))
    const config = { type: 1 as const, url: String(url), ...settings }
    storeChecked(INPUT_SETTINGS, row, check(of, addInput, { name: String(row.name), config }).config)
  }
  for (const row of output) {
    const of = `output ${row.name}`
    const request = { name: String(row.name), protocol: Number(row.protocol), config: parse(of, row.config) }
    row.config = toStoredText(row.config, check(of, addOutput, request).config)
  }
  const keys = new Set<Row[string] | undefined>()
  const channelOf = ({ channel_id: id }: Row) => id
  const backups = Map.groupBy(rest.channel_backup, channelOf)
  const used = Map.groupBy([...outputs, ...devices], channelOf)
  for (const row of channel) {
    const of = `channel ${row.name}`
    const ids = backups.get(row.id)?.map(({ node_id: id }) => Number(id)) ?? []
    validateChannel(of, row, ids)
    if ((used.get(row.id)?.length ?? 0) > CHANNEL_OUTPUTS_MAX) fail(of)
    for (const key of [row.play_key, row.push_key]) {
      if (keys.has(key)) throw new ExportError('inconsistent', of)
      keys.add(key)
    }
  }
}

function validateTags({ tag, tag_channel: channels, tag_source: sources, tag_device: devices }: Tables): void {
  if (tag.length > TAGS_MAX) fail('tag')
  for (const { name, color } of tag)
    check(`tag ${name}`, addTag, { name: String(name), color: String(color) as TagColor })
  const owners = [
    Map.groupBy(channels, ({ channel_id: id }) => id),
    Map.groupBy(sources, ({ source_id: id }) => id),
    Map.groupBy(devices, ({ device_id: id }) => id)
  ]
  for (const rows of owners.flatMap((byObject) => [...byObject.values()]))
    if (rows.length > OBJECT_TAGS_MAX) fail('tag')
}

function validateChannel(of: string, row: Row, backups: number[]): void {
  const config = { backups, ...storedSettings(CHANNEL_SETTINGS, row, (text) => parse(of, text)) }
  const checked = check(of, setChannel, { id: Number(row.id), name: String(row.name), config }).config
  storeChecked(CHANNEL_SETTINGS, row, checked)
}

/** Stores settings as the call would. */
function storeChecked(table: SettingTable, row: Row, checked: Readonly<Record<string, unknown>> = {}): void {
  const stored = Object.entries(table).filter(([, setting]) => setting.stored)
  const columns = toColumns(table, Object.fromEntries(stored.map(([name]) => [name, checked[name]])))
  for (const [column, value] of Object.entries(columns) as [string, Value][])
    if (!isSameJson(row[column], value)) row[column] = value
}

function validateMatrices(tables: Tables): void {
  const ofMatrix = (rows: readonly Row[], id: Row[string] | undefined) => rows.filter((row) => row.matrix_id === id)
  if (tables.ndi_matrix.length > MATRICES_MAX) fail('matrix')
  for (const { id, name, machine, panel, undo } of tables.ndi_matrix) {
    const of = `matrix ${name}`
    const text = (value: Row[string] | undefined) => String(value)
    const sources = ofMatrix(tables.ndi_matrix_source, id)
    const destinations = ofMatrix(tables.ndi_matrix_destination, id)
    check(of, addMatrix, {
      name: text(name),
      machine: text(machine),
      sources: sources.map((row) => ({ label: text(row.label), name: text(row.name) })),
      destinations: destinations.map((row) => ({ label: text(row.label) }))
    })
    check(of, setMatrix, { id: Number(id), panel: parse(of, panel) })
    const places = (rows: readonly Row[]) => rows.every(({ position }, index) => position === index + 1)
    const isRouted = destinations.every(({ source }) => Number(source) >= 0 && Number(source) <= sources.length)
    if (!places(sources) || !places(destinations) || !isRouted) throw new ExportError('inconsistent', of)
    for (const salvo of ofMatrix(tables.ndi_salvo, id))
      check(of, addSalvo, { id: Number(id), name: text(salvo.name), takes: parse(of, salvo.takes) })
    for (const take of ofMatrix(tables.ndi_scheduled_take, id))
      check(of, takeRoutes, { id: Number(id), at: Number(take.at), takes: parse(of, take.takes) })
    if (undo) check(of, takeRoutes, { id: Number(id), takes: parse(of, undo).takes })
  }
}

/** Checks a setting with the call that sets it, and stores what that call would store. */
function validateSetting(row: Row): void {
  const of = `setting ${row.name}`
  const value = parse(of, row.value)
  const checked = () => {
    switch (row.name) {
      case 'device-security':
        return check(of, setGlobalDevice, { security: value }).security
      case 'channel-security':
        return check(of, setGlobalChannel, { security: value }).security
      case 'device-config':
        return Object.keys(value).length === 0 ? value : check(of, setGlobalDevice, { config: value }).config
      case 'output-presets':
        return checkPresets(of, value)
      case 'device-name':
        return value === '' ? '' : check(of, setDeviceName, { name: value }).name
      case 'security':
        return checkSecurity(of, value)
      default:
        return Object.values(check(of, setSettings, { [String(row.name)]: value } as never))[0]
    }
  }
  row.value = toStoredText(row.value, checked())
}

/** Without an invitation code the stored code is empty. */
function checkSecurity(of: string, { 'code-value': code, ...rest }: Settings['security']) {
  const { security } = check(of, setSettings, { security: { ...rest, ...(code && { 'code-value': code }) } })
  return { 'code-value': '', ...security }
}

function checkPresets(of: string, value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length > PRESETS_MAX) return fail(of)
  if (new Set(value.map((preset) => preset?.id)).size < value.length) return fail(of)
  return value.map((preset) => {
    if (!Number.isInteger(preset?.id) || preset.id < 1 || preset.id > ID_MAX) return fail(of)
    return { id: preset.id, ...check(of, addPreset, preset) }
  })
}
