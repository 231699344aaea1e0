// The data of a hub after the reset of all settings: an empty database, with the settings that are kept.
import { readdirSync } from 'node:fs'
import type { LogEvent } from '../../../contract/events.ts'
import { LOG_WARNING } from '../../../contract/log.ts'
import { LICENSES, TRUSTED_KEYS_FILE } from '../../../pack/trusted-keys.ts'
import { TLS_FOLDER } from '../../../tls/folder.ts'
import type { DataReplacement } from '../../data-backup/replacement.ts'
import { COPIES_FOLDER, isLocal, LAST_BACKUP_FILE, REPLACED_PREFIX, UPGRADE_FOLDER } from '../../data-folder/entries.ts'
import type { SettingsStore, StoredSettings } from '../../store/settings.ts'
import { openStore, type Store } from '../../store/store.ts'

/** What the administrator keeps. */
export interface Kept {
  network: boolean
  license: boolean
}

type Part = keyof StoredSettings

const NETWORK_PARTS: readonly Part[] = ['web', 'hosts', 'network-change', 'network-outcome', 'network-notes']
const LICENSE_PARTS: readonly Part[] = ['license', 'license-limits']
/** Kept in any case: without them a licence that has expired or was withdrawn would be valid again. */
const LICENSE_CLOCK: readonly Part[] = ['license-clock', 'license-issued']
/** Kept in any case: the firewall service keeps its ports, and the hub shows them. */
const FIREWALL_PARTS: readonly Part[] = ['firewall', 'firewall-change', 'firewall-outcome']

/**
 * Entries that stay: the installed consoles, and the keys that the operator trusts. They are software, and files that
 * no screen of the console writes.
 */
const STAYING: readonly string[] = ['console', TRUSTED_KEYS_FILE, LICENSES.file, LAST_BACKUP_FILE]

/**
 * The entries of the data folder that a reset deletes. Copies of the database, that of the release before, and data
 * that a restore replaced, have settings, too.
 */
export function entriesToDelete(data: string, kept: Kept): string[] {
  return readdirSync(data).filter((name) => {
    if (name === COPIES_FOLDER || name === UPGRADE_FOLDER || name.startsWith(REPLACED_PREFIX)) return true
    if (name === TLS_FOLDER) return !kept.network
    return !isLocal(name) && !STAYING.includes(name)
  })
}

function copySetting<P extends Part>(part: P, from: SettingsStore, to: SettingsStore): void {
  to.set(part, from.get(part))
}

/** Copies the numbers of the shared ports. Their further settings, such as a passphrase, are not kept. */
function copySharedPorts(from: SettingsStore, to: SettingsStore): void {
  to.set('srt', { ...to.get('srt'), port: from.get('srt').port })
  to.set('rtmp', { ...to.get('rtmp'), port: from.get('rtmp').port })
}

/**
 * Writes the first data of a hub into the folder of a replacement. @param by name and address of the administrator, for
 * the system log
 */
export function writeFirstData(replacement: DataReplacement, current: Store, kept: Kept, by: string): void {
  const first = openStore(replacement.folder)
  try {
    const parts = [
      ...LICENSE_CLOCK,
      ...FIREWALL_PARTS,
      ...(kept.network ? NETWORK_PARTS : []),
      ...(kept.license ? LICENSE_PARTS : [])
    ]
    first.database.transaction(() => {
      for (const part of parts) copySetting(part, current.settings, first.settings)
      if (kept.network) copySharedPorts(current.settings, first.settings)
      first.logEvent({ event: 'settings-reset' satisfies LogEvent, detail: by, level: LOG_WARNING })
    })
  } finally {
    first.close()
  }
}
