// Computes the configuration after an import: the chosen parts come from the export, the others stay. IDs, masks and
// references that cross the border between both are translated by name and serial number. Secrets that the export does
// not have stay those of the same object.
import { randomInt, randomUUID } from 'node:crypto'
import type { ExportPart, ImportNote } from '../../contract/backup/export.ts'
import { hubSetting } from '../../contract/hub-settings.schema.ts'
import { ExportError } from './archive.ts'
import { mergeDevices } from './merge-devices.ts'
import { Merge, type MergeRequest } from './merge-state.ts'
import { mergeStreams } from './merge-streams.ts'
import { mergeTags } from './merge-tags.ts'
import { mergeUsers } from './merge-users.ts'
import { partOf, type Row, TABLE_NAMES, type Tables } from './tables.ts'

/** The configuration after the import, and what it lacks. @throws ExportError */
export function mergeTables(request: MergeRequest): { tables: Tables; notes: ImportNote[] } {
  const merge = new Merge(request)
  const masks = mergeUsers(merge)
  const devices = mergeDevices(merge, masks)
  mergeStreams(merge, masks, devices)
  mergeTags(merge, masks, devices)
  for (const table of TABLE_NAMES) if (partOf(table, {}) === 'ndi') merge.result[table] = merge.rows(table, 'ndi')
  mergeSettings(merge, masks)
  return { tables: merge.result, notes: merge.notes() }
}

/** Settings whose masks name users and groups. */
const WITH_MASKS: readonly unknown[] = ['device-security', 'channel-security']

function mergeSettings(merge: Merge, masks: ReturnType<typeof mergeUsers>): void {
  const chosen = (rows: readonly Row[], isImported: boolean) =>
    rows.filter((row) => merge.parts.has(partOf('setting', row) as ExportPart) === isImported)
  const imported = chosen(merge.imported.setting, true)
  const rows = [...imported, ...chosen(merge.local.setting, false)]
  merge.result.setting = rows.map((row) => {
    const value = parseJson(row)
    if (WITH_MASKS.includes(row.name))
      return { ...row, value: JSON.stringify(masks.map('setting', value, 'group-mask', 'usr-mask')) }
    if (!imported.includes(row) || !merge.isWithheld('setting', row)) return { ...row }
    const local = merge.local.setting.find(({ name }) => name === row.name)
    return { ...row, value: JSON.stringify(completeSetting(merge, row, value, local ? parseJson(local) : {})) }
  })
}

function parseJson({ name, value }: Row): Record<string, string | number> {
  try {
    const parsed = JSON.parse(String(value))
    if (parsed !== null) return parsed
  } catch {
    // Refused below.
  }
  throw new ExportError('value', `setting ${name}`)
}

/** Takes the secret from this hub, or a random one, so that access is refused until a new one is set. */
function completeSetting(
  merge: Merge,
  { name }: Row,
  value: Record<string, string | number>,
  local: Record<string, string | number>
): object {
  const secret = hubSetting(String(name))?.secret
  if (!secret) return value
  const { member, generated } = secret
  if (local[member]) return { ...value, [member]: local[member] }
  merge.note('setting', String(name))
  return { ...value, [member]: generated === 'uuid' ? randomUUID() : String(randomInt(10_000)).padStart(4, '0') }
}
